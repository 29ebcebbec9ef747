import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { invoicePaths } from '#contract/invoice-paths.ts'
import type { OrderKey } from '#contract/orders.ts'
import { invoiceNames } from '#domain/invoices/invoice.ts'
import { formatUsd } from '#shared/money.ts'
import { say, sayKnown } from '#words/say.ts'
import { query } from '#web/api/queries.ts'
import { useApi } from '#web/api/use-api.ts'
import { withKey } from '#web/claims/claim-queries.ts'
import { Accordion } from '#web/ui/Accordion.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { InvoiceForm } from './InvoiceForm.tsx'
import { longDay } from './order-labels.ts'

/** An order's invoices and credit notes, and the form for one. Renders nothing where the shop issues none. */
export function OrderInvoices({ orderKey, country }: { orderKey: OrderKey; country: string }) {
  const api = useApi()
  const queries = useQueryClient()
  const invoicesQuery = query('GET /api/order/invoices', { query: orderKey })
  const { data } = useQuery({ ...invoicesQuery, staleTime: 0 })
  const [isDone, setDone] = useState(false)
  if (!data || (!data.isAvailable && data.invoices.length === 0)) return null
  const { invoices, isAvailable } = data
  const isFirst = invoices.length === 0
  return (
    <section aria-labelledby="invoices" className="grid gap-5">
      <h2 id="invoices" className="text-title">
        {say('Invoice')}
      </h2>
      {isDone && <Notice tone="calm">{say('Your invoice is ready.')}</Notice>}
      {!isFirst && (
        <ul className="grid gap-3">
          {invoices.map(({ id, kind, number, issuedAt, total, buyer }) => (
            <li key={id} className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
              <a href={withKey(invoicePaths.ofCustomer(id), orderKey)} className="link-line font-medium">
                {say('{name} {number} (PDF)', { name: sayKnown(invoiceNames[kind]), number })}
              </a>
              <span className="text-[0.9375rem] text-ink-soft">
                {buyer}, {longDay(issuedAt)}, {formatUsd(total)}
              </span>
            </li>
          ))}
        </ul>
      )}
      {isAvailable && (
        <div className="border-t border-line">
          <Accordion key={invoices.length} title={say(isFirst ? 'Get an invoice' : 'Correct the invoice')}>
            <p className="mb-5 max-w-[40em] text-ink-soft">
              {isFirst
                ? say(
                    'For your bookkeeping, in your company’s name or yours. It is issued at once, and can’t be edited later, only replaced.',
                  )
                : say('A credit note takes the former invoice back, and you get a new one.')}
            </p>
            <InvoiceForm
              country={country}
              title={say(isFirst ? 'Get the invoice' : 'Replace the invoice')}
              send={async (body) => {
                const answer = await api('POST /api/order/invoices', { body: { ...body, ...orderKey } })
                queries.setQueryData(invoicesQuery.queryKey, answer)
                setDone(true)
              }}
            />
          </Accordion>
        </div>
      )}
    </section>
  )
}
