import { createHash } from 'node:crypto'
import { and, asc, desc, eq, gt, gte, inArray, sql } from 'drizzle-orm'
import {
  hashOfSeal,
  leafOf,
  type Leaf,
  NOTHING,
  pathsOf,
  rootOf,
  textOf,
  type CommissionLine,
  type Hash,
  type PathStep,
  type Seal,
  type SealedPosting,
} from '#domain/ledger/seal.ts'
import { assert } from '#shared/assert.ts'
import { HOUR_MS } from '#shared/time.ts'
import type { OrderId, UserId } from '#shared/ids.ts'
import type { Reader } from '#server/db/db.ts'
import { ledgerEntry, ledgerPosting, ledgerSeal, sealedPosting } from '#server/ledger/schema.ts'
import type { Needs } from '#server/shop.ts'

/** Reads the commission lines that postings were computed from, by the postings' keys. */
export type ReadCommissionLines = (
  db: Reader,
  postings: readonly { key: string; orderId: OrderId | null }[],
) => Promise<ReadonlyMap<string, CommissionLine[]>>

/** Also without a posting: the hours of a partner's seals reveal nothing about the shop. */
export const SEALED_EVERY_MS = HOUR_MS
/** The jobs of several instances start at different minutes of the hour. */
const SEALED_RECENTLY_MS = 0.9 * SEALED_EVERY_MS
/** Bounds memory. */
const POSTINGS_MAX = 10_000
/** How far behind the last sealed id a transaction may still commit a posting; ids are given before the commit. */
const LATE_IDS = 100_000

const sha256: Hash = (text) => createHash('sha256').update(text).digest('hex')

/**
 * Seals all postings that are in no seal yet. Two instances at once make the same seal only once.
 * @param pauseMs does nothing if the last seal is younger
 */
export async function sealPostings(
  shop: Needs<'db' | 'clock' | 'log'>,
  readLines: ReadCommissionLines,
  pauseMs = 0,
): Promise<void> {
  let count = await sealNext(shop, readLines, pauseMs)
  while (count === POSTINGS_MAX) count = await sealNext(shop, readLines, 0)
}

/** What the job of every hour does, on any number of instances. */
export const sealHourly = (shop: Needs<'db' | 'clock' | 'log'>, readLines: ReadCommissionLines): Promise<void> =>
  sealPostings(shop, readLines, SEALED_RECENTLY_MS)

/** @returns how many postings were sealed */
const sealNext = (
  { db, clock, log }: Needs<'db' | 'clock' | 'log'>,
  readLines: ReadCommissionLines,
  pauseMs: number,
): Promise<number> =>
  db.transaction(async (tx) => {
    // The last seal is read first: another instance that makes one from now on takes its number.
    const last = await findLastSeal(tx)
    if (last && clock.now().getTime() - last.sealedAt.getTime() < pauseMs) return 0
    const ids = await listUnsealed(tx)
    const postings = await readPostings(tx, ids, readLines)
    const leaves = postings.map(leafOfPosting)
    const content = { number: (last?.number ?? 0) + 1, sealedAt: clock.now(), root: rootOf(sha256, leaves) }
    const seal = { ...content, hash: hashOfSeal(sha256, last?.hash ?? NOTHING, content) }
    const made = await tx.insert(ledgerSeal).values(seal).onConflictDoNothing().returning()
    if (!made.length) return 0
    await tx.execute(sql`
      insert into ${sealedPosting} (posting_id, seal, position, hash)
      select posting_id, ${seal.number}::int, (position - 1)::int, hash
      from unnest(${sql.param(ids)}::bigint[], ${sql.param(leaves.map(({ hash }) => hash))}::text[])
        with ordinality as sealed(posting_id, hash, position)`)
    // A copy outside the database, which nobody can change together with it.
    log.info({ seal: seal.number, hash: seal.hash }, 'ledger sealed')
    return ids.length
  })

