import { createHash } from 'node:crypto'
import { POLICIES_UPDATED } from '#brand/policies.ts'
import type { Address } from '#domain/checkout/address.ts'
import type { FrozenCheckout, FrozenCustomer } from '#domain/checkout/checkout.ts'
import { differsFrom, type BelievedAmounts } from '#domain/checkout/compare.ts'
import type { SessionId, VariantId } from '#kernel/ids.ts'
import { wishesOf } from '#server/cart/cart.ts'
import { linesAtTodaysPrices } from '#server/catalogue/catalogue.ts'
import { writeAlone } from '#server/db/db.ts'
import { Refused } from '#server/http/refused.ts'
import { attribute, type Visitor } from '#server/partners/attribution.ts'
import type { Needs } from '#server/shop.ts'
import { refusalIfJustPaid } from './paid.ts'
import { quote, refuseUnconfirmedAge, type Pricing } from './pricing.ts'
import { agreeToTerms, findOpen, putVersion, type StoredCheckout } from './store.ts'
import { summaryOf } from './wire.ts'

/** A version of the session's checkout, ready to be paid by card or wallet. */
export type Offered = { checkout: StoredCheckout; frozen: FrozenCheckout; wishHash: string; visitor: Visitor }

/** What a shopper wants to pay for, with the amounts that the browser believes. */
export type Wanted = BelievedAmounts & {
  customer: FrozenCustomer
  shippingAddress: Address
  billingAddress: Address | null
  /** Where the shipping address stands in the request. */
  addressField: string
  currency?: string | undefined
  termsAccepted?: boolean | undefined
  ageConfirmed?: boolean | undefined
  /** Who pays, as far as the partner is concerned who sent them. */
  visitor: Visitor
}

type Freezing = Pricing & Needs<'clock'>

/**
 * Freezes the session's checkout. An equal wish within the quote's life gets the same version, whatever the catalogue
 * did meanwhile; card and wallet share it. Whoever sees other amounts than were promised is priced anew: a page that was
 * loaded again shows today's, and may be right.
 * @throws Refused `summary_changed` with the fresh summary when the browser saw other amounts; nothing was frozen
 * @throws Refused `already_paid` or `payment_held` when the cart is empty because its lines were just paid
 * @throws Refused `age_unconfirmed` when the shopper has to say to have reached an age, and did not
 */
export async function freeze(shop: Freezing, sessionId: SessionId, wanted: Wanted): Promise<Offered> {
  const { db, clock, config } = shop
  if (wanted.currency !== undefined && wanted.currency !== 'usd' && wanted.currency !== 'USD')
    throw new Refused('wrong_currency')
  const { customer, shippingAddress, billingAddress, visitor } = wanted
  const wish = { customer, shippingAddress, billingAddress, lines: await wishesOf(db, sessionId) }
  const oldest = new Date(clock.now().getTime() - config.quoteTtlMs)
  if (!wish.lines.length) throw (await refusalIfJustPaid(shop, sessionId, oldest)) ?? new Refused('cart_empty')

  const wishHash = hashOf(wish)
  const open = await findOpen(db, sessionId)
  if (open?.version.wishHash === wishHash && open.version.frozenAt > oldest && !isSurprising(wanted, open.version)) {
    refuseUnconfirmedAge(open.version.frozen.lines, wanted.ageConfirmed)
    const { checkout, version } = open
    const { frozen } = version
    await attribute(shop, checkout.id, visitor, customer.email)
    return { checkout: await consenting(shop, checkout, wanted), frozen, wishHash, visitor }
  }

  const lines = await linesAtTodaysPrices(db, wish.lines)
  refuseUnconfirmedAge(lines, wanted.ageConfirmed)
  const frozen = { ...wish, lines, ...(await quote(shop, lines, shippingAddress, wanted.addressField)) }
  if (isSurprising(wanted, { frozen })) throw new Refused('summary_changed', { summary: summaryOf(frozen.quote) })
  const termsVersion = wanted.termsAccepted ? POLICIES_UPDATED.day : null
  const offered = await keep(shop, sessionId, { frozen, wishHash, visitor }, termsVersion)
  return offered ?? freeze(shop, sessionId, wanted)
}

/**
 * Stores a frozen version in the session's open checkout, making that checkout when there is none.
 * @param termsVersion the text of the terms that the shopper has agreed to; null where nobody asked
 * @returns undefined when some of it was paid, or taken out of the cart, in another tab meanwhile; nothing was stored
 */
export async function keep(
  { db, clock }: Needs<'db' | 'clock'>,
  sessionId: SessionId,
  { frozen, wishHash, visitor }: Omit<Offered, 'checkout'>,
  termsVersion: string | null,
): Promise<Offered | undefined> {
  const version = { frozen, quoteHash: hashOf(frozen), wishHash }
  const checkout = await putWhileInCart({ db, clock }, sessionId, version, termsVersion)
  if (!checkout) return undefined
  await attribute({ db, clock }, checkout.id, visitor, frozen.customer.email)
  return { checkout, frozen, wishHash, visitor }
}

class NoLongerInCart extends Error {}

async function putWhileInCart(
  { db, clock }: Needs<'db' | 'clock'>,
  sessionId: SessionId,
  version: Parameters<typeof putVersion>[2],
  termsVersion: string | null,
): Promise<StoredCheckout | undefined> {
  try {
    return await db.transaction(async (tx) => {
      const checkout = await putVersion(tx, sessionId, version, termsVersion, clock.now())
      // Asked behind the row that a settlement closes: what that has sold is out of the cart, and is not sold again.
      if (!isWithin(version.frozen.lines, await wishesOf(tx, sessionId))) throw new NoLongerInCart()
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

async function consenting(
  { db, clock }: Freezing,
  checkout: StoredCheckout,
  { termsAccepted }: Wanted,
): Promise<StoredCheckout> {
  const termsVersion = POLICIES_UPDATED.day
  if (!termsAccepted || checkout.termsVersion === termsVersion) return checkout
  await writeAlone(db, (tx) => agreeToTerms(tx, checkout.id, termsVersion, clock.now()))
  return { ...checkout, termsVersion }
}

/** Whether somebody sees other amounts on the screen than would be charged. */
const isSurprising = (wanted: BelievedAmounts, { frozen }: { frozen: FrozenCheckout }): boolean =>
  differsFrom(wanted, frozen.quote, frozen.lines)

export const hashOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32)

const running = new Map<SessionId, Promise<unknown>>()

/**
 * Requests of one session that start a payment take turns: of two that update the same intent, the later one must also
 * be the last to reach the provider. (Between instances the version named by the payment itself decides.)
 */
export async function oneAtATime<T>(sessionId: SessionId, work: () => Promise<T>): Promise<T> {
  const before = running.get(sessionId) ?? Promise.resolve()
  const mine = before.then(work, work)
  const done = mine.then(
    () => {},
    () => {},
  )
  running.set(sessionId, done)
  try {
    return await mine
  } finally {
    if (running.get(sessionId) === done) running.delete(sessionId)
  }
}
