import type { AdminCode, NewCode } from '#contract/admin-codes.ts'
import type { CartCodes } from '#contract/codes.ts'
import { CODES_MAX, normalizeCode, partnersRule, type CodeRule } from '#domain/codes/code.ts'
import {
  automaticFor,
  discountLines,
  type Discount,
  type DiscountedLines,
  type NamedDiscount,
} from '#domain/codes/discount.ts'
import { subtotalOf, type PricedLine } from '#domain/checkout/quote.ts'
import type { CheckoutId, SessionId, UserId } from '#shared/ids.ts'
import { ZERO } from '#shared/money.ts'
import { dayFromIso } from '#shared/calendar-day.ts'
import { startOfDay } from '#shared/time-zone.ts'
import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import { requestedVariants } from '#server/cart/cart.ts'
import { findProductNames, findTypesOfProducts, piecesToday } from '#server/catalog/catalog.ts'
import { listCollections } from '#server/catalog/collections.ts'
import { requireFloorOfDiscount } from '#server/catalog/margin-guard.ts'
import { listTypeChoices } from '#server/catalog/products.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import type { Context } from '#server/http/context.ts'
import { Refusal } from '#server/http/refusal.ts'
import { findPartner } from '#server/partners/partner.ts'
import { readSiteSettings } from '#server/settings/site-settings.ts'
import type { Needs } from '#server/shop.ts'
import { moveGiftCard, showCartGiftCard } from './gift-cards.ts'
import {
  addSessionCode,
  countUses,
  findCode,
  findCodeById,
  hasBought,
  insertCode,
  listActiveCodes,
  listCodes,
  listCodesOfSession,
  listCombining,
  listAutomatic,
  lockLimited,
  moveCodes,
  removeSessionCodes,
  setCodeState,
  setUses,
  type NewRow,
  type Own,
  type StoredCode,
} from './code-rows.ts'

type CodeNeeds = Needs<'db' | 'clock'>

/** Whose cart gets a code; its session begins only with a code that can be used. */
export type Cart = Pick<Context, 'session' | 'ensureSession'>

/** Why a code in a cart can't be used by anybody now; undefined if it can. */
function objectionTo({ code, state, startsAt, endsAt }: StoredCode, now: Date): string | undefined {
  if (state === 'ended' || (endsAt && endsAt <= now)) return `${code} has ended.`
  return startsAt && startsAt > now ? `${code} can’t be used yet.` : undefined
}

const isUsedUp = async (db: Reader, { id, usesMax }: StoredCode, own: Own) =>
  usesMax !== null && (await countUses(db, id, own)) >= usesMax

async function objectionToPerson(
  db: Reader,
  { id, code, rule, usesMaxPerPerson }: StoredCode,
  email: string,
  own: Own,
): Promise<string | undefined> {
  if (rule.isFirstOrderOnly && (await hasBought(db, email))) return `${code} is for a first order.`
  const isOver = usesMaxPerPerson !== null && (await countUses(db, id, own, email)) >= usesMaxPerPerson
  return isOver ? `${code} was already used with this email address.` : undefined
}

/** The codes of a session's cart, usable or not. */
export const namesOfCodes = async (db: Reader, sessionId: SessionId): Promise<string[]> =>
  (await listCodesOfSession(db, sessionId)).map(({ code }) => code)

/**
 * Takes the codes of a session's cart, and the automatic discounts that it fits, off its lines.
 * @param sessionId undefined: only automatic discounts
 * @param lines at list prices
 * @param email of the customer, once known
 * @returns also why codes take nothing off
 */
export const discountCart = async (
  shop: CodeNeeds,
  sessionId: SessionId | undefined,
  lines: readonly PricedLine[],
  email?: string,
): Promise<DiscountedLines> =>
  takeOff(shop, sessionId ? await listCodesOfSession(shop.db, sessionId) : [], lines, sessionId && { sessionId }, email)

/**
 * Takes one code, and the automatic discounts, off lines that are in no cart.
 * @param lines at list prices
 * @throws Refusal `code_unusable` as `applyCode`
 */
