import type { AdminOrder } from '#contract/admin-orders.ts'
import { useApi } from '#web/api/use-api.ts'
import { Notice } from '#web/checkout/Notice.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import { Moment } from './Moment.tsx'
import { StatusLabel } from './StatusLabel.tsx'
import { useAction } from './use-action.ts'

type Mail = AdminOrder['mails'][number]

/** Every mail about an order; each can be sent once more. */
export function OrderMails({ order: { orderNumber, mails } }: { order: AdminOrder }) {
  const api = useApi()
  const { act, busy, trouble } = useAction()
  const again = (mail: number) =>
    act(() => api('POST /api/admin/orders/:number/mails/:mail/resend', { params: { number: orderNumber, mail } }))
  return (
    <section aria-labelledby="mails">
      <h2 id="mails" className="mb-4 text-[1.375rem]">
        Mails
      </h2>
      {trouble && (
        <div className="mb-4">
          <Notice>{trouble.sentence}</Notice>
        </div>
      )}
      <Table
        caption="Mails about this order"
        isCaptionHidden
        stacks
        columns={columnsWith(busy, (id) => void again(id))}
        rows={mails}
        keyOf={({ id }) => id}
        empty="No mail was written about this order."
      />
    </section>
  )
}

const columnsWith = (busy: boolean, again: (id: number) => void): readonly [Column<Mail>, ...Column<Mail>[]] => [
  {
    key: 'subject',
    title: 'Mail',
    cell: ({ subject, recipient }) => (
      <span className="block min-w-44 wrap-anywhere">
        {subject}
        <span className="block text-sm font-normal text-ink-soft">to {recipient}</span>
      </span>
    ),
  },
  { key: 'state', title: 'State', cell: ({ state }) => <StatusLabel status={state} /> },
  {
    key: 'at',
    title: 'When',
    cell: ({ sentAt, createdAt }) => <Moment at={sentAt ?? createdAt} />,
  },
  {
    key: 'again',
    title: 'Once more',
    isAction: true,
    cell: ({ id, subject, canResend }) =>
      canResend && (
        <Button
          variant="plain"
          className="-my-3 whitespace-nowrap"
          busy={busy}
          aria-label={`Send again: ${subject}`}
          onClick={() => again(id)}
        >
          Send again
        </Button>
      ),
  },
]
