import { invoicePaths } from '#contract/invoice-paths.ts'
import type { Invoice } from '#contract/invoices.ts'
import { invoiceNames } from '#domain/invoices/invoice.ts'
import { formatUsd, negate } from '#shared/money.ts'
import type { Column } from '#web/ui/Table.tsx'
import { Moment } from './Moment.tsx'

/** Of tables of invoices and credit notes. */
export const invoiceColumns: readonly [Column<Invoice>, ...Column<Invoice>[]] = [
  {
    key: 'number',
    title: 'Number',
    cell: ({ id, number, kind, withoutStructure, buyer }) => (
      <span className="block min-w-44 wrap-anywhere">
        {buyer === null ? (
          number
        ) : (
          <a href={invoicePaths.document(id)} className="link-line">
            {number}
          </a>
        )}
        <span className="block text-sm font-normal text-ink-soft">
          {invoiceNames[kind]}
          {withoutStructure !== null && `, without a structured form: ${withoutStructure}`}
        </span>
      </span>
    ),
  },
  { key: 'buyer', title: 'Buyer', cell: ({ buyer }) => buyer ?? 'Erased' },
  { key: 'at', title: 'Issued', cell: ({ issuedAt }) => <Moment at={issuedAt} /> },
  {
    key: 'total',
    title: 'Total',
    isNumber: true,
    cell: ({ kind, total }) => formatUsd(kind === 'invoice' ? total : negate(total)),
  },
]
