import {
  applyChanges,
  changeApplies,
  invertChange,
  type Change,
  type Copies,
  type VariantCopy,
} from '#domain/catalog/sync-diff.ts'
import { formatUsd, type Cents } from '#shared/money.ts'
import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import type { ChangeState } from '#server/db/schema.ts'
import { clearListingCache } from './listing-cache.ts'
import { copyPictures } from './preview-pictures.ts'
import {
  countWaiting,
  findSync,
  listChanges,
  listCopies,
  listSyncs,
  lockProducts,
  setStates,
  type StoredChange,
  type StoredSync,
} from './sync-store.ts'
import { applySyncChanges, type SyncNeeds } from './sync.ts'

/** A change in words for the owner. */
export type SyncChangeView = {
  id: number
  state: ChangeState
  change: string
  product: string
  variant: string
  variantId: number
  from: string
  to: string
  /** Of one piece, `$17.95 -> $19.95`; left out where a change does not touch it or the cost is unknown. */
  margin?: string
}

type SyncSummary = StoredSync & { waiting: number }

/** Syncs as they are kept, the latest first. */
export async function listSyncSummaries(db: Reader, limit: number): Promise<SyncSummary[]> {
  const waiting = await countWaiting(db)
  return (await listSyncs(db, limit)).map((sync) => toSyncSummary(sync, waiting))
}

/** The syncs of which changes wait, the earliest first. */
export const listWaiting = async (db: Reader): Promise<{ sync: number; waiting: number }[]> =>
  [...(await countWaiting(db))].map(([sync, waiting]) => ({ sync, waiting }))

/** @throws Error with one sentence when there is no such sync */
export async function showSync(db: Reader, id: number): Promise<SyncSummary & { changes: SyncChangeView[] }> {
  const sync = await getSync(db, id)
  const changes = await listChanges(db, id, ['applied', 'waiting', 'declined', 'reverted', 'superseded'])
  return { ...toSyncSummary(sync, await countWaiting(db)), changes: changes.map(summarizeChange) }
}

/** There is nothing to say yes or no to; the message is for the owner. */
export class NothingToDecide extends Error {
  override name = 'NothingToDecide'
}

type SyncDecision = { sync: number; done: SyncChangeView[]; left: SyncChangeView[] }

/**
 * The owner's yes: makes what waits of a sync, and again what was declined or reverted.
 * @param only one change of it; all where it is missing
 * @returns `left`: what no longer fits, because the variant has changed since
 * @throws Error with one sentence when there is nothing to do
 */
export const applySync = (shop: SyncNeeds, id: number, by: Actor, only?: number): Promise<SyncDecision> =>
  recordDecision(shop, { id, only }, by, 'accepted', async (tx, now) => {
    const changes = changesNamed(await listChanges(tx, id, ['waiting', 'declined', 'reverted']), only)
    const { done, left } = await applyFittingChanges(tx, changes, now)
    return { done: await moveToState(tx, done, 'applied', now), left }
  })

/**
 * The owner's no: takes back what a sync has done, the last change first, and declines what waits of it. Neither comes again
 * until the partner says something else.
 * @param only, returns and throws as `applySync`
 */
export const revertSync = (shop: SyncNeeds, id: number, by: Actor, only?: number): Promise<SyncDecision> =>
  recordDecision(shop, { id, only }, by, 'declined or took back', async (tx, now) => {
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
    const which = only === undefined ? `synchronization ${id}` : `change ${only} of synchronization ${id}`
    if (!decided.done.length)
      throw new NothingToDecide(
        decided.left.length
          ? `Nothing was done: what ${which} is about has changed since.`
          : `Nothing was done: ${which} has nothing to decide so.`,
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
  log.info({ sync: id, done: done.length, left: left.length }, 'the owner decided about a synchronization')
  return { sync: id, done: done.map(summarizeChange), left: left.map(summarizeChange) }
}

/** Makes those changes that fit what is there, in their order. */
async function applyFittingChanges(
  tx: Tx,
  changes: readonly NamedChange[],
  now: Date,
  meant: (change: Change) => Change = (change) => change,
): Promise<{ done: NamedChange[]; left: NamedChange[] }> {
  await lockProducts(tx, [...new Set(changes.map(({ productId }) => productId))])
  const before = await listCopies(tx, [...new Set(changes.map(({ variantId }) => variantId))])
  const [done, left]: [NamedChange[], NamedChange[]] = [[], []]
  let copies: Copies = before
  for (const change of changes) {
    if (!changeApplies(copies, meant(change))) {
      left.push(change)
      continue
    }
    copies = applyChanges(copies, [meant(change)])
    done.push(change)
  }
  await applySyncChanges(tx, before, done.map(meant), now)
  return { done, left }
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
  if (!sync) throw new NothingToDecide(`There is no synchronization ${id}.`)
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
  }
}

function marginOf({ marginBeforeCents: before, marginAfterCents: after }: StoredChange): string | undefined {
  if (before === null && after === null) return undefined
  const words = (amount: Cents | null) => (amount === null ? 'unknown' : formatUsd(amount))
  return `${words(before)} -> ${words(after)}`
}

/** What shoppers would see of it comes first; the rest of a whole variant is left out. */
function describeVariantPart(part: Partial<VariantCopy> | null): string {
  if (!part) return 'not there'
  if (part.name !== undefined && part.unitPrice !== undefined) return `${part.name}, ${formatUsd(part.unitPrice)}`
  return Object.entries(part)
    .map(([field, value]) => {
      if (value === null) return field === 'costCents' ? 'no cost' : `no ${field}`
      return field === 'unitPrice' || field === 'costCents' ? formatUsd(value as Cents) : String(value)
    })
    .join(', ')
}
