import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { paths } from '#contract/paths.ts'
import { monthPaths } from '#contract/month-paths.ts'
import type { MonthBooks, MonthClosing } from '#contract/admin-months.ts'
import { formatUsd, plus, sum } from '#shared/money.ts'
import { daysOfMonth, nameOfMonth } from '#shared/month.ts'
import { useFreshPassword } from '#web/accounts/use-fresh-password.tsx'
import { useApi } from '#web/api/use-api.ts'
import { Link } from '#web/app/Link.tsx'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import { AdminFrame } from './AdminFrame.tsx'
import { monthQuery, monthsQuery } from './admin-queries.ts'
import { Moment } from './Moment.tsx'
import { useAction, useChange } from './use-action.ts'
import { May } from './May.tsx'

/** `/admin/close`: the books of a month before and after they are closed, and all closed months with their files. */
export function ClosePage() {
  const [parameters] = useSearchParams()
  const query = useQuery(monthsQuery)
  const [reopening, setReopening] = useState<MonthClosing>()
  return (
    <AdminFrame title="Month close">
      <QueryBoundary query={query}>
        {({ closings, next }) => {
          const wanted = parameters.get('month') ?? ''
          const month = daysOfMonth(wanted) ? wanted : next
          const last = closings.find(({ isStanding }) => isStanding)
          return (
            <div className="grid grid-cols-[minmax(0,1fr)] gap-12">
              {month === null ? (
                <p className="text-ink-soft">Nothing was booked yet.</p>
              ) : (
                <Books key={month} month={month} />
              )}
              <section>
                <h2 className="mb-2 text-[1.375rem]">Closed months</h2>
                <p className="mb-4 max-w-[44em] text-ink-soft">
                  Files of a closed month never change. Whatever arrives later, such as a refund or a fee, is booked in
                  the month in which it arrives. <code>npm run owner -- verify</code> proves it.
                </p>
                <Table
                  caption="Closed months"
                  isCaptionHidden
                  stacks
                  columns={columns(last, setReopening)}
                  rows={closings}
                  keyOf={({ number }) => number}
                  empty="No month is closed yet."
                />
              </section>
            </div>
          )
        }}
      </QueryBoundary>
      <Dialog
        open={reopening !== undefined}
        onClose={() => setReopening(undefined)}
        title={`Reopen ${reopening ? nameOfMonth(reopening.month) : ''}`}
      >
        {reopening && <ReopenForm month={reopening.month} onDone={() => setReopening(undefined)} />}
      </Dialog>
    </AdminFrame>
  )
}

function Books({ month }: { month: string }) {
  const query = useQuery(monthQuery(month))
  const name = nameOfMonth(month)
  return (
    <QueryBoundary query={query}>
      {({ figures, corrections, openItems, objection, isClosed }) => (
        <section aria-labelledby="books" className="grid grid-cols-[minmax(0,1fr)] gap-6">
          <h2 id="books" className="text-[1.375rem]">
            {name}
            {isClosed && ', closed'}
          </h2>
          <Table
            caption={`Accounts of ${name}`}
            isCaptionHidden
            columns={accountColumns(figures)}
            rows={figures}
            keyOf={({ account }) => account}
            totalTitle="Total"
            empty="Nothing was booked until the end of this month."
          />
          <div>
            <h3 className="mb-2 text-lg font-semibold">Corrections</h3>
            <p className="mb-4 max-w-[44em] text-ink-soft">
              {corrections.count === 0
                ? 'Nothing in this month belongs to orders of earlier months.'
                : `Booked this month for orders of earlier months: ${corrections.count}.`}
              {corrections.count > corrections.lines.length &&
                ` These are the first ${corrections.lines.length}; the books’ workbook has all.`}
            </p>
            {corrections.count > 0 && (
              <Table
                caption={`Corrections in ${name}`}
                isCaptionHidden
                stacks
                columns={correctionColumns}
                rows={corrections.lines}
                keyOf={({ id }) => id}
                empty=""
              />
            )}
          </div>
          {!isClosed && (
            <May need="close_months">
              <CloseForm month={month} openItems={openItems} objection={objection} />
            </May>
          )}
        </section>
      )}
    </QueryBoundary>
  )
}

type Figure = MonthBooks['figures'][number]
type Correction = MonthBooks['corrections']['lines'][number]

const accountColumns = (figures: readonly Figure[]): readonly [Column<Figure>, ...Column<Figure>[]] => [
  { key: 'account', title: 'Account', cell: ({ name }) => name },
  {
    key: 'opening',
    title: 'Opening',
    isNumber: true,
    cell: ({ opening }) => formatUsd(opening),
    total: formatUsd(sum(figures.map(({ opening }) => opening))),
  },
  {
    key: 'change',
    title: 'Change',
    isNumber: true,
    cell: ({ change }) => formatUsd(change),
    total: formatUsd(sum(figures.map(({ change }) => change))),
  },
  {
    key: 'closing',
    title: 'Closing',
    isNumber: true,
    cell: ({ opening, change }) => formatUsd(plus(opening, change)),
    total: formatUsd(sum(figures.map(({ opening, change }) => plus(opening, change)))),
  },
]

