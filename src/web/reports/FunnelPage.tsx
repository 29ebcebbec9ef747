import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { paths } from '#contract/paths.ts'
import { FUNNEL_PATH, ORIGINS_PATH } from '#contract/report-figures.ts'
import type { Funnel } from '#contract/reports.ts'
import { presetsOn } from '#domain/reports/range.ts'
import type { CheckoutStop, FunnelStep, Source } from '#domain/visits/visits.ts'
import { dayFromIso, isoOfDay } from '#shared/calendar-day.ts'
import { formatUsd, sum } from '#shared/money.ts'
import { Link } from '#web/app/Link.tsx'
import { AdminFrame } from '#web/admin/AdminFrame.tsx'
import { BarChart } from '#web/ui/BarChart.tsx'
import { buttonClass } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import { PillLink } from './PillLink.tsx'
import { formatDay, formatMomentIn } from './report-format.ts'
import { daysIn, funnelQuery, linesPath, withDays, type Days } from './report-queries.ts'

const stepNames: Readonly<Record<FunnelStep, { name: string; short: string }>> = {
  visit: { name: 'Visited the shop', short: 'Visit' },
  product: { name: 'Opened a product', short: 'Product' },
  cart: { name: 'Began a cart', short: 'Cart' },
  checkout: { name: 'Opened the checkout', short: 'Checkout' },
  priced: { name: 'Entered an address', short: 'Address' },
  payment: { name: 'Started a payment', short: 'Payment' },
  paid: { name: 'Paid', short: 'Paid' },
}

const sourceNames: Readonly<Record<Source, string>> = {
  direct: 'Without a referrer: typed, from an app, or an email',
  search: 'Search engines',
  social: 'Social networks and video',
  site: 'Other sites',
}

const stopNames: Readonly<Record<CheckoutStop, string>> = {
  refused: 'PayPal declined',
  declined: 'The bank declined the card',
  wallet: 'Left in PayPal’s window',
  form: 'Left at the payment form',
  not_started: 'No payment could be started',
  held: 'PayPal is reviewing it',
  exception: 'Paid, but not as agreed: see Exceptions',
}

const count = (number: number): string => number.toLocaleString('en-US')

/** `12.3%`; empty where there is nothing to compare with. */
const percent = (part: number, whole: number): string => (whole ? `${Math.round((part / whole) * 1000) / 10}%` : '')

/** `/reports/funnel`: from visits to paid orders, and where people leave. */
export function FunnelPage() {
  const [parameters] = useSearchParams()
  const days = daysIn(parameters)
  const query = useQuery(funnelQuery(days))
  return (
    <AdminFrame
      title="Where people leave"
      actions={
        <Link to={withDays(ORIGINS_PATH, days)} className={buttonClass('outline')}>
          <Icon name="left" className="size-5" /> Who brought it
        </Link>
      }
    >
      <Ranges days={days} today={query.data?.today} />
      <QueryBoundary query={query}>
        {(funnel) => (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-10">
            <Steps funnel={funnel} days={days} />
            <Stops funnel={funnel} />
            <SoldOut funnel={funnel} />
            <Sources funnel={funnel} />
            <Misses funnel={funnel} />
            <Privacy />
          </div>
        )}
      </QueryBoundary>
    </AdminFrame>
  )
}

