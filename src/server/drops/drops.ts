import type { Address } from '#domain/checkout/address.ts'
import type { PricedLine } from '#domain/checkout/quote.ts'
import { dropStateOf, HOLD_MS, isSelling } from '#domain/drops/drop.ts'
import { formatClockTime } from '#domain/orders/clock-time.ts'
import { assert } from '#shared/assert.ts'
import type { CheckoutId, OrderId, SessionId } from '#shared/ids.ts'
import { after } from '#shared/time.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Needs } from '#server/shop.ts'
import { personOfPayer, personsOf } from './persons.ts'
import { requireVisit } from './room.ts'
import { pageOf } from './shown.ts'
import {
  addSteps,
  countOfPerson,
  deleteHold,
  findDrop,
  insertEditions,
  isReader,
  listDropsOver,
  listEditions,
  listHolds,
  listReturned,
  lockPersons,
  lockPieces,
  lowerHold,
  markHoldSold,
  makeReserved,
  raiseLastNumber,
  saveHold,
  sellReserved,
  setEdition,
  setPiece,
  takeFree,
  takeOffered,
  type Drop,
  type Edition,
} from './store.ts'
import { freePieces } from './waiting-list.ts'

// A piece is a row. It is reserved when a payment is started, for a bounded time, and sold when the payment is settled: no two
// checkouts ever have the same one, so exactly as many are sold as there are.

export { listEditions, listLapsed, moveHolds } from './store.ts'

type DropNeeds = Needs<'jobs' | 'config' | 'clock'>
type Line = Pick<PricedLine, 'productId' | 'collection' | 'quantity' | 'productName'>
type Wanted<Of extends Line = Line> = { drop: Drop; lines: Of[]; quantity: number }

/** The drops that these lines belong to, in the order of their ids. A drop of the product goes before one of its collection, a newer one before one that is over. */
async function dropsOf<Of extends Line>(db: Reader, lines: readonly Of[], now: Date): Promise<Wanted<Of>[]> {
  const unique = <T>(all: readonly T[]) => [...new Set(all)]
  const rows = await listDropsOver(
    db,
    unique(lines.map(({ productId }) => productId)),
    unique(lines.map(({ collection }) => collection)),
  )
  if (rows.length === 0) return []
  const isOver = (one: Drop) => Number(dropStateOf(one, null, now) === 'ended')
  const inOrder = rows.toSorted(
    (a, b) => isOver(a) - isOver(b) || Number(b.productId !== null) - Number(a.productId !== null) || b.id - a.id,
  )
  const wanted = new Map<number, Wanted<Of>>()
  for (const line of lines) {
    const found = inOrder.find((one) =>
      one.productId === null ? one.collectionId === line.collection : one.productId === line.productId,
    )
    if (!found) continue
    const { lines: others = [], quantity = 0 } = wanted.get(found.id) ?? {}
    wanted.set(found.id, { drop: found, lines: [...others, line], quantity: quantity + line.quantity })
  }
  return [...wanted.values()].toSorted((a, b) => a.drop.id - b.drop.id)
}

/** The page of the first drop that these lines belong to. */
export async function findDropPage(db: Reader, lines: readonly Line[], now: Date): Promise<string | undefined> {
  const [found] = await dropsOf(db, lines, now)
  return found && (await pageOf(db, found.drop))
}

/** Whether any of these products is part of a drop, so that an order of them can't simply be changed. */
export const isInDrop = async (db: Reader, lines: readonly Line[], now: Date): Promise<boolean> =>
  (await dropsOf(db, lines, now)).length > 0

/** A checkout that is being frozen. */
export type Reserving = {
  checkout: { id: CheckoutId; sessionId: SessionId }
  lines: readonly Line[]
  email: string
  address: Address
  /** Of the cart, as far as they take something off. */
  codes: readonly string[]
}

