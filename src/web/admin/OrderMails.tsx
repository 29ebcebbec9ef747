import type { AdminOrder } from '#contract/admin-orders.ts'
import { useApi } from '#web/api/use-api.ts'
import { Notice } from '#web/ui/Notice.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import { Moment } from './Moment.tsx'
import { StatusLabel } from './StatusLabel.tsx'
import { useAction } from './use-action.ts'
import { May } from './May.tsx'

type Email = AdminOrder['mails'][number]

/** Every email about an order. */
export function OrderMails({ order: { orderNumber, mails } }: { order: AdminOrder }) {
  const api = useApi()
  const { act, busy, failure } = useAction()
  const resend = (mail: number) =>
    act(() => api('POST /api/admin/orders/:number/mails/:mail/resend', { params: { number: orderNumber, mail } }))
  return (
    <section aria-labelledby="mails">
      <h2 id="mails" className="mb-4 text-[1.375rem]">
        Emails
      </h2>
      {failure && (
        <div className="mb-4">
          <Notice>{failure.sentence}</Notice>
        </div>
      )}
      <Table
        caption="Emails about this order"
        isCaptionHidden
        stacks
        columns={columnsWith(busy, (id) => void resend(id))}
        rows={mails}
        keyOf={({ id }) => id}
        empty="No emails about this order yet."
      />
    </section>
  )
}

const columnsWith = (busy: boolean, resend: (id: number) => void): readonly [Column<Email>, ...Column<Email>[]] => [
  {
    key: 'subject',
    title: 'Email',
    cell: ({ subject, recipient }) => (
      <span className="block min-w-44 wrap-anywhere">
        {subject}
        <span className="block text-sm font-normal text-ink-soft">to {recipient}</span>
      </span>
    ),
  },
  { key: 'state', title: 'Status', cell: ({ state }) => <StatusLabel status={state} /> },
  {
    key: 'at',
    title: 'When',
    cell: ({ sentAt, createdAt }) => <Moment at={sentAt ?? createdAt} />,
  },
  {
    key: 'resend',
    title: 'Resend',
    isAction: true,
    cell: ({ id, subject, canResend }) =>
      canResend && (
        <May need="edit_orders">
          <Button
            variant="plain"
            className="-my-3 whitespace-nowrap"
            busy={busy}
            aria-label={`Resend: ${subject}`}
            onClick={() => resend(id)}
          >
            Resend
          </Button>
        </May>
      ),
  },
]
