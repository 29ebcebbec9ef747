import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { paths } from '#contract/paths.ts'
import type { TaxCheck, TaxReport, TaxReportRow, TaxThreshold } from '#contract/admin-tax.ts'
import { taxPaths, type TaxFigure } from '#contract/tax-paths.ts'
import { nameOfPeriod } from '#domain/tax/periods.ts'
import { formatUsd, minus, type Cents } from '#shared/money.ts'
import { AdminFrame } from '#web/admin/AdminFrame.tsx'
import { fieldsOf } from '#web/api/error-sentence.ts'
import { Form } from '#web/app/Form.tsx'
import { Link } from '#web/app/Link.tsx'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { Check } from '#web/ui/Check.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { Select } from '#web/ui/Select.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import { formatDay, formatMomentIn } from './report-format.ts'
import { taxQuery } from './tax-queries.ts'

/** `/admin/tax`: tax of a period by country, state and rate, checked against two other books; thresholds and files. */
export function TaxPage() {
  const [parameters] = useSearchParams()
  const period = parameters.get('period')
  const report = useQuery(taxQuery(period))
  return (
    <AdminFrame title="Tax report">
      {report.error && fieldsOf(report.error)['period'] && <Notice>{fieldsOf(report.error)['period']}</Notice>}
      <QueryBoundary query={report}>{(answer) => <Report key={answer.period} report={answer} />}</QueryBoundary>
    </AdminFrame>
  )
}

function Report({ report }: { report: TaxReport }) {
  const { period, name, rows, isClosed, timeZone, asOf, from, until } = report
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-10">
      <PeriodForm report={report} />
      <section aria-labelledby="by-place" className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <div>
          <h2 id="by-place" className="text-[1.375rem]">
            {name}
            {isClosed && ', closed'}
          </h2>
          <p className="max-w-[44em] text-ink-soft">
            {formatMomentIn(timeZone, from)} to {formatMomentIn(timeZone, until)}. Refunds count on the day they went
            back. As of {formatMomentIn(timeZone, asOf)}, in US dollars.
          </p>
        </div>
        <Checks report={report} />
        <Table
          caption={`Tax in ${name}`}
          isCaptionHidden
          stacks
          columns={columnsOf(report)}
          rows={rows}
          keyOf={keyOf}
          totalTitle="Total"
          empty="Nothing was sold or refunded in this period."
        />
        <Files period={period} report={report} />
      </section>
      <Thresholds report={report} />
    </div>
  )
}

const keyOf = ({ country, state, rates }: TaxReportRow): string => `${country} ${state} ${rates}`

/** A plain form, so that every period has its own address. */
function PeriodForm({ report: { period, periods } }: { report: TaxReport }) {
  const listed = [...periods.months, ...periods.quarters, ...periods.years]
  const options = (listed.includes(period) ? listed : [period, ...listed]).map((value) => ({
    value,
    label: nameOfPeriod(value),
  }))
  return (
    <Form role="search" aria-label="Period" action={taxPaths.admin} className="flex flex-wrap items-end gap-4">
      <Select
        label="Month, quarter or year"
        name="period"
        defaultValue={period}
        options={options}
        className="min-w-56"
      />
      <Button type="submit">Show</Button>
    </Form>
  )
}

function Checks({ report: { ledger, source } }: { report: TaxReport }) {
  return (
    <div className="grid gap-3">
      <Tie check={ledger} book="the ledger’s tax account" />
      <Tie check={source} book="Stripe Tax’s own transactions" />
    </div>
  )
}

function Tie({ check: { total, difference, count, lines }, book }: { check: TaxCheck; book: string }) {
  const ties = difference === 0 && count === 0
  return (
    <Check passed={ties} failure={`Differs from ${book} by ${formatUsd(difference)}`}>
      {ties ? (
        `Ties to ${book}: ${formatUsd(total)}, no difference.`
      ) : (
        <>
          {formatUsd(total)} there. {count === 1 ? 'This order differs' : `These ${count} orders differ`}
          {count > lines.length && `; the largest ${lines.length} are shown`}:
          <ul className="mt-2 grid gap-1">
            {lines.map(({ orderNumber, theirs, report, reason }) => (
              <li key={`${orderNumber} ${theirs} ${report}`}>
                {orderNumber ? (
                  <Link to={paths.adminOrder(orderNumber)} className="underline">
                    {orderNumber}
                  </Link>
                ) : (
                  'Without an order'
                )}
                : {formatUsd(theirs)} there, {formatUsd(report)} here; {reason}.
              </li>
            ))}
          </ul>
        </>
      )}
    </Check>
  )
}

