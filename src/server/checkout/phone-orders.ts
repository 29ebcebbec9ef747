import { randomUUID } from 'node:crypto'
import type { OrderSummary } from '#contract/checkout.ts'
import { payPaths } from '#contract/pay-paths.ts'
import type { AdminPhoneOrder, PhoneOrderRequest, PhoneOrderView } from '#contract/phone-orders.ts'
import { countryName } from '#domain/checkout/countries.ts'
import { PHONE_ORDER_DAYS, phoneOrderState, type PhoneOrderState } from '#domain/checkout/phone-order.ts'
import { toCartLines } from '#domain/codes/discount.ts'
import type { PricedLine } from '#domain/checkout/quote.ts'
import type { SessionId } from '#shared/ids.ts'
import { inLanguage, type Language } from '#shared/language.ts'
import { formatUsd, type Cents } from '#shared/money.ts'
import { after, DAY_MS, MINUTE_MS } from '#shared/time.ts'
import { addSessionOfNobody } from '#server/accounts/session-rows.ts'
import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import { returnToCart } from '#server/cart/cart.ts'
import { linesAtTodaysPrices } from '#server/catalog/catalog.ts'
import { readTheme } from '#server/catalog/collections.ts'
import { baseUrlOf } from '#server/config/config.ts'
import { readSignedToken, signedToken } from '#server/config/signature.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import { maskEmail } from '#server/log/log.ts'
import { LINK_TOKEN, mailLater, writtenIn } from '#server/mail/outbox.ts'
import { paymentLinkMail } from '#server/mail/templates/payment-link.ts'
import { findLink, recordClick, type Visitor } from '#server/partners/attribution.ts'
import type { Needs } from '#server/shop.ts'
import { releaseOpenCheckout } from './card.ts'
import { findOpenCheckout } from './checkout.ts'
import { discountCart } from './codes.ts'
import { quoteCheckout, type PricingNeeds } from './pricing.ts'
import {
  findPhoneOrder,
  findSame,
  insertPhoneOrder,
  listCheckoutsOf,
  listUnpaid,
  lockPhoneOrder,
  updatePhoneOrder,
  type PhoneOrder,
} from './phone-order-rows.ts'
import { customerFrom, summaryOf } from './wire.ts'

/*
 * Orders taken by phone. Each has a session of its own that no browser has, with its lines as the cart: from there on pricing, freezing,
 * paying and settling are those of every checkout, and it can be paid only once, in however many browsers its link is open.
 */

type PhoneOrderNeeds = PricingNeeds & Needs<'clock' | 'jobs'>
type Wanted = Pick<PhoneOrderRequest, 'lines'> & Pick<PhoneOrder, 'customer'>

/** The customer as the checkout's forms send one. */
export const customerInfoOf = ({ customer }: Pick<PhoneOrder, 'customer'>) => ({
  email: customer.email,
  name: customer.name,
  shippingAddress: customer.shippingAddress,
  sameBillingAddress: true,
  tax_number: customer.tax_number,
})

/** Nobody's click but the one that the owner named. */
export const visitorOf = ({ click, customer }: PhoneOrder): Visitor => ({
  click: click ?? undefined,
  userId: null,
  formerUserId: null,
  device: null,
  language: languageOf(customer),
})

const languageOf = ({ language = 'en' }: PhoneOrder['customer']): Language => language

const FIELD = 'customer.shippingAddress'

/** @throws Refusal with the fields of the owner's form, or like every quote */
async function priceOrder(shop: PricingNeeds & Needs<'clock'>, { lines: wanted, customer }: Wanted) {
  const { shippingAddress } = withFields(() => customerFrom(customerInfoOf({ customer })))
  const listed = await linesAtTodaysPrices(shop.db, wanted)
  const { lines, discounts } = await discountCart(shop, undefined, listed, customer.email)
  const { quote } = await quoteCheckout(shop, lines, shippingAddress, FIELD, discounts)
  return { lines, quote }
}

/** The owner's form calls the customer `customer`. */
function withFields<Result>(read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof Refusal) || !error.fields) throw error
    const fields = Object.entries(error.fields).map(([path, text]) => [
      path.replace(/^customerInfo\./, 'customer.'),
      text,
    ])
    throw new Refusal(error.code, error.facts, Object.fromEntries(fields) as Record<string, string>)
  }
}

/** What its customer would pay today. */
export const previewPhoneOrder = async (shop: PricingNeeds & Needs<'clock'>, wanted: Wanted): Promise<OrderSummary> =>
  summaryOf((await priceOrder(shop, wanted)).quote)

/**
 * Takes an order by phone and emails its link. The same request again, or the same order from another form within ten minutes, makes no second one.
 * @throws Refusal as `previewPhoneOrder`; `unknown_link` for a partner's link that does not exist
 */
