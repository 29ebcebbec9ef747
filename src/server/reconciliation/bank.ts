import { createHash } from 'node:crypto'
import type { BankOverview, BankPayout, PayoutContent } from '#contract/admin-bank.ts'
import { keysOfLines, StatementMistake } from '#domain/reconciliation/bank-lines.ts'
import {
  ARRIVAL_DAYS,
  fits,
  matchDeposits,
  mayBeDeposit,
  standingOfPayout,
  type CoveredDays,
  type OpenLine,
  type OpenPayout,
} from '#domain/reconciliation/bank-matching.ts'
import { providerNames } from '#domain/reconciliation/exceptions.ts'
import type { Movement } from '#domain/reconciliation/movements.ts'
import { assert } from '#shared/assert.ts'
import { dayFromIso, isoOfDay } from '#shared/calendar-day.ts'
import type { PaymentProvider } from '#shared/ids.ts'
import { cents, formatUsd, minus, sum } from '#shared/money.ts'
import { dayIn } from '#shared/time-zone.ts'
import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import { listOrdersFrom, orderNumbersOf } from '#server/orders/orders.ts'
import { findPayout, findPayoutBefore, listLatestPayouts, type StoredPayout } from '#server/payments/payouts.ts'
import { ProviderRefusal, ProviderUnavailable } from '#server/providers/provider-errors.ts'
import type { Needs } from '#server/shop.ts'
import {
  coveredDays,
  filterMatched,
  findLine,
  findLineOf,
  findStatement,
  insertLines,
  insertMatch,
  insertStatement,
  listMatches,
  listOpenLines,
  listStatements,
  listUndone,
  lockBank,
  toMatch,
  undoMatch,
  type StoredLine,
} from './bank-store.ts'
import type { FoundException } from './exceptions.ts'
import { readStatement } from './statement-file.ts'
import { listMovementsBetween } from './store.ts'

type BankNeeds = Needs<'db' | 'clock' | 'config'>

/** Open lines and payouts that are compared and shown; more have waited for years. */
const OPEN_MAX = 500
const SHOWN = { statements: 20, matches: 200 }

/**
 * Adds a statement and matches its deposits. The same file, and lines that another statement had, change nothing.
 * @throws Refusal `statement_refused` with the row
 */
export async function addStatement(
  { db, clock, config }: BankNeeds,
  { bytes, name }: { bytes: Uint8Array; name: string },
  by: Actor,
): Promise<{ added: number; known: number; matched: number }> {
  const statement = await readOrRefuse(bytes)
  const fileHash = createHash('sha256').update(bytes).digest('hex')
  const keys = keysOfLines(statement)
  const { account, lines } = statement
  const deposits = lines.flatMap((line, index) => (mayBeDeposit(line) ? [{ ...line, key: keys[index] ?? '' }] : []))
  return db.transaction(async (tx) => {
    await lockBank(tx)
    if (await findStatement(tx, fileHash)) return { added: 0, known: deposits.length, matched: 0 }
    const now = clock.now()
    const days = lines.map(({ day }) => day)
    const statementId = await insertStatement(tx, {
      ...{ fileHash, name, account, lines: lines.length, uploadedAt: now },
      fromDay: isoOfDay(days.reduce((first, day) => Math.min(first, day))),
      toDay: isoOfDay(days.reduce((last, day) => Math.max(last, day))),
    })
    assert(statementId, 'an insert without a row')
    const added = await insertLines(
      tx,
      deposits.map(({ key, day, amount, currency, text }) => ({
        ...{ statementId, lineKey: key, day: isoOfDay(day), amountCents: amount, currency, text },
      })),
    )
    const matched = await matchByRule(tx, config.reportTimeZone, now)
    await recordAction(tx, {
      ...{ by, what: 'added a bank statement', at: now },
      about: { kind: 'bank statement', id: statementId },
      after: { lines: lines.length, deposits: added, matched },
    })
    return { added, known: deposits.length - added, matched }
  })
}

async function readOrRefuse(bytes: Uint8Array) {
  try {
    return await readStatement(bytes)
  } catch (error) {
    throw error instanceof StatementMistake ? new Refusal('statement_refused', { reason: error.message }) : error
  }
}

