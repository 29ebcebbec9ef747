// cspell:ignore Beraternummer Mandantennummer Sachkontenlänge Wirtschaftsjahr
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { BookkeepingDraft, nameField, numberField } from '#contract/admin-bookkeeping.ts'
import { bookkeepingPaths } from '#contract/bookkeeping-paths.ts'
import { monthPaths } from '#contract/month-paths.ts'
import { accountLabel } from '#domain/ledger/account-labels.ts'
import type { JournalLayout } from '#domain/ledger/journals.ts'
import { ledgerAccounts } from '#domain/ledger/ledger.ts'
import { nameOfMonth } from '#shared/month.ts'
import { download } from '#web/api/download.ts'
import { useApi } from '#web/api/use-api.ts'
import { useRequest } from '#web/api/use-request.ts'
import { Link } from '#web/app/Link.tsx'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { Select } from '#web/ui/Select.tsx'
import { AdminFrame } from './AdminFrame.tsx'
import { bookkeepingQuery } from './admin-queries.ts'
import { useChange } from './use-action.ts'
import { May } from './May.tsx'

const layoutNames: Readonly<Record<JournalLayout, string>> = {
  plain: 'Plain CSV',
  quickbooks: 'QuickBooks Online',
  xero: 'Xero',
  datev: 'DATEV',
}
const layouts = Object.entries(layoutNames).map(([value, label]) => ({ value: value as JournalLayout, label }))

/** `/admin/bookkeeping`: journals for the owner's own bookkeeping, and how that calls the accounts. */
export function BookkeepingPage() {
  const query = useQuery(bookkeepingQuery)
  return (
    <AdminFrame title="Bookkeeping">
      <QueryBoundary query={query}>
        {({ draft, version, months }) => (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-12">
            <Journals months={months} />
            <Accounts key={version} draft={draft} version={version} />
          </div>
        )}
      </QueryBoundary>
    </AdminFrame>
  )
}

function Journals({ months }: { months: readonly { month: string; isClosed: boolean }[] }) {
  const [month, setMonth] = useState(months.find(({ isClosed }) => isClosed)?.month ?? months[0]?.month)
  const [layout, setLayout] = useState<JournalLayout>('plain')
  const [rate, setRate] = useState('')
  const { run, busy, failure } = useRequest()
  const isOpen = months.some((one) => one.month === month && !one.isClosed)
  return (
    <section aria-labelledby="journals" className="grid gap-4">
      <h2 id="journals" className="text-[1.375rem]">
        Journals
      </h2>
      <p className="max-w-[44em] text-ink-soft">
        All postings of a month, summed by day and kind, to import into another program: a ZIP with the journals, the
        check sum of each file and what every account changed by. They name no customers.
      </p>
      {month === undefined ? (
        <p className="text-ink-soft">Nothing was booked yet.</p>
      ) : (
        <>
          <div className="grid max-w-[44rem] gap-4 sm:grid-cols-2">
            <Select
              label="Month"
              value={month}
              onValue={setMonth}
              options={months.map((one) => ({
                value: one.month,
                label: `${nameOfMonth(one.month)}${one.isClosed ? ', closed' : ''}`,
              }))}
            />
            <Select label="Layout" value={layout} onValue={setLayout} options={layouts} />
            {layout === 'datev' && (
              <Field
                label="US dollars for a euro"
                inputMode="decimal"
                value={rate}
                onValue={setRate}
                hint="The rate of that month that your tax office takes, such as 1.1621"
              />
            )}
          </div>
          {isOpen && (
            <p className="max-w-[44em] text-ink-soft">
              This month isn’t closed, so later bookings are missing.{' '}
              <Link to={`${monthPaths.admin}?month=${month}`} className="underline">
                Month close
              </Link>
            </p>
          )}
          {failure && <Notice>{failure.sentence}</Notice>}
          <Button
            busy={busy}
            className="justify-self-start"
            onClick={() => void run(() => download(bookkeepingPaths.journals(month, layout, rate.trim())))}
          >
            Download journals
          </Button>
        </>
      )}
    </section>
  )
}

function Accounts({ draft, version }: { draft: BookkeepingDraft; version: number }) {
  const api = useApi()
  const change = useChange()
  return (
    <section aria-labelledby="accounts">
      <h2 id="accounts" className="mb-2 text-[1.375rem]">
        Your accounts
      </h2>
      <p className="mb-5 max-w-[44em] text-ink-soft">
        QuickBooks finds accounts by their names, Xero and DATEV by their numbers. Use accounts that add no tax by
        themselves: tax has its own lines.
      </p>
      <ApiForm
        schema={BookkeepingDraft}
        aria-labelledby="accounts"
        className="grid max-w-[52rem] gap-8"
        send={(typed) => change(() => api('PUT /api/admin/bookkeeping', { body: { ...typed, version } }))}
      >
        <ul className="grid gap-x-4 gap-y-5">
          {ledgerAccounts.map((account) => {
            const label = accountLabel(account)
            return (
              <li
                key={account}
                className="grid gap-x-4 gap-y-3 grid-cols-[7rem_1fr] border-t border-line pt-4 sm:grid-cols-[12rem_8rem_1fr]"
              >
                <p className="col-span-2 font-semibold sm:col-span-1 sm:pt-8">{label}</p>
                <Field
                  label={
                    <>
                      Number<span className="sr-only"> of {label}</span>
                    </>
                  }
                  name={numberField(account)}
                  defaultValue={draft[numberField(account)]}
                  autoComplete="off"
                />
                <Field
                  label={
                    <>
                      Name<span className="sr-only"> of {label}</span>
                    </>
                  }
                  name={nameField(account)}
                  defaultValue={draft[nameField(account)]}
                  autoComplete="off"
                />
              </li>
            )
          })}
        </ul>
        <fieldset className="grid gap-4 sm:grid-cols-2">
          <legend className="mb-3 text-lg font-semibold">For Xero and DATEV</legend>
          <Field
            label="Xero: tax rate"
            name="xeroTaxRate"
            defaultValue={draft.xeroTaxRate}
            hint="As Xero calls a rate without tax"
          />
          <Field
            label="DATEV: consultant number"
            name="datevConsultant"
            inputMode="numeric"
            defaultValue={draft.datevConsultant}
            hint="4 to 7 digits (Beraternummer)"
          />
          <Field
            label="DATEV: client number"
            name="datevClient"
            inputMode="numeric"
            defaultValue={draft.datevClient}
            hint="1 to 5 digits (Mandantennummer)"
          />
          <Field
            label="DATEV: length of account numbers"
            name="datevAccountLength"
            inputMode="numeric"
            defaultValue={draft.datevAccountLength}
            hint="4 to 8 (Sachkontenlänge)"
          />
          <Field
            label="DATEV: first month of the year"
            name="datevYearStart"
            inputMode="numeric"
            defaultValue={draft.datevYearStart}
            hint="1 to 12 (Wirtschaftsjahr)"
          />
        </fieldset>
        <FormNotice />
        <May need="owner">
          <div>
            <SubmitButton>Save accounts</SubmitButton>
          </div>
        </May>
      </ApiForm>
    </section>
  )
}
