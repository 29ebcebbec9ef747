import { recipientNameOf } from '#domain/orders/gift.ts'
import type { Address } from '#domain/checkout/address.ts'
import type { FrozenCustomer } from '#domain/checkout/checkout.ts'
import type { PricedLine, Quote } from '#domain/checkout/quote.ts'
import type { ProviderPayment } from '#domain/payments/objection.ts'
import { type ReportUnknownValue, knownValueOrReport } from '#server/providers/unknown-values.ts'
import { assert } from '#shared/assert.ts'
import type { CheckoutId } from '#shared/ids.ts'
import { toPayOf } from '#domain/gift-cards/gift-card.ts'
import { type Cents, ZERO, decimalFromCents, minus, plus, sum } from '#shared/money.ts'
import type { ApprovedOrder, Capture, Order } from './shapes.ts'

/** The frozen checkout, or the purchase of a gift card, and where the payer returns to. */
export type WalletOrderRequest = {
  checkoutId: CheckoutId
  quoteHash: string
  /** The order's number, or what else names the purchase. */
  invoice: string
  /** What the payer sees at PayPal. */
  shopName: string
  /** From 1. Each attempt has its own invoice id, because PayPal captures each invoice id only once. */
  attempt: number
  lines: readonly (Pick<PricedLine, 'productName' | 'variantName' | 'unitPrice' | 'quantity'> &
    Partial<Pick<PricedLine, 'variantId'>>)[]
  amounts: Pick<Quote, 'subtotal' | 'shipping' | 'surcharge' | 'tax' | 'vatProtection' | 'total' | 'giftCard'>
  /** Null for what comes by email. */
  delivery: { customer: Pick<FrozenCustomer, 'name' | 'texts'>; address: Address } | null
  returnUrl: string
  cancelUrl: string
}

/** An order that the payer approves with an address of their own: what it will cost is not known yet. */
export type ExpressOrderRequest = Pick<WalletOrderRequest, 'shopName' | 'lines' | 'returnUrl' | 'cancelUrl'> & {
  /** What tells the shop whose order it is, until it belongs to a checkout. */
  mark: string
  amounts: Parts
}

type Parts = Pick<Quote, 'subtotal' | 'shipping' | 'surcharge' | 'tax' | 'vatProtection'>

/** What PayPal knows of a payer who approved; parts are empty where it doesn't say. */
export type WalletPayer = {
  email: string
  name: string
  phone: string
  address: Record<'line1' | 'line2' | 'city' | 'state' | 'postal_code' | 'country', string>
}

/** A wallet order as the shop sees it; its payment id is PayPal's order id. */
export type WalletPayment = ProviderPayment & {
  /** The payer approved and nothing was captured yet: it can be captured without the browser. */
  approved: boolean
  /** Needed for refunds; null until captured. */
  captureId: string | null
}
const NAME_MAX = 127

export const usd = (amount: Cents) => ({ currency_code: 'USD', value: decimalFromCents(amount) })

const partsOf = ({ subtotal, shipping, surcharge, tax, vatProtection }: Parts) => ({
  item_total: subtotal,
  shipping: minus(shipping, surcharge),
  handling: surcharge,
  tax_total: plus(tax, vatProtection),
})

const amountOf = (total: Cents, parts: Record<string, Cents>) => ({
  ...usd(total),
  breakdown: Object.fromEntries(Object.entries(parts).map(([name, amount]) => [name, usd(amount)])),
})

const itemsOf = (lines: WalletOrderRequest['lines'], category: 'PHYSICAL_GOODS' | 'DIGITAL_GOODS') =>
  lines.map(({ variantId, productName, variantName, unitPrice, quantity }) => ({
    name: (variantName ? `${productName} (${variantName})` : productName).slice(0, NAME_MAX).toWellFormed(),
    ...(variantId !== undefined && { sku: String(variantId) }),
    quantity: String(quantity),
    unit_amount: usd(unitPrice),
    category,
  }))

/** A checkout as PayPal's one purchase unit. */
export function purchaseUnit(request: WalletOrderRequest): object {
  const { total, giftCard } = request.amounts
  const parts = partsOf(request.amounts)
  assert(sum(Object.values(parts)) === total, `the parts of checkout ${request.checkoutId} do not add up to its total`)
  const { invoice, attempt, delivery } = request
  return {
    reference_id: 'default',
    custom_id: `${request.checkoutId}:${request.quoteHash}`,
    invoice_id: attempt > 1 ? `${invoice}-${attempt}` : invoice,
    amount: amountOf(toPayOf(request.amounts), { ...parts, ...(giftCard && { discount: giftCard.amount }) }),
    items: itemsOf(request.lines, delivery ? 'PHYSICAL_GOODS' : 'DIGITAL_GOODS'),
    ...(delivery && {
      shipping: {
        name: {
          full_name: recipientNameOf({ customerName: delivery.customer.name, texts: delivery.customer.texts }),
        },
        address: paypalAddress(delivery.address),
      },
    }),
  }
}

/** A checkout in PayPal's format. */
export const orderBody = (request: WalletOrderRequest): object => ({
  intent: 'CAPTURE',
  purchase_units: [purchaseUnit(request)],
  payment_source: {
    paypal: {
      experience_context: {
        brand_name: request.shopName,
        // Keeps the address that tax and shipping were quoted for; otherwise the payer could change it.
        shipping_preference: request.delivery ? 'SET_PROVIDED_ADDRESS' : 'NO_SHIPPING',
        user_action: 'PAY_NOW',
        return_url: request.returnUrl,
        cancel_url: request.cancelUrl,
      },
    },
  },
})