async function listUnsealed(tx: Reader): Promise<number[]> {
  const [last] = await tx
    .select({ newest: sql`coalesce(max(${sealedPosting.postingId}), 0)`.mapWith(Number) })
    .from(sealedPosting)
  const open = await tx
    .select({ id: ledgerPosting.id })
    .from(ledgerPosting)
    .where(
      and(
        gt(ledgerPosting.id, (last?.newest ?? 0) - LATE_IDS),
        sql`not exists (select from ${sealedPosting} where ${sealedPosting.postingId} = ${ledgerPosting.id})`,
      ),
    )
    .orderBy(asc(ledgerPosting.id))
    .limit(POSTINGS_MAX)
  return open.map(({ id }) => id)
}

const leafOfPosting = (posting: SealedPosting): Leaf => ({
  hash: leafOf(sha256, textOf(sha256, posting)),
  partnerId: posting.partnerId,
})

async function findLastSeal(db: Reader): Promise<Seal | undefined> {
  const [last] = await db.select().from(ledgerSeal).orderBy(desc(ledgerSeal.number)).limit(1)
  return last
}

/** Postings with entries and commission lines, in the order of the ids; those that do not exist are missing. */
async function readPostings(
  db: Reader,
  ids: readonly number[],
  readLines: ReadCommissionLines,
): Promise<SealedPosting[]> {
  const postings = await db
    .select()
    .from(ledgerPosting)
    .where(inArray(ledgerPosting.id, [...ids]))
    .orderBy(asc(ledgerPosting.id))
  const entries = Map.groupBy(
    await db
      .select({ postingId: ledgerEntry.postingId, account: ledgerEntry.account, amount: ledgerEntry.amountCents })
      .from(ledgerEntry)
      .where(inArray(ledgerEntry.postingId, [...ids])),
    ({ postingId }) => postingId,
  )
  const commissions = postings.filter(({ kind }) => kind === 'commission')
  const lines = commissions.length ? await readLines(db, commissions) : new Map<string, CommissionLine[]>()
  return postings.map((posting) => ({
    ...posting,
    entries: entries.get(posting.id) ?? [],
    lines: lines.get(posting.key) ?? [],
  }))
}

export type Verification = {
  /** The first sentence about what was changed; undefined if nothing was. */
  problem?: string
  postings: number
  /** Booked since the last seal. */
  unsealed: number
  lastSeal: Seal | undefined
}

/**
 * Computes every hash again and compares. Stops at the first posting or seal that was changed.
 * @param noted a seal's number and hash from outside the database, such as a log or a partner's file
 */
export async function verifySeals(
  db: Reader,
  readLines: ReadCommissionLines,
  noted?: { number: number; hash: string },
): Promise<Verification> {
  let [previous, number] = [NOTHING, 0]
  const answer = async (problem?: string): Promise<Verification> => {
    const postings = await db.$count(sealedPosting)
    return {
      ...(problem !== undefined && { problem }),
      postings,
      unsealed: (await db.$count(ledgerPosting)) - postings,
      lastSeal: await findLastSeal(db),
    }
  }
  for (;;) {
    const [seal] = await db
      .select()
      .from(ledgerSeal)
      .where(gt(ledgerSeal.number, number))
      .orderBy(asc(ledgerSeal.number))
      .limit(1)
    if (!seal) break
    number += 1
    if (seal.number !== number) return answer(`Seal ${number} is missing.`)
    const problem = await problemOfSeal(db, seal, previous, readLines)
    if (problem) return answer(problem)
    if (noted?.number === number && noted.hash !== seal.hash)
      return answer(`Seal ${number} has another hash than the one that was noted: the books until then were replaced.`)
    previous = seal.hash
  }
  if (noted && noted.number > number) return answer(`Seal ${noted.number} is missing: the books end at seal ${number}.`)
  return answer()
}

