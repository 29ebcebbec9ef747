import { createHash } from 'node:crypto'
import { and, asc, desc, eq, gte, like, lt, min, sql } from 'drizzle-orm'
import {
  hashOfClosing,
  rootOfMonth,
  standingOf,
  type AccountFigure,
  type Closing,
  type MonthSpan,
} from '#domain/ledger/closing.ts'
import { spanOf } from '#domain/ledger/months.ts'
import { NOTHING, type Hash } from '#domain/ledger/seal.ts'
import { assert } from '#shared/assert.ts'
import { cents } from '#shared/money.ts'
import { nameOfMonth, type Month } from '#shared/month.ts'
import type { TimeZone } from '#shared/time-zone.ts'
import type { UserId } from '#shared/ids.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import {
  closedFile,
  ledgerEntry,
  ledgerPosting,
  ledgerSeal,
  monthClosing,
  sealedPosting,
} from '#server/ledger/schema.ts'
import type { Needs } from '#server/shop.ts'

const sha256 = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex')
const hashOfText: Hash = sha256

export type StoredClosing = Closing & { root: string; hash: string }

/** All closings and counter-entries by number, without the files' bytes. */
export async function listClosings(db: Reader): Promise<StoredClosing[]> {
  const rows = await db
    .select({ closing: monthClosing, sealHash: ledgerSeal.hash })
    .from(monthClosing)
    .leftJoin(ledgerSeal, eq(ledgerSeal.number, monthClosing.seal))
    .orderBy(asc(monthClosing.number))
  const { closing, name, partnerId, hash } = closedFile
  const files = Map.groupBy(
    await db
      .select({ closing, name, partnerId, hash })
      .from(closedFile)
      .where(eq(closedFile.part, 0))
      .orderBy(asc(closing), asc(name)),
    (file) => file.closing,
  )
  return rows.map(({ closing: { fromAt, untilAt, closedAt, ...row }, sealHash }) => ({
    ...row,
    ...{ from: fromAt, until: untilAt, at: closedAt, seal: { number: row.seal, hash: sealHash ?? '' } },
    files: (files.get(row.number) ?? []).map((file) => ({
      ...{ name: file.name, partnerId: file.partnerId, hash: file.hash },
    })),
  }))
}

export const listClosedMonths = async (db: Reader): Promise<StoredClosing[]> => standingOf(await listClosings(db))

/** The same without figures and files. */
const listClosedSpans = async (db: Reader): Promise<(MonthSpan & { number: number })[]> => {
  const { number, kind, month, fromAt: from, untilAt: until } = monthClosing
  return standingOf(await db.select({ number, kind, month, from, until }).from(monthClosing).orderBy(asc(number)))
}

/** Where a month of the books begins and ends. @returns undefined if the text is not a month */
export const findMonthSpan = async (db: Reader, zone: TimeZone, month: Month): Promise<MonthSpan | undefined> =>
  spanOf(zone, month, await listClosedSpans(db))

/** When the first posting was booked that is in no closed month. */
export async function findFirstOpenAt(db: Reader, closed: readonly MonthSpan[]): Promise<Date | undefined> {
  const last = closed.at(-1)
  const [row] = await db
    .select({ at: min(ledgerPosting.bookedAt) })
    .from(ledgerPosting)
    .where(last && gte(ledgerPosting.bookedAt, last.until))
  return row?.at ?? undefined
}

/** Each account's balance before a month and its change in it, by account. Both sum to zero. */
export async function readFigures(db: Reader, { from, until }: Omit<MonthSpan, 'month'>): Promise<AccountFigure[]> {
  const sumWhere = (condition: ReturnType<typeof sql>) =>
    sql`coalesce(sum(${ledgerEntry.amountCents}) filter (where ${condition}), 0)`.mapWith((text) => cents(Number(text)))
  const rows = await db
    .select({
      account: ledgerEntry.account,
      opening: sumWhere(sql`${ledgerPosting.bookedAt} < ${from}`),
      change: sumWhere(sql`${ledgerPosting.bookedAt} >= ${from}`),
    })
    .from(ledgerEntry)
    .innerJoin(ledgerPosting, eq(ledgerPosting.id, ledgerEntry.postingId))
    .where(lt(ledgerPosting.bookedAt, until))
    .groupBy(ledgerEntry.account)
  return rows.toSorted(byAccount)
}

