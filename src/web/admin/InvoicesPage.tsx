import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { invoicePaths } from '#contract/invoice-paths.ts'
import { paths } from '#contract/paths.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { nameOfMonth } from '#shared/month.ts'
import { useFreshPassword } from '#web/accounts/use-fresh-password.tsx'
import { download } from '#web/api/download.ts'
import type { Answer } from '#web/api/client.ts'
import { useRequest } from '#web/api/use-request.ts'
import { Link } from '#web/app/Link.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { Select } from '#web/ui/Select.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import { AdminFrame } from './AdminFrame.tsx'
import { invoicesQuery } from './admin-queries.ts'
import { invoiceColumns } from './invoice-columns.tsx'

type Row = Answer<'GET /api/admin/invoices'>['invoices'][number]

const [numberColumn, ...otherColumns] = invoiceColumns
const columns: readonly [Column<Row>, ...Column<Row>[]] = [
  numberColumn,
  {
    key: 'order',
    title: 'Order',
    cell: ({ orderNumber }) => (
      <Link to={paths.adminOrder(orderNumber)} className="link-line">
        {formatOrderNumber(orderNumber)}
      </Link>
    ),
  },
  ...otherColumns,
]

/** `/admin/invoices`: the invoices and credit notes of a month, for an accountant. */
export function InvoicesPage() {
  const [parameters, setParameters] = useSearchParams()
  const query = useQuery(invoicesQuery(parameters.get('month')))
  const { run, busy, failure } = useRequest()
  const { confirmed, dialog } = useFreshPassword()
  return (
    <AdminFrame title="Invoices">
      <QueryBoundary query={query}>
        {({ month, months, invoices, hasSeller, timeZone }) => (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
            {!hasSeller && (
              <Notice tone="calm" title="Customers get receipts alone">
                Enter the seller in{' '}
                <Link to={paths.adminSettings} className="link-line">
                  Settings
                </Link>
                , Invoices. Then customers can get an invoice on their order’s page.
              </Notice>
            )}
            <p className="max-w-[44em] text-ink-soft">
              Issued when a customer or you ask for one, numbered without gaps. Refunds and changes of such an order get
              their credit notes within minutes. Days are those of {timeZone}.
            </p>
            <div className="flex flex-wrap items-end gap-4">
              <Select
                label="Month"
                value={month}
                options={months.map((value) => ({ value, label: nameOfMonth(value) }))}
                onValue={(value) => setParameters({ month: value })}
              />
              {(['zip', 'csv'] as const).map((layout) => (
                <Button
                  key={layout}
                  variant="outline"
                  busy={busy}
                  onClick={() => void run(() => confirmed(() => download(invoicePaths.file(month, layout))))}
                >
                  {layout === 'zip' ? 'All PDFs (ZIP)' : 'List (CSV)'}
                </Button>
              ))}
            </div>
            {failure && <Notice>{failure.sentence}</Notice>}
            <Table
              caption={`Invoices and credit notes of ${nameOfMonth(month)}`}
              stacks
              columns={columns}
              rows={invoices}
              keyOf={({ id }) => id}
              empty="No invoices were issued in this month."
            />
          </div>
        )}
      </QueryBoundary>
      {dialog}
    </AdminFrame>
  )
}
