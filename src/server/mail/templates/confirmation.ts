import { DELIVERY_BUSINESS_DAYS, PROCESSING_BUSINESS_DAYS } from '#site/policies.ts'
import type { CollectionTheme } from '#site/collections/theme.ts'
import type { Address } from '#domain/checkout/address.ts'
import { taxRowsOf } from '#domain/checkout/quote.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { formatUsd, times, type Cents } from '#shared/money.ts'
import { html, type Html } from '../html.ts'
import {
  absoluteUrl,
  addressLines,
  buttonRow,
  greeting,
  mailPage,
  mailTheme,
  panelRow,
  salutation,
  textFooter,
  titleRow,
} from './layout.ts'

type Line = {
  productName: string
  variantName: string | null
  quantity: number
  unitPrice: Cents
  /** A path on the shop's host, or null. */
  imageUrl: string | null
}

export type OrderToConfirm = {
  orderNumber: string
  customerName: string
  lines: readonly Line[]
  amounts: {
    subtotal: Cents
    /** Without the surcharges. */
    shipping: Cents
    surcharges: readonly { productName: string; amount: Cents }[]
    tax: Cents
    taxLabel: string
    vatProtection: Cents
    total: Cents
  }
  shippingAddress: Address
  theme: CollectionTheme
  publicUrl: string
  orderLink: string
}

/** Ready for the outbox. */
export type WrittenMail = { subject: string; text: string; html: string }

/** Order confirmation, with the same amounts as the order page. */
export function confirmationMail(order: OrderToConfirm): WrittenMail {
  const { orderNumber, theme, publicUrl } = order
  // A function, because `replace` would interpret a `$&` in a string.
  const subject = theme.emailSubject.replace('{orderId}', () => orderNumber)
  return {
    subject,
    text: textOf(order),
    html: mailPage({
      theme,
      publicUrl,
      title: subject,
      preview: `Order ${formatOrderNumber(orderNumber)}, ${formatUsd(order.amounts.total)}. We’re making it now and will email you when it ships.`,
      rows: rowsOf(order),
    }),
  }
}

/** One row per amount, without the total. */
function paidRows({ amounts, lines }: OrderToConfirm): { name: string; amount: Cents }[] {
  const { subtotal, shipping, surcharges } = amounts
  const pieces = lines.reduce((count, { quantity }) => count + quantity, 0)
  return [
    { name: `Subtotal (${pieces} ${pieces === 1 ? 'item' : 'items'})`, amount: subtotal },
    { name: shipping > 0 ? 'Shipping' : 'Free worldwide shipping', amount: shipping },
    ...surcharges.map(({ productName, amount }) => ({ name: `Shipping surcharge, ${productName}`, amount })),
    ...taxRowsOf(amounts).map(({ label: name, amount }) => ({ name, amount })),
  ]
}

const { from: soonest, to: latest } = PROCESSING_BUSINESS_DAYS
const { from: quickest, to: slowest } = DELIVERY_BUSINESS_DAYS.successPage
const nextSteps = [
  `We make each piece to order, which takes ${soonest} to ${latest} business days.`,
  'We’ll email you the tracking number when it ships.',
  `Delivery usually takes ${quickest} to ${slowest} business days, longer outside the US.`,
]

function textOf(order: OrderToConfirm): string {
  const { orderNumber, customerName, lines, amounts, shippingAddress, theme, publicUrl, orderLink } = order
  const rows = [...paidRows(order), { name: 'Total (USD)', amount: amounts.total }]
  const width = Math.max(...rows.map(({ name }) => name.length)) + 2
  return [
    salutation(customerName),
    theme.emailThankYouMessage,
    `Order number: ${formatOrderNumber(orderNumber)}\nSee your order: ${orderLink}`,
    lines
      .map(
        ({ productName, variantName, quantity, unitPrice }) =>
          `${quantity} x ${productName}${variantName ? ` (${variantName})` : ''}\n    ${formatUsd(unitPrice)} each, ${formatUsd(times(unitPrice, quantity))}`,
      )
      .join('\n'),
    rows.map(({ name, amount }) => `${`${name}:`.padEnd(width)} ${formatUsd(amount).padStart(10)}`).join('\n'),
    `Ships to\n${addressLines(customerName, shippingAddress).join('\n')}`,
    `What happens next\n${nextSteps.map((step, index) => `${index + 1}. ${step}`).join('\n')}`,
    textFooter(publicUrl),
  ].join('\n\n')
}