const columnsOf = ({
  period,
  sold,
  refunded,
  due,
}: TaxReport): readonly [Column<TaxReportRow>, ...Column<TaxReportRow>[]] => {
  const figure = (title: string, kind: 'sold' | 'refunded', of: 'net' | 'tax', total: Cents): Column<TaxReportRow> => ({
    ...{ key: `${kind}-${of}`, title, isNumber: true },
    cell: (row) => <Amount amount={row[kind][of]} to={lineOf(period, row, kind)} />,
    total: <Amount amount={total} to={taxPaths.linesOf(period, { kind })} />,
  })
  return [
    { key: 'place', title: 'Place', cell: (row) => <Place row={row} /> },
    { key: 'rate', title: 'Rate', cell: (row) => <Rate row={row} /> },
    figure('Net sales', 'sold', 'net', sold.net),
    figure('Tax on sales', 'sold', 'tax', sold.tax),
    figure('Net refunds', 'refunded', 'net', refunded.net),
    figure('Tax on refunds', 'refunded', 'tax', refunded.tax),
    {
      key: 'due',
      title: 'Tax due',
      isNumber: true,
      cell: (row) => <Amount amount={minus(row.sold.tax, row.refunded.tax)} to={lineOf(period, row)} isStrong />,
      total: <Amount amount={due} to={taxPaths.linesOf(period, {})} isStrong />,
    },
  ]
}

const lineOf = (period: string, { country, state, rates }: TaxReportRow, kind?: TaxFigure['kind']): string =>
  taxPaths.linesOf(period, { country, state, rates, ...(kind && { kind }) })

const Amount = ({ amount, to, isStrong = false }: { amount: Cents; to: string; isStrong?: boolean }) =>
  amount === 0 ? (
    <span className="whitespace-nowrap text-ink-soft">{formatUsd(amount)}</span>
  ) : (
    <Link to={to} className={`link-line whitespace-nowrap ${isStrong ? 'font-semibold' : ''}`}>
      {formatUsd(amount)}
    </Link>
  )

function Place({ row: { countryName, state, stateName, sold, refunded, registration } }: { row: TaxReportRow }) {
  const isTaxed = sold.tax > 0 || refunded.tax > 0
  return (
    <>
      <span className="block">{state ? `${countryName}, ${stateName}` : countryName}</span>
      {registration === null ? (
        isTaxed && <span className="block text-sm font-normal text-danger">No registration entered</span>
      ) : (
        <span className="block text-sm font-normal text-ink-soft">No. {registration}</span>
      )}
    </>
  )
}

function Rate({ row: { label, parts, sold, refunded } }: { row: TaxReportRow }) {
  const forPrinter = minus(sold.vatProtection, refunded.vatProtection)
  return (
    <>
      <span className="block">{label}</span>
      {parts.length > 1 &&
        parts.map((part) => (
          <span key={part.label} className="block text-sm text-ink-soft">
            {part.label}: {formatUsd(part.due)} due on {formatUsd(part.taxable)}
          </span>
        ))}
      {forPrinter !== 0 && (
        <span className="block text-sm text-ink-soft">{formatUsd(forPrinter)} collected for the printer’s tax</span>
      )}
    </>
  )
}