/** @returns a sentence about the first posting that was changed, or the seal */
async function problemOfSeal(
  db: Reader,
  seal: Seal,
  previous: string,
  readLines: ReadCommissionLines,
): Promise<string | undefined> {
  const sealed = await db
    .select()
    .from(sealedPosting)
    .where(eq(sealedPosting.seal, seal.number))
    .orderBy(asc(sealedPosting.position))
  const ids = sealed.map(({ postingId }) => postingId)
  const postings = new Map((await readPostings(db, ids, readLines)).map((posting) => [posting.id, posting]))
  const leaves: Leaf[] = []
  for (const { postingId, hash } of sealed) {
    const posting = postings.get(postingId)
    if (!posting) return `Posting ${postingId} of seal ${seal.number} is missing.`
    const leaf = leafOfPosting(posting)
    if (leaf.hash !== hash)
      return `Posting ${postingId} (${posting.key}) was changed after ${seal.sealedAt.toISOString()}, when it was sealed.`
    leaves.push(leaf)
  }
  if (rootOf(sha256, leaves) !== seal.root)
    return `Seal ${seal.number} does not stand for its postings: one was added, removed, or moved.`
  if (hashOfSeal(sha256, previous, seal) !== seal.hash) return `Seal ${seal.number} was changed.`
  return undefined
}

/** What a partner needs to check postings without the shop: their texts, the paths to the seals, and the seals from there on. */
export type Proof = {
  postings: { orderId: OrderId | null; text: string; seal: number; path: PathStep[] }[]
  /** From the first posting's seal to the last one, each with the hash of the seal before. */
  seals: (Seal & { previous: string })[]
  /** How many postings are not sealed yet. */
  unsealed: number
}

/** Proves a partner's commission. @param span of the time of booking */
export async function proveCommission(
  db: Reader,
  readLines: ReadCommissionLines,
  partnerId: UserId,
  { from, until }: { from: Date; until: Date },
): Promise<Proof> {
  const own = await db
    .select({ id: ledgerPosting.id, seal: sealedPosting.seal })
    .from(ledgerPosting)
    .leftJoin(sealedPosting, eq(sealedPosting.postingId, ledgerPosting.id))
    .where(
      and(
        eq(ledgerPosting.partnerId, partnerId),
        eq(ledgerPosting.kind, 'commission'),
        sql`${ledgerPosting.bookedAt} >= ${from} and ${ledgerPosting.bookedAt} < ${until}`,
      ),
    )
    .orderBy(asc(ledgerPosting.id))
  const idsBySeal = Map.groupBy(own, ({ seal }) => seal)
  const proof: Proof = { postings: [], seals: [], unsealed: idsBySeal.get(null)?.length ?? 0 }
  const numbers = [...idsBySeal.keys()].filter((number) => number !== null).toSorted((one, other) => one - other)
  for (const number of numbers) {
    const ids = idsBySeal.get(number)?.map(({ id }) => id) ?? []
    const paths = await pathsInSeal(db, number, partnerId)
    for (const posting of await readPostings(db, ids, readLines)) {
      const path = paths.get(posting.id)
      assert(path, `posting ${posting.id} is not in seal ${number}`)
      proof.postings.push({ orderId: posting.orderId, text: textOf(sha256, posting), seal: number, path })
    }
  }
  const [first] = numbers
  if (first === undefined) return proof
  const seals = await db
    .select()
    .from(ledgerSeal)
    .where(gte(ledgerSeal.number, first - 1))
    .orderBy(asc(ledgerSeal.number))
  proof.seals = seals
    .map((seal, at) => ({ ...seal, previous: seals[at - 1]?.hash ?? NOTHING }))
    .filter((seal) => seal.number >= first)
  return proof
}

/** The paths of a partner's postings, by their ids. */
async function pathsInSeal(db: Reader, seal: number, partnerId: UserId): Promise<ReadonlyMap<number, PathStep[]>> {
  const leaves = await db
    .select({ id: ledgerPosting.id, hash: sealedPosting.hash, partnerId: ledgerPosting.partnerId })
    .from(sealedPosting)
    .innerJoin(ledgerPosting, eq(ledgerPosting.id, sealedPosting.postingId))
    .where(eq(sealedPosting.seal, seal))
    .orderBy(asc(sealedPosting.position))
  const paths = pathsOf(sha256, leaves, partnerId)
  const own = leaves.filter((leaf) => leaf.partnerId === partnerId)
  return new Map(own.map(({ id }, at) => [id, paths[at] ?? []]))
}