function Ranges({ days, today }: { days: Days; today: string | undefined }) {
  const ranges = presetsOn(dayFromIso(today ?? '') ?? 0).map(({ name, from, to }) => ({
    name,
    days: { start_date: isoOfDay(from), end_date: isoOfDay(to) },
  }))
  return (
    <nav aria-label="Common ranges" className="mb-6">
      <ul className="flex flex-wrap gap-2">
        {[{ name: 'All time', days: {} as Days }, ...(today ? ranges : [])].map((range) => (
          <li key={range.name}>
            <PillLink
              to={withDays(FUNNEL_PATH, range.days)}
              isCurrent={range.days.start_date === days.start_date && range.days.end_date === days.end_date}
            >
              {range.name}
            </PillLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}

type PartProps = { funnel: Funnel }
type Step = Funnel['steps'][number]
/** With those who were at the step before. */
type StepRow = Step & { before: number | undefined }

function Steps({ funnel: { steps, countedFrom, timeZone, asOf }, days }: PartProps & { days: Days }) {
  if (countedFrom === null)
    return (
      <p className="rounded-card border border-line bg-surface p-6">
        No visit was counted in this period. Visits are counted from the first one after the shop learned to count them.
      </p>
    )
  const rows = steps.map((step, index): StepRow => ({ ...step, before: steps[index - 1]?.all }))
  const shown: Days = { ...days, start_date: countedFrom }
  return (
    <section aria-labelledby="steps" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Heading id="steps" title="From a visit to a paid order">
        Counted since {formatDay(countedFrom)}
        {days.end_date ? `, to ${formatDay(days.end_date)}` : ''}; as of {formatMomentIn(timeZone, asOf)}. Each step is
        counted on its own and nobody is followed, so a step can have more than the one before: somebody comes back to a
        full cart.
      </Heading>
      <div className="rounded-card border border-line bg-surface p-5 max-sm:px-2">
        <BarChart
          label={`${rows.map(({ step, all }) => `${stepNames[step].name}: ${count(all)}`).join('; ')}. The figures are in the table below.`}
          bars={rows.map(({ step, all }) => ({ key: step, value: all, className: 'fill-strong' }))}
          hasLines
          className="h-40"
        />
        <ul aria-hidden="true" className="mt-2 flex text-center text-xs text-ink-soft">
          {rows.map(({ step, all }) => (
            <li key={step} className="min-w-0 flex-1">
              <span className="block font-semibold text-ink">{count(all)}</span>
              <span className="block max-sm:text-[0.6875rem]">{stepNames[step].short}</span>
            </li>
          ))}
        </ul>
      </div>
      <Table
        caption="Steps from a visit to a paid order"
        isCaptionHidden
        stacks
        columns={[
          { key: 'step', title: 'Step', cell: ({ step }) => stepLink(step, shown) },
          { key: 'all', title: 'All', isNumber: true, cell: ({ all }) => count(all) },
          {
            ...{ key: 'share', title: 'Went on', isNumber: true },
            cell: ({ all, before = 0 }) => (all > before ? '' : percent(all, before)),
          },
          {
            ...{ key: 'left', title: 'Left here', isNumber: true },
            cell: ({ all, before = 0 }) => (all > before ? '' : count(before - all)),
          },
          ...(['phone', 'tablet', 'computer'] as const).map((device): Column<StepRow> => ({
            ...{ key: device, title: deviceNames[device], isNumber: true },
            cell: (row) => count(row[device]),
          })),
        ]}
        rows={rows}
        keyOf={({ step }) => step}
        empty=""
      />
    </section>
  )
}

const deviceNames = { phone: 'Phone', tablet: 'Tablet', computer: 'Computer' } as const

/** Opens what is behind it, where there is more than the count. */
function stepLink(step: FunnelStep, days: Days) {
  const { name } = stepNames[step]
  const to: Partial<Record<FunnelStep, string>> = {
    visit: withDays(ORIGINS_PATH, days, { by: 'day' }),
    product: withDays(ORIGINS_PATH, days, { by: 'product' }),
    cart: withDays(ORIGINS_PATH, days, { by: 'day' }),
    payment: withDays(ORIGINS_PATH, days, { by: 'country' }),
    paid: linesPath(days, { figure: 'revenue', of: '' }),
  }
  const path = to[step]
  return path === undefined ? (
    name
  ) : (
    <Link to={path} className="link-line">
      {name}
    </Link>
  )
}

function Heading({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <div>
      <h2 id={id} className="text-[1.1875rem] leading-snug">
        {title}
      </h2>
      <p className="mt-1 max-w-[52em] text-[0.9375rem] text-ink-soft">{children}</p>
    </div>
  )
}

const Stops = ({ funnel: { stops } }: PartProps) => (
  <section aria-labelledby="stops" className="grid grid-cols-[minmax(0,1fr)] gap-4">
    <Heading id="stops" title="Payments that were started and not paid">
      By how far each came. Declines by banks are known for a week; after that they count as left at the form.
    </Heading>
    <Table
      caption="Unpaid payments by where they stopped"
      isCaptionHidden
      stacks
      columns={[
        { key: 'stop', title: 'Where it stopped', cell: ({ stop }) => stopNames[stop] },
        {
          ...{ key: 'checkouts', title: 'Checkouts', isNumber: true },
          cell: ({ checkouts }) => count(checkouts),
          total: count(stops.reduce((total, { checkouts }) => total + checkouts, 0)),
        },
        {
          ...{ key: 'amount', title: 'Amount', isNumber: true },
          cell: ({ amount }) => formatUsd(amount),
          total: formatUsd(sum(stops.map(({ amount }) => amount))),
        },
      ]}
      rows={stops}
      keyOf={({ stop }) => stop}
      totalTitle="All"
      empty="Every payment that was started was paid."
    />
  </section>
)

const soldOutLink = ({ name, productId, variantId }: Funnel['soldOut'][number]) => (
  <Link to={paths.variant(productId, variantId)} className="link-line wrap-anywhere">
    {name}
  </Link>
)

const SoldOut = ({ funnel: { soldOut } }: PartProps) => (
  <section aria-labelledby="sold-out" className="grid grid-cols-[minmax(0,1fr)] gap-4">
    <Heading id="sold-out" title="Sold out, and wanted">
      How often somebody looked at a sold-out color or size, or pressed its button. The values are estimates at today’s
      price: by presses, a sale for each; by views, as many sales as views of products usually lead to.
    </Heading>
    <Table
      caption="Sold-out variants that were looked at"
      isCaptionHidden
      stacks
      columns={[
        {
          ...{ key: 'name', title: 'Product' },
          cell: soldOutLink,
        },
        { key: 'state', title: 'Now', cell: ({ isBack }) => (isBack ? 'Back' : 'Sold out') },
        { key: 'views', title: 'Views', isNumber: true, cell: ({ views }) => count(views) },
        { key: 'presses', title: 'Presses', isNumber: true, cell: ({ presses }) => count(presses) },
        {
          ...{ key: 'pressed', title: 'By presses', isNumber: true },
          cell: ({ pressedValue }) => formatUsd(pressedValue),
          total: formatUsd(sum(soldOut.map(({ pressedValue }) => pressedValue))),
        },
        {
          ...{ key: 'usual', title: 'By views', isNumber: true },
          cell: ({ usualValue }) => formatUsd(usualValue),
          total: formatUsd(sum(soldOut.map(({ usualValue }) => usualValue))),
        },
      ]}
      rows={soldOut}
      keyOf={({ variantId }) => variantId}
      totalTitle="All"
      empty="Nobody looked at anything sold out."
    />
  </section>
)

const Sources = ({ funnel: { sources } }: PartProps) => (
  <section aria-labelledby="sources" className="grid grid-cols-[minmax(0,1fr)] gap-4">
    <Heading id="sources" title="Where visits came from">
      By the page before, as far as browsers say. Clicks on partners’ links are also counted by link.
    </Heading>
    <Table
      caption="Visits by source"
      isCaptionHidden
      columns={[
        { key: 'source', title: 'From', cell: ({ source }) => sourceNames[source] },
        { key: 'visits', title: 'Visits', isNumber: true, cell: ({ visits }) => count(visits) },
      ]}
      rows={sources}
      keyOf={({ source }) => source}
      empty="No visit was counted in this period."
    />
  </section>
)

const Misses = ({ funnel: { misses } }: PartProps) => (
  <section aria-labelledby="misses" className="grid justify-items-start gap-4">
    <Heading id="misses" title="Searches that found nothing">
      {misses === 0
        ? 'Every search of this period found something.'
        : `${count(misses)} ${misses === 1 ? 'search' : 'searches'} in this period, as far as the last 90 days go back.`}
    </Heading>
    <Link to={paths.adminSearch} className={buttonClass('outline')}>
      What was searched for
    </Link>
  </section>
)

const Privacy = () => (
  <section aria-labelledby="privacy" className="grid justify-items-start gap-4">
    <Heading id="privacy" title="For your privacy policy">
      Visits are counted without cookies, and nothing about a visitor is stored. The policy’s first version says that
      there are no analytics; a new version can say: “We count how often pages are opened, by day, product and class of
      device, and from what kind of site. Only sums are stored: nothing about you, your browser or your internet
      address.”
    </Heading>
    <Link to={paths.adminLegal} className={buttonClass('outline')}>
      Legal pages
    </Link>
  </section>
)
