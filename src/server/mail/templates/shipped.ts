import type { CollectionTheme } from '#brand/collections/theme.ts'
import { html, type Html } from '../html.ts'
import type { WrittenMail } from './confirmation.ts'
import { greeting, letter, looksOf, opening, textFooter } from './layout.ts'

export type ParcelToTell = {
  orderNumber: string
  customerName: string
  carrier: string
  trackingNumber: string | null
  /** An `https:` address, or null. */
  trackingUrl: string | null
  items: readonly { productName: string; variantName: string | null; quantity: number }[]
  theme: CollectionTheme
  publicUrl: string
}

/** A parcel has left: what is in it, who carries it and how to follow it. */
export function shippedMail(parcel: ParcelToTell): WrittenMail {
  const { orderNumber, theme, publicUrl, carrier, trackingNumber } = parcel
  const subject = `Your order PF${orderNumber} is on its way - ${theme.displayName}`
  const preview = [carrier, trackingNumber].filter(Boolean).join(' ') || 'A parcel has left for you.'
  return {
    subject,
    text: textOf(parcel),
    html: letter({ theme, publicUrl, title: subject, preview, rows: rowsOf(parcel) }),
  }
}

const itemName = ({ productName, variantName }: ParcelToTell['items'][number]) =>
  `${productName}${variantName ? ` (${variantName})` : ''}`

const SEVERAL = 'If you ordered more than this, the rest follows in a parcel of its own, and we write again.'

function textOf({
  orderNumber,
  customerName,
  carrier,
  trackingNumber,
  trackingUrl,
  items,
  publicUrl,
}: ParcelToTell): string {
  const tracking = [
    carrier && `Carrier: ${carrier}`,
    trackingNumber && `Tracking number: ${trackingNumber}`,
    trackingUrl && `Follow it: ${trackingUrl}`,
  ].filter(Boolean)
  return [
    `Hello ${customerName},`,
    `A parcel of your order PF${orderNumber} has left for you.`,
    ...(tracking.length ? [tracking.join('\n')] : []),
    ...(items.length
      ? [`In this parcel\n${items.map((item) => `${item.quantity} x ${itemName(item)}`).join('\n')}`]
      : []),
    SEVERAL,
    textFooter(publicUrl),
  ].join('\n\n')
}

function rowsOf({ orderNumber, customerName, carrier, trackingNumber, trackingUrl, items, theme }: ParcelToTell): Html {
  const look = looksOf(theme)
  const fact = (name: string, value: string | null) =>
    value &&
    html`<tr>
      <td style="padding:0 18px 10px;">
        <span class="quiet" style="${look.small}">${name}</span><br /><span
          class="ink"
          style="${look.strong}word-break:break-all;"
          >${value}</span
        >
      </td>
    </tr>`
  return html`${opening(
      theme,
      'It is on its way.',
      greeting(
        customerName,
        html`A parcel of your order <span style="white-space:nowrap;">PF${orderNumber}</span> has left for you.`,
      ),
    )}
    ${
      (carrier || trackingNumber) &&
      html`<tr>
        <td class="pad" style="padding:18px 40px 4px;">
          <table
            role="presentation"
            class="panel"
            width="100%"
            cellpadding="0"
            cellspacing="0"
            border="0"
            style="${look.panel}border-radius:4px;"
          >
            <tr>
              <td style="height:14px;font-size:0;line-height:0;">&nbsp;</td>
            </tr>
            ${fact('Carrier', carrier || null)} ${fact('Tracking number', trackingNumber)}
            <tr>
              <td style="height:4px;font-size:0;line-height:0;">&nbsp;</td>
            </tr>
          </table>
        </td>
      </tr>`
    }
    ${
      trackingUrl &&
      html`<tr>
        <td class="pad" style="padding:16px 40px 4px;">
          <table role="presentation" cellpadding="0" cellspacing="0" border="0">
            <tr>
              <td class="button" style="background-color:${theme.colors.buttonPrimary};border-radius:4px;">
                <a href="${trackingUrl}" style="${look.button}">Follow the parcel</a>
              </td>
            </tr>
          </table>
        </td>
      </tr>`
    }
    ${
      items.length > 0 &&
      html`<tr>
        <td class="pad" style="padding:28px 40px 0;">
          <h2 class="ink" style="${look.heading}">In this parcel</h2>
          <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin-top:10px;">
            ${items.map(
              (item) =>
                html`<tr>
                  <td
                    class="rule quiet"
                    valign="top"
                    width="44"
                    style="${look.rule}${look.small}padding:12px 12px 12px 0;white-space:nowrap;"
                  >
                    ${item.quantity} ×
                  </td>
                  <td class="rule ink" valign="top" style="${look.rule}${look.text}padding:10px 0;">
                    ${item.productName}${item.variantName && html`<br /><span class="quiet" style="${look.small}">${item.variantName}</span>`}
                  </td>
                </tr>`,
            )}
          </table>
        </td>
      </tr>`
    }
    <tr>
      <td class="pad" style="padding:22px 40px 34px;">
        <p class="quiet" style="margin:0;${look.small}">${SEVERAL}</p>
      </td>
    </tr>`
}
