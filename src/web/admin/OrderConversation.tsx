import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import type { AdminOrder } from '#contract/admin-orders.ts'
import { conversationPaths } from '#contract/conversation-paths.ts'
import { query } from '#web/api/queries.ts'
import { useApi } from '#web/api/use-api.ts'
import { useRequest } from '#web/api/use-request.ts'
import { Link } from '#web/app/Link.tsx'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'

/** Leads to what was written about an order, or lets the owner write first. */
export function OrderConversation({ order: { orderNumber, erasedAt } }: { order: AdminOrder }) {
  const api = useApi()
  const navigate = useNavigate()
  const { run, busy, failure } = useRequest()
  const params = { number: orderNumber }
  const { data } = useQuery({ ...query('GET /api/admin/orders/:number/conversation', { params }), staleTime: 0 })
  if (!data || erasedAt) return null
  const begin = () =>
    run(async () => {
      const { id } = await api('POST /api/admin/orders/:number/conversation', { params })
      await navigate(conversationPaths.thread(id))
    })
  return (
    <section aria-labelledby="conversation">
      <h2 id="conversation" className="mb-3 text-[1.375rem]">
        Conversation
      </h2>
      {data.id === null ? (
        <Button variant="outline" busy={busy} onClick={() => void begin()}>
          Write to the customer
        </Button>
      ) : (
        <Link to={conversationPaths.thread(data.id)} className={buttonClass('outline')}>
          Open the conversation
        </Link>
      )}
      {failure && (
        <div className="mt-3">
          <Notice>{failure.sentence}</Notice>
        </div>
      )}
    </section>
  )
}
