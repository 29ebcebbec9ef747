import { and, asc, eq, gt, gte, inArray, isNull, or, sql } from 'drizzle-orm'
import type { PricedLine, TaxShare } from '#domain/checkout/quote.ts'
import type { UsableCode } from '#domain/codes/discount.ts'
import type { TimeRange } from '#domain/reports/time-range.ts'
import type { CheckoutId, OrderId, ProductId, SessionId, UserId } from '#shared/ids.ts'
import type { Reader } from '#server/db/db.ts'
import { cartLine } from '#server/cart/schema.ts'
import { product, variant } from '#server/catalog/schema.ts'
import { checkout, checkoutVersion, code, sessionCode } from '#server/checkout/schema.ts'
import { shopOrder } from '#server/orders/schema.ts'
import { attribution, commissionEntry, partnerRate } from '#server/partners/schema.ts'
import { payment } from '#server/payments/schema.ts'
import { inTimeRange } from './store.ts'
import { amongKeys, readPages } from './workbook-store.ts'

// What rehearsals read, page by page. They write nothing.

export type SoldOrder = Awaited<ReturnType<typeof listSales>>[number]

/** Paid orders of a range, oldest first. */
export const salePages = (db: Reader, range: TimeRange): AsyncGenerator<SoldOrder[]> =>
  readPages((after, limit) => listSales(db, range, after, limit))

const listSales = (db: Reader, range: TimeRange, after: { createdAt: Date; id: OrderId } | undefined, limit: number) =>
  db
    .select({
      id: shopOrder.id,
      orderNumber: shopOrder.orderNumber,
      createdAt: shopOrder.createdAt,
      paymentKey: shopOrder.paymentKey,
      email: sql<string>`lower(${shopOrder.customerEmail})`,
      country: sql<string>`${shopOrder.shippingAddress}->>'country'`,
      shipping: shopOrder.shippingCents,
      surcharges: shopOrder.shippingSurcharges,
      tax: shopOrder.taxCents,
      taxShares: sql<TaxShare[] | null>`${shopOrder.taxEvidence}->'rates'`,
      vatProtection: shopOrder.vatProtectionCents,
      total: shopOrder.totalCents,
      discounts: shopOrder.discounts,
      bill: shopOrder.partnerCostCents,
      fee: payment.feeCents,
      isCommissionOnList: attribution.isBeforeDiscounts,
    })
    .from(shopOrder)
    .innerJoin(payment, eq(payment.paymentKey, shopOrder.paymentKey))
    .leftJoin(attribution, eq(attribution.checkoutId, shopOrder.checkoutId))
    .where(
      and(
        inTimeRange(shopOrder.createdAt, range),
        after && gte(shopOrder.createdAt, after.createdAt),
        after && or(gt(shopOrder.createdAt, after.createdAt), gt(shopOrder.id, after.id)),
      ),
    )
    .orderBy(asc(shopOrder.createdAt), asc(shopOrder.id))
    .limit(limit)

/** The partner of each order and the rates of its products; a partner's own purchase has none. */
export async function commissionRatesOf(
  db: Reader,
  orders: readonly { id: OrderId }[],
): Promise<Map<OrderId, { partnerId: UserId; rates: Map<ProductId, number> }>> {
  const { orderId, partnerId, productId, basisPoints, kind } = commissionEntry
  const ids = orders.map(({ id }) => id)
  const rows = await db
    .select({ orderId, partnerId, productId, basisPoints, kind })
    .from(commissionEntry)
    .where(amongKeys(orderId, ids, 'int'))
  const own = new Set(rows.flatMap((row) => (row.kind === 'own_purchase' ? row.orderId : [])))
  const found = new Map<OrderId, { partnerId: UserId; rates: Map<ProductId, number> }>()
  for (const row of rows) {
    if (own.has(row.orderId)) continue
    const { rates } = found.get(row.orderId) ?? { rates: new Map<ProductId, number>() }
    found.set(row.orderId, { partnerId: row.partnerId, rates: rates.set(row.productId, row.basisPoints) })
  }
  return found
}

export type UnpaidCheckout = Awaited<ReturnType<typeof listUnpaid>>[number]

/** Checkouts that were started in a range and never paid, as they were last offered. */
export const unpaidPages = (db: Reader, range: TimeRange): AsyncGenerator<UnpaidCheckout[]> =>
  readPages((after, limit) => listUnpaid(db, range, after, limit))