/**
 * Reserves the pieces of a checkout that is being frozen, and gives back those that it no longer wants.
 * @param reserving its checkout is locked
 * @throws Refusal `drop_closed`, `drop_room`, `drop_taken` or `drop_limit`; the caller's transaction must not commit
 */
export async function reservePieces(tx: Tx, shop: DropNeeds, reserving: Reserving): Promise<void> {
  const { checkout, lines, email, address } = reserving
  const now = shop.clock.now()
  const held = await listHolds(tx, checkout.id)
  const wanted = await dropsOf(tx, lines, now)
  for (const hold of held)
    if (!wanted.some(({ drop }) => drop.id === hold.dropId)) await releaseOne(tx, shop, checkout.id, hold.dropId)
  for (const { drop, lines: own, quantity } of wanted) {
    const productName = own[0]?.productName ?? drop.title
    const hold = held.find(({ dropId }) => dropId === drop.id)
    // Who has a piece already may go on paying for it.
    if (quantity > (hold?.quantity ?? 0) && !(await isOpenFor(tx, drop, reserving, now)))
      throw closedRefusal(drop, productName, now)
    const more = quantity - (hold?.quantity ?? 0)
    if (more > 0) await requireVisit(tx, drop, checkout, { quantity: more, product: productName }, now)
    const persons = personsOf({ email, address, sessionId: checkout.sessionId })
    await lockPersons(tx, drop.id, persons)
    const others = await countOfPerson(tx, drop.id, checkout.id, persons)
    if (others + quantity > drop.limitPerPerson) throw limitRefusal(drop, productName, others)
    await takePieces(tx, shop, drop, checkout, quantity, productName)
    const until = hold?.until ?? after(now, HOLD_MS)
    await saveHold(tx, { checkoutId: checkout.id, dropId: drop.id, quantity, until, persons })
  }
}

async function isOpenFor(tx: Tx, drop: Drop, { email, codes }: Reserving, now: Date): Promise<boolean> {
  if (isSelling(drop, false, now)) return true
  if (!isSelling(drop, true, now)) return false
  return codes.some((code) => drop.earlyCodes.includes(code)) || (drop.isEarlyForReaders && (await isReader(tx, email)))
}

function closedRefusal(drop: Drop, product: string, now: Date): Refusal {
  const state = dropStateOf(drop, null, now)
  const reason =
    state === 'scheduled'
      ? `${product} goes on sale on ${formatClockTime(drop.startsAt)}.`
      : state === 'paused'
        ? `The sale of ${product} is paused. Please try again in a few minutes.`
        : `The sale of ${product} has ended.`
  return new Refusal('drop_closed', { reason })
}

const limitRefusal = ({ limitPerPerson }: Drop, product: string, others: number): Refusal =>
  new Refusal('drop_limit', {
    reason: `Each person can buy ${limitPerPerson} of ${product}${others > 0 ? `, and you have ${others} already` : ''}.`,
  })

async function takePieces(
  tx: Tx,
  shop: DropNeeds,
  drop: Drop,
  checkout: Reserving['checkout'],
  quantity: number,
  product: string,
): Promise<void> {
  const own = await lockPieces(tx, drop.id, checkout.id, 'reserved')
  if (own.length > quantity) await freePieces(tx, shop, drop, own.slice(quantity))
  const missing = quantity - own.length
  if (missing <= 0) return
  if (drop.pieces === null) {
    await makeReserved(tx, drop.id, checkout.id, missing)
    return
  }
  const offered = await takeOffered(tx, drop.id, checkout, missing)
  const free = offered < missing ? await takeFree(tx, drop.id, checkout.id, missing - offered) : 0
  if (offered + free < missing) throw new Refusal('drop_taken', { product })
}

/** Until when a checkout has its pieces to itself; undefined without any. */
export async function reservedUntil(db: Reader, checkoutId: CheckoutId): Promise<Date | undefined> {
  const ends = (await listHolds(db, checkoutId)).flatMap(({ until }) => until ?? [])
  return ends.toSorted((a, b) => a.getTime() - b.getTime())[0]
}