const Files = ({ period, report: { oss } }: { period: string; report: TaxReport }) => (
  <div className="grid gap-3">
    <div className="flex flex-wrap gap-3">
      <a href={taxPaths.file(period, 'all')} download className={buttonClass('outline')}>
        Everything (CSV)
      </a>
      <a href={taxPaths.file(period, 'us')} download className={buttonClass('outline')}>
        US states (CSV)
      </a>
      {oss.objection === null && (
        <a href={taxPaths.file(period, 'oss')} download className={buttonClass('outline')}>
          One Stop Shop return (CSV)
        </a>
      )}
    </div>
    <p className="max-w-[44em] text-ink-soft">
      {oss.objection === null && oss.rate
        ? `The One Stop Shop return is in euros, at ${oss.rate.perEuro} US dollars for a euro, the European Central Bank’s rate of ${formatDay(oss.rate.day)}.`
        : oss.objection}
    </p>
  </div>
)

function Thresholds({ report: { thresholds, thresholdRates } }: { report: TaxReport }) {
  const near = thresholds.filter(
    ({ state, isRegistered }) => !isRegistered && (state === 'near' || state === 'reached'),
  )
  return (
    <section aria-labelledby="thresholds" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div>
        <h2 id="thresholds" className="text-[1.375rem]">
          Thresholds
        </h2>
        <p className="max-w-[44em] text-ink-soft">
          From which sales on a place wants you to register, as of now. Each names its source, the day on which that was
          current, and what was not compared with it: check it there before you decide. Your registrations are in{' '}
          <Link to={paths.adminSettings} className="underline">
            Settings
          </Link>
          .{' '}
          {thresholdRates.map(({ currency, perDollar, day }) => (
            <span key={currency}>
              {perDollar} {currency} for a US dollar on {formatDay(day)}.{' '}
            </span>
          ))}
        </p>
      </div>
      {near.length > 0 && (
        <Notice title="Near a threshold or above it, and not registered">
          {near.map(({ name, percent }) => `${name} (${percent}%)`).join(', ')}.
        </Notice>
      )}
      <Table
        caption="Thresholds of places with sales"
        isCaptionHidden
        stacks
        columns={thresholdColumns}
        rows={thresholds}
        keyOf={({ place }) => place}
        empty="Nothing was sold yet where there is a threshold."
      />
    </section>
  )
}

const measuredTexts: Record<TaxThreshold['measured'], string> = {
  calendar_year: 'this year or last',
  previous_year: 'last year, or this one for the next',
  twelve_months: 'twelve months',
}

const thresholdColumns: readonly [Column<TaxThreshold>, ...Column<TaxThreshold>[]] = [
  {
    key: 'place',
    title: 'Place',
    cell: ({ name, isRegistered }) => (
      <>
        <span className="block">{name}</span>
        {isRegistered && <span className="block text-sm font-normal text-ink-soft">Registered</span>}
      </>
    ),
  },
  {
    key: 'net',
    title: 'Sales so far',
    isNumber: true,
    cell: ({ net, orders }) => (
      <>
        <span className="block whitespace-nowrap">{formatUsd(net)}</span>
        <span className="block text-sm text-ink-soft">{orders === 1 ? '1 order' : `${orders} orders`}</span>
      </>
    ),
  },
  {
    key: 'limit',
    title: 'Threshold',
    cell: ({ limit, currency, ordersLimit, isBoth, measured }) => (
      <>
        <span className="block whitespace-nowrap">
          {limit.toLocaleString('en-US')} {currency}
        </span>
        {ordersLimit !== null && (
          <span className="block text-sm text-ink-soft">
            {isBoth ? 'and' : 'or'} {ordersLimit} orders
          </span>
        )}
        <span className="block text-sm text-ink-soft">{measuredTexts[measured]}</span>
      </>
    ),
  },
  {
    key: 'share',
    title: 'Share',
    isNumber: true,
    cell: ({ percent, state, currency }) =>
      percent === null ? (
        <span className="text-sm">Needs a rate for {currency} in Settings</span>
      ) : (
        <span className={state === 'below' ? '' : 'font-semibold text-danger'}>
          {percent}%{state === 'reached' ? ', reached' : state === 'near' ? ', near' : ''}
        </span>
      ),
  },
  {
    key: 'source',
    title: 'Source',
    cell: ({ source }) => (
      <>
        <a href={source.url} target="_blank" rel="noreferrer" className="text-sm underline">
          {source.name}, {formatDay(source.asOf)}
        </a>
        <span className="block text-sm text-ink-soft">{source.compared}</span>
      </>
    ),
  },
]
