import { apply, fits, inverse, type Change, type Copies, type VariantCopy } from '#domain/catalogue/sync-diff.ts'
import { formatUsd, type Cents } from '#kernel/money.ts'
import { recordAction, type Actor } from '#server/actions/actions.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import type { ChangeState } from '#server/db/schema.ts'
import { forgetListing } from './listing-cache.ts'
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
import { carryOut, type Syncing } from './sync.ts'

/** A change in words for the owner. */
export type ToldChange = {
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

type ToldSync = StoredSync & { waiting: number }

/** Syncs as they are kept, the latest first. */
export async function listTold(db: Reader, limit: number): Promise<ToldSync[]> {
  const waiting = await countWaiting(db)
  return (await listSyncs(db, limit)).map((sync) => told(sync, waiting))
}

/** The syncs of which changes wait, the earliest first. */
export const listWaiting = async (db: Reader): Promise<{ sync: number; waiting: number }[]> =>
  [...(await countWaiting(db))].map(([sync, waiting]) => ({ sync, waiting }))

/** @throws Error with one sentence when there is no such sync */
export async function showSync(db: Reader, id: number): Promise<ToldSync & { changes: ToldChange[] }> {
  const sync = await getSync(db, id)
  const changes = await listChanges(db, id, ['applied', 'waiting', 'declined', 'reverted', 'superseded'])
  return { ...told(sync, await countWaiting(db)), changes: changes.map(toldChange) }
}

/** There is nothing to say yes or no to; the message is for the owner. */
export class NotDecided extends Error {
  override name = 'NotDecided'
}

type Decided = { sync: number; done: ToldChange[]; left: ToldChange[] }

/**
 * The owner's yes: makes what waits of a sync, and again what was declined or reverted.
 * @param only one change of it; all where it is missing
 * @returns `left`: what no longer fits, because the variant has changed since
 * @throws Error with one sentence when there is nothing to do
 */
export const applySync = (shop: Syncing, id: number, by: Actor, only?: number): Promise<Decided> =>
  decide(shop, { id, only }, by, 'accepted', async (tx, now) => {
    const changes = among(await listChanges(tx, id, ['waiting', 'declined', 'reverted']), only)
    const { done, left } = await carryOutFitting(tx, changes, now)
    return { done: await inState(tx, done, 'applied', now), left }
  })

/**
 * The owner's no: takes back what a sync has done, the last change first, and declines what waits of it. Neither comes again
 * until the partner says something else.
 * @param only, returns and throws as `applySync`
 */
export const revertSync = (shop: Syncing, id: number, by: Actor, only?: number): Promise<Decided> =>
  decide(shop, { id, only }, by, 'declined or took back', async (tx, now) => {
    const changes = among(await listChanges(tx, id, ['applied']), only)
    const { done, left } = await carryOutFitting(tx, changes.toReversed(), now, inverse)
    const waiting = among(await listChanges(tx, id, ['waiting']), only)
    return {
      done: [...(await inState(tx, done, 'reverted', now)), ...(await inState(tx, waiting, 'declined', now))],
      left,
    }
  })

type Named = Awaited<ReturnType<typeof listChanges>>[number]

const among = (changes: Named[], only: number | undefined): Named[] =>
  only === undefined ? changes : changes.filter(({ id }) => id === only)

async function decide(
  shop: Syncing,
  { id, only }: { id: number; only: number | undefined },
  by: Actor,
  what: string,
  work: (tx: Tx, now: Date) => Promise<{ done: Named[]; left: Named[] }>,
): Promise<Decided> {
  const { db, clock, log } = shop
  const { done, left } = await db.transaction(async (tx) => {
    await getSync(tx, id)
    const decided = await work(tx, clock.now())
    const which = only === undefined ? `synchronisation ${id}` : `change ${only} of synchronisation ${id}`
    if (!decided.done.length)
      throw new NotDecided(
        decided.left.length
          ? `Nothing was done: what ${which} is about has changed since.`
          : `Nothing was done: ${which} has nothing to decide so.`,
      )
    await recordAction(tx, {
      by,
      what,
      about: { kind: 'synchronisation', id },
      after: { changes: decided.done.length, left: decided.left.length, ...(only !== undefined && { change: only }) },
      at: clock.now(),
    })
    return decided
  })
  forgetListing(db)
  await copyPictures(shop)
  log.info({ sync: id, done: done.length, left: left.length }, 'the owner decided about a synchronisation')
  return { sync: id, done: done.map(toldChange), left: left.map(toldChange) }
}

/** Makes those changes that fit what is there, in their order. */
async function carryOutFitting(
  tx: Tx,
  changes: readonly Named[],
  now: Date,
  meant: (change: Change) => Change = (change) => change,
): Promise<{ done: Named[]; left: Named[] }> {
  await lockProducts(tx, [...new Set(changes.map(({ productId }) => productId))])
  const before = await listCopies(tx, [...new Set(changes.map(({ variantId }) => variantId))])
  const [done, left]: [Named[], Named[]] = [[], []]
  let copies: Copies = before
  for (const change of changes) {
    if (!fits(copies, meant(change))) {
      left.push(change)
      continue
    }
    copies = apply(copies, [meant(change)])
    done.push(change)
  }
  await carryOut(tx, before, done.map(meant), now)
  return { done, left }
}

async function inState(tx: Tx, changes: Named[], state: ChangeState, now: Date): Promise<Named[]> {
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
  if (!sync) throw new NotDecided(`There is no synchronisation ${id}.`)
  return sync
}

const told = (sync: StoredSync, waiting: ReadonlyMap<number, number>): ToldSync => ({
  ...sync,
  waiting: waiting.get(sync.id) ?? 0,
})

function toldChange(change: Named): ToldChange {
  const { id, state, kind, slug, variantId, variantName, before, after } = change
  const margin = marginOf(change)
  return {
    id,
    state,
    change: kind.replaceAll('_', ' '),
    product: slug,
    variant: variantName ?? after?.name ?? before?.name ?? '',
    variantId,
    from: wordsOf(before),
    to: wordsOf(after),
    ...(margin && { margin }),
  }
}

function marginOf({ marginBeforeCents: before, marginAfterCents: after }: StoredChange): string | undefined {
  if (before === null && after === null) return undefined
  const words = (amount: Cents | null) => (amount === null ? 'unknown' : formatUsd(amount))
  return `${words(before)} -> ${words(after)}`
}

/** What shoppers would see of it comes first; the rest of a whole variant is left out. */
function wordsOf(part: Partial<VariantCopy> | null): string {
  if (!part) return 'not there'
  if (part.name !== undefined && part.priceCents !== undefined) return `${part.name}, ${formatUsd(part.priceCents)}`
  return Object.entries(part)
    .map(([field, value]) => {
      if (value === null) return `no ${field.replace(/Cents$/, '')}`
      return field.endsWith('Cents') ? formatUsd(value as Cents) : String(value)
    })
    .join(', ')
}
