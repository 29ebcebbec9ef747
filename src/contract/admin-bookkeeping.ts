import * as z from 'zod/mini'
import { journalLayouts } from '#domain/ledger/journals.ts'
import { ledgerAccounts, type Account } from '#domain/ledger/ledger.ts'
import { call } from './call.ts'
import { singleLineText } from './wire.ts'

const RATE = 'Please enter how many US dollars a euro was worth, from 1 to 2, such as 1.1621'
const ACCOUNT_LENGTH = 'Please enter a length from 4 to 8'

/** An account's fields in the form. */
export const numberField = (account: Account) => `number ${account}` as const
export const nameField = (account: Account) => `name ${account}` as const

const accountFields = <Field extends string, Schema extends z.ZodMiniType>(
  fieldOf: (account: Account) => Field,
  schema: Schema,
): Record<Field, Schema> =>
  Object.fromEntries(ledgerAccounts.map((account) => [fieldOf(account), schema])) as Record<Field, Schema>

const digits = (pattern: RegExp, sentence: string) => z.string().check(z.trim(), z.regex(pattern, sentence))

/** As the form has it: a number and a name for each account of the ledger, then what Xero and DATEV want to know. */
export const BookkeepingDraft = z.object({
  ...accountFields(numberField, digits(/^[\dA-Za-z.-]{0,20}$/, 'Please use at most 20 letters and digits')),
  ...accountFields(nameField, singleLineText(100, 'Please enter a name')),
  xeroTaxRate: singleLineText(50, 'Please enter the name of a tax rate'),
  datevConsultant: digits(/^(?:[1-9]\d{3,6})?$/, 'Please enter 4 to 7 digits'),
  datevClient: digits(/^(?:[1-9]\d{0,4})?$/, 'Please enter 1 to 5 digits'),
  datevAccountLength: digits(/^[4-8]$/, ACCOUNT_LENGTH),
  datevYearStart: digits(/^(?:[1-9]|1[0-2])$/, 'Please enter a month from 1 to 12'),
})
export type BookkeepingDraft = z.output<typeof BookkeepingDraft>

export const adminBookkeepingCalls = {
  show: call({
    method: 'GET',
    path: '/api/admin/bookkeeping',
    access: 'read_figures',
    summary:
      'How the owner’s bookkeeping calls the accounts of the ledger, and the months that have journals, latest first.',
    answer: z.object({
      draft: BookkeepingDraft,
      version: z.int(),
      months: z.array(z.object({ month: z.string(), isClosed: z.boolean() })),
    }),
    refusals: [],
  }),
  save: call({
    method: 'PUT',
    path: '/api/admin/bookkeeping',
    access: 'owner',
    summary: 'Changes how accounts are called. `version`: the one that was seen.',
    body: z.extend(BookkeepingDraft, { version: z.int() }),
    answer: z.object({ done: z.string() }),
    refusals: ['bookkeeping_changed'],
  }),
  journals: call({
    method: 'GET',
    path: '/api/admin/journals/:month/:layout',
    access: 'read_figures',
    summary:
      'A month’s postings by day and kind, as a ZIP with the files of a layout, their check sums and the change of each account.',
    params: z.object({ month: z.string(), layout: z.enum(journalLayouts) }),
    query: z.object({
      /** Wanted by `datev`, which keeps its books in euros. */
      dollarsPerEuro: z.optional(z.string().check(z.regex(/^(?:1(?:\.\d{1,6})?|2(?:\.0{1,6})?)$/, RATE))),
    }),
    answer: 'file',
    refusals: [
      ...(['unknown_month', 'nothing_booked', 'account_number_missing', 'account_number_not_datev'] as const),
      ...(['datev_incomplete', 'euro_rate_missing'] as const),
    ],
  }),
}
