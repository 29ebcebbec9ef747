import * as z from 'zod/mini'
import { LINES_MAX, QUANTITY_MAX } from '#domain/cart/cart.ts'
import { maskCardNumbers } from '#domain/messages/card-numbers.ts'
import { orderTexts } from '#domain/orders/order-texts.ts'
import { call } from './call.ts'
import { ArrivalDates, GiftCardAnswer, WireQuote } from './quote.ts'
import { centsInput, centsAnswer, emailAddress, singleLineText, optionalLine } from './wire.ts'

/** Two capital letters; the quote decides whether we ship there (`country_unsupported`). */
const countryCode = z._default(z.string('Required').check(z.regex(/^[A-Z]{2}$/, 'Please choose a country')), 'US')

/** State and postal code are required where the country has them; the quote's address check reports missing ones. */
export const WireAddress = z.object({
  line1: singleLineText(200),
  line2: optionalLine(200),
  city: singleLineText(100),
  state: optionalLine(100),
  postal_code: optionalLine(20),
  country: countryCode,
})
export type WireAddress = z.output<typeof WireAddress>

/** An address still being typed, for the preview of shipping and tax. */
const address = WireAddress

const WireItem = z.object({
  productId: z.optional(z.union([z.int(), z.string().check(z.maxLength(20))])),
  variantId: z.optional(z.nullable(z.union([z.int(), z.string().check(z.maxLength(20))]))),
  productName: z.optional(z.string().check(z.maxLength(500))),
  variantName: z.optional(z.nullable(z.string().check(z.maxLength(500)))),
  quantity: z.int().check(z.gte(1), z.lte(QUANTITY_MAX)),
  price: z.optional(centsInput),
})
const cartItems = z.optional(z.array(WireItem).check(z.maxLength(LINES_MAX, `A cart has at most ${LINES_MAX} lines`)))

const withoutCardNumber = z.refine<string | null | undefined>(
  (text) => !text || maskCardNumbers(text) === text,
  'Please don’t enter a card number here',
)

/** Goes to the printer and on the parcel. */
export const buyersName = singleLineText(120).check(withoutCardNumber)

const texts = z.optional(
  z.object(
    Object.fromEntries(
      Object.entries(orderTexts).map(([name, { maxLength }]) => [
        name,
        optionalLine(maxLength).check(withoutCardNumber),
      ]),
    ),
  ),
)

/** Optional texts of an order as they are shown. */
export const LabeledTexts = z.optional(z.array(z.object({ label: z.string(), text: z.string() })))

const mainCustomer = z.object({
  email: emailAddress,
  name: buyersName,
  shippingAddress: WireAddress,
  billingAddress: z.optional(z.nullable(WireAddress)),
  sameBillingAddress: z._default(z.boolean(), true),
  /** CPF or CNPJ: required for parcels to Brazil, kept with that order only. */
  tax_number: optionalLine(30),
  texts,
})
const alternateCustomer = z.object({
  email: emailAddress,
  name: buyersName,
  phone: optionalLine(30),
  address: WireAddress,
  texts,
})

/** The wallet's version: the address may be here or next to it. */
const walletCustomer = z.extend(mainCustomer, {
  phone: optionalLine(30),
  shippingAddress: z.optional(WireAddress),
  address: z.optional(WireAddress),
})

const Surcharge = z.object({ productName: z.string(), amount: centsAnswer })
const TaxShare = z.object({
  /** Where the tax is owed: `US-CA`, `DE`. */
  jurisdiction: z.string(),
  type: z.string(),
  /** As the tax source writes it, such as `8.25`. */
  percentage: z.string(),
  amount: centsAnswer,
})

