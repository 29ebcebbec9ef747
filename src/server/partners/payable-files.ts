import { createHash } from 'node:crypto'
import { creditTransferFile, type Transfer } from '#domain/partners/credit-transfer.ts'
import type { PayoutAccount } from '#domain/partners/payout-account.ts'
import { decimalFromCents, type Cents } from '#shared/money.ts'
import { isoOfDay } from '#shared/calendar-day.ts'
import { dayIn } from '#shared/time-zone.ts'
import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import { autocommitWrite } from '#server/db/db.ts'
import { csvCell } from '#server/files/csv.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Needs } from '#server/shop.ts'
import { accountColumns } from './payout-accounts.ts'
import { listPayable } from './payouts.ts'

type Payable = { displayName: string; reference: string; payable: Cents; details: PayoutAccount | null }

/**
 * What can be paid now, as a file; it books nothing. Wallets and partners without a payout account are only in the CSV.
 * @throws Refusal `nothing_to_pay`; `no_paying_account` for a bank file when no account to pay from is configured
 */
export async function payableFile(
  { db, clock, config }: Needs<'db' | 'clock' | 'config'>,
  by: Actor,
  kind: 'pain001' | 'csv',
): Promise<{ name: string; type: string; text: string }> {
  const now = clock.now()
  const payable = await listPayable(db, now)
  const day = isoOfDay(dayIn(config.reportTimeZone, now.getTime()))
  const text = kind === 'csv' ? csvOf(payable) : bankFile(payable, config.payingAccount, now, day)
  const what = kind === 'csv' ? 'downloaded what is payable' : 'downloaded the bank file of what is payable'
  await autocommitWrite(db, (tx) => recordAction(tx, { by, what, about: { kind: 'payouts', id: day }, at: now }))
  const type = kind === 'csv' ? 'text/csv; charset=utf-8' : 'application/xml'
  return { name: `payable-${day}.${kind === 'csv' ? 'csv' : 'xml'}`, type, text }
}

function csvOf(payable: readonly Payable[]): string {
  if (payable.length === 0) throw new Refusal('nothing_to_pay')
  const none = accountColumns({ method: 'wallet', holder: '', email: '' })
  const heads = ['Reference', 'Partner', 'Amount', 'Currency', ...Object.keys(none)]
  const lines = payable.map(({ reference, displayName, payable: amount, details }) => {
    const account = details ? Object.values(accountColumns(details)) : Object.keys(none).map(() => '')
    return [reference, csvCell(displayName), decimalFromCents(amount), 'USD', ...account.map(csvCell)].join(',')
  })
  return [heads.join(','), ...lines].map((line) => `${line}\r\n`).join('')
}

function bankFile(
  payable: readonly Payable[],
  from: { name: string; iban: string; bic: string | null } | null,
  now: Date,
  day: string,
): string {
  const transfers = payable.flatMap(({ reference, payable: amount, details }): Transfer[] =>
    details === null || details.method === 'wallet' ? [] : [{ reference, amount, holder: details.holder, to: details }],
  )
  if (transfers.length === 0) throw new Refusal('nothing_to_pay')
  if (!from) throw new Refusal('no_paying_account')
  // The same transfers get the same file id, so a bank refuses to pay them twice.
  const id = createHash('sha256').update(JSON.stringify(transfers)).digest('hex').slice(0, 32)
  return creditTransferFile({ id, madeAt: now, day, from, transfers })
}
