import { useState } from 'react'
import type { AdminOrder } from '#contract/admin-orders.ts'
import { useApi } from '#web/api/use-api.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { useAction } from './use-action.ts'

type Props = { orderNumber: string; parcel: AdminOrder['parcels'][number] }

/** Gives up a parcel on its way as lost. */
export function LoseParcel({ orderNumber, parcel: { id, deliveredAt, returnedAt, lostAt } }: Props) {
  const api = useApi()
  const { act, busy, failure } = useAction()
  const [open, setOpen] = useState(false)
  if (deliveredAt || returnedAt) return null
  if (lostAt) return <span className="block text-sm font-semibold">Given up as lost</span>
  return (
    <>
      <Button variant="quiet" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        It is lost...
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title="Give up this parcel">
        <p>
          The customer gets an email and chooses on the order’s page: a refund or a new parcel. Their choice comes to
          the Claims page.
        </p>
        {failure && <Notice>{failure.sentence}</Notice>}
        <div className="mt-6 flex flex-wrap gap-3">
          <Button
            busy={busy}
            onClick={async () => {
              const answer = await act(() =>
                api('POST /api/admin/orders/:number/parcels/:id/lost', { params: { number: orderNumber, id } }),
              )
              if (answer) setOpen(false)
            }}
          >
            It is lost
          </Button>
          <Button variant="outline" onClick={() => setOpen(false)}>
            Cancel
          </Button>
        </div>
      </Dialog>
    </>
  )
}