/** The quote as pages show it (specification, section 3); amounts in cents, `shipping` includes surcharges. */
export const OrderSummary = z.object({
  /** The goods after discounts. */
  subtotal: centsAnswer,
  shipping: centsAnswer,
  tax: centsAnswer,
  /** 'Sales Tax' for the US, otherwise 'Country Consumption Tax'. */
  taxLabel: z.string(),
  /** Such as `German VAT 19%`; missing without tax. */
  taxName: z.optional(z.string()),
  vatProtection: centsAnswer,
  giftCard: GiftCardAnswer,
  /** What is charged: without what the gift card pays. */
  total: centsAnswer,
  taxBreakdown: z.array(TaxShare),
  shippingSurcharges: z.array(Surcharge),
  surchargeDisclosures: z.array(z.string()),
  shippingMethod: z.string(),
  /** The minimum age the shopper has to confirm; null without a limit. */
  minimumAge: z.nullable(z.int()),
  /** Notices about codes, delayed regions, age limits, and rates or taxes that were unavailable. */
  notices: z.array(z.string()),
  /** Missing in estimates of the browser. */
  arrival: z.optional(ArrivalDates),
  /** What is charged in the country's currency: `about 29 EUR, charged in US dollars`; missing without a rate of the last days. */
  about: z.optional(z.string()),
})
export type OrderSummary = z.output<typeof OrderSummary>

export const PaymentStart = z.object({
  client_secret: z.string(),
  payment_intent: z.string(),
  subtotal: centsAnswer,
  shipping_cost: centsAnswer,
  tax_amount: centsAnswer,
  vat_protection: centsAnswer,
  total_amount: centsAnswer,
  tax_breakdown: z.array(TaxShare),
  shipping_surcharges: z.array(Surcharge),
  surcharge_disclosures: z.array(z.string()),
  /** The same amounts in the shape of the order summary. */
  summary: OrderSummary,
  quote: WireQuote,
})
export type PaymentStart = z.output<typeof PaymentStart>

const claimedAmounts = {
  cartItems,
  subtotal: z.optional(centsInput),
  shippingCost: z.optional(centsInput),
  currency: z.optional(z.string().check(z.maxLength(20))),
  orderSummary: z.optional(
    z.object({
      subtotal: z.optional(centsInput),
      shipping: z.optional(centsInput),
      tax: z.optional(centsInput),
      vatProtection: z.optional(centsInput),
      total: z.optional(centsInput),
    }),
  ),
  /** The shopper accepted the terms: stored with their version and time. The main page requires it. */
  termsAccepted: z.optional(z.boolean()),
  /** The shopper confirms the minimum age of something in the cart. */
  ageConfirmed: z.optional(z.boolean()),
}

export const StartPayment = z.object({
  customerInfo: z.union([mainCustomer, alternateCustomer]),
  amount: z.optional(centsInput),
  ...claimedAmounts,
})
export type StartPayment = z.output<typeof StartPayment>

const walletOrderId = z
  .string('Please name a payment')
  .check(z.regex(/^[A-Za-z0-9_-]{1,128}$/, 'Please name a payment'))

/** What PayPal tells of a payer; parts may be empty, or what the checkout's form objects to. */
const ExpressPayer = z.object({
  email: z.string(),
  name: z.string(),
  phone: z.string(),
  address: z.object({
    line1: z.string(),
    line2: z.string(),
    city: z.string(),
    state: z.string(),
    postal_code: z.string(),
    country: z.string(),
  }),
})
export type ExpressPayer = z.output<typeof ExpressPayer>

export const StartWalletOrder = z.object({
  customerInfo: walletCustomer,
  shippingAddress: z.optional(WireAddress),
  /** Whole cents as a number, or the wallet's decimal text, such as `42.98`. */
  amount: z.optional(z.union([z.number(), z.string().check(z.maxLength(20))])),
  /** Payments are captured immediately; any other intent is refused. */
  intent: z.optional(z.string().check(z.maxLength(20))),
  /** The order that the payer has approved with an address of their own; otherwise the call creates one. */
  expressOrder: z.optional(walletOrderId),
  ...claimedAmounts,
})
export type StartWalletOrder = z.output<typeof StartWalletOrder>

const quoteRefusals = [
  'cart_empty',
  'country_unsupported',
  'country_blocked',
  'address_refused',
  'sold_out',
  'unknown_variant',
  'provider_unavailable',
] as const

const startRefusals = [
  ...quoteRefusals,
  'age_unconfirmed',
  'summary_changed',
  'wrong_currency',
  'already_paid',
  'payment_held',
  'too_many',
  'drop_closed',
  'drop_taken',
  'drop_limit',
  'drop_room',
] as const