async function matchByRule(tx: Tx, zone: string, now: Date): Promise<number> {
  const lines = (await listOpenLines(tx, OPEN_MAX)).map(toOpenLine)
  const payouts = await listOpenPayouts(tx, zone)
  const undone = await listUndone(
    tx,
    lines.map(({ id }) => id),
  )
  const pairs = matchDeposits(lines, payouts, ({ line, payout }) => undone.has(`${line.id} ${payout.payoutId}`))
  for (const pair of pairs) await insertMatch(tx, toMatch(pair, 'rule', now))
  return pairs.length
}

const toOpenLine = ({ id, day, amountCents: amount, currency, text }: StoredLine): OpenLine => ({
  ...{ id, day: dayFromIso(day) ?? 0, amount, currency, text },
})

type Waiting = OpenPayout & { createdAt: Date }

/** Payouts without a line; those that failed came back. */
async function listOpenPayouts(db: Reader, zone: string): Promise<Waiting[]> {
  const payouts = (await listLatestPayouts(db, OPEN_MAX)).filter(({ status }) => status !== 'failed')
  const matched = await filterMatched(
    db,
    payouts.map(({ payoutId }) => payoutId),
  )
  return payouts
    .filter(({ payoutId }) => !matched.has(payoutId))
    .map(({ provider, payoutId, amountCents: amount, createdAt }) => ({
      ...{ provider, payoutId, amount, createdAt, day: dayIn(zone, createdAt.getTime()) },
    }))
}

const toPayout = ({ provider, payoutId: id, createdAt, ...payout }: StoredPayout | Waiting): BankPayout => ({
  ...{ provider, id, at: createdAt.toISOString() },
  amount: 'amount' in payout ? payout.amount : payout.amountCents,
})

const toLine = ({ id, day, amountCents: amount, currency, text }: StoredLine) => ({ id, day, amount, currency, text })

async function readCoveredDays(db: Reader): Promise<CoveredDays | undefined> {
  const days = await coveredDays(db)
  const [from, until] = [dayFromIso(days?.from ?? ''), dayFromIso(days?.until ?? '')]
  return from === undefined || until === undefined ? undefined : { from, until }
}

/** Payouts that no statement shows although it should, as exceptions. */
export async function findMissingDeposits({ db, config }: Needs<'db' | 'config'>): Promise<FoundException[]> {
  const covered = await readCoveredDays(db)
  if (!covered) return []
  return (await listOpenPayouts(db, config.reportTimeZone))
    .filter((payout) => standingOfPayout(payout, covered) === 'missing')
    .map(({ provider, payoutId, day, amount }) => ({
      ...{ kind: 'deposit_missing', about: `payout:${provider}:${payoutId}`, orderId: null },
      amount: cents(Math.abs(amount)),
      cause: `${providerNames[provider]} sent ${formatUsd(amount)} to the bank on ${isoOfDay(day)}. The statements until ${isoOfDay(covered.until)} don’t show it.`,
    }))
}

export async function showBank({ db, config }: BankNeeds): Promise<BankOverview> {
  const lines = await listOpenLines(db, OPEN_MAX)
  const payouts = await listOpenPayouts(db, config.reportTimeZone)
  const covered = await readCoveredDays(db)
  const standing = Map.groupBy(payouts, (payout) => standingOfPayout(payout, covered))
  const matches = await listMatches(db, SHOWN.matches)
  const known = new Map((await listLatestPayouts(db, OPEN_MAX)).map((payout) => [payout.payoutId, payout]))
  return {
    statements: (await listStatements(db, SHOWN.statements)).map(
      ({ fromDay: from, toDay: to, uploadedAt, ...row }) => ({
        ...{ id: row.id, name: row.name, account: row.account, lines: row.lines, from, to },
        uploadedAt: uploadedAt.toISOString(),
      }),
    ),
    unmatched: lines.map((line) => ({
      ...toLine(line),
      candidates: candidatesOf(toOpenLine(line), payouts).map(toPayout),
    })),
    missing: (standing.get('missing') ?? []).map(toPayout),
    expected: (standing.get('expected') ?? []).map(toPayout),
    matched: matches.flatMap(({ match, line }) => {
      const payout = known.get(match.payoutId)
      return payout ? [{ ...toLine(line), payout: toPayout(payout), by: match.matchedBy }] : []
    }),
  }
}

