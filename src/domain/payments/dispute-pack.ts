import { formatUsd, type Cents } from '#shared/money.ts'

/** Everything that the shop knows about a disputed sale and may show to a bank. Days and times are ISO, UTC. */
export type DisputePack = {
  shopName: string
  dispute: { id: string; provider: 'Stripe' | 'PayPal'; reason: string | null; amount: Cents; openedAt: string }
  /** Such as `Order PFK7QM-4T2X` or `Gift card ending 4T2X`. */
  subject: string
  placedAt: string
  customer: { name: string; email: string; phone: string | null }
  lines: readonly { name: string; quantity: number; unitPrice: Cents }[]
  amounts: readonly { name: string; amount: Cents }[]
  shippingAddress: readonly string[]
  /** Empty if the customer gave no other one. */
  billingAddress: readonly string[]
  /** What the provider checked when it took the payment. */
  checks: readonly { name: string; result: string }[]
  terms: { version: string; acceptedAt: string; urls: readonly string[] } | null
  parcels: readonly {
    carrier: string
    trackingNumber: string | null
    trackingUrl: string | null
    shippedAt: string
    deliveredAt: string | null
    events: readonly { text: string; place: string | null; at: string }[]
  }[]
  mails: readonly { subject: string; recipient: string; sentAt: string }[]
  /** The hours in which the signed link of an email opened the order's page. */
  visits: readonly string[]
  conversation: readonly { by: 'customer' | 'shop'; at: string; words: string }[]
  refunds: readonly { amount: Cents; status: string; at: string; providerId: string | null }[]
  /** What became of a gift card, if that was bought: nothing ships then, and nobody is asked for terms or an address. */
  giftCard: {
    recipient: string
    sentAt: string | null
    uses: readonly { orderNumber: string; amount: Cents; at: string }[]
  } | null
}

/** `2026-11-03 14:05 UTC`. */
export const utcText = (iso: string): string => `${iso.slice(0, 16).replace('T', ' ')} UTC`

/** Whether the goods went to the address that the customer also gave for the bill. */
export function addressMatch({ billingAddress: bill, shippingAddress: ship }: DisputePack): string {
  const plain = (lines: readonly string[]) => lines.slice(1).join(' ').toLowerCase().replaceAll(/\W+/g, ' ').trim()
  if (bill.length === 0) return 'The customer gave one address for delivery and bill.'
  return plain(bill) === plain(ship)
    ? 'The address for the bill is the one that the goods were sent to.'
    : 'The address for the bill is another one than the goods were sent to.'
}

/** What a bank will miss in it, for the owner. */
export function gapsOf(pack: DisputePack): string[] {
  const { parcels, terms, visits, conversation, giftCard } = pack
  if (giftCard)
    return [
      ...(giftCard.sentAt ? [] : ['The gift card was not emailed yet.']),
      ...(giftCard.uses.length ? [] : ['Nothing was bought with the gift card.']),
    ]
  return [
    ...(parcels.length === 0 ? ['Nothing has shipped yet.'] : []),
    ...(parcels.some(({ trackingNumber }) => trackingNumber === null) ? ['A parcel has no tracking number.'] : []),
    ...(parcels.length > 0 && parcels.every(({ deliveredAt }) => deliveredAt === null)
      ? ['No carrier has reported a delivery.']
      : []),
    ...(terms ? [] : ['The customer was not asked to accept the terms.']),
    ...(visits.length === 0 ? ['Nobody has opened the order’s page by an emailed link.'] : []),
    ...(conversation.length === 0 ? ['There is no conversation with the customer.'] : []),
  ]
}

/** How a gift card was delivered and used, a sentence each. */
export const usesOf = ({ recipient, sentAt, uses }: NonNullable<DisputePack['giftCard']>): string[] => [
  ...(sentAt ? [`Its code was emailed to ${recipient} on ${utcText(sentAt)}.`] : []),
  ...uses.map(
    ({ orderNumber, amount, at }) => `${formatUsd(amount)} of it paid for order ${orderNumber} on ${utcText(at)}.`,
  ),
]

/** The whole case in a few sentences. */
function summaryOf(pack: DisputePack): string {
  const { parcels, terms, visits, refunds, mails, giftCard } = pack
  const delivered = parcels.flatMap(({ deliveredAt }) => deliveredAt ?? [])
  const sentences = [
    `${pack.subject} of ${utcText(pack.placedAt)}: ${pack.lines.map(({ name, quantity }) => `${quantity} × ${name}`).join(', ')}.`,
    ...(giftCard ? usesOf(giftCard) : [addressMatch(pack)]),
    ...(terms ? [`The customer accepted version ${terms.version} of our terms on ${utcText(terms.acceptedAt)}.`] : []),
    ...parcels.map(
      ({ carrier, trackingNumber, shippedAt }) =>
        `Shipped ${utcText(shippedAt)} with ${carrier}${trackingNumber ? `, tracking number ${trackingNumber}` : ''}.`,
    ),
    ...delivered.map((at) => `The carrier reported the delivery on ${utcText(at)}.`),
    ...(mails.length ? [`We emailed the customer ${mails.length} times about it.`] : []),
    ...(visits.length ? [`The order’s page was opened by its emailed link in ${visits.length} different hours.`] : []),
    ...refunds.map(({ amount, at }) => `We refunded ${formatUsd(amount)} on ${utcText(at)}.`),
  ]
  return sentences.join(' ')
}