/** Gives back what a checkout reserved. @param checkoutId locked, or no longer payable */
export async function releaseReserved(tx: Tx, shop: DropNeeds, checkoutId: CheckoutId): Promise<void> {
  for (const { dropId, until } of await listHolds(tx, checkoutId))
    if (until !== null) await releaseOne(tx, shop, checkoutId, dropId)
}

async function releaseOne(tx: Tx, shop: DropNeeds, checkoutId: CheckoutId, dropId: number): Promise<void> {
  const drop = await findDrop(tx, dropId)
  assert(drop, `drop ${dropId} does not exist`)
  await freePieces(tx, shop, drop, await lockPieces(tx, dropId, checkoutId, 'reserved'))
  await deleteHold(tx, { checkoutId, dropId })
}

/** A checkout whose payment is being settled. */
export type Selling = {
  checkout: { id: CheckoutId; sessionId: SessionId }
  lines: readonly Line[]
  email: string
  address: Address
  frozenAt: Date
  /** The digest of the card or wallet; null if unknown. */
  payer: string | null
}

type Claimed = {
  drop: Drop
  checkoutId: CheckoutId
  quantity: number
  lines: { position: number; quantity: number }[]
}[]

/**
 * Makes sure that a paid checkout has its pieces. One whose reservation is over gets others, while there are any.
 * @param selling its checkout is locked
 * @returns why it gets none, with its reservations given back: the payment has to go back
 */
export async function claimPieces(
  tx: Tx,
  shop: DropNeeds,
  { checkout, lines, email, address, frozenAt, payer }: Selling,
): Promise<{ claimed: Claimed; objection?: undefined } | { objection: 'drop_taken' | 'drop_limit' }> {
  const now = shop.clock.now()
  const held = await listHolds(tx, checkout.id)
  const placed = lines.map((line, position) => ({ ...line, position }))
  // What was being paid for when a drop was scheduled is sold as it was offered.
  const wanted = (await dropsOf(tx, placed, now)).filter(
    ({ drop }) =>
      held.some(({ dropId }) => dropId === drop.id) || (drop.scheduledAt !== null && drop.scheduledAt <= frozenAt),
  )
  const refuse = async (objection: 'drop_taken' | 'drop_limit') => {
    await releaseReserved(tx, shop, checkout.id)
    return { objection }
  }
  for (const { drop, quantity } of wanted) {
    const hold = held.find(({ dropId }) => dropId === drop.id)
    const persons = [
      ...(hold?.persons ?? personsOf({ email, address, sessionId: checkout.sessionId })),
      ...(payer === null ? [] : [personOfPayer(payer)]),
    ]
    await lockPersons(tx, drop.id, persons)
    const others = await countOfPerson(tx, drop.id, checkout.id, persons)
    await saveHold(tx, { checkoutId: checkout.id, dropId: drop.id, quantity, until: hold?.until ?? now, persons })
    if (others + quantity > drop.limitPerPerson) return refuse('drop_limit')
    const own = await lockPieces(tx, drop.id, checkout.id, 'reserved')
    if (own.length > quantity) await freePieces(tx, shop, drop, own.slice(quantity))
    const missing = quantity - own.length
    if (missing <= 0) continue
    if (drop.decision === 'ended') return refuse('drop_taken')
    if (drop.pieces === null) await makeReserved(tx, drop.id, checkout.id, missing)
    else if ((await takeFree(tx, drop.id, checkout.id, missing)) < missing) return refuse('drop_taken')
  }
  for (const hold of held)
    if (hold.until !== null && !wanted.some(({ drop }) => drop.id === hold.dropId))
      await releaseOne(tx, shop, checkout.id, hold.dropId)
  return {
    claimed: wanted.map(({ drop, quantity, lines: of }) => ({
      ...{ drop, quantity, checkoutId: checkout.id },
      lines: of.map((line) => ({ position: line.position, quantity: line.quantity })),
    })),
  }
}

