import type { CollectionTheme } from '#site/collections/theme.ts'
import { html, type Html } from '../html.ts'
import type { WrittenMail } from './confirmation.ts'
import { buttonRow, greeting, itemsRow, letter, mailTheme, opening, panelRow, textFooter } from './layout.ts'

export type ShippedParcel = {
  orderNumber: string
  customerName: string
  carrier: string
  trackingNumber: string | null
  /** An `https:` address, or null. */
  trackingUrl: string | null
  items: readonly { productName: string; variantName: string | null; quantity: number }[]
  /** Sent in place of a parcel that was lost or came back. */
  isReplacement: boolean
  /** Nothing of the order is left to be sent. */
  isLast: boolean
  theme: CollectionTheme
  publicUrl: string
  /** To the order's own page. */
  orderLink: string
}

/** A parcel has left: what is in it, who carries it and how to follow it. */
export function shippedMail(parcel: ShippedParcel): WrittenMail {
  const { orderNumber, theme, publicUrl, carrier, trackingNumber } = parcel
  const subject = `Your order PF${orderNumber} is on its way - ${theme.displayName}`
  const preview = [carrier, trackingNumber].filter(Boolean).join(' ') || 'A parcel has left for you.'
  return {
    subject,
    text: textOf(parcel),
    html: letter({ theme, publicUrl, title: subject, preview, rows: rowsOf(parcel) }),
  }
}

const itemName = ({ productName, variantName }: ShippedParcel['items'][number]) =>
  `${productName}${variantName ? ` (${variantName})` : ''}`

const introduction = ({ orderNumber, isReplacement }: ShippedParcel): string =>
  isReplacement
    ? `A new parcel has left for you, in place of one of your order PF${orderNumber} that did not arrive as it should.`
    : `A parcel of your order PF${orderNumber} has left for you.`

const remainderSentence = ({ isLast, isReplacement }: ShippedParcel): string =>
  isLast || isReplacement
    ? 'Nothing else of this order is to be sent.'
    : 'The rest of your order follows in a parcel of its own, and we write again.'

function textOf(parcel: ShippedParcel): string {
  const { customerName, carrier, trackingNumber, trackingUrl, items, publicUrl, orderLink } = parcel
  const tracking = [
    carrier && `Carrier: ${carrier}`,
    trackingNumber && `Tracking number: ${trackingNumber}`,
    trackingUrl && `Follow it: ${trackingUrl}`,
  ].filter(Boolean)
  return [
    `Hello ${customerName},`,
    introduction(parcel),
    ...(tracking.length ? [tracking.join('\n')] : []),
    ...(items.length
      ? [`In this parcel\n${items.map((item) => `${item.quantity} x ${itemName(item)}`).join('\n')}`]
      : []),
    `${remainderSentence(parcel)}\nSee your whole order: ${orderLink}`,
    textFooter(publicUrl),
  ].join('\n\n')
}

function rowsOf(parcel: ShippedParcel): Html {
  const { customerName, carrier, trackingNumber, trackingUrl, items, theme, orderLink } = parcel
  const look = mailTheme(theme)
  const hasFacts = Boolean(carrier || trackingNumber)
  return html`${opening(theme, 'It is on its way.', greeting(customerName, introduction(parcel)))}
    ${
      hasFacts &&
      panelRow(theme, [
        ['Carrier', carrier || null],
        ['Tracking number', trackingNumber],
      ])
    }
    ${trackingUrl && buttonRow(theme, trackingUrl, 'Follow the parcel')}
    ${items.length > 0 && itemsRow(theme, 'In this parcel', items)}
    <tr>
      <td class="pad" style="padding:22px 40px 34px;">
        <p class="quiet" style="margin:0;${look.small}">
          ${remainderSentence(parcel)}
          <a class="link" href="${orderLink}" style="color:${theme.colors.textPrimary};text-decoration:underline;"
            >See your whole order</a
          >.
        </p>
      </td>
    </tr>`
}