export const discountPieces = async (
  shop: CodeNeeds,
  lines: readonly PricedLine[],
  typed?: string,
): Promise<DiscountedLines> =>
  takeOff(shop, typed === undefined ? [] : [await findUsable(shop, typed, undefined)], lines, undefined)

async function takeOff(
  { db, clock }: CodeNeeds,
  entered: readonly StoredCode[],
  lines: readonly PricedLine[],
  own: Own,
  email?: string,
): Promise<DiscountedLines> {
  const objectionNow = async (one: StoredCode) =>
    objectionTo(one, clock.now()) ??
    ((await isUsedUp(db, one, own)) ? `${one.code} has been used as often as it can be.` : undefined) ??
    (email === undefined ? undefined : await objectionToPerson(db, one, email, own))
  const usable: StoredCode[] = []
  const objections: DiscountedLines['objections'] = []
  for (const one of entered) {
    const reason = await objectionNow(one)
    if (reason === undefined) usable.push(one)
    else objections.push({ code: one.code, reason })
  }
  if (lines.length === 0) {
    const waiting = usable.map(({ code }) => ({ code, reason: `${code} takes effect with what you add to your cart.` }))
    return { lines: [], discounts: [], objections: [...objections, ...waiting] }
  }
  const automatic: StoredCode[] = []
  for (const one of await listAutomatic(db)) if ((await objectionNow(one)) === undefined) automatic.push(one)
  if (usable.length + automatic.length === 0) return { lines: [...lines], discounts: [], objections }
  const types = await findTypesOfProducts(db, [...new Set(lines.map(({ productId }) => productId))])
  const discounted = discountLines(lines, [...usable, ...automaticFor(lines, usable, automatic, types)], types)
  return { ...discounted, objections: [...objections, ...discounted.objections] }
}

/** The cart's codes and what they take off; pieces that are sold out cost nothing. */
export async function showCartCodes(shop: CodeNeeds, sessionId: SessionId | undefined): Promise<CartCodes> {
  const wanted = sessionId ? await requestedVariants(shop.db, sessionId) : []
  const pieces = await piecesToday(
    shop.db,
    wanted.map(({ variantId }) => variantId),
  )
  const lines = wanted.flatMap(({ variantId, quantity }) => {
    const piece = pieces.get(variantId)
    if (!piece?.isBuyable) return []
    const { isBuyable: _, metadata, ...line } = piece
    return [{ ...line, quantity, metadata }]
  })
  const { lines: paid, discounts, objections } = await discountCart(shop, sessionId, lines)
  const giftCard = await showCartGiftCard(shop.db, sessionId)
  return {
    codes: [
      ...discounts.map(({ code, amount, isShippingFree, isAutomatic = false }) => ({
        ...{ code, amount, isShippingFree, isAutomatic, objection: null },
      })),
      ...objections.map(({ code, reason }) => ({
        ...{ code, amount: ZERO, isShippingFree: false, isAutomatic: false, objection: reason },
      })),
    ],
    subtotal: subtotalOf(paid),
    ...(giftCard && { giftCard }),
  }
}

/** @throws Refusal `code_unusable` */
async function findUsable({ db, clock }: CodeNeeds, typed: string, own: Own): Promise<StoredCode> {
  const found = await findCode(db, normalizeCode(typed))
  if (!found || objectionTo(found, clock.now()) || (await isUsedUp(db, found, own)))
    throw new Refusal('code_unusable', {}, { code: 'This code doesn’t exist, or can’t be used now.' })
  return found
}

/**
 * Adds a code to a cart.
 * @throws Refusal `code_unusable`, the same for a code that never existed and one that has ended or is used up; `code_alone` when it
 *   can't be combined with another of the cart
 */
