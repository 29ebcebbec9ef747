import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import type { PayoutContent } from '#contract/admin-bank.ts'
import { bankPaths } from '#contract/bank-paths.ts'
import { paths } from '#contract/paths.ts'
import { providerNames } from '#domain/reconciliation/exceptions.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { formatUsd, minus, ZERO } from '#shared/money.ts'
import { formatDay } from '#web/reports/report-format.ts'
import { Link } from '#web/app/Link.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import { AdminFrame } from './AdminFrame.tsx'
import { bankPayoutQuery } from './admin-queries.ts'
import { Moment } from './Moment.tsx'

/** `/admin/bank/:provider/:id`: what a payout consists of, down to the orders. */
export function BankPayoutPage() {
  const { provider = '', id = '' } = useParams()
  const content = useQuery(bankPayoutQuery(provider === 'paypal' ? 'paypal' : 'stripe', id))
  return (
    <AdminFrame
      title="Payout"
      actions={
        <Link to={bankPaths.admin} className="link-line inline-flex min-h-11 items-center">
          Bank
        </Link>
      }
    >
      <QueryBoundary query={content}>{(data) => <Content content={data} />}</QueryBoundary>
    </AdminFrame>
  )
}

function Content({ content: { payout, line, source, lines, net, rest } }: { content: PayoutContent }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
      <div>
        <p className="text-lg">
          <span className="font-semibold">{formatUsd(payout.amount)}</span> from {providerNames[payout.provider]},{' '}
          <Moment at={payout.at} />
        </p>
        <p className="text-sm wrap-anywhere text-ink-soft">{payout.id}</p>
        <p className="mt-2">
          {line ? `At your bank on ${formatDay(line.day)}: ${line.text}` : 'No line of your bank is this payout yet.'}
        </p>
      </div>
      <div>
        <p className="mb-4 max-w-[46em] text-ink-soft">
          {source === 'provider'
            ? `As ${providerNames[payout.provider]} says.`
            : `${providerNames[payout.provider]} doesn’t say what this payout holds. This is everything since the one before it.`}
        </p>
        <Table
          caption="What the payout holds"
          isCaptionHidden
          stacks
          columns={lineColumns}
          rows={lines}
          keyOf={({ id }) => id}
          empty="No payments were read for this time."
        />
      </div>
      <dl className="grid max-w-[26rem] grid-cols-[1fr_auto] gap-x-8 gap-y-1.5">
        <dt className="text-ink-soft">After fees</dt>
        <dd className="text-right">{formatUsd(net)}</dd>
        {rest !== ZERO && (
          <>
            <dt className="text-ink-soft">{rest > ZERO ? 'From the balance before' : 'Left in the balance'}</dt>
            <dd className="text-right">{formatUsd(rest)}</dd>
          </>
        )}
        <dt className="border-t border-line pt-1.5 font-semibold">Payout</dt>
        <dd className="border-t border-line pt-1.5 text-right font-semibold">{formatUsd(payout.amount)}</dd>
      </dl>
    </div>
  )
}

type Row = PayoutContent['lines'][number]

const kinds: Readonly<Record<string, string>> = {
  charge: 'Payment',
  refund: 'Refund',
  dispute: 'Dispute',
  fee: 'Fee',
  adjustment: 'Other',
}

const lineColumns: readonly [Column<Row>, ...Column<Row>[]] = [
  {
    key: 'what',
    title: 'What',
    cell: ({ kind, orderNumber, id }) => (
      <>
        {kinds[kind] ?? kind}
        {orderNumber ? (
          <Link to={paths.adminOrder(orderNumber)} className="link-line ml-2">
            {formatOrderNumber(orderNumber)}
          </Link>
        ) : (
          <span className="block text-sm font-normal wrap-anywhere text-ink-soft">{id}</span>
        )}
      </>
    ),
  },
  { key: 'at', title: 'When', cell: ({ at }) => <Moment at={at} /> },
  { key: 'amount', title: 'Amount', isNumber: true, cell: ({ amount }) => formatUsd(amount) },
  { key: 'fee', title: 'Fee', isNumber: true, cell: ({ fee }) => formatUsd(fee) },
  { key: 'net', title: 'After fees', isNumber: true, cell: ({ amount, fee }) => formatUsd(minus(amount, fee)) },
]
