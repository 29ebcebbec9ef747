import type { AdminDrop, DropInput } from '#contract/admin-drops.ts'
import { normalizeCode } from '#domain/codes/code.ts'
import { actionsFor, decideDrop, dropStateOf, earlyFrom, type DropAction, type DropState } from '#domain/drops/drop.ts'
import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import { findProductNames } from '#server/catalog/catalog.ts'
import { listCollections } from '#server/catalog/collections.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Needs } from '#server/shop.ts'
import {
  addPieces,
  countIssued,
  countNotices,
  countPieces,
  countPlaces,
  findDrop,
  insertDrop,
  listDrops,
  lockDrop,
  updateDrop,
  type Drop,
} from './store.ts'

const LIST_MAX = 200

type OwnerNeeds = Needs<'db' | 'clock'>
type ChangeNeeds = OwnerNeeds & Needs<'jobs'>

export async function listForOwner({ db, clock }: OwnerNeeds): Promise<{
  drops: AdminDrop[]
  collections: { id: string; name: string }[]
  at: string
}> {
  const now = clock.now()
  const collections = (await listCollections(db)).map(({ id, displayName }) => ({ id, name: displayName }))
  return {
    drops: await viewsOf(db, await listDrops(db, LIST_MAX), collections, now),
    collections,
    at: now.toISOString(),
  }
}

/** @throws Refusal `unknown_drop` */
export async function showForOwner({ db, clock }: OwnerNeeds, id: number): Promise<AdminDrop> {
  const row = await findDrop(db, id)
  if (!row) throw new Refusal('unknown_drop')
  const collections = (await listCollections(db)).map((one) => ({ id: one.id, name: one.displayName }))
  const [view] = await viewsOf(db, [row], collections, clock.now())
  if (!view) throw new Refusal('unknown_drop')
  return view
}

/** How many pieces were sold since a moment. */
export const countSoldSince = (db: Reader, id: number, since: Date): Promise<number> => countIssued(db, id, since)

async function viewsOf(
  db: Reader,
  rows: readonly Drop[],
  collections: readonly { id: string; name: string }[],
  now: Date,
): Promise<AdminDrop[]> {
  const counts = await countPieces(
    db,
    rows.map(({ id }) => id),
  )
  const names = await findProductNames(
    db,
    rows.flatMap(({ productId }) => productId ?? []),
  )
  const drops: AdminDrop[] = []
  for (const row of rows) {
    const { free = 0, reserved = 0, offered = 0, sold = 0, retired = 0 } = counts.get(row.id) ?? {}
    const state = dropStateOf(row, row.pieces === null ? null : free, now)
    const goods =
      row.productId === null ? collections.find(({ id }) => id === row.collectionId)?.name : names.get(row.productId)
    drops.push({
      ...{ id: row.id, title: row.title, productId: row.productId, collectionId: row.collectionId },
      ...{ goods: goods ?? '', state, actions: actionsFor(state) },
      startsAt: row.startsAt.toISOString(),
      endsAt: row.endsAt && row.endsAt.toISOString(),
      ...{ pieces: row.pieces, limitPerPerson: row.limitPerPerson, numberRule: row.numberRule },
      ...{ earlyMinutes: row.earlyMinutes, earlyCodes: row.earlyCodes, isEarlyForReaders: row.isEarlyForReaders },
      roomPerMinute: row.roomPerMinute,
      counts: {
        ...{ free, reserved, offered, sold, retired, numbers: row.lastNumber },
        notices: await countNotices(db, row.id),
        waiting: (await countPlaces(db, row.id)).waiting ?? 0,
      },
    })
  }
  return drops
}

/** @throws Refusal `invalid` with a sentence for each field */
async function rowOf(db: Reader, input: DropInput) {
  const { productId, collectionId, earlyCodes, ...rest } = input
  const fail = (fields: Record<string, string>) => new Refusal('invalid', {}, fields)
  if ((productId === null) === (collectionId === null))
    throw fail({ productId: 'Please choose either a product or a collection.' })
  if (productId !== null && !(await findProductNames(db, [productId])).has(productId))
    throw fail({ productId: `There is no product ${productId}.` })
  if (collectionId !== null && !(await listCollections(db)).some(({ id }) => id === collectionId))
    throw fail({ collectionId: 'This collection is no longer in the catalog.' })
  const startsAt = new Date(input.startsAt)
  const endsAt = input.endsAt === null ? null : new Date(input.endsAt)
  if (endsAt !== null && endsAt <= startsAt) throw fail({ endsAt: 'It can’t end before it starts.' })
  if (endsAt === null && input.pieces === null)
    throw fail({ pieces: 'Please enter a number of pieces, an end, or both.' })
  return { ...rest, productId, collectionId, startsAt, endsAt, earlyCodes: earlyCodes.map(normalizeCode) }
}

export async function createDrop({ db, clock, jobs }: ChangeNeeds, input: DropInput, by: Actor): Promise<Drop> {
  const row = await rowOf(db, input)
  return db.transaction(async (tx) => {
    const made = await insertDrop(tx, { ...row, createdAt: clock.now() })
    await recordAction(tx, { by, what: 'made', about: aboutOf(made), after: factsOf(made), at: clock.now() })
    await jobs.enqueue(tx, 'draw-drop-share', { dropId: made.id })
    return made
  })
}

/**
 * Saves a drop. Once it was scheduled and its sale has begun, promises hold: what, when it starts, and never fewer pieces or an earlier end.
 * @throws Refusal `invalid`, `unknown_drop`, `drop_changed` with the reason
 */
