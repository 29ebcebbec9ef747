import type { Found } from '#contract/admin-find.ts'
import { roleMay, type StaffRole } from '#domain/accounts/roles.ts'
import { statusOf } from '#domain/orders/status.ts'
import { readProducts } from '#server/catalog/product-view.ts'
import { listProductsNamed } from '#server/catalog/products.ts'
import type { Db } from '#server/db/db.ts'
import { findConversations } from '#server/messages/inbox.ts'
import { countOrdersOf } from '#server/orders/buyers.ts'
import type { Order } from '#server/orders/orders.ts'
import { selectOrders } from '#server/orders/search.ts'

/** Of each kind. */
const SHOWN = 5
/** The newest orders that match, among which different customers are looked for. */
const ORDERS_READ = 30

/** What the admin's search finds, each kind by its own indexes. @param role only what it may read; everybody who may search reads orders */
export async function find(db: Db, q: string, role: StaffRole | null): Promise<Found> {
  const [orders, products, messages] = await Promise.all([
    selectOrders(db, { q, limit: ORDERS_READ }),
    roleMay(role, 'read_catalog') ? findProducts(db, q) : [],
    roleMay(role, 'read_messages') ? findConversations(db, q, SHOWN) : [],
  ])
  return { orders: orders.slice(0, SHOWN).map(toOrder), customers: await customersOf(db, orders), products, messages }
}

const toOrder = (order: Order): Found['orders'][number] => ({
  orderNumber: order.orderNumber,
  name: order.customerName,
  status: statusOf(order.paymentStatus, order.fulfillmentStatus),
  total: order.totalCents,
  placedAt: order.createdAt.toISOString(),
})

/** Each by the name on their newest order. An erased customer has no email. */
async function customersOf(db: Db, orders: readonly Order[]): Promise<Found['customers']> {
  const byEmail = Map.groupBy(
    orders.filter(({ erasedAt }) => erasedAt === null),
    ({ customerEmail }) => customerEmail.toLowerCase(),
  )
  const shown = [...byEmail].slice(0, SHOWN)
  const counts = await countOrdersOf(
    db,
    shown.map(([email]) => email),
  )
  return shown.map(([email, [newest]]) => ({
    email,
    name: newest?.customerName ?? '',
    orders: counts.get(email) ?? 0,
  }))
}

async function findProducts(db: Db, q: string): Promise<Found['products']> {
  const rows = await listProductsNamed(db, q, SHOWN)
  const views = await readProducts(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => ({ ...row, imageUrl: views.find(({ id }) => id === row.id)?.imageUrl ?? null }))
}