/** What fits first; by hand, also others of those weeks, since a bank may take a fee or convert. */
function candidatesOf(line: OpenLine, payouts: readonly Waiting[]): Waiting[] {
  const near = payouts.filter(
    ({ day, amount }) => Math.abs(line.day - day) <= 2 * ARRIVAL_DAYS && Math.sign(amount) === Math.sign(line.amount),
  )
  return near.toSorted((a, b) => Number(fits(line, b)) - Number(fits(line, a)))
}

/** @throws Refusal `unknown_bank_line`, `bank_match_taken` when either has another by now */
export async function matchByHand(
  { db, clock }: BankNeeds,
  lineId: number,
  { provider, payoutId }: { provider: PaymentProvider; payoutId: string },
  by: Actor,
): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await findLine(tx, lineId))) throw new Refusal('unknown_bank_line')
    if (!(await findPayout(tx, provider, payoutId))) throw new Refusal('bank_match_taken')
    const row = { lineId, provider, payoutId, matchedBy: by.name, matchedAt: clock.now() }
    if (!(await insertMatch(tx, row))) throw new Refusal('bank_match_taken')
    await recordMatch(tx, by, 'matched a deposit', { lineId, payoutId, at: clock.now() })
  })
}

/** @throws Refusal `unknown_bank_line` */
export async function takeApart({ db, clock }: BankNeeds, lineId: number, by: Actor): Promise<void> {
  await db.transaction(async (tx) => {
    const undone = await undoMatch(tx, lineId, clock.now())
    if (!undone) throw new Refusal('unknown_bank_line')
    await recordMatch(tx, by, 'took a deposit and its payout apart', { ...undone, at: clock.now() })
  })
}

const recordMatch = (
  tx: Tx,
  by: Actor,
  what: string,
  { lineId, payoutId, at }: { lineId: number; payoutId: string; at: Date },
) => recordAction(tx, { by, what, about: { kind: 'bank line', id: lineId }, after: { payout: payoutId }, at })

/** What a payout consists of. @throws Refusal `unknown_payout` */
export async function explainPayout(
  shop: Needs<'db' | 'stripe'>,
  provider: PaymentProvider,
  payoutId: string,
): Promise<PayoutContent> {
  const { db } = shop
  const payout = await findPayout(db, provider, payoutId)
  if (!payout) throw new Refusal('unknown_payout')
  const line = await findLineOf(db, provider, payoutId)
  const theirs = provider === 'stripe' ? await linesAtStripe(shop, payoutId) : []
  const movements = theirs.length ? theirs : await movementsSinceLast(db, payout)
  const keys = movements.flatMap(({ paymentKey }) => paymentKey ?? [])
  const orders = await listOrdersFrom(db, keys, [])
  const numbers = await orderNumbersOf(
    db,
    orders.map(({ id }) => id),
  )
  const orderOf = new Map(orders.map(({ id, paymentKey }) => [paymentKey, numbers.get(id) ?? null]))
  const net = sum(movements.map(({ amount, fee }) => minus(amount, fee)))
  return {
    payout: toPayout(payout),
    line: line ? toLine(line) : null,
    source: theirs.length ? 'provider' : 'time',
    lines: movements.map(({ id, kind, amount, fee, occurredAt, paymentKey }) => ({
      ...{ id, kind, amount, fee, at: occurredAt.toISOString() },
      orderNumber: (paymentKey && orderOf.get(paymentKey)) ?? null,
    })),
    net,
    rest: minus(payout.amountCents, net),
  }
}

/** None for a payout that the owner made by hand: Stripe does not say what it holds. */
async function linesAtStripe({ stripe }: Needs<'stripe'>, payoutId: string): Promise<Movement[]> {
  try {
    const lines = await stripe.listPayoutLines(payoutId)
    return lines.filter(({ kind }) => kind !== 'payout')
  } catch (error) {
    // Away, or not one of its automatic payouts: what was read before explains it by time.
    if (error instanceof ProviderUnavailable || error instanceof ProviderRefusal) return []
    throw error
  }
}

/** Everything since the payout before, as the books were read. PayPal does not say what a withdrawal holds. */
async function movementsSinceLast(db: Reader, { provider, createdAt }: StoredPayout): Promise<Movement[]> {
  const before = await findPayoutBefore(db, provider, createdAt)
  const movements = await listMovementsBetween(db, provider, before?.createdAt ?? new Date(0), createdAt)
  return movements.filter(({ kind }) => kind !== 'payout')
}
