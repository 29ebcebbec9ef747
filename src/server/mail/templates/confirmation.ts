import { say, sayKnown } from '#words/say.ts'
import { spokenName } from '#domain/catalog/product-name.ts'
import type { CollectionTheme, PicturedTheme } from '#domain/catalog/collection-theme.ts'
import { addressLines, type Address } from '#domain/checkout/address.ts'
import { taxLineOf, taxRowsOf } from '#domain/checkout/quote.ts'
import { legalVersionPath } from '#domain/legal/legal-text.ts'
import { formatClockTime } from '#domain/orders/clock-time.ts'
import type { LabeledText } from '#domain/orders/order-texts.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { formatUsd, minus, type Cents } from '#shared/money.ts'
import {
  firstNameOf,
  labeled,
  paragraphs,
  worded,
  type AmountRow,
  type MailContent,
  type OrderLine,
} from '../content.ts'
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
  theme: PicturedTheme
  orderLink: string
  publicUrl: string
  /** Of the legal pages that the shopper agreed to, if known. */
  termsVersion: number | null
}

const nextSteps = (): string[] => [
  say('We make each piece to order, which takes {days} business days.', { days: SITE.makingDays }),
  say('We’ll email you the tracking number when it ships.'),
]

const changeStep = (until: string): string =>
  say('Until {until} you can change or cancel it using the button above. After that it goes to our printer.', { until })

const preheaderOf = (arrival: string, total: string, until: string | null): string =>
  until === null
    ? say('Arrives {arrival}. {total}. We’re making it now and will email you when it ships.', { arrival, total })
    : say('Arrives {arrival}. {total}. You can change it until {until}.', { arrival, total, until })

/** An owner's own subject stays as written. */
function subjectOf({ emailSubject }: CollectionTheme): string {
  const [, collection] = /^Order Confirmation PF\{orderId\} - (.+)$/.exec(emailSubject) ?? []
  if (collection === undefined) return emailSubject
  const values = { orderId: '{orderId}', collection: sayKnown(collection) }
  return say('Order Confirmation PF{orderId} - {collection}', values)
}

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
    collection: sayKnown(theme.displayName),
    total: formatUsd(amounts.total),
    // A function, because `replace` would interpret a `$&` in a string.
    'collection-subject': subjectOf(theme).replace('{orderId}', () => order.orderNumber),
    'collection-thanks': sayKnown(theme.emailThankYouMessage),
  }
  return worded('confirmation', values, ({ subject, title, greeting, opening, closing }) => ({
    subject,
    title,
    preheader: preheaderOf(arrival, formatUsd(amounts.total), until),
    theme,
    hasAnimal: true,
    blocks: [
      ...paragraphs(greeting),
      ...paragraphs(opening),
      { kind: 'progress', stage: 'Ordered', arrives: arrival },
      {
        kind: 'facts',
        facts: [
          [say('Order number'), number],
          [say('Change or cancel it until'), until],
        ],
      },
      { kind: 'button', text: say('See your order'), url: orderLink },
      { kind: 'order lines', lines },
      { kind: 'facts', facts: numbers },
      { kind: 'amounts', rows: paidRows(order), total: amounts.total },
      {
        kind: 'facts',
        facts: [
          ...(amounts.giftCard !== undefined
            ? ([
                [say('Paid by gift card'), formatUsd(amounts.giftCard)],
                [say('Charged'), formatUsd(minus(amounts.total, amounts.giftCard))],
              ] as const)
            : []),
          [say('In your currency'), amounts.about ?? null],
        ],
      },
      { kind: 'lines', title: say('Ships to'), lines: addressLines(order.recipientName, shippingAddress) },
      ...texts.map(({ label, text }) => ({ kind: 'lines' as const, title: sayKnown(label), lines: [text] })),
      {
        kind: 'lines',
        title: say('What happens next'),
        lines: until ? [changeStep(until), ...nextSteps()] : nextSteps(),
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
  const text = say('You agreed to our')
  const terms = say('Terms of Service, version {version}', { version: termsVersion })
  const url = publicUrl + legalVersionPath('terms-of-service', termsVersion)
  return [
    { kind: 'small print', text, link: { text: terms, url, end: say('.') }, asText: labeled(`${text} ${terms}`, url) },
  ]
}

/** One row per amount, without the total. Of American sales tax the label says enough; its rate is on the order page and receipt. */
function paidRows({ amounts, lines, shippingAddress }: OrderToConfirm): AmountRow[] {
  const { subtotal, saving, shipping, surcharges } = amounts
  const pieces = lines.reduce((count, { quantity }) => count + quantity, 0)
  const subtotalName =
    saving === undefined
      ? say('Subtotal ({count, plural, one {# item} other {# items}})', { count: pieces })
      : say('Subtotal ({count, plural, one {# item} other {# items}}; {saving})', { count: pieces, saving })
  return [
    { name: subtotalName, amount: subtotal },
    { name: say('Shipping'), amount: shipping > 0 ? shipping : 'Free' },
    ...surcharges.map(({ productName, amount }) => ({
      name: say('Shipping surcharge, {product}', { product: spokenName(productName) }),
      amount,
    })),
    ...taxRowsOf(amounts).map((row) => ({
      name: shippingAddress.country === 'US' ? row.label : taxLineOf(row),
      amount: row.amount,
    })),
  ]
}
