import type { OwnOrder } from '#contract/orders.ts'
import { statusOf } from '#domain/orders/status.ts'
import { readOrderNumber } from '#shared/ids.ts'
import { emailOf } from '#server/accounts/accounts.ts'
import type { Context } from '#server/http/context.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Needs } from '#server/shop.ts'
import { listLinesOf, listOrdersOfEmail } from './store.ts'
import { findOrderByNumber } from './orders.ts'

const PAGE = 20

/**
 * The orders of the signed-in user's confirmed email; none without one.
 * @param after the number of the last order on the previous page
 */
export async function listOwnOrders(
  { db }: Needs<'db'>,
  context: Pick<Context, 'session'>,
  after: string | undefined,
): Promise<{ orders: OwnOrder[]; hasMore: boolean }> {
  const user = (await context.session())?.user
  if (!user) throw new Refusal('not_signed_in')
  const email = await emailOf({ db }, user.id)
  if (email === null) return { orders: [], hasMore: false }

  const number = after === undefined ? undefined : readOrderNumber(after)
  const last = number && (await findOrderByNumber(db, number))
  const afterId = last?.customerEmail.toLowerCase() === email ? last.id : undefined
  const found = await listOrdersOfEmail(db, email, { after: afterId, limit: PAGE + 1 })
  const page = found.slice(0, PAGE)
  const lines =
    page.length === 0
      ? []
      : await listLinesOf(
          db,
          page.map(({ id }) => id),
        )
  return {
    orders: page.map(({ id, orderNumber, paymentStatus, fulfillmentStatus, createdAt, totalCents }) => {
      const ofOrder = lines.filter(({ orderId }) => orderId === id)
      return {
        orderNumber,
        status: statusOf(paymentStatus, fulfillmentStatus),
        placedAt: createdAt.toISOString(),
        total: totalCents,
        productName: ofOrder[0]?.productName ?? '',
        imageUrl: ofOrder[0]?.imageUrl ?? null,
        pieces: ofOrder.reduce((pieces, { quantity }) => pieces + quantity, 0),
      }
    }),
    hasMore: found.length > PAGE,
  }
}
