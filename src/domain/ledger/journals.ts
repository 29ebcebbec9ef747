import { isoOfDay, type CalendarDay } from '#shared/calendar-day.ts'
import { cents, minus, negate, sum, ZERO, type Cents } from '#shared/money.ts'
import type { Month } from '#shared/month.ts'
import { accountLabel } from './account-labels.ts'
import { ledgerAccounts, postingKinds, type Account, type Entry, type PostingKind } from './ledger.ts'

/** What kinds of postings changed on a day, by account; debits are positive, and all sum to zero. */
export type Journal = { day: CalendarDay; kind: PostingKind; lines: readonly Entry[] }

/** As other bookkeeping programs import it. */
export const journalLayouts = ['plain', 'quickbooks', 'xero', 'datev'] as const
export type JournalLayout = (typeof journalLayouts)[number]

/** How the owner's own bookkeeping calls an account. @property number empty where it has none */
type BookAccount = { number: string; name: string }

export type Bookkeeping = {
  accounts: Readonly<Record<Account, BookAccount>>
  /** The name of a rate without tax in Xero, which wants one in each line. */
  xeroTaxRate: string
  /** Numbers at DATEV of the accountant and of the shop; empty without DATEV. */
  datev: { consultant: string; client: string; accountLength: number; yearStartMonth: number }
}

export const defaultBookkeeping: Bookkeeping = {
  accounts: Object.fromEntries(
    ledgerAccounts.map((account) => [account, { number: '', name: accountLabel(account) }]),
  ) as Record<Account, BookAccount>,
  xeroTaxRate: 'Tax Exempt',
  datev: { consultant: '', client: '', accountLength: 4, yearStartMonth: 1 },
}

export type JournalWish = {
  month: Month
  layout: JournalLayout
  journals: readonly Journal[]
  bookkeeping: Bookkeeping
  /** US dollars for a euro, such as `1.1621`, from 1 to 2; DATEV keeps its books in euros. */
  dollarsPerEuro: string | undefined
  madeAt: Date
}

export type JournalObjection =
  | { code: 'account_number_missing' | 'account_number_not_datev'; accounts: string }
  | { code: 'datev_incomplete' | 'euro_rate_missing' }

/** Why the journals can't be written in a layout. */
export function objectionToLayout(
  layout: JournalLayout,
  { journals, bookkeeping, dollarsPerEuro }: Pick<JournalWish, 'journals' | 'bookkeeping' | 'dollarsPerEuro'>,
): JournalObjection | undefined {
  if (layout === 'plain' || layout === 'quickbooks') return undefined
  const { accounts, datev } = bookkeeping
  if (layout === 'datev' && !(datev.consultant && datev.client)) return { code: 'datev_incomplete' }
  const used = new Set(journals.flatMap(({ lines }) => lines.map(({ account }) => account)))
  const namesWhere = (isMeant: (number: string) => boolean) =>
    ledgerAccounts.filter((account) => used.has(account) && isMeant(accounts[account].number)).map(accountLabel)
  const missing = namesWhere((number) => !number)
  if (missing.length) return { code: 'account_number_missing', accounts: missing.join(', ') }
  if (layout === 'xero') return undefined
  // An account of a person is one digit longer.
  const unfit = namesWhere((number) => !/^\d+$/.test(number) || number.length > datev.accountLength + 1)
  if (unfit.length) return { code: 'account_number_not_datev', accounts: unfit.join(', ') }
  return dollarsPerEuro === undefined ? { code: 'euro_rate_missing' } : undefined
}

/** `20261103-02`: the same for a day and kind whenever it is written, so that a program can tell what it has already. */
export const numberOfJournal = ({ day, kind }: Journal): string =>
  `${compactDay(day)}-${String(postingKinds.indexOf(kind) + 1).padStart(2, '0')}`

/** `20261103`. */
export const compactDay = (day: CalendarDay): string => isoOfDay(day).replaceAll('-', '')

/** The sum of the debits. */
export const debitsOf = (lines: readonly Entry[]): Cents => sum(lines.map(({ amount }) => (amount > 0 ? amount : ZERO)))

/** A journal as pairs of a debit and a credit of the same amount, as few as there can be by taking them in order. */
export function pairsOf(lines: readonly Entry[]): { debit: Account; credit: Account; amount: Cents }[] {
  const debits = lines.filter(({ amount }) => amount > 0).map((line) => ({ ...line }))
  const credits = lines.filter(({ amount }) => amount < 0).map((line) => ({ ...line, amount: negate(line.amount) }))
  const pairs: { debit: Account; credit: Account; amount: Cents }[] = []
  for (let [debit, credit] = [debits.shift(), credits.shift()]; debit && credit;) {
    const amount = cents(Math.min(debit.amount, credit.amount))
    pairs.push({ debit: debit.account, credit: credit.account, amount })
    debit = amount === debit.amount ? debits.shift() : { ...debit, amount: minus(debit.amount, amount) }
    credit = amount === credit.amount ? credits.shift() : { ...credit, amount: minus(credit.amount, amount) }
  }
  return pairs
}

/** What each account changed by, in the order of accounts; those without a line are left out. */
export function changesOf(journals: readonly Journal[]): { account: Account; debit: Cents; credit: Cents }[] {
  const entries = journals.flatMap(({ lines }) => lines)
  return ledgerAccounts.flatMap((account) => {
    const own = entries.filter((entry) => entry.account === account)
    const debit = debitsOf(own)
    const credit = debitsOf(own.map((entry) => ({ ...entry, amount: negate(entry.amount) })))
    return own.length ? [{ account, debit, credit }] : []
  })
}