const byAccount = (one: { account: string }, other: { account: string }): number =>
  one.account < other.account ? -1 : 1

/** The partners with commission or a payout booked before then. */
export async function listPartnersOfBooks(db: Reader, until: Date): Promise<UserId[]> {
  const rows = await db
    .selectDistinct({ id: ledgerPosting.partnerId })
    .from(ledgerPosting)
    .where(and(lt(ledgerPosting.bookedAt, until), sql`${ledgerPosting.partnerId} is not null`))
    .orderBy(asc(ledgerPosting.partnerId))
  return rows.flatMap(({ id }) => (id === null ? [] : [id]))
}

export type NewFile = { name: string; partnerId: UserId | null; bytes: Buffer }

/**
 * Stores a closing or a counter-entry as the next one.
 * @param after the number of the last one when its content was made
 * @returns undefined if somebody else was faster
 */
export async function addClosing(
  tx: Tx,
  { log }: Needs<'log'>,
  row: Omit<Closing, 'number' | 'seal' | 'files'> & { files: readonly NewFile[] },
  after: number,
): Promise<StoredClosing | undefined> {
  const [last] = await tx.select().from(monthClosing).orderBy(desc(monthClosing.number)).limit(1)
  const [seal] = await tx.select().from(ledgerSeal).orderBy(desc(ledgerSeal.number)).limit(1)
  assert(seal, 'months are closed over a sealed ledger')
  if ((last?.number ?? 0) !== after) return undefined
  const files = row.files.map(({ name, partnerId, bytes }) => ({ name, partnerId, hash: sha256(bytes) }))
  const closing: Closing = { ...row, number: after + 1, seal: { number: seal.number, hash: seal.hash }, files }
  const stored = {
    ...closing,
    root: rootOfMonth(hashOfText, closing),
    hash: hashOfClosing(hashOfText, last?.hash ?? NOTHING, closing),
  }
  const { number, kind, month, reason, root, hash } = stored
  const made = await tx
    .insert(monthClosing)
    .values({
      ...{ number, kind, month, reason, root, hash, figures: row.figures, seal: seal.number },
      ...{ fromAt: row.from, untilAt: row.until, closedAt: row.at },
    })
    .onConflictDoNothing()
    .returning({ number: monthClosing.number })
  if (!made.length) return undefined
  for (const file of row.files) await insertParts(tx, number, file)
  // A copy outside the database, which nobody can change together with it.
  log.info({ closing: number, month, kind, hash }, 'month closing')
  return stored
}

const PART_BYTES = 4 * 1024
/** Bounds a statement, whatever the file's size. */
const PARTS_A_STATEMENT = 500

async function insertParts(tx: Tx, closing: number, { name, partnerId, bytes }: NewFile): Promise<void> {
  const hash = sha256(bytes)
  const parts = Array.from({ length: Math.max(1, Math.ceil(bytes.length / PART_BYTES)) }, (_, part) => ({
    ...{ closing, name, partnerId, part, hash },
    bytes: bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES),
  }))
  for (let first = 0; first < parts.length; first += PARTS_A_STATEMENT)
    await tx.insert(closedFile).values(parts.slice(first, first + PARTS_A_STATEMENT))
}

/** @returns whether a posting of a month is in no seal yet */
export async function hasUnsealed(db: Reader, { from, until }: Omit<MonthSpan, 'month'>): Promise<boolean> {
  const open = await db
    .select({ id: ledgerPosting.id })
    .from(ledgerPosting)
    .where(
      and(
        gte(ledgerPosting.bookedAt, from),
        lt(ledgerPosting.bookedAt, until),
        sql`not exists (select from ${sealedPosting} where ${sealedPosting.postingId} = ${ledgerPosting.id})`,
      ),
    )
    .limit(1)
  return open.length > 0
}

