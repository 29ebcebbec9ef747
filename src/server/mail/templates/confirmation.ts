import type { CollectionTheme } from '#domain/catalog/collection-theme.ts'
import { addressLines, type Address } from '#domain/checkout/address.ts'
import { taxLineOf, taxRowsOf } from '#domain/checkout/quote.ts'
import { legalPages, legalVersionPath } from '#domain/legal/legal-text.ts'
import { formatClockTime } from '#domain/orders/clock-time.ts'
import type { LabeledText } from '#domain/orders/order-texts.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { formatUsd, minus, type Cents } from '#shared/money.ts'
import { firstNameOf, paragraphs, worded, type AmountRow, type MailContent, type OrderLine } from '../content.ts'
import { SITE } from '../site-facts.ts'

export type OrderToConfirm = {
  orderNumber: string
  customerName: string
  /** On the parcel. */
  recipientName: string
  lines: readonly OrderLine[]
  /** Numbers of limited pieces, by the title of their drop. */
  numbers?: readonly (readonly [title: string, label: string])[]
  amounts: {
    subtotal: Cents
    /** What codes took off. */
    saving?: string
    /** Without the surcharges. */
    shipping: Cents
    surcharges: readonly { productName: string; amount: Cents }[]
    tax: Cents
    taxLabel: string
    taxName?: string | undefined
    vatProtection: Cents
    total: Cents
    /** What is charged in the shopper's currency. */
    about?: string
    /** The part of the total that a gift card paid. */
    giftCard?: Cents
  }
  shippingAddress: Address
  /** Null if it goes to the printer right away. */
  changeableUntil: Date | null
  /** `Dec 3–9`. */
  arrival: string
  /** The shopper's own texts. */
  texts?: LabeledText[] | undefined
  theme: CollectionTheme
  orderLink: string
  publicUrl: string
  /** Of the legal pages that the shopper agreed to, if known. */
  termsVersion: number | null
}

const nextSteps = [
  `We make each piece to order, which takes ${SITE.makingDays} business days.`,
  'We’ll email you the tracking number when it ships.',
  `Delivery usually takes ${SITE.deliveryDays} business days, longer outside the US.`,
]

const changeStep = (until: string): string =>
  `Until ${until} you can change or cancel it using the button above. After that it goes to our printer.`

/** Order confirmation, with the same amounts as the order page. */
export function confirmationMail(order: OrderToConfirm): MailContent {
  const {
    customerName,
    lines,
    amounts,
    shippingAddress,
    arrival,
    changeableUntil,
    texts = [],
    numbers = [],
    theme,
    orderLink,
  } = order
  const until = changeableUntil && formatClockTime(changeableUntil)
  const number = formatOrderNumber(order.orderNumber)
  const values = {
    'first-name': firstNameOf(customerName),
    order: number,
    collection: theme.displayName,
    total: formatUsd(amounts.total),
    // A function, because `replace` would interpret a `$&` in a string.
    'collection-subject': theme.emailSubject.replace('{orderId}', () => order.orderNumber),
    'collection-thanks': theme.emailThankYouMessage,
  }
  return worded('confirmation', values, ({ subject, title, greeting, opening, closing }) => ({
    subject,
    title,
    preheader: `Arrives ${arrival}. ${formatUsd(amounts.total)}. ${until ? `You can change it until ${until}.` : 'We’re making it now and will email you when it ships.'}`,
    theme,
    blocks: [
      ...paragraphs(greeting),
      ...paragraphs(opening),
      { kind: 'progress', stage: 'Ordered', arrives: arrival },
      { kind: 'button', text: 'See your order', url: orderLink },
      { kind: 'order lines', lines },
      { kind: 'facts', facts: numbers },
      { kind: 'amounts', rows: paidRows(order), total: amounts.total },
      {
        kind: 'facts',
        facts: [
          ...(amounts.giftCard !== undefined
            ? ([
                ['Paid by gift card', formatUsd(amounts.giftCard)],
                ['Charged', formatUsd(minus(amounts.total, amounts.giftCard))],
              ] as const)
            : []),
          ['In your currency', amounts.about ?? null],
        ],
      },
      {
        kind: 'facts',
        facts: [
          ['Order number', number],
          ['Change or cancel it until', until],
        ],
      },
      { kind: 'lines', title: 'Ships to', lines: addressLines(order.recipientName, shippingAddress) },
      ...texts.map(({ label, text }) => ({ kind: 'lines' as const, title: label, lines: [text] })),
      {
        kind: 'lines',
        title: 'What happens next',
        lines: until ? [changeStep(until), ...nextSteps] : nextSteps,
        isNumbered: true,
      },
      ...paragraphs(closing),
      ...agreedTerms(order),
    ],
  }))
}

/** Where the text stays that the shopper agreed to. */
function agreedTerms({ termsVersion, publicUrl }: OrderToConfirm): MailContent['blocks'] {
  if (termsVersion === null) return []
  const text = 'You agreed to our'
  const terms = `${legalPages['terms-of-service'].label}, version ${termsVersion}`
  const url = publicUrl + legalVersionPath('terms-of-service', termsVersion)
  return [{ kind: 'small print', text, link: { text: terms, url, end: '.' }, asText: `${text} ${terms}: ${url}` }]
}

/** One row per amount, without the total. Of American sales tax the label says enough; its rate is on the order page and receipt. */
function paidRows({ amounts, lines, shippingAddress }: OrderToConfirm): AmountRow[] {
  const { subtotal, saving, shipping, surcharges } = amounts
  const pieces = lines.reduce((count, { quantity }) => count + quantity, 0)
  const about = [`${pieces} ${pieces === 1 ? 'item' : 'items'}`, ...(saving === undefined ? [] : [saving])]
  return [
    { name: `Subtotal (${about.join('; ')})`, amount: subtotal },
    { name: 'Shipping', amount: shipping > 0 ? shipping : 'Free' },
    ...surcharges.map(({ productName, amount }) => ({ name: `Shipping surcharge, ${productName}`, amount })),
    ...taxRowsOf(amounts).map((row) => ({
      name: shippingAddress.country === 'US' ? row.label : taxLineOf(row),
      amount: row.amount,
    })),
  ]
}
