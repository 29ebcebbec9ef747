import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inArray } from 'drizzle-orm'
import { formatOrderNumber, type OrderId } from '#shared/ids.ts'
import { plus } from '#shared/money.ts'
import { proveCommission } from '#server/ledger/seals.ts'
import { shopOrder } from '#server/orders/schema.ts'
import type { Partner } from '#server/partners/partner.ts'
import { listCommissionLines } from '#server/partners/sealed-lines.ts'
import { readSiteSettingsCached } from '#server/settings/site-settings.ts'
import type { Db } from '#server/db/db.ts'
import type { Needs } from '#server/shop.ts'
import { readStatement, spanOfMonth } from './statement.ts'

const PAGE = join(import.meta.dirname, 'commission-check.html')
const NO_PROOF = /(?<=id="proof">)\s*\{\}\s*(?=<\/script>)/

/** A page that checks a month's commission against the sealed ledger by itself, with everything it needs for that. */
export async function commissionProof(
  shop: Needs<'db' | 'clock' | 'config'>,
  partner: Partner,
  month: string,
): Promise<Buffer> {
  const { earned, takenBack, displayName, madeAt } = await readStatement(shop, partner, month, undefined, 1)
  const { postings, ...proof } = await proveCommission(
    shop.db,
    listCommissionLines,
    partner.id,
    await spanOfMonth(shop, month),
  )
  const numbers = await numbersOf(
    shop.db,
    postings.flatMap(({ orderId }) => (orderId === null ? [] : [orderId])),
  )
  const content = {
    ...{ shop: (await readSiteSettingsCached(shop.db)).name, partner: displayName, month, madeAt },
    booked: plus(earned, takenBack),
    postings: postings.map(({ orderId, ...posting }) => ({ order: orderId && numbers.get(orderId), ...posting })),
    ...proof,
  }
  // No text in it can end the script element.
  const json = JSON.stringify(content).replaceAll('<', String.raw`\u003c`)
  const page = await readFile(PAGE, 'utf8')
  return Buffer.from(page.replace(NO_PROOF, () => json))
}

async function numbersOf(db: Db, ids: readonly OrderId[]): Promise<ReadonlyMap<OrderId, string>> {
  const rows = await db
    .select({ id: shopOrder.id, orderNumber: shopOrder.orderNumber })
    .from(shopOrder)
    .where(inArray(shopOrder.id, [...new Set(ids)]))
  return new Map(rows.map(({ id, orderNumber }) => [id, formatOrderNumber(orderNumber)]))
}