export const checkoutCalls = {
  shipping: call({
    method: 'POST',
    path: '/api/calculate-shipping',
    access: 'anyone',
    summary: 'Shipping and surcharges for the session’s cart and an address.',
    body: z.object({ cartItems, shippingAddress: z.optional(address), destination: z.optional(address) }),
    answer: z.object({
      cost: centsAnswer,
      method: z.string(),
      shipping_surcharges: z.array(Surcharge),
      surcharge_disclosures: z.array(z.string()),
      minimum_age: z.nullable(z.int()),
      notices: z.array(z.string()),
    }),
    refusals: quoteRefusals,
  }),
  taxes: call({
    method: 'POST',
    path: '/api/calculate-taxes',
    access: 'anyone',
    summary: 'Tax for the session’s cart and an address, and the quote that will be charged.',
    body: z.object({ cartItems, customerAddress: address }),
    answer: z.object({
      success: z.boolean(),
      tax_amount: centsAnswer,
      tax_breakdown: z.array(TaxShare),
      quote: WireQuote,
      notices: z.array(z.string()),
    }),
    refusals: quoteRefusals,
  }),
  quoteForSheet: call({
    method: 'POST',
    path: '/api/express-quote',
    access: 'anyone',
    summary:
      'The quote for what Apple Pay or Google Pay tells of an address before the payment: no street, maybe half a postal code.',
    body: z.object({
      city: optionalLine(100),
      state: optionalLine(100),
      postal_code: optionalLine(20),
      country: countryCode,
    }),
    answer: OrderSummary,
    refusals: quoteRefusals,
  }),
  startCardPayment: call({
    method: 'POST',
    path: '/api/create-payment-intent',
    access: 'anyone',
    summary:
      'Freezes the checkout and creates or updates its payment intent. Amounts in the body are compared, never charged.',
    body: StartPayment,
    answer: PaymentStart,
    refusals: [...startRefusals, 'card_unavailable', 'card_closed', 'card_paused', 'provider_refused'],
  }),
  cardDeclined: call({
    method: 'POST',
    path: '/api/payment-declined',
    access: 'anyone',
    summary: 'Reports a declined card, which the shop verifies at the provider; too many declines close card payment.',
    body: z.object({ paymentIntentId: z.string().check(z.regex(/^pi_\w{1,120}$/, 'Please specify a payment')) }),
    answer: 'none',
    refusals: ['unknown_payment', 'card_closed', 'card_paused'],
  }),
  walletSetup: call({
    method: 'GET',
    path: '/paypal/setup',
    access: 'anyone',
    summary: 'A client token for opening the wallet; valid for about 15 minutes.',
    answer: z.object({ clientToken: z.string() }),
    refusals: ['provider_unavailable', 'too_many'],
  }),
  startWalletPayment: call({
    method: 'POST',
    path: '/paypal/order',
    access: 'anyone',
    summary:
      'Freezes the checkout and creates its wallet order, or reuses an identical one. Amounts in the body are compared, never charged.',
    body: StartWalletOrder,
    answer: z.object({ id: z.string(), quote: WireQuote }),
    refusals: [
      ...startRefusals,
      'wrong_intent',
      'wallet_address',
      'wallet_not_approved',
      'unknown_payment',
      'provider_refused',
    ],
  }),
  startExpress: call({
    method: 'POST',
    path: '/paypal/express',
    access: 'anyone',
    summary:
      'Starts a purchase of the cart at PayPal’s page, where the payer chooses an address. Nothing is frozen or charged.',
    body: z.object({ country: countryCode }),
    answer: z.object({ page: z.string() }),
    refusals: [...quoteRefusals, 'provider_refused', 'too_many'],
  }),
  readExpress: call({
    method: 'GET',
    path: '/paypal/express/:id',
    access: 'anyone',
    summary: 'Who approved the session’s express order, and where they want it sent.',
    params: z.object({ id: walletOrderId }),
    answer: ExpressPayer,
    refusals: [
      'unknown_payment',
      'wallet_not_approved',
      'already_paid',
      'payment_held',
      'provider_unavailable',
      'too_many',
    ],
  }),
}