export async function takePhoneOrder(
  shop: PhoneOrderNeeds,
  request: PhoneOrderRequest,
  by: Actor,
): Promise<{ isNew: boolean }> {
  const { customer, partnerLink, requestKey } = request
  const { lines, quote } = await priceOrder(shop, request)
  const link = partnerLink ? await findLink(shop.db, partnerLink) : undefined
  if (partnerLink && !link) throw new Refusal('unknown_link', {}, { partnerLink: 'We couldn’t find this link.' })
  return shop.db.transaction(async (tx) => {
    const now = shop.clock.now()
    if (await findSame(tx, request, now)) return { isNew: false }
    const click = link ? await recordClick(tx, link, [], now) : null
    const sessionId = `phone-${randomUUID()}` as SessionId
    await addSessionOfNobody(tx, sessionId, now)
    const listed = toCartLines(lines)
    await returnToCart(tx, sessionId, listed, now)
    const expiresAt = after(now, PHONE_ORDER_DAYS * DAY_MS)
    const pieces = listed.map(({ variantId, quantity, productName, variantName }) => ({
      ...{ variantId, quantity, productName, variantName },
    }))
    const row = { requestKey, sessionId, customer, pieces, click, createdAt: now, expiresAt }
    const order = await insertPhoneOrder(tx, row)
    await mailLinkLater(shop, tx, order, lines, quote.total)
    const facts = { total: formatUsd(quote.total), ...(link && { partnerLink: link.id }) }
    await recordAction(tx, { by, what: 'took', about: aboutOf(order.id), after: facts, at: now })
    return { isNew: true }
  })
}

const aboutOf = (id: number) => ({ kind: 'phone order', id })

async function mailLinkLater(
  shop: Needs<'jobs' | 'config' | 'clock'>,
  tx: Tx,
  { id, customer, expiresAt }: PhoneOrder,
  lines: readonly PricedLine[],
  total: Cents,
): Promise<void> {
  const now = shop.clock.now()
  const theme = await readTheme(tx, lines[0]?.collection ?? '')
  const write = () =>
    paymentLinkMail({
      customerName: customer.name,
      theme,
      link: `${baseUrlOf(shop.config)}${payPaths.phoneOrder}?token=${LINK_TOKEN}`,
      items: lines,
      total: formatUsd(total),
      until: expiresAt,
    })
  const recipient = { email: customer.email, name: customer.name }
  // Pressed twice, it is sent once.
  const about = `${id} ${Math.floor(now.getTime() / MINUTE_MS)}`
  await mailLater(
    shop,
    tx,
    { kind: 'payment_link', recipient, orderId: null, about, ...writtenIn(languageOf(customer), write) },
    now,
  )
}

// ---- its link

const PURPOSE = 'phone order'

/** The token of an email's link. @param about of the email */
export const phoneOrderToken = (shop: Needs<'config'>, about: string): string =>
  tokenOf(shop, Number.parseInt(about, 10))

const tokenOf = ({ config }: Needs<'config'>, id: number): string => signedToken(config, PURPOSE, String(id))

/** @throws Refusal `unknown_phone_order` for a token that was changed, or whose order is long over */
export async function openPhoneOrder(shop: Needs<'db' | 'config'>, token: string): Promise<PhoneOrder> {
  const id = readSignedToken(shop.config, PURPOSE, token)
  const order = id && (await findPhoneOrder(shop.db, Number(id)))
  if (!order) throw new Refusal('unknown_phone_order')
  return order
}

/** @throws Refusal `phone_order_closed` unless it can be paid */
export async function requirePayable(shop: Needs<'db' | 'clock'>, order: PhoneOrder): Promise<void> {
  const state = await stateOf(shop, order)
  if (state !== 'awaiting_payment') throw closedAs(state)
}

async function stateOf({ db, clock }: Needs<'db' | 'clock'>, { id }: Pick<PhoneOrder, 'id'>): Promise<PhoneOrderState> {
  const order = await findPhoneOrder(db, id)
  if (!order) throw new Refusal('unknown_phone_order')
  return phoneOrderState(order, await checkoutStates(db, order), clock.now())
}

const checkoutStates = async (db: Reader, order: PhoneOrder) =>
  (await listCheckoutsOf(db, [order])).map(({ state }) => state)

const closedSentences: Readonly<Record<Exclude<PhoneOrderState, 'awaiting_payment'>, string>> = {
  paid: 'This order is paid. Nothing more is charged.',
  held: 'PayPal is reviewing the payment of this order. You don’t need to pay again.',
  canceled: 'This order was canceled. Nothing was charged.',
  expired: 'This link has expired, and nothing was charged. Please ask us for a new one.',
}

const closedAs = (state: Exclude<PhoneOrderState, 'awaiting_payment'>): Refusal =>
  new Refusal('phone_order_closed', { reason: closedSentences[state] })