function rowsOf(order: OrderToConfirm): Html {
  const { orderNumber, customerName, lines, amounts, shippingAddress, theme, publicUrl, orderLink } = order
  const look = mailTheme(theme)
  return html`${titleRow(theme, 'Your order is in.', greeting(customerName, theme.emailThankYouMessage))}
    ${panelRow(theme, [['Order number', formatOrderNumber(orderNumber)]])}
    ${buttonRow(theme, orderLink, 'See your order')}
    <tr>
      <td style="height:26px;font-size:0;line-height:0;">&nbsp;</td>
    </tr>
    <tr>
      <td class="pad" style="padding:0 40px;">
        <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0">
          ${lines.map((line) => lineRow(line, theme, publicUrl))}
        </table>
      </td>
    </tr>
    <tr>
      <td class="pad" style="padding:0 40px;">
        <table
          role="presentation"
          class="rule"
          width="100%"
          cellpadding="0"
          cellspacing="0"
          border="0"
          style="${look.rule}"
        >
          <tr>
            <td colspan="2" style="height:12px;font-size:0;line-height:0;">&nbsp;</td>
          </tr>
          ${paidRows(order).map(
            ({ name, amount }) =>
              html`<tr>
                <td class="quiet" style="${look.small}padding:4px 12px 4px 0;">${name}</td>
                <td class="ink" align="right" style="${look.text}font-size:15px;padding:4px 0;white-space:nowrap;">
                  ${formatUsd(amount)}
                </td>
              </tr>`,
          )}
          <tr>
            <td class="ink" style="${look.strong}font-size:18px;padding:12px 12px 4px 0;">
              Total <span class="quiet" style="${look.small}">USD</span>
            </td>
            <td class="ink" align="right" style="${look.strong}font-size:18px;padding:12px 0 4px;white-space:nowrap;">
              ${formatUsd(amounts.total)}
            </td>
          </tr>
        </table>
      </td>
    </tr>
    <tr>
      <td class="pad" style="padding:30px 40px 0;">
        <h2 class="ink" style="${look.heading}">Ships to</h2>
        <p class="ink" style="margin:8px 0 0;${look.text}">
          ${addressLines(customerName, shippingAddress).map((part, index) => html`${index > 0 && html`<br />`}${part}`)}
        </p>
      </td>
    </tr>
    <tr>
      <td class="pad" style="padding:30px 40px 36px;">
        <h2 class="ink" style="${look.heading}">What happens next</h2>
        <table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin-top:8px;">
          ${nextSteps.map(
            (step, index) =>
              html`<tr>
                <td
                  class="quiet"
                  valign="top"
                  width="26"
                  style="${look.text}color:${theme.colors.textSecondary};padding:4px 0;"
                >
                  ${index + 1}.
                </td>
                <td class="ink" valign="top" style="${look.text}padding:4px 0;">${step}</td>
              </tr>`,
          )}
        </table>
      </td>
    </tr>`
}

function lineRow(
  { productName, variantName, quantity, unitPrice, imageUrl }: Line,
  theme: CollectionTheme,
  publicUrl: string,
): Html {
  const look = mailTheme(theme)
  const picture = absoluteUrl(imageUrl, publicUrl)
  return html`<tr>
    <td class="rule picture-cell" valign="top" width="84" style="${look.rule}padding:16px 14px 16px 0;width:84px;">
      ${
        picture &&
        html`<img
          class="picture"
          src="${picture}"
          width="84"
          height="84"
          alt=""
          style="display:block;width:84px;height:84px;border:0;border-radius:4px;background-color:${theme.colors.background};"
        />`
      }
    </td>
    <td class="rule" valign="top" style="${look.rule}padding:16px 12px 16px 0;">
      <span class="ink" style="${look.strong}">${productName}</span><br />
      <span class="quiet" style="${look.small}"
        >${variantName && html`${variantName}<br />`}${quantity} × ${formatUsd(unitPrice)}</span
      >
    </td>
    <td
      class="rule ink"
      valign="top"
      align="right"
      style="${look.rule}${look.strong}padding:16px 0;white-space:nowrap;"
    >
      ${formatUsd(times(unitPrice, quantity))}
    </td>
  </tr>`
}