const correctionColumns: readonly [Column<Correction>, ...Column<Correction>[]] = [
  { key: 'at', title: 'Booked', cell: ({ at }) => <Moment at={at} /> },
  { key: 'what', title: 'Posting', cell: ({ what }) => what },
  {
    key: 'order',
    title: 'Order',
    cell: ({ orderNumber }) =>
      orderNumber && (
        <Link to={paths.adminOrder(orderNumber)} className="underline">
          {orderNumber}
        </Link>
      ),
  },
  { key: 'placed', title: 'Order placed', cell: ({ placedAt }) => placedAt && <Moment at={placedAt} /> },
  { key: 'result', title: 'Added to profit', isNumber: true, cell: ({ result }) => formatUsd(result) },
  { key: 'tax', title: 'Added to tax owed', isNumber: true, cell: ({ tax }) => formatUsd(tax) },
]

function CloseForm({ month, openItems, objection }: Pick<MonthBooks, 'month' | 'openItems' | 'objection'>) {
  const api = useApi()
  const { act, busy, failure } = useAction()
  const { confirmed, dialog } = useFreshPassword()
  const [isAccepted, setAccepted] = useState(false)
  const mustAccept = openItems.length > 0
  const close = () =>
    act(() =>
      confirmed(() =>
        api('POST /api/admin/months/:month/close', {
          params: { month },
          query: isAccepted ? { accepted: '1' as const } : {},
        }),
      ),
    )
  return (
    <div className="grid justify-items-start gap-4">
      {openItems.length > 0 && (
        <Notice tone="calm" title="Still open">
          <ul className="list-disc pl-5">
            {openItems.map((item) => (
              <li key={item}>{item}</li>
            ))}
          </ul>
          <p className="mt-2 flex flex-wrap gap-x-5">
            <Link to={paths.adminExceptions} className="underline">
              Exceptions
            </Link>
            <Link to={paths.adminReconciliation} className="underline">
              Reconciliation
            </Link>
          </p>
        </Notice>
      )}
      {objection === null ? (
        <>
          <p className="max-w-[44em]">
            Closing seals the ledger and freezes these figures, the books, profit and payment workbooks, the tax report,
            and the statements of partners.
          </p>
          {mustAccept && (
            <Checkbox label="Close it with what is still open" checked={isAccepted} onChecked={setAccepted} />
          )}
          {failure && <Notice>{failure.sentence}</Notice>}
          <Button busy={busy} disabled={mustAccept && !isAccepted} onClick={() => void close()}>
            Close {nameOfMonth(month)}
          </Button>
        </>
      ) : (
        <p className="text-ink-soft">{objection}</p>
      )}
      {dialog}
    </div>
  )
}

const columns = (
  last: MonthClosing | undefined,
  onReopen: (closing: MonthClosing) => void,
): readonly [Column<MonthClosing>, ...Column<MonthClosing>[]] => [
  {
    key: 'month',
    title: 'Month',
    cell: ({ month, kind, number }) => (
      <>
        <Link to={`${monthPaths.admin}?month=${month}`} className="font-semibold whitespace-nowrap underline">
          {nameOfMonth(month)}
        </Link>
        <span className="block text-sm text-ink-soft">
          No. {number}, {kind}
        </span>
      </>
    ),
  },
  {
    key: 'at',
    title: 'When',
    cell: ({ at, reason, hash }) => (
      <>
        <Moment at={at} />
        {reason !== null && <span className="block max-w-[20em] text-sm wrap-anywhere">{reason}</span>}
        <span className="block max-w-[20em] text-sm wrap-anywhere text-ink-soft">{hash}</span>
      </>
    ),
  },
  {
    key: 'files',
    title: 'Files',
    cell: ({ number, files }) => (
      <>
        <FileList closing={number} files={files.filter(({ isStatement }) => !isStatement)} />
        {files.some(({ isStatement }) => isStatement) && (
          <details>
            <summary className="min-h-11 py-2">Statements of partners</summary>
            <FileList closing={number} files={files.filter(({ isStatement }) => isStatement)} />
          </details>
        )}
      </>
    ),
  },
  {
    key: 'reopen',
    title: 'Reopen',
    isAction: true,
    cell: (closing) =>
      closing === last && (
        <May need="owner">
          <Button variant="plain" aria-haspopup="dialog" onClick={() => onReopen(closing)}>
            Reopen...<span className="sr-only"> {nameOfMonth(closing.month)}</span>
          </Button>
        </May>
      ),
  },
]

const FileList = ({ closing, files }: { closing: number; files: MonthClosing['files'] }) => (
  <ul>
    {files.map(({ name }) => (
      <li key={name}>
        <a href={monthPaths.file(closing, name)} download className="inline-block py-2 wrap-anywhere underline">
          {name}
        </a>
      </li>
    ))}
  </ul>
)

function ReopenForm({ month, onDone }: { month: string; onDone: () => void }) {
  const api = useApi()
  const change = useChange()
  const { confirmed, dialog } = useFreshPassword()
  return (
    <>
      <ApiForm
        aria-label="Reopen"
        className="grid gap-5"
        send={async ({ reason = '' }) => {
          const body = { reason }
          await change(() => confirmed(() => api('POST /api/admin/months/:month/reopen', { params: { month }, body })))
          onDone()
        }}
      >
        <p>
          The files that were frozen stay under their number. Closing the month again freezes new ones under another
          number.
        </p>
        <Field label="Reason" name="reason" required maxLength={300} hint="Kept with the closed months" />
        <FormNotice />
        <div>
          <SubmitButton>Reopen {nameOfMonth(month)}</SubmitButton>
        </div>
      </ApiForm>
      {dialog}
    </>
  )
}