/** What the link shows. */
export async function showPhoneOrder(
  shop: PricingNeeds & Needs<'clock'>,
  token: string,
  language: Language,
): Promise<PhoneOrderView> {
  const order = await openPhoneOrder(shop, token)
  const { customer, pieces, expiresAt, sessionId } = order
  const state = await stateOf(shop, order)
  const { shippingAddress: address } = customerFrom(customerInfoOf(order))
  const isPayable = state === 'awaiting_payment'
  const open = isPayable ? await findOpenCheckout(shop.db, sessionId) : undefined
  const isFrozen = open && open.version.frozenAt > after(shop.clock.now(), -shop.config.quoteTtlMs)
  const frozen = isFrozen ? open.version.frozen : undefined
  const priced = isPayable && !frozen ? await priceOrder(shop, { lines: pieces, customer }) : undefined
  const { lines = [], quote = null } = frozen ?? priced ?? {}
  return {
    state,
    collection: lines[0]?.collection ?? '',
    lines: lines.map(({ productName, variantName, imageUrl, unitPrice, quantity }) => ({
      ...{ productName, variantName, imageUrl, unitPrice, quantity },
    })),
    shipsTo: [customer.name, address.city, inLanguage(language, () => countryName(address.country))]
      .filter(Boolean)
      .join(', '),
    email: maskEmail(customer.email),
    until: expiresAt.toISOString(),
    summary: quote && summaryOf(quote),
  }
}

/** Refuses, and stops the payment that was just started, if the order was canceled meanwhile. */
export async function stopIfCanceled(shop: Needs<'db' | 'clock' | 'stripe'>, order: PhoneOrder): Promise<void> {
  if ((await stateOf(shop, order)) !== 'canceled') return
  await releaseOpenCheckout(shop, order.sessionId)
  throw closedAs('canceled')
}

// ---- the owner's

/** Those that are not paid, latest first. */
export async function listPhoneOrders(shop: Needs<'db' | 'clock' | 'config'>): Promise<AdminPhoneOrder[]> {
  const now = shop.clock.now()
  const rows = await listUnpaid(shop.db, now)
  const checkouts = await listCheckoutsOf(shop.db, rows)
  const listed: AdminPhoneOrder[] = []
  for (const row of rows) {
    const own = checkouts.filter(({ sessionId }) => sessionId === row.sessionId)
    const state = phoneOrderState(
      row,
      own.map((one) => one.state),
      now,
    )
    // A moment ago.
    if (state === 'paid') continue
    listed.push({
      id: row.id,
      state,
      customer: {
        name: row.customer.name,
        email: row.customer.email,
        country: row.customer.shippingAddress.country,
      },
      lines: row.pieces.map(({ productName, variantName, quantity }) => ({ productName, variantName, quantity })),
      createdAt: row.createdAt.toISOString(),
      expiresAt: row.expiresAt.toISOString(),
      link: `${baseUrlOf(shop.config)}${payPaths.phoneOrder}?token=${tokenOf(shop, row.id)}`,
    })
  }
  return listed
}

/** @throws Refusal `unknown_phone_order`; `phone_order_closed` when it is paid, under review or canceled */
async function lockUnpaid(shop: Needs<'clock'>, tx: Tx, id: number): Promise<PhoneOrder> {
  const order = await lockPhoneOrder(tx, id)
  if (!order) throw new Refusal('unknown_phone_order')
  const state = phoneOrderState(order, await checkoutStates(tx, order), shop.clock.now())
  if (state !== 'awaiting_payment' && state !== 'expired') throw closedAs(state)
  return order
}

/** Emails the link again, which can be paid for another week. @throws Refusal as `lockUnpaid`, or like every quote */
export async function sendPhoneOrder(shop: PhoneOrderNeeds, id: number, by: Actor): Promise<void> {
  const found = await findPhoneOrder(shop.db, id)
  if (!found) throw new Refusal('unknown_phone_order')
  const { lines, quote } = await priceOrder(shop, { lines: found.pieces, customer: found.customer })
  await shop.db.transaction(async (tx) => {
    const order = await lockUnpaid(shop, tx, id)
    const now = shop.clock.now()
    const expiresAt = after(now, PHONE_ORDER_DAYS * DAY_MS)
    await updatePhoneOrder(tx, id, { expiresAt })
    await mailLinkLater(shop, tx, { ...order, expiresAt }, lines, quote.total)
    await recordAction(tx, { by, what: 'sent the link of', about: aboutOf(id), at: now })
  })
}

/** Closes the link, then a payment that was started. @throws Refusal as `lockUnpaid` */
export async function cancelPhoneOrder(
  shop: Needs<'db' | 'clock' | 'stripe'>,
  id: number,
  by: Actor,
): Promise<{ isStopped: boolean }> {
  const { sessionId } = await shop.db.transaction(async (tx) => {
    const order = await lockUnpaid(shop, tx, id)
    const now = shop.clock.now()
    await updatePhoneOrder(tx, id, { canceledAt: now })
    await recordAction(tx, { by, what: 'canceled', about: aboutOf(id), at: now })
    return order
  })
  return { isStopped: await releaseOpenCheckout(shop, sessionId) }
}