const clip = (text: string, max: number): string => (text.length <= max ? text : `${text.slice(0, max - 1)}…`)
/** Stripe's longest text; all together may have 150,000 characters. */
const STRIPE_TEXT_MAX = 20_000

/** The names of Stripe's fields for evidence that we fill, besides the file. */
export type StripeEvidence = Partial<
  Record<
    | 'access_activity_log'
    | 'billing_address'
    | 'customer_email_address'
    | 'customer_name'
    | 'product_description'
    | 'refund_policy_disclosure'
    | 'service_date'
    | 'shipping_address'
    | 'shipping_carrier'
    | 'shipping_date'
    | 'shipping_tracking_number'
    | 'uncategorized_text',
    string
  >
>

/** The texts beside the file (docs.stripe.com/api/disputes/evidence_object). */
export function stripeEvidence(pack: DisputePack): StripeEvidence {
  const { parcels, terms, customer, billingAddress, visits } = pack
  const [first] = parcels
  const texts: StripeEvidence = {
    customer_name: customer.name,
    customer_email_address: customer.email,
    product_description: pack.lines
      .map(({ name, quantity, unitPrice }) => `${quantity} × ${name}, ${formatUsd(unitPrice)} each`)
      .join('\n'),
    shipping_address: pack.shippingAddress.join('\n'),
    billing_address: billingAddress.join('\n'),
    shipping_carrier: parcels.map(({ carrier }) => carrier).join(', '),
    shipping_tracking_number: parcels.flatMap(({ trackingNumber }) => trackingNumber ?? []).join(', '),
    shipping_date: first ? first.shippedAt.slice(0, 10) : '',
    refund_policy_disclosure: terms
      ? `Shown at checkout and accepted on ${utcText(terms.acceptedAt)}: ${terms.urls.join(' ')}`
      : '',
    access_activity_log: [
      ...visits.map((hour) => `Order page opened by its emailed link, hour of ${utcText(hour)}`),
      ...(pack.giftCard ? usesOf(pack.giftCard) : []),
    ].join('\n'),
    service_date: pack.giftCard?.sentAt?.slice(0, 10) ?? '',
    uncategorized_text: summaryOf(pack),
  }
  return Object.fromEntries(
    Object.entries(texts).flatMap(([field, text]) => (text ? [[field, clip(text, STRIPE_TEXT_MAX)]] : [])),
  )
}

/** PayPal's names of carriers that our printer uses (PayPal's Disputes v1, tracking_info). */
const paypalCarriers: Readonly<Record<string, string>> = {
  usps: 'USPS',
  ups: 'UPS',
  fedex: 'FEDEX',
  dhl: 'DHL',
  'royal mail': 'ROYAL_MAIL',
  tnt: 'TNT',
}
const carrierOf = (name: string): { carrier_name: string; carrier_name_other?: string } => {
  const known = Object.entries(paypalCarriers).find(([start]) => name.toLowerCase().startsWith(start))
  return known ? { carrier_name: known[1] } : { carrier_name: 'OTHER', carrier_name_other: name || 'Unknown' }
}

export type PaypalEvidence = {
  evidence_type: string
  evidence_info?: {
    tracking_info?: {
      carrier_name: string
      carrier_name_other?: string
      tracking_url?: string
      tracking_number: string
    }[]
    refund_ids?: string[]
  }
  documents?: { name: string }[]
  notes?: string
}

/** PayPal's longest note. */
const PAYPAL_NOTE_MAX = 2000
const PAYPAL_PARCELS_MAX = 10

/** Tracking and refunds have their own types; the file and its summary go with `OTHER`. @param file the name of the file */
export function paypalEvidence(pack: DisputePack, file: string): PaypalEvidence[] {
  const tracked = pack.parcels.flatMap(({ carrier, trackingNumber, trackingUrl }) =>
    trackingNumber
      ? [{ ...carrierOf(carrier), ...(trackingUrl && { tracking_url: trackingUrl }), tracking_number: trackingNumber }]
      : [],
  )
  const refundIds = pack.refunds.flatMap(({ providerId, status }) =>
    providerId && status === 'succeeded' ? [providerId] : [],
  )
  return [
    ...(tracked.length
      ? [
          {
            evidence_type: 'PROOF_OF_FULFILLMENT',
            evidence_info: { tracking_info: tracked.slice(0, PAYPAL_PARCELS_MAX) },
          },
        ]
      : []),
    ...(refundIds.length ? [{ evidence_type: 'PROOF_OF_REFUND', evidence_info: { refund_ids: refundIds } }] : []),
    { evidence_type: 'OTHER', documents: [{ name: file }], notes: clip(summaryOf(pack), PAYPAL_NOTE_MAX) },
  ]
}
