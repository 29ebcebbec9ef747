import { eq, inArray, sql, type SQL } from 'drizzle-orm'
import type { Account, PostingKind } from '#domain/ledger/ledger.ts'
import { cents, type Cents } from '#shared/money.ts'
import type { OrderId, PaymentKey } from '#shared/ids.ts'
import type { Reader } from '#server/db/db.ts'
import { ledgerEntry, ledgerPosting } from './schema.ts'

// Sums of the books, to compare with other books.

/** @returns cents as text, because a sum can exceed the database's integers */
const sumWhere = (accounts: SQL) =>
  sql<string>`coalesce(sum(${ledgerEntry.amountCents}) filter (where ${ledgerEntry.account} ${accounts}), 0)`.mapWith(
    (text) => cents(Number(text)),
  )
const onProvider = sumWhere(sql`like 'provider:%'`)
const onFees = sumWhere(sql`in ('expense:provider_fees', 'expense:dispute_fees')`)
const onPrinter = sumWhere(sql`= 'print_partner'`)

type SummedPosting = { key: PaymentKey | null; kind: PostingKind; bookedAt: Date; amount: Cents; fee: Cents }

/** Each posting of these payments. `amount`: on the payment provider's account. `fee`: on the fee accounts. */
export const listPostingsOf = (db: Reader, keys: readonly PaymentKey[]): Promise<SummedPosting[]> =>
  db
    .select({
      key: ledgerPosting.paymentKey,
      kind: ledgerPosting.kind,
      bookedAt: ledgerPosting.bookedAt,
      amount: onProvider,
      fee: onFees,
    })
    .from(ledgerPosting)
    .innerJoin(ledgerEntry, eq(ledgerEntry.postingId, ledgerPosting.id))
    .where(inArray(ledgerPosting.paymentKey, [...keys]))
    .groupBy(ledgerPosting.id)

/** The sum of a payment's postings on an account. */
export async function balanceOfPayment(db: Reader, key: PaymentKey, account: Account): Promise<Cents> {
  const [row] = await db
    .select({ amount: sumWhere(sql`= ${account}`) })
    .from(ledgerPosting)
    .innerJoin(ledgerEntry, eq(ledgerEntry.postingId, ledgerPosting.id))
    .where(eq(ledgerPosting.paymentKey, key))
  return row?.amount ?? cents(0)
}

/** The printer's balance by order; negative if we owe it. */
export const listPrinterBalances = (
  db: Reader,
  ids: readonly OrderId[],
): Promise<{ orderId: OrderId | null; amount: Cents }[]> =>
  db
    .select({ orderId: ledgerPosting.orderId, amount: onPrinter })
    .from(ledgerPosting)
    .innerJoin(ledgerEntry, eq(ledgerEntry.postingId, ledgerPosting.id))
    .where(inArray(ledgerPosting.orderId, [...ids]))
    .groupBy(ledgerPosting.orderId)

/** The sum of these postings on the payment providers' accounts, or the printer's. */
export async function sumOfPostings(
  db: Reader,
  keys: readonly string[],
  account: 'provider' | 'partner',
): Promise<Cents> {
  const [row] = await db
    .select({ amount: account === 'provider' ? onProvider : onPrinter })
    .from(ledgerPosting)
    .innerJoin(ledgerEntry, eq(ledgerEntry.postingId, ledgerPosting.id))
    .where(inArray(ledgerPosting.key, [...keys]))
  return row?.amount ?? cents(0)
}

/** A query of the payments booked since then, as `payment_key`. */
export const paymentsBookedSince = (since: Date): SQL => sql`
  select ${ledgerPosting.paymentKey} from ${ledgerPosting}
  where ${ledgerPosting.bookedAt} >= ${since} and ${ledgerPosting.paymentKey} is not null`