export async function applyCode(shop: CodeNeeds, cart: Cart, typed: string): Promise<CartCodes> {
  const own = await cart.session()
  const found = await findUsable(shop, typed, own && { sessionId: own.id })
  const sessionId = await cart.ensureSession()
  await shop.db.transaction(async (tx) => {
    const others = (await listCodesOfSession(tx, sessionId)).filter(({ id }) => id !== found.id)
    const alone = others.find(({ rule }) => !rule.combines || !found.rule.combines)
    if (alone || others.length >= CODES_MAX) {
      const other = alone?.code ?? others[0]?.code ?? ''
      const sentence = `${found.code} can’t be used together with ${other}. Remove ${other} first.`
      throw new Refusal('code_alone', { sentence }, { code: sentence })
    }
    await addSessionCode(tx, sessionId, found.id)
  })
  return showCartCodes(shop, sessionId)
}

/** Removes a code from a cart, or all of them; nothing happens if it has none of that name. */
export async function removeCode(
  shop: CodeNeeds,
  sessionId: SessionId | undefined,
  typed?: string,
): Promise<CartCodes> {
  if (sessionId)
    await shop.db.transaction(async (tx) => {
      const stored = await listCodesOfSession(tx, sessionId)
      const named = typed === undefined ? stored : stored.filter(({ code }) => code === normalizeCode(typed))
      if (named.length > 0)
        await removeSessionCodes(
          tx,
          sessionId,
          named.map(({ id }) => id),
        )
    })
  return showCartCodes(shop, sessionId)
}

/**
 * Takes a use of each code for a checkout that is being frozen.
 * @param checkoutId locked
 * @returns false when one can't be used any more: ended, or another checkout took its last use
 */
export async function takeUses(
  tx: Tx,
  checkoutId: CheckoutId,
  discounts: readonly Discount[],
  email: string,
  now: Date,
): Promise<boolean> {
  const ids = discounts.map(({ id }) => id)
  const own = { checkoutId }
  for (const one of ids.length > 0 ? await lockLimited(tx, ids) : []) {
    const reason = objectionTo(one, now) ?? (await objectionToPerson(tx, one, email, own))
    if (reason !== undefined || (await isUsedUp(tx, one, own))) return false
  }
  await setUses(tx, checkoutId, ids)
  return true
}

/** The uses of a paid checkout, whatever became of its codes meanwhile: they are part of what was paid. They leave the cart. */
export async function keepUses(
  tx: Tx,
  { id, sessionId }: { id: CheckoutId; sessionId: SessionId },
  discounts: readonly Discount[] = [],
): Promise<void> {
  const ids = discounts.map((discount) => discount.id)
  await setUses(tx, id, ids)
  if (ids.length > 0) await removeSessionCodes(tx, sessionId, ids)
}

/** Moves a cart's codes and gift card to a new session; the new one's own stay. */
export async function moveSessionCodes(tx: Tx, from: SessionId, to: SessionId): Promise<void> {
  await moveCodes(tx, from, to)
  await moveGiftCard(tx, from, to)
}

// ---- made and ended

/** The most codes of a list. */
export const LIST_MAX = 500

/** What a code is now. @param uses its own */
export function statusOf(
  { state, startsAt, endsAt, usesMax, uses }: StoredCode & { uses: number },
  now: Date,
): AdminCode['status'] {
  if (state === 'ended' || (endsAt && endsAt <= now)) return 'ended'
  if (startsAt && startsAt > now) return 'scheduled'
  return usesMax !== null && uses >= usesMax ? 'used_up' : 'active'
}

/** Newest first. */
export const listAdminCodes = async ({ db, clock }: CodeNeeds): Promise<(AdminCode & { partnerId: UserId | null })[]> =>
  (await listCodes(db, LIST_MAX)).map((one) => ({
    ...one,
    startsAt: one.startsAt && one.startsAt.toISOString(),
    endsAt: one.endsAt && one.endsAt.toISOString(),
    status: statusOf(one, clock.now()),
    createdAt: one.createdAt.toISOString(),
  }))

/** What the margin guard counts besides prices: codes and automatic discounts that can be used, and those that partners may make. */
export async function listDiscounts(db: Reader, { clock }: Needs<'clock'>): Promise<NamedDiscount[]> {
  const { percent } = (await readSiteSettings(db)).partnerCodes
  const bound = percent > 0 ? [{ code: 'a partner’s code', rule: partnersRule(percent) }] : []
  return [...(await listActiveCodes(db, clock.now())), ...bound]
}