const listUnpaid = (
  db: Reader,
  range: TimeRange,
  after: { createdAt: Date; id: CheckoutId } | undefined,
  limit: number,
) =>
  db
    .select({
      id: checkout.id,
      createdAt: checkout.createdAt,
      provider: checkout.provider,
      frozen: checkoutVersion.frozen,
      partnerId: attribution.partnerId,
      isCommissionOnList: attribution.isBeforeDiscounts,
    })
    .from(checkout)
    .innerJoin(
      checkoutVersion,
      and(eq(checkoutVersion.checkoutId, checkout.id), eq(checkoutVersion.quoteHash, checkout.quoteHash)),
    )
    .leftJoin(attribution, and(eq(attribution.checkoutId, checkout.id), isNull(attribution.objection)))
    .where(
      and(
        inArray(checkout.state, ['open', 'released']),
        inTimeRange(checkout.createdAt, range),
        after && gte(checkout.createdAt, after.createdAt),
        after && or(gt(checkout.createdAt, after.createdAt), gt(checkout.id, after.id)),
      ),
    )
    .orderBy(asc(checkout.createdAt), asc(checkout.id))
    .limit(limit)

/** All rates of these partners. */
export const listRatesOf = (db: Reader, partners: readonly UserId[]) =>
  db
    .select()
    .from(partnerRate)
    .where(amongKeys(partnerRate.partnerId, [...new Set(partners)], 'int'))

/** A code that is gone takes nothing off. */
export async function findCodes(db: Reader, ids: readonly number[]): Promise<Map<number, UsableCode>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select({ id: code.id, code: code.code, rule: code.rule })
    .from(code)
    .where(amongKeys(code.id, [...new Set(ids)], 'int'))
  return new Map(rows.map((row) => [row.id, row]))
}

/** The lines and codes of carts that were filled in a range and are not at a checkout. */
export const cartPages = (db: Reader, range: TimeRange): AsyncGenerator<{ sessionId: SessionId }[]> =>
  readPages((after, limit) =>
    db
      .selectDistinct({ sessionId: cartLine.sessionId })
      .from(cartLine)
      .where(
        and(
          inTimeRange(cartLine.createdAt, range),
          after && gt(cartLine.sessionId, after.sessionId),
          sql`not exists (select 1 from ${checkout} c where c.session_id = ${cartLine.sessionId} and c.state = 'open')`,
        ),
      )
      .orderBy(asc(cartLine.sessionId))
      .limit(limit),
  )

/** At today's list prices. */
export async function listCarts(
  db: Reader,
  carts: readonly { sessionId: SessionId }[],
): Promise<Map<SessionId, { lines: PricedLine[]; codeIds: number[] }>> {
  const ids = carts.map(({ sessionId }) => sessionId)
  const rows = await db
    .select({
      ...{ sessionId: cartLine.sessionId, variantId: cartLine.variantId, quantity: cartLine.quantity },
      ...{ unitPrice: variant.unitPrice, productId: product.id, productName: product.name },
      ...{ collection: product.collection, metadata: product.metadata },
    })
    .from(cartLine)
    .innerJoin(variant, eq(variant.id, cartLine.variantId))
    .innerJoin(product, eq(product.id, variant.productId))
    .where(amongKeys(cartLine.sessionId, ids, 'text'))
    .orderBy(asc(cartLine.id))
  const codes = await db
    .select()
    .from(sessionCode)
    .where(amongKeys(sessionCode.sessionId, ids, 'text'))
  const codesOf = Map.groupBy(codes, ({ sessionId }) => sessionId)
  return new Map(
    [...Map.groupBy(rows, ({ sessionId }) => sessionId)].map(([id, lines]) => [
      id,
      {
        lines: lines.map((line) => ({ ...line, variantName: null, imageUrl: null })),
        codeIds: (codesOf.get(id) ?? []).map(({ codeId }) => codeId),
      },
    ]),
  )
}

/** Which of these orders are the first of their customer. */
export async function listFirstOrders(db: Reader, orders: readonly { id: OrderId }[]): Promise<Set<OrderId>> {
  const rows = await db
    .select({ id: shopOrder.id })
    .from(shopOrder)
    .where(
      and(
        amongKeys(
          shopOrder.id,
          orders.map(({ id }) => id),
          'int',
        ),
        sql`not exists (select from shop_order e where lower(e.customer_email) = lower(${shopOrder.customerEmail})
          and e.kind = 'sale' and e.id < ${shopOrder.id})`,
      ),
    )
  return new Set(rows.map(({ id }) => id))
}
