import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import type { Earnings } from '#contract/earnings.ts'
import { paths } from '#contract/paths.ts'
import { ATTRIBUTION_DAYS } from '#domain/partners/attribution.ts'
import { formatRate } from '#domain/partners/rates.ts'
import { formatUsd } from '#shared/money.ts'
import { Form } from '#web/app/Form.tsx'
import { Link } from '#web/app/Link.tsx'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import { DayChart } from './DayChart.tsx'
import { Part, PortalFrame } from './PortalFrame.tsx'
import { rangeIn } from './earnings-queries.ts'
import { formatDayRange, shortDay, formatLongDay } from './earnings-format.ts'

/** `/partnership/earnings`: what a partner's links and codes earned, and when it is paid. */
export function EarningsPage() {
  const [parameters] = useSearchParams()
  return (
    <PortalFrame title="Earnings" range={rangeIn(parameters)}>
      {(earnings) => <Figures earnings={earnings} />}
    </PortalFrame>
  )
}

function Figures({ earnings }: { earnings: Earnings }) {
  return (
    <>
      <Balance {...earnings} />
      <Days earnings={earnings} />
      <Part id="products" title="By product">
        <Table
          caption="Earnings by product"
          isCaptionHidden
          stacks
          columns={productColumns}
          rows={earnings.products}
          keyOf={({ productId }) => productId}
          empty="No sales through your links and codes in this period."
        />
      </Part>
      <Part id="links" title="By link">
        <Table
          caption="Clicks and earnings by link"
          isCaptionHidden
          stacks
          columns={linkColumns}
          rows={earnings.links}
          keyOf={({ code }) => code}
          empty="No links yet. Create one in the partner portal."
        />
      </Part>
      {earnings.codes.length > 0 && (
        <Part id="codes" title="By code">
          <Table
            caption="Earnings by code"
            isCaptionHidden
            stacks
            columns={codeColumns}
            rows={earnings.codes}
            keyOf={({ code }) => code}
            empty=""
          />
        </Part>
      )}
      <Part id="rule" title="How commission works">
        <Rule {...earnings} />
      </Part>
    </>
  )
}

function Balance({ balance, holdingDays }: Pick<Earnings, 'balance' | 'holdingDays'>) {
  const { pending, approved, paid, approvals } = balance
  const [next] = approvals
  return (
    <section aria-label="Balance">
      <dl className="grid gap-x-10 gap-y-8 border-b border-line pb-10 sm:grid-cols-3">
        <Amount name="Pending" amount={formatUsd(pending)}>
          {next
            ? `The next ${formatUsd(next.amount)} becomes payable on ${formatLongDay(next.day)}.`
            : 'Nothing pending.'}
        </Amount>
        <Amount name="Approved" amount={formatUsd(approved)}>
          {approved < 0
            ? 'Refunds since the last payout exceed what you earned. The difference comes off the next one.'
            : 'Goes out with the next payout.'}
        </Amount>
        <Amount name="Paid out" amount={formatUsd(paid)}>
          In all payouts so far.
        </Amount>
      </dl>
      {approvals.length > 0 && (
        <details className="mt-4">
          <summary className="link-line inline-flex min-h-11 items-center">What’s pending, and until when</summary>
          <div className="mt-3 max-w-[34rem]">
            <Table
              caption={`Each sale is held for ${holdingDays} days, in case of a refund.`}
              columns={approvalColumns}
              rows={approvals}
              keyOf={({ day }) => day}
              totalTitle="Total"
              empty=""
            />
          </div>
        </details>
      )}
    </section>
  )
}

