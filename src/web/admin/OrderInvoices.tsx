import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AdminOrder } from '#contract/admin-orders.ts'
import { useApi } from '#web/api/use-api.ts'
import { InvoiceForm } from '#web/orders/InvoiceForm.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { Table } from '#web/ui/Table.tsx'
import { invoiceColumns } from './invoice-columns.tsx'
import { orderInvoicesQuery } from './admin-queries.ts'
import { useChange } from './use-action.ts'
import { May } from './May.tsx'

/** An order's invoices and credit notes. */
export function OrderInvoices({ order: { orderNumber, kind, customer, address } }: { order: AdminOrder }) {
  const api = useApi()
  const change = useChange()
  const [open, setOpen] = useState(false)
  const invoices = useQuery(orderInvoicesQuery(orderNumber))
  if (kind !== 'sale') return null
  const title = invoices.data?.invoices.length ? 'Replace the invoice' : 'Issue the invoice'
  return (
    <section aria-labelledby="invoices">
      <h2 id="invoices" className="mb-4 text-[1.375rem]">
        Invoices
      </h2>
      <QueryBoundary query={invoices}>
        {({ invoices: rows, isAvailable }) => (
          <>
            <Table
              caption="Invoices and credit notes"
              isCaptionHidden
              stacks
              columns={invoiceColumns}
              rows={rows}
              keyOf={({ id }) => id}
              empty="No invoice was asked for."
            />
            {isAvailable && (
              <May need="edit_orders">
                <Button variant="outline" aria-haspopup="dialog" className="mt-4" onClick={() => setOpen(true)}>
                  {title}...
                </Button>
              </May>
            )}
          </>
        )}
      </QueryBoundary>
      <Dialog open={open} onClose={() => setOpen(false)} title={title}>
        {open && (
          <InvoiceForm
            country={address.country}
            start={{ name: customer.name, address }}
            title={title}
            send={async (body) => {
              await change(() =>
                api('POST /api/admin/orders/:number/invoices', { params: { number: orderNumber }, body }),
              )
              setOpen(false)
            }}
          />
        )}
      </Dialog>
    </section>
  )
}
