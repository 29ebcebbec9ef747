import { Readable } from 'node:stream'
import { addressLines } from '#domain/checkout/address.ts'
import { recipientNameOf } from '#domain/orders/gift.ts'
import { statusOf } from '#domain/orders/status.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { decimalFromCents } from '#shared/money.ts'
import type { Reader } from '#server/db/db.ts'
import { csvCell } from '#server/files/csv.ts'
import type { FileAnswer } from '#server/http/serve.ts'
import { listLinesOf } from '#server/orders/search.ts'
import { getOrder } from './orders.ts'

const HEADER = 'Order,Paid at,Status,Customer,Email,Ship to,Country,Goods,Total,Currency'

/** Orders as CSV. @throws Refusal `unknown_order` if one of the numbers is none */
export async function orderFile(db: Reader, numbers: readonly string[]): Promise<FileAnswer> {
  const orders = []
  for (const number of numbers) orders.push(await getOrder(db, number))
  const lines = await listLinesOf(
    db,
    orders.map(({ id }) => id),
  )
  const rows = orders.map((order) => {
    const goods = lines
      .filter(({ orderId }) => orderId === order.id)
      .map(({ quantity, productName, variantName }) => `${quantity} × ${variantName ?? productName}`)
    return [
      csvCell(formatOrderNumber(order.orderNumber)),
      order.createdAt.toISOString(),
      statusOf(order.paymentStatus, order.fulfillmentStatus),
      csvCell(order.customerName),
      csvCell(order.customerEmail),
      csvCell(addressLines(recipientNameOf(order), order.shippingAddress).join(', ')),
      csvCell(order.shippingAddress.country),
      csvCell(goods.join('; ')),
      decimalFromCents(order.totalCents),
      'USD',
    ].join(',')
  })
  return {
    name: 'orders.csv',
    type: 'text/csv; charset=utf-8',
    bytes: Readable.from([HEADER, ...rows].map((row) => `${row}\r\n`)),
  }
}
