import type { CollectionTheme } from '#site/collections/theme.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { html, type Html } from '../html.ts'
import type { WrittenMail } from './confirmation.ts'
import {
  buttonRow,
  greeting,
  itemsRow,
  mailPage,
  mailTheme,
  panelRow,
  salutation,
  textFooter,
  titleRow,
} from './layout.ts'
import type { Item } from './simple-mail.ts'

export type ShippedParcel = {
  orderNumber: string
  customerName: string
  carrier: string
  trackingNumber: string | null
  /** An `https:` URL, or null. */
  trackingUrl: string | null
  items: readonly Item[]
  /** Replaces a parcel that was lost or returned. */
  isReplacement: boolean
  /** Nothing of the order is left to ship. */
  isLast: boolean
  theme: CollectionTheme
  publicUrl: string
  orderLink: string
}

export function shippedMail(parcel: ShippedParcel): WrittenMail {
  const { orderNumber, theme, publicUrl, carrier, trackingNumber } = parcel
  const whose = parcel.isLast || parcel.isReplacement ? 'Your' : 'Part of your'
  const subject = `${whose} order ${formatOrderNumber(orderNumber)} is on its way - ${theme.displayName}`
  const preview = [carrier, trackingNumber].filter(Boolean).join(' ') || introduction(parcel)
  return {
    subject,
    text: textOf(parcel),
    html: mailPage({ theme, publicUrl, title: subject, preview, rows: rowsOf(parcel) }),
  }
}

const itemName = ({ productName, variantName }: ShippedParcel['items'][number]) =>
  `${productName}${variantName ? ` (${variantName})` : ''}`

const introduction = ({ isLast, isReplacement }: ShippedParcel): string =>
  isReplacement
    ? 'A replacement for part of your order has shipped.'
    : isLast
      ? 'Your order has shipped.'
      : 'Part of your order has shipped.'

const remainderSentence = ({ isLast, isReplacement }: ShippedParcel): string =>
  isReplacement
    ? 'You won’t be charged for it.'
    : isLast
      ? 'That’s everything in this order.'
      : 'The rest ships separately, and we’ll email you when it does.'

function textOf(parcel: ShippedParcel): string {
  const { customerName, carrier, trackingNumber, trackingUrl, items, publicUrl, orderLink } = parcel
  const tracking = [
    carrier && `Carrier: ${carrier}`,
    trackingNumber && `Tracking number: ${trackingNumber}`,
    trackingUrl && `Track your parcel: ${trackingUrl}`,
  ].filter(Boolean)
  return [
    salutation(customerName),
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
  return html`${titleRow(theme, 'It’s on its way.', greeting(customerName, introduction(parcel)))}
    ${
      hasFacts &&
      panelRow(theme, [
        ['Carrier', carrier || null],
        ['Tracking number', trackingNumber],
      ])
    }
    ${trackingUrl && buttonRow(theme, trackingUrl, 'Track your parcel')}
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
