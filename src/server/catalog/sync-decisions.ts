import {
  applyChanges,
  changeApplies,
  invertChange,
  movesMargin,
  type Change,
  type Copies,
  type VariantCopy,
} from '#domain/catalog/sync-diff.ts'
import type { ProductMetadata } from '#domain/catalog/metadata.ts'
import type { ProductId } from '#shared/ids.ts'
import { formatUsd, ZERO, type Cents } from '#shared/money.ts'
import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import type { ChangeState } from '#server/catalog/schema.ts'
import { clearListingCache } from './listing-cache.ts'
import { requireFloor } from './margin-guard.ts'
import { readCopyMargins } from './sync-pieces.ts'
import { copyPictures } from './preview-pictures.ts'
import {
  countUndecidedChanges,
  findSync,
  listChanges,
  listCopies,
  listPriceChanges,
  listSyncs,
  lockProducts,
  setStates,
  type StoredChange,
  type StoredSync,
} from './sync-store.ts'
import { applySyncChanges, type SyncNeeds } from './sync.ts'

export const unknownSync = (id: number): string => `There is no sync ${id}.`

/** A change as the owner reads it. */
export type SyncChangeView = {
  id: number
  state: ChangeState
  change: string
  product: string
  variant: string
  variantId: number
  from: string
  to: string
  /** Per piece, `$17.95 -> $19.95`; missing if unaffected or the cost is unknown. */
  margin?: string
  /** With the change, the usual sale costs more than it brings. */
  isLoss: boolean
}

type SyncSummary = StoredSync & { waiting: number }

/** Newest first. */
export async function listSyncSummaries(db: Reader, limit: number): Promise<SyncSummary[]> {
  const waiting = await countUndecidedChanges(db)
  return (await listSyncs(db, limit)).map((sync) => toSyncSummary(sync, waiting))
}

/** Syncs with undecided changes, oldest first. */
export const listUndecidedSyncs = async (db: Reader): Promise<{ sync: number; waiting: number }[]> =>
  [...(await countUndecidedChanges(db))].map(([sync, waiting]) => ({ sync, waiting }))

/** @throws NothingToDecide for an unknown sync */
export async function showSync(db: Reader, id: number): Promise<SyncSummary & { changes: SyncChangeView[] }> {
  const sync = await getSync(db, id)
  const changes = await listChanges(db, id, ['applied', 'waiting', 'declined', 'reverted', 'superseded'])
  return { ...toSyncSummary(sync, await countUndecidedChanges(db)), changes: changes.map(summarizeChange) }
}

/** A piece for sale; null without a variant for sale, or without a known cost. */
type PricedPiece = { price: Cents; cost: Cents } | null

export type PricedChange = {
  id: number
  productId: ProductId
  blankId: number | null
  metadata: ProductMetadata
  before: PricedPiece
  after: PricedPiece
}

/** What a sync's changes do to prices and costs. What a change does not say is as it is now. */
export async function listPricedChanges(db: Reader, syncId: number): Promise<PricedChange[]> {
  return (await listPriceChanges(db, syncId)).flatMap((row) => {
    const { id, productId, before, after, metadata } = row
    const piece = (part: Partial<VariantCopy> | null): PricedPiece => {
      const { unitPrice: price, costCents: cost } = { unitPrice: row.unitPrice, costCents: row.costCents, ...part }
      return part && price !== null && cost !== null ? { price, cost } : null
    }
    const blankId = after?.blankId ?? row.blankId
    return [{ id, productId, blankId, metadata, before: piece(before), after: piece(after) }]
  })
}

/** Nothing to apply or revert; the owner sees the message. */
export class NothingToDecide extends Error {
  override name = 'NothingToDecide'
}

/** @property only a single change's id @property accepted the owner has accepted sales below the floor */
type DecisionOptions = { only?: number | undefined; accepted: boolean }

type SyncDecision = { sync: number; done: SyncChangeView[]; left: SyncChangeView[] }

/**
 * Applies a sync's undecided, declined and reverted changes.
 * @returns `left`: changes skipped because the variant has changed in the meantime
 * @throws NothingToDecide; Refusal `below_floor`
 */
export const applySync = (
  shop: SyncNeeds,
  id: number,
  by: Actor,
  { only, accepted }: DecisionOptions,
): Promise<SyncDecision> =>
  recordDecision(shop, { id, only }, by, 'accepted', async (tx, now) => {
    const changes = changesNamed(await listChanges(tx, id, ['waiting', 'declined', 'reverted']), only)
    const { done, left, before } = await applyFittingChanges(tx, changes, now)
    const after = applyChanges(before, done)
    const margins = await readCopyMargins(tx, shop, [...before.values(), ...after.values()])
    const variants = new Set(done.filter(movesMargin).map(({ variantId }) => variantId))
    await requireFloor(
      tx,
      [...variants].flatMap((variantId) => margins.judged(before.get(variantId), after.get(variantId))),
      { by, accepted, about: { kind: 'synchronization', id }, at: now },
    )
    return { done: await moveToState(tx, done, 'applied', now), left }
  })

/**
 * Reverts a sync's applied changes, last first, and declines the undecided ones. They do not return until the printer sends other
 * values.
 * @returns as `applySync`
 * @throws NothingToDecide
 */
