import { ProviderUnavailable } from '#server/providers/provider-errors.ts'
import { createHash } from 'node:crypto'
import type { Address } from '#domain/checkout/address.ts'
import type { FrozenCheckout, FrozenCustomer } from '#domain/checkout/checkout.ts'
import { toCartLines } from '#domain/codes/discount.ts'
import { differsFromQuote, type ClaimedAmounts } from '#domain/checkout/claimed-amounts.ts'
import type { SessionId, VariantId } from '#shared/ids.ts'
import { requestedVariants } from '#server/cart/cart.ts'
import { linesAtTodaysPrices } from '#server/catalog/catalog.ts'
import { autocommitWrite } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import { attributeCheckout, type PartnerCode, type Visitor } from '#server/partners/attribution.ts'
import { readLegalFigures } from '#server/catalog/legal-figures.ts'
import { agreedLegalVersion } from '#server/settings/legal-versions.ts'
import type { Needs } from '#server/shop.ts'
import { refusalIfJustPaid } from './already-paid.ts'
import { discountCart, namesOfCodes, takeUses } from './codes.ts'
import { holdGiftCard, showCartGiftCard, withGiftCard } from './gift-cards.ts'
import { reserveLines } from './reserve-lines.ts'
import { quoteCheckout, refuseUnconfirmedAge, type PricingNeeds } from './pricing.ts'
import { agreeToTerms, findOpenCheckout, lockIfOpen, saveVersion, type StoredCheckout } from './checkout.ts'
import { summaryOf } from './wire.ts'

/** A frozen version of the session's checkout, ready to be paid. */
export type OfferedCheckout = { checkout: StoredCheckout; frozen: FrozenCheckout; wishHash: string; visitor: Visitor }

/** What a shopper wants to pay for, with the amounts that the browser shows. */
export type PaymentRequest = ClaimedAmounts & {
  customer: FrozenCustomer
  shippingAddress: Address
  billingAddress: Address | null
  /** The shipping address's path in the request. */
  addressField: string
  currency?: string | undefined
  termsAccepted?: boolean | undefined
  ageConfirmed?: boolean | undefined
  /** For attributing the sale to a partner. */
  visitor: Visitor
}

type FreezeNeeds = PricingNeeds & Needs<'clock' | 'jobs'>

/**
 * Freezes the session's checkout. An equal request within the quote's lifetime gets the same version, even if the catalog changed;
 * card and wallet share it. A browser that shows other amounts gets a new quote: after a reload it shows today's prices, and may be
 * right.
 * @throws Refusal `summary_changed` with the fresh summary when the browser saw other amounts; nothing was frozen
 * @throws Refusal `already_paid` or `payment_held` when the cart is empty because its lines were just paid
 * @throws Refusal `age_unconfirmed` when the shopper must confirm an age and did not
 * @throws Refusal `drop_closed`, `drop_taken` or `drop_limit` as `saveFrozenCheckout`
 */
export async function freezeCheckout(
  shop: FreezeNeeds,
  sessionId: SessionId,
  wanted: PaymentRequest,
): Promise<OfferedCheckout> {
  const { db, clock, config } = shop
  if (wanted.currency !== undefined && wanted.currency !== 'usd' && wanted.currency !== 'USD')
    throw new Refusal('wrong_currency')
  const { customer, shippingAddress, billingAddress, visitor } = wanted
  const codes = await namesOfCodes(db, sessionId)
  const giftCard = await showCartGiftCard(db, sessionId)
  const request = {
    ...{ customer, shippingAddress, billingAddress, lines: await requestedVariants(db, sessionId) },
    ...(codes.length > 0 && { codes }),
    ...(giftCard && { giftCard }),
  }
  const oldest = new Date(clock.now().getTime() - config.quoteTtlMs)
  if (!request.lines.length) throw (await refusalIfJustPaid(shop, sessionId, oldest)) ?? new Refusal('cart_empty')

  const wishHash = contentHash(request)
  const open = await findOpenCheckout(db, sessionId)
  if (open?.version.wishHash === wishHash && open.version.frozenAt > oldest && !amountsDiffer(wanted, open.version)) {
    refuseUnconfirmedAge(open.version.frozen.lines, wanted.ageConfirmed)
    const { checkout, version } = open
    const { frozen } = version
    await attributeCheckout(shop, checkout.id, visitor, customer.email, partnerCodeOf(frozen), lockIfOpen)
    return { checkout: await withConsent(shop, checkout, wanted), frozen, wishHash, visitor }
  }

  const listed = await linesAtTodaysPrices(db, request.lines)
  refuseUnconfirmedAge(listed, wanted.ageConfirmed)
  const { lines, discounts, objections } = await discountCart(shop, sessionId, listed, customer.email)
  const priced = await quoteCheckout(shop, lines, shippingAddress, wanted.addressField, discounts)
  const quote = await withGiftCard(db, sessionId, priced.quote)
  const notices = [...objections.map(({ reason }) => reason), ...quote.notices]
  const frozen = {
    ...{ customer, shippingAddress, billingAddress, lines },
    ...priced,
    quote: { ...quote, notices },
  }
  if (amountsDiffer(wanted, { frozen })) throw new Refusal('summary_changed', { summary: summaryOf(frozen.quote) })
  const termsVersion = wanted.termsAccepted ? await termsVersionOf(shop) : null
  const offered = await saveFrozenCheckout(shop, sessionId, { frozen, wishHash, visitor }, termsVersion)
  return offered ?? freezeCheckout(shop, sessionId, wanted)
}