/** Stores a code. @throws Refusal `code_taken` */
export async function addCode(tx: Tx, row: NewRow): Promise<StoredCode> {
  const made = await insertCode(tx, row)
  if (!made) throw new Refusal('code_taken', {}, { code: 'There is already a code of this name.' })
  return made
}

/**
 * @param accepted the owner's yes to sales below the floor
 * @throws Refusal `invalid` with a sentence for each field; `code_taken`; `below_floor`
 */
export async function makeCode(
  { db, clock, config }: CodeNeeds & Needs<'config'>,
  { code: typed, isAutomatic, partnerId, startsOn, endsOn, usesMax, usesMaxPerPerson, ...rule }: NewCode,
  accepted: boolean,
  by: Actor,
): Promise<string> {
  const startOf = (iso: string | null, daysLater: number) => {
    const day = iso === null ? undefined : dayFromIso(iso)
    return day === undefined ? null : new Date(startOfDay(config.reportTimeZone, day + daysLater))
  }
  const [startsAt, endsAt] = [startOf(startsOn, 0), startOf(endsOn, 1)]
  if (endsAt && endsAt <= clock.now()) throw new Refusal('invalid', {}, { endsOn: 'This day is over.' })
  if (startsAt && endsAt && startsAt >= endsAt)
    throw new Refusal('invalid', {}, { endsOn: 'The last day can’t be before the first.' })
  await requireGoods(db, rule)
  if (partnerId !== null && (await findPartner(db, partnerId))?.state !== 'active')
    throw new Refusal('invalid', {}, { partnerId: 'There is no such partner.' })
  const name = isAutomatic ? typed : normalizeCode(typed)
  const row = {
    code: name,
    isAutomatic,
    partnerId,
    rule,
    startsAt,
    endsAt,
    usesMax,
    usesMaxPerPerson,
    createdAt: clock.now(),
  }
  return db.transaction(async (tx) => {
    const made = await addCode(tx, row)
    const decision = { by, accepted, about: aboutOf(made), at: clock.now() }
    const others = rule.combines ? await listCombining(tx, made, clock.now()) : []
    await requireFloorOfDiscount(tx, { config, clock }, made, decision, others)
    const facts = { rule: JSON.stringify(rule), partnerId, startsOn, endsOn, usesMax, usesMaxPerPerson }
    await recordAction(tx, { by, what: 'made', about: aboutOf(made), after: facts, at: clock.now() })
    return made.code
  })
}

/** @throws Refusal `invalid` for goods that the catalog doesn't have */
async function requireGoods(db: Reader, { products, types, collections }: CodeRule): Promise<void> {
  const names = await findProductNames(db, products)
  const missing = products.find((id) => !names.has(id))
  if (missing !== undefined) throw new Refusal('invalid', {}, { products: `There is no product ${missing}.` })
  const known = [
    ...(await listTypeChoices(db)).map(({ key }) => key),
    ...(await listCollections(db)).map(({ id }) => id),
  ]
  if ([...types, ...collections].some((name) => !known.includes(name)))
    throw new Refusal('invalid', {}, { goods: 'This is no longer in the catalog.' })
}

/**
 * Ends a code for good. Payments that were started with it keep their price.
 * @param maker only a code that this partner made; unset: any
 * @throws Refusal `unknown_code`
 */
export async function endCode({ db, clock }: CodeNeeds, id: number, by: Actor, maker?: UserId): Promise<string> {
  return db.transaction(async (tx) => {
    const found = await findCodeById(tx, id)
    if (!found || (maker !== undefined && !(found.isMadeByPartner && found.partnerId === maker)))
      throw new Refusal('unknown_code')
    const hasEnded = found.state === 'active' && (await setCodeState(tx, found, 'ended'))
    if (hasEnded) await recordAction(tx, { by, what: 'ended', about: aboutOf(found), at: clock.now() })
    return found.code
  })
}

/** A code in the log. */
export const aboutOf = ({ code }: StoredCode) => ({ kind: 'code', id: code })