const Amount = ({ name, amount, children }: { name: string; amount: string; children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-[0.9375rem] text-ink-soft">{name}</dt>
    <dd>
      <p className="mt-1 font-display text-[2.25rem] leading-none">{amount}</p>
      <p className="mt-2 text-[0.9375rem] text-ink-soft">{children}</p>
    </dd>
  </div>
)

function Days({ earnings }: { earnings: Earnings }) {
  const { from, to, totals, days } = earnings
  return (
    <Part id="days" title={formatDayRange(from, to)}>
      <Form className="flex flex-wrap items-end gap-4">
        <Field label="First day" name="from" type="date" defaultValue={from} key={`from ${from}`} required />
        <Field label="Last day" name="to" type="date" defaultValue={to} key={`to ${to}`} required />
        <Button type="submit" variant="outline">
          Show
        </Button>
      </Form>
      <dl className="mt-8 flex flex-wrap gap-x-10 gap-y-5">
        {(
          [
            ['Clicks', String(totals.clicks)],
            ['Carts', String(totals.carts)],
            ['Orders', String(totals.orders)],
            ['Sales', formatUsd(totals.sales)],
            ['Refunded', formatUsd(totals.returned)],
            ['Earned', formatUsd(totals.earned)],
          ] as const
        ).map(([name, value]) => (
          <div key={name}>
            <dt className="text-[0.9375rem] text-ink-soft">{name}</dt>
            <dd className="text-xl font-semibold">{value}</dd>
          </div>
        ))}
      </dl>
      <div className="mt-9 grid gap-x-12 gap-y-9 lg:grid-cols-2">
        <DayChart
          title="Earned by day"
          days={days.map(({ day, earned }) => ({ day, value: earned }))}
          format={formatUsd}
        />
        <DayChart
          title="Clicks by day"
          days={days.map(({ day, clicks }) => ({ day, value: clicks }))}
          format={String}
        />
      </div>
      <details className="mt-5">
        <summary className="link-line inline-flex min-h-11 items-center">Show as table</summary>
        <div className="mt-3">
          <Table
            caption="Clicks, orders and earnings by day"
            isCaptionHidden
            columns={dayColumns(totals)}
            rows={days.toReversed()}
            keyOf={({ day }) => day}
            totalTitle="Total"
            empty=""
          />
        </div>
      </details>
    </Part>
  )
}

type Approval = Earnings['balance']['approvals'][number]
const approvalColumns: readonly [Column<Approval>, ...Column<Approval>[]] = [
  { key: 'day', title: 'Approved on', cell: ({ day }) => <time dateTime={day}>{formatLongDay(day)}</time> },
  { key: 'amount', title: 'Amount', isNumber: true, cell: ({ amount }) => formatUsd(amount) },
]

type CountedFigures = Pick<Earnings['totals'], 'clicks' | 'carts' | 'orders' | 'sales' | 'returned' | 'earned'>

/** @param all the totals, where they are known */
const countedColumns = <Row extends Partial<CountedFigures> & Omit<CountedFigures, 'clicks' | 'carts'>>(
  all?: CountedFigures,
): Column<Row>[] => [
  { key: 'clicks', title: 'Clicks', isNumber: true, cell: ({ clicks }) => clicks, total: all?.clicks },
  { key: 'carts', title: 'Carts', isNumber: true, cell: ({ carts }) => carts, total: all?.carts },
  ...moneyColumns<Row>(all),
]

const moneyColumns = <Row extends Omit<CountedFigures, 'clicks' | 'carts'>>(all?: CountedFigures): Column<Row>[] => [
  {
    ...{ key: 'orders', title: 'Orders', isNumber: true, total: all?.orders },
    cell: ({ orders }) => orders,
    sortBy: ({ orders }) => orders,
  },
  {
    ...{ key: 'sales', title: 'Sales', isNumber: true, total: all && formatUsd(all.sales) },
    cell: ({ sales }) => formatUsd(sales),
    sortBy: ({ sales }) => sales,
  },
  {
    ...{ key: 'returned', title: 'Refunded', isNumber: true, total: all && formatUsd(all.returned) },
    cell: ({ returned }) => formatUsd(returned),
    sortBy: ({ returned }) => returned,
  },
  {
    ...{ key: 'earned', title: 'Earned', isNumber: true, total: all && formatUsd(all.earned) },
    cell: ({ earned }) => formatUsd(earned),
    sortBy: ({ earned }) => earned,
  },
]

type Day = Earnings['days'][number]
const dayColumns = (all: CountedFigures): readonly [Column<Day>, ...Column<Day>[]] => [
  {
    key: 'day',
    title: 'Day',
    cell: ({ day }) => (
      <time dateTime={day} className="whitespace-nowrap">
        {shortDay(day)}
      </time>
    ),
  },
  ...countedColumns<Day>(all),
]

type Product = Earnings['products'][number]
const productColumns: readonly [Column<Product>, ...Column<Product>[]] = [
  {
    key: 'product',
    title: 'Product',
    cell: ({ productName }) => productName,
    sortBy: ({ productName }) => productName,
  },
  ...moneyColumns<Product>(),
]

type OwnCode = Earnings['codes'][number]
const codeColumns: readonly [Column<OwnCode>, ...Column<OwnCode>[]] = [
  { key: 'code', title: 'Code', cell: ({ code }) => code, sortBy: ({ code }) => code },
  ...moneyColumns<OwnCode>(),
]

type OwnLink = Earnings['links'][number]
const linkColumns: readonly [Column<OwnLink>, ...Column<OwnLink>[]] = [
  {
    key: 'link',
    title: 'Link',
    cell: ({ code, campaign, path }) => (
      <>
        <span className="whitespace-nowrap">/r/{code}</span>
        <span className="block text-sm font-normal text-ink-soft">{campaign || `to ${path}`}</span>
      </>
    ),
    sortBy: ({ code }) => code,
  },
  ...countedColumns<OwnLink>(),
]

const Rule = ({ rate, productRates, holdingDays, commissionOn }: Earnings) => (
  <div className="grid max-w-[44em] gap-4 text-ink-soft">
    <p>
      An order is yours when the buyer used a code of yours, whatever link came before, or when the last partner link
      clicked before paying was yours, within {ATTRIBUTION_DAYS} days and in the same browser. We record the code or
      link when the payment starts, so it counts however long the bank takes. For each click we store the time, the
      page, and whether it was your own: nothing else about the visitor.
    </p>
    <p>
      You earn {formatRate(rate)} of each item
      {productRates.map(({ productName, rate: own }) => (
        <span key={productName}>
          , {formatRate(own)} of {productName}
        </span>
      ))}
      , {commissionOn === 'paid' ? 'after' : 'before'} discounts and without tax and shipping, half a cent rounded up. A
      sale keeps the rate of the day it was paid.
    </p>
    <p>
      Refunds reduce your commission in proportion: a refunded item from its own line, any other amount from all lines
      by what is left of them. While a bank disputes a payment it earns nothing; if the dispute is won, the commission
      comes back. Each sale is held for {holdingDays} days before it can be paid out.
    </p>
    <p>
      Your own purchases earn nothing: made with your account, in a browser where you were signed in, under your email
      or address, or with a card or wallet you have used yourself. They are listed above with the reason. Bot clicks
      don’t count.
    </p>
    <p>
      <Link to={paths.contactAbout('Partner earnings')} className={buttonClass('outline')}>
        Ask us about your earnings
      </Link>
    </p>
  </div>
)