/**
 * Stores a frozen version in the session's open checkout, creating it if needed.
 * @param termsVersion of the terms that the shopper agreed to; null if they were not asked
 * @returns undefined, with nothing stored, when another tab has paid or removed some of the lines, or a code or gift card of it can't be used any more
 * @throws Refusal `drop_closed`, `drop_taken` or `drop_limit`, with nothing stored, when the shopper can't have a piece of a drop
 */
export async function saveFrozenCheckout(
  shop: Needs<'db' | 'clock' | 'jobs' | 'config'>,
  sessionId: SessionId,
  { frozen, wishHash, visitor }: Omit<OfferedCheckout, 'checkout'>,
  termsVersion: string | null,
): Promise<OfferedCheckout | undefined> {
  const version = { frozen, quoteHash: contentHash(frozen), wishHash }
  const checkout = await saveIfStillInCart(shop, sessionId, version, termsVersion, visitor)
  if (!checkout) return undefined
  const code = partnerCodeOf(frozen)
  await attributeCheckout(shop, checkout.id, visitor, frozen.customer.email, code, lockIfOpen)
  return { checkout, frozen, wishHash, visitor }
}

/** The first code that makes the checkout a partner's sale. */
function partnerCodeOf({ quote: { discounts = [] } }: FrozenCheckout): PartnerCode | undefined {
  const [first] = discounts.flatMap(({ id, partnerId }) => (partnerId ? [{ id, partnerId }] : []))
  return first
}

/** Lines, codes, or the gift card's balance. */
class NoLongerInCart extends Error {}

async function saveIfStillInCart(
  shop: Needs<'db' | 'clock' | 'jobs' | 'config'>,
  sessionId: SessionId,
  version: Parameters<typeof saveVersion>[2],
  termsVersion: string | null,
  visitor: Visitor,
): Promise<StoredCheckout | undefined> {
  const { db, clock } = shop
  try {
    return await db.transaction(async (tx) => {
      const checkout = await saveVersion(tx, sessionId, version, termsVersion, visitor, clock.now())
      // Read while holding the checkout row that settling a payment locks: lines it sold have left the cart and are not sold twice.
      const { lines, quote, customer } = version.frozen
      if (!isWithin(toCartLines(lines), await requestedVariants(tx, sessionId))) throw new NoLongerInCart()
      if (!(await takeUses(tx, checkout.id, quote.discounts ?? [], customer.email, clock.now())))
        throw new NoLongerInCart()
      if (!(await holdGiftCard(tx, checkout.id, quote.giftCard))) throw new NoLongerInCart()
      await reserveLines(tx, shop, checkout, version.frozen)
      return checkout
    })
  } catch (error) {
    if (error instanceof NoLongerInCart) return undefined
    throw error
  }
}

type Pieces = readonly { variantId: VariantId; quantity: number }[]

/** Whether a cart still holds all of these pieces. */
const isWithin = (pieces: Pieces, cart: Pieces): boolean =>
  pieces.every(({ variantId, quantity }) =>
    cart.some((line) => line.variantId === variantId && line.quantity >= quantity),
  )

/** The newest version of the legal pages: the Terms of Service make the others a part of them. */
const termsVersionOf = async (shop: Needs<'config' | 'db' | 'clock'>): Promise<string> =>
  String(await agreedLegalVersion(shop, await readLegalFigures(shop)))

async function withConsent(
  shop: FreezeNeeds,
  checkout: StoredCheckout,
  { termsAccepted }: PaymentRequest,
): Promise<StoredCheckout> {
  if (!termsAccepted) return checkout
  const termsVersion = await termsVersionOf(shop)
  if (checkout.termsVersion === termsVersion) return checkout
  await autocommitWrite(shop.db, (tx) => agreeToTerms(tx, checkout.id, termsVersion, shop.clock.now()))
  return { ...checkout, termsVersion }
}

/** Whether the browser shows other amounts than would be charged. */
const amountsDiffer = (wanted: ClaimedAmounts, { frozen }: { frozen: FrozenCheckout }): boolean =>
  differsFromQuote(wanted, frozen.quote, frozen.lines)

export const timeoutError = (provider: string): ProviderUnavailable =>
  new ProviderUnavailable(provider, new Error('The answer took too long.'))

export const contentHash = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32)

const lastWorkBySession = new Map<SessionId, Promise<unknown>>()

/**
 * Payment starts of one session run one after the other: the later update of an intent must also reach the provider last.
 * (Between instances, the version stored in the payment itself decides.)
 */
export async function withSessionLock<T>(sessionId: SessionId, work: () => Promise<T>): Promise<T> {
  const before = lastWorkBySession.get(sessionId) ?? Promise.resolve()
  const current = before.then(work, work)
  const done = current.then(
    () => {},
    () => {},
  )
  lastWorkBySession.set(sessionId, done)
  try {
    return await current
  } finally {
    if (lastWorkBySession.get(sessionId) === done) lastWorkBySession.delete(sessionId)
  }
}