export async function saveDrop(
  { db, clock, jobs }: ChangeNeeds,
  id: number,
  input: DropInput,
  by: Actor,
): Promise<Drop> {
  const row = await rowOf(db, input)
  return db.transaction(async (tx) => {
    const now = clock.now()
    const before = await lockDrop(tx, id)
    if (!before) throw new Refusal('unknown_drop')
    const isBegun = before.decision !== 'draft' && earlyFrom(before) <= now
    const reason = isBegun ? objectionToChange(before, row, now) : undefined
    if (reason !== undefined) throw new Refusal('drop_changed', { reason })
    if (before.decision === 'released') throw new Refusal('drop_changed', { reason: 'This drop is over for good.' })
    const announced = before.scheduledAt === null ? null : before.pieces
    if (announced !== null && (row.pieces === null || row.pieces < announced))
      throw new Refusal('drop_changed', {
        reason: `It was announced with ${announced} pieces: there can be more, not fewer. Nothing was saved.`,
      })
    if (before.scheduledAt !== null && before.pieces === null && row.pieces !== null)
      throw new Refusal('drop_changed', {
        reason: 'It was announced without a number of pieces, so it can’t get one now. Nothing was saved.',
      })
    if (announced !== null && row.pieces !== null) await addPieces(tx, id, row.pieces - announced)
    const state = dropStateOf(before, null, now)
    const isExtended = state === 'ended' && row.endsAt !== null && row.endsAt > now
    const decision = isExtended ? decideDrop('ended', 'extend') : undefined
    const saved = await updateDrop(tx, id, { ...row, ...(decision && { decision }) })
    await jobs.enqueue(tx, 'draw-drop-share', { dropId: id })
    await recordAction(tx, {
      ...{ by, what: isExtended ? 'extended' : 'changed', about: aboutOf(saved), at: now },
      ...{ before: factsOf(before), after: factsOf(saved) },
    })
    return saved
  })
}

type Row = Awaited<ReturnType<typeof rowOf>>

function objectionToChange(before: Drop, row: Row, now: Date): string | undefined {
  if (row.productId !== before.productId || row.collectionId !== before.collectionId)
    return 'Its sale has begun, so what it is of can’t change. Nothing was saved.'
  if (before.startsAt <= now && row.startsAt.getTime() !== before.startsAt.getTime())
    return 'It has started, so its start can’t change. Nothing was saved.'
  const isEarlier = row.endsAt !== null && (before.endsAt === null || row.endsAt < before.endsAt)
  return isEarlier ? 'It can end later, not earlier; to end it now, use “End now”. Nothing was saved.' : undefined
}

/**
 * @param action not `extend`, which is saving it with a later end or more pieces
 * @throws Refusal `unknown_drop`, `drop_changed` with the reason
 */
export async function actOnDrop(
  { db, clock, jobs }: ChangeNeeds,
  id: number,
  action: DropAction,
  by: Actor,
): Promise<Drop> {
  return db.transaction(async (tx) => {
    const now = clock.now()
    const before = await lockDrop(tx, id)
    if (!before) throw new Refusal('unknown_drop')
    const counts = (await countPieces(tx, [id])).get(id) ?? {}
    const state = dropStateOf(before, before.pieces === null ? null : (counts.free ?? 0), now)
    const decision = action === 'extend' ? undefined : decideDrop(state, action)
    if (decision === undefined) throw new Refusal('drop_changed', { reason: reasonAgainst(state) })
    if (action === 'withdraw' && (before.lastNumber > 0 || (counts.reserved ?? 0) > 0))
      throw new Refusal('drop_changed', {
        reason: 'Somebody with early access has bought already. Nothing was changed.',
      })
    if (action === 'schedule') await refuseWrongTime(tx, before, now)
    const isFirst = action === 'schedule' && before.scheduledAt === null
    if (isFirst && before.pieces !== null) await addPieces(tx, id, before.pieces)
    const saved = await updateDrop(tx, id, { decision, ...(isFirst && { scheduledAt: now }) })
    // Its goods may look different than when it was made.
    if (action === 'schedule') await jobs.enqueue(tx, 'draw-drop-share', { dropId: id })
    const what = { schedule: 'scheduled', withdraw: 'withdrew', pause: 'paused', resume: 'resumed', end: 'ended' }
    await recordAction(tx, {
      ...{ by, what: action in what ? what[action as keyof typeof what] : 'released', about: aboutOf(saved), at: now },
    })
    return saved
  })
}

const reasonAgainst = (state: DropState): string =>
  `It is ${state.replaceAll('_', ' ')} now, so this is no longer possible. Nothing was changed.`

async function refuseWrongTime(tx: Tx, { endsAt, productId, collectionId, id }: Drop, now: Date): Promise<void> {
  if (endsAt !== null && endsAt <= now)
    throw new Refusal('drop_changed', { reason: 'Its end is in the past. Please enter a later one first.' })
  const others = await listDrops(tx, LIST_MAX)
  const twin = others.find(
    (other) =>
      other.id !== id &&
      other.productId === productId &&
      other.collectionId === collectionId &&
      (other.decision === 'scheduled' || other.decision === 'paused') &&
      dropStateOf(other, null, now) !== 'ended',
  )
  if (twin)
    throw new Refusal('drop_changed', {
      reason: `“${twin.title}” is a drop of the same, and not over. Please end it first.`,
    })
}

const aboutOf = ({ id }: Drop) => ({ kind: 'drop', id })

const factsOf = ({ startsAt, endsAt, earlyCodes, ...drop }: Drop) => ({
  ...{ title: drop.title, pieces: drop.pieces, limitPerPerson: drop.limitPerPerson, earlyMinutes: drop.earlyMinutes },
  ...{ numberRule: drop.numberRule, earlyCodes: earlyCodes.join(', '), roomPerMinute: drop.roomPerMinute },
  startsAt: startsAt.toISOString(),
  endsAt: endsAt && endsAt.toISOString(),
})