export async function findClosedFile(
  db: Reader,
  closing: number,
  name: string,
): Promise<{ name: string; bytes: Buffer } | undefined> {
  const parts = await db
    .select({ bytes: closedFile.bytes })
    .from(closedFile)
    .where(and(eq(closedFile.closing, closing), eq(closedFile.name, name)))
    .orderBy(asc(closedFile.part))
  return parts.length ? { name, bytes: Buffer.concat(parts.map(({ bytes }) => bytes)) } : undefined
}

/** A partner's statement as it was frozen; undefined for an open month, or a partner without commission until its end. */
export async function findClosedStatement(
  db: Reader,
  month: Month,
  { partnerId, kind }: { partnerId: UserId; kind: string },
): Promise<Buffer | undefined> {
  const closed = (await listClosedSpans(db)).find((one) => one.month === month)
  if (!closed) return undefined
  const [file] = await db
    .select({ name: closedFile.name })
    .from(closedFile)
    .where(
      and(
        eq(closedFile.closing, closed.number),
        eq(closedFile.partnerId, partnerId),
        like(closedFile.name, `%.${kind}`),
        eq(closedFile.part, 0),
      ),
    )
  return file && (await findClosedFile(db, closed.number, file.name))?.bytes
}

/** Computes the hashes of all closings and files again, and the sums of all closed months. */
export async function verifyClosings(
  db: Reader,
): Promise<{ problem?: string; count: number; last: { number: number; month: Month; hash: string } | undefined }> {
  const closings = await listClosings(db)
  const last = closings.at(-1)
  const problem = (await findChangedClosing(db, closings)) ?? (await findChangedSum(db, standingOf(closings)))
  return {
    ...(problem !== undefined && { problem }),
    count: closings.length,
    last: last && { number: last.number, month: last.month, hash: last.hash },
  }
}

/** @returns a sentence about the first closing or file that was changed */
async function findChangedClosing(db: Reader, closings: readonly StoredClosing[]): Promise<string | undefined> {
  let previous = NOTHING
  for (const [at, closing] of closings.entries()) {
    const { number, month, hash, root, files } = closing
    if (number !== at + 1) return `Closing ${at + 1} is missing.`
    const name = `Closing ${number} (${nameOfMonth(month)})`
    for (const file of files) {
      const stored = await findClosedFile(db, number, file.name)
      if (!stored || sha256(stored.bytes) !== file.hash)
        return `${name}: the file ${file.name} was changed after ${closing.at.toISOString()}.`
    }
    if (rootOfMonth(hashOfText, closing) !== root)
      return `${name}: its figures or files are not those that were closed.`
    if (hashOfClosing(hashOfText, previous, closing) !== hash) return `${name} was changed.`
    previous = hash
  }
  return undefined
}

/** Compares what closed months froze with the ledger, each posting once. */
async function findChangedSum(db: Reader, closed: readonly Closing[]): Promise<string | undefined> {
  const balances = new Map<string, number>()
  let since: Date | undefined
  for (const { month, until, figures } of closed) {
    const rows = await db
      .select({
        account: ledgerEntry.account,
        change: sql`sum(${ledgerEntry.amountCents})`.mapWith(Number),
      })
      .from(ledgerEntry)
      .innerJoin(ledgerPosting, eq(ledgerPosting.id, ledgerEntry.postingId))
      .where(and(since && gte(ledgerPosting.bookedAt, since), lt(ledgerPosting.bookedAt, until)))
      .groupBy(ledgerEntry.account)
    const changes = new Map<string, number>(rows.map(({ account, change }) => [account, change]))
    const frozen = new Map(figures.map((figure) => [figure.account, figure]))
    for (const account of new Set([...changes.keys(), ...balances.keys(), ...frozen.keys()])) {
      const opening = balances.get(account) ?? 0
      const change = changes.get(account) ?? 0
      const figure = frozen.get(account)
      if ((figure?.opening ?? 0) !== opening || (figure?.change ?? 0) !== change)
        return `${nameOfMonth(month)}: the ledger’s sum of ${account} is not the one that was closed.`
      balances.set(account, opening + change)
    }
    since = until
  }
  return undefined
}