type OrderedLine = Pick<Edition, 'productId' | 'variantId' | 'position'>

/**
 * Sells an order the pieces of its checkout, and numbers them from 1 in the order of the sales; numbers that came back go first. Sales of one drop wait for each other
 * from here to the end of the transaction.
 */
export async function sellPieces(
  tx: Tx,
  claimed: Claimed,
  order: { id: OrderId },
  lines: readonly OrderedLine[],
  now: Date,
): Promise<void> {
  for (const { drop, checkoutId, quantity: wanted, lines: bought } of claimed) {
    const sold = await sellReserved(tx, drop.id, checkoutId)
    assert(sold === wanted, `${sold} pieces of drop ${drop.id} instead of ${wanted}`)
    await markHoldSold(tx, { checkoutId, dropId: drop.id })
    const pieces = bought.flatMap(({ position, quantity }) => Array.from({ length: quantity }, () => position))
    // Locks the drop, so that nobody else takes the same number that came back.
    await raiseLastNumber(tx, drop.id, 0)
    const returned = await listReturned(tx, drop.id, pieces.length)
    const last = await raiseLastNumber(tx, drop.id, pieces.length - returned.length)
    const rows = pieces.map((position, index) => {
      const line = lines.find((candidate) => candidate.position === position)
      assert(line, 'a line was sold and is not in the order')
      const { productId, variantId } = line
      const again = returned[index]
      const number = again?.number ?? last + 1 + index - returned.length
      return { again, number, dropId: drop.id, orderId: order.id, position, productId, variantId, issuedAt: now }
    })
    for (const { again, number: _, dropId: __, ...row } of rows)
      if (again)
        await setEdition(tx, again, 'issued', { ...row, holder: again.holder + 1, isGiven: false, nextEmail: null })
    await insertEditions(
      tx,
      rows.flatMap(({ again, ...row }) => (again ? [] : [row])),
    )
    await addSteps(
      tx,
      rows.map(({ dropId, number }) => ({ dropId, number, kind: 'sold' as const, at: now })),
    )
  }
}

/**
 * After a refund: what becomes of the numbers. Those of pieces that were made are retired; of the others the drop's rule decides.
 * @param order locked
 * @param lines with how many pieces of each are refunded in all, also before
 * @param wasMade whether the printer made the order
 * @returns how many numbers changed
 */
export async function returnNumbers(
  tx: Tx,
  shop: DropNeeds,
  order: { id: OrderId; checkoutId: CheckoutId },
  lines: readonly { position: number; quantity: number; gone: number }[],
  wasMade: boolean,
): Promise<number> {
  const now = shop.clock.now()
  const editions = await listEditions(tx, order.id)
  let changed = 0
  for (const { position, quantity, gone } of lines) {
    const issued = editions.filter((one) => one.position === position && one.state === 'issued')
    const surplus = issued.length - (quantity - gone)
    for (const one of issued.toReversed().slice(0, Math.max(0, surplus))) {
      const drop = await findDrop(tx, one.dropId)
      assert(drop, `drop ${one.dropId} does not exist`)
      const [piece] = await lockPieces(tx, drop.id, order.checkoutId, 'sold')
      assert(piece, `edition ${one.number} of drop ${drop.id} has no piece`)
      const isResold = drop.numberRule === 'resell' && !wasMade && drop.decision !== 'released'
      const kind = isResold ? 'returned' : 'retired'
      await setEdition(tx, one, kind, { nextEmail: null })
      await addSteps(tx, [{ dropId: drop.id, number: one.number, kind, at: now }])
      if (isResold) await freePieces(tx, shop, drop, [piece])
      else await setPiece(tx, piece, 'retired', { checkoutId: null })
      await lowerHold(tx, { checkoutId: order.checkoutId, dropId: drop.id }, 1)
      changed += 1
    }
  }
  return changed
}