/** An order whose address the payer chooses at PayPal, who then comes back to see what it costs. */
export function expressBody({ mark, lines, amounts, shopName, returnUrl, cancelUrl }: ExpressOrderRequest): object {
  const parts = partsOf(amounts)
  return {
    intent: 'CAPTURE',
    purchase_units: [
      {
        reference_id: 'default',
        custom_id: mark,
        amount: amountOf(sum(Object.values(parts)), parts),
        items: itemsOf(lines, 'PHYSICAL_GOODS'),
      },
    ],
    payment_source: {
      paypal: {
        experience_context: {
          brand_name: shopName,
          shipping_preference: 'GET_FROM_FILE',
          user_action: 'CONTINUE',
          return_url: returnUrl,
          cancel_url: cancelUrl,
        },
      },
    },
  }
}

/** What the payer's approval tells of them. */
export function payerOf({ payer, purchase_units: units }: ApprovedOrder): WalletPayer {
  const { name, address } = units?.[0]?.shipping ?? {}
  const ownName = [payer?.name?.given_name, payer?.name?.surname].filter(Boolean).join(' ')
  const country = address?.country_code ?? ''
  return {
    email: payer?.email_address ?? '',
    name: name?.full_name ?? ownName,
    phone: payer?.phone?.phone_number?.national_number ?? '',
    address: {
      line1: address?.address_line_1 ?? '',
      line2: address?.address_line_2 ?? '',
      city: address?.admin_area_2 ?? '',
      state: address?.admin_area_1 ?? '',
      postal_code: address?.postal_code ?? '',
      // PayPal's code for China, outside of it.
      country: country === 'C2' ? 'CN' : country,
    },
  }
}

const paypalAddress = ({ line1, line2, city, state, postalCode, country }: Address) => ({
  address_line_1: line1,
  ...(line2 && { address_line_2: line2 }),
  admin_area_2: city,
  ...(state && { admin_area_1: state }),
  ...(postalCode && { postal_code: postalCode }),
  country_code: country,
})

/** Refunded captures count too: the sale was paid, and refunds are booked separately. */
const CAPTURED_STATUSES = ['COMPLETED', 'PARTIALLY_REFUNDED', 'REFUNDED']

const captureStatuses: Readonly<Record<string, ProviderPayment['status']>> = {
  ...Object.fromEntries(CAPTURED_STATUSES.map((status) => [status, 'captured' as const])),
  PENDING: 'held',
  DECLINED: 'cancelled',
  FAILED: 'cancelled',
}

/** For orders without a capture. */
const orderStatuses: Readonly<Record<string, ProviderPayment['status']>> = {
  CREATED: 'open',
  SAVED: 'open',
  APPROVED: 'open',
  PAYER_ACTION_REQUIRED: 'open',
  VOIDED: 'cancelled',
  COMPLETED: 'processing',
}

export function asPayment(
  { id, status, purchase_units: units, payer }: Order,
  live: boolean,
  report: ReportUnknownValue,
): WalletPayment {
  const unit = units?.[0]
  // A COMPLETED order can have a capture that is under review or denied, so the capture decides.
  const capture = decisiveOf(unit?.payments?.captures ?? [])
  const { checkoutId, quoteHash } = originOf(unit?.custom_id)
  return {
    provider: 'paypal',
    id,
    status: capture
      ? knownValueOrReport(captureStatuses, capture.status, 'processing', (value) => report('capture status', value))
      : knownValueOrReport(orderStatuses, status, 'processing', (value) => report('order status', value)),
    amount: receivedBy(capture),
    currency: capture?.amount.currency ?? 'usd',
    live,
    isReturned: capture !== undefined && isReturned(capture),
    fee: capture?.seller_receivable_breakdown?.paypal_fee?.amount ?? null,
    card: null,
    payer: payer?.payer_id ? { kind: 'wallet', id: payer.payer_id, email: payer.email_address ?? null } : null,
    checkoutId,
    quoteHash,
    approved: !capture && status === 'APPROVED',
    captureId: capture?.id ?? null,
  }
}

/** The capture that took the money, if any: an earlier one may have been declined. */
export const decisiveOf = (captures: readonly Capture[]): Capture | undefined =>
  captures.find(({ status }) => CAPTURED_STATUSES.includes(status)) ?? captures.at(-1)

const receivedBy = (capture: Capture | undefined): Cents =>
  capture && CAPTURED_STATUSES.includes(capture.status) ? capture.amount.amount : ZERO

const isReturned = ({ status, status_details: details }: Capture): boolean =>
  status === 'PARTIALLY_REFUNDED' ||
  status === 'REFUNDED' ||
  details?.reason === 'CHARGEBACK' ||
  details?.reason === 'BUYER_COMPLAINT'

/** Other programs with the same account may store anything there. */
const ourOrigin = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}):([\w-]+)$/

/** @param customId `<checkout id>:<quote hash>`, as `createOrder` set it; anything else is another program's */
export function originOf(customId: string | null | undefined): {
  checkoutId: CheckoutId | null
  quoteHash: string | null
} {
  const [, checkoutId, quoteHash] = ourOrigin.exec(customId ?? '') ?? []
  return { checkoutId: (checkoutId ?? null) as CheckoutId | null, quoteHash: quoteHash ?? null }
}