export const revertSync = (
  shop: SyncNeeds,
  id: number,
  by: Actor,
  { only }: Pick<DecisionOptions, 'only'> = {},
): Promise<SyncDecision> =>
  recordDecision(shop, { id, only }, by, 'declined or reverted', async (tx, now) => {
    const changes = changesNamed(await listChanges(tx, id, ['applied']), only)
    const { done, left } = await applyFittingChanges(tx, changes.toReversed(), now, invertChange)
    const waiting = changesNamed(await listChanges(tx, id, ['waiting']), only)
    return {
      done: [...(await moveToState(tx, done, 'reverted', now)), ...(await moveToState(tx, waiting, 'declined', now))],
      left,
    }
  })

type NamedChange = Awaited<ReturnType<typeof listChanges>>[number]

const changesNamed = (changes: NamedChange[], only: number | undefined): NamedChange[] =>
  only === undefined ? changes : changes.filter(({ id }) => id === only)

async function recordDecision(
  shop: SyncNeeds,
  { id, only }: { id: number; only: number | undefined },
  by: Actor,
  what: string,
  work: (tx: Tx, now: Date) => Promise<{ done: NamedChange[]; left: NamedChange[] }>,
): Promise<SyncDecision> {
  const { db, clock, log } = shop
  const { done, left } = await db.transaction(async (tx) => {
    await getSync(tx, id)
    const decided = await work(tx, clock.now())
    const subject = only === undefined ? `sync ${id}` : `change ${only} of sync ${id}`
    if (!decided.done.length)
      throw new NothingToDecide(
        decided.left.length
          ? `Nothing was done: the variants in ${subject} have changed in the meantime.`
          : `Nothing was done: ${subject} has nothing left to apply or revert.`,
      )
    await recordAction(tx, {
      by,
      what,
      about: { kind: 'synchronization', id },
      after: { changes: decided.done.length, left: decided.left.length, ...(only !== undefined && { change: only }) },
      at: clock.now(),
    })
    return decided
  })
  clearListingCache(db)
  await copyPictures(shop)
  log.info({ sync: id, done: done.length, left: left.length }, 'the owner decided a catalog sync')
  return { sync: id, done: done.map(summarizeChange), left: left.map(summarizeChange) }
}

/** Applies the changes that still fit, in order. */
async function applyFittingChanges(
  tx: Tx,
  changes: readonly NamedChange[],
  now: Date,
  toApply: (change: Change) => Change = (change) => change,
): Promise<{ done: NamedChange[]; left: NamedChange[]; before: Copies }> {
  await lockProducts(tx, [...new Set(changes.map(({ productId }) => productId))])
  const before = await listCopies(tx, [...new Set(changes.map(({ variantId }) => variantId))])
  const [done, left]: [NamedChange[], NamedChange[]] = [[], []]
  let copies: Copies = before
  for (const change of changes) {
    if (!changeApplies(copies, toApply(change))) {
      left.push(change)
      continue
    }
    copies = applyChanges(copies, [toApply(change)])
    done.push(change)
  }
  await applySyncChanges(tx, before, done.map(toApply), now)
  return { done, left, before }
}

async function moveToState(tx: Tx, changes: NamedChange[], state: ChangeState, now: Date): Promise<NamedChange[]> {
  await setStates(
    tx,
    changes.map(({ id }) => id),
    state,
    now,
  )
  return changes.map((change) => ({ ...change, state }))
}

async function getSync(db: Reader, id: number): Promise<StoredSync> {
  const sync = await findSync(db, id)
  if (!sync) throw new NothingToDecide(unknownSync(id))
  return sync
}

const toSyncSummary = (sync: StoredSync, waiting: ReadonlyMap<number, number>): SyncSummary => ({
  ...sync,
  waiting: waiting.get(sync.id) ?? 0,
})

function summarizeChange(change: NamedChange): SyncChangeView {
  const { id, state, kind, slug, variantId, variantName, before, after } = change
  const margin = marginOf(change)
  return {
    id,
    state,
    change: kind.replaceAll('_', ' '),
    product: slug,
    variant: variantName ?? after?.name ?? before?.name ?? '',
    variantId,
    from: describeVariantPart(before),
    to: describeVariantPart(after),
    ...(margin && { margin }),
    isLoss: change.marginAfterCents !== null && change.marginAfterCents < ZERO,
  }
}

function marginOf({ marginBeforeCents: before, marginAfterCents: after }: StoredChange): string | undefined {
  if (before === null && after === null) return undefined
  const format = (amount: Cents | null) => (amount === null ? 'unknown' : formatUsd(amount))
  return `${format(before)} -> ${format(after)}`
}

/** A whole variant is described by name and price only. */
function describeVariantPart(part: Partial<VariantCopy> | null): string {
  if (!part) return 'none'
  if (part.name !== undefined && part.unitPrice !== undefined) return `${part.name}, ${formatUsd(part.unitPrice)}`
  return Object.entries(part)
    .map(([field, value]) => {
      if (value === null) return field === 'costCents' ? 'no cost' : `no ${field}`
      return field === 'unitPrice' || field === 'costCents' ? formatUsd(value as Cents) : String(value)
    })
    .join(', ')
}
