import type { SiteSettings } from '#site/shop-rules.ts'
import { nextNoticeState, type NoticeKind } from '#domain/claims/parcel-notice.ts'
import type { ClaimedPieces } from '#domain/claims/claim.ts'
import type { ToldArrival } from '#domain/orders/lateness.ts'
import { unsentOf, type Pieces } from '#domain/orders/parcels.ts'
import { isUnderWay } from '#domain/orders/progress.ts'
import { mayBeMade } from '#domain/orders/status.ts'
import type { OrderId, OrderNumber } from '#shared/ids.ts'
import { after, DAY_MS, HOUR_MS } from '#shared/time.ts'
import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import { arrivalOf } from '#server/orders/arrival.ts'
import { findOrderByNumber, listOrderLines, lockOrder, type Order, type OrderLine } from '#server/orders/orders.ts'
import {
  listOrdersUnderWay,
  listOrdersWithReturns,
  listShipments,
  recordLoss,
  type Shipment,
} from '#server/orders/production.ts'
import { lockSetting, saveSetting } from '#server/settings/settings.ts'
import { readSiteSettings } from '#server/settings/site-settings.ts'
import type { Needs } from '#server/shop.ts'
import { mailParcelTroubleLater } from './mails.ts'
import { insertNotice, listNotices, listOrdersToChoose, updateNotice, type ParcelNotice } from './parcel-store.ts'

// Parcels that are late, lost or came back: found here, told to their shoppers once each, with a choice.

type WatchNeeds = Needs<'db' | 'clock' | 'jobs' | 'config' | 'log'>

/** A part of an order: a parcel, or what has not shipped. */
type Part = { parcel: Shipment | null; pieces: ClaimedPieces; arrival: ToldArrival }

/** Lines of the order with these goods. */
const toLines = (goods: readonly Pieces[], lines: readonly OrderLine[]): ClaimedPieces =>
  goods.flatMap(({ variantId, quantity }) => {
    const line = lines.find((candidate) => candidate.variantId === variantId)
    return line ? [{ position: line.position, quantity: Math.min(quantity, line.quantity) }] : []
  })

async function partsOf(db: Reader, order: Order, site: SiteSettings, now: Date): Promise<Part[]> {
  const lines = await listOrderLines(db, order.id)
  const shipments = await listShipments(db, order.id)
  const left = unsentOf(lines, shipments)
  return [
    ...shipments.map((parcel) => ({
      ...{ parcel, pieces: toLines(parcel.items, lines) },
      arrival: arrivalOf(order, parcel, site, now),
    })),
    ...(left.length > 0
      ? [{ parcel: null, pieces: toLines(left, lines), arrival: arrivalOf(order, null, site, now) }]
      : []),
  ]
}

/**
 * What we know must not be older: during an outage of the printer, or without access to where parcels are, everything would look late.
 * Polls come every two hours.
 */
const KNOWN_FOR_MS = DAY_MS

function troubleOf({ parcel, arrival }: Part, order: Order, now: Date): NoticeKind | undefined {
  if (parcel?.returnedAt) return 'returned'
  if (parcel?.deliveredAt || !isUnderWay(order.fulfillmentStatus)) return undefined
  if (parcel?.lostAt) return 'lost'
  const knownAt = parcel ? parcel.reportedAt : order.printfulOrderId === null ? now : order.partnerAskedAt
  if (!arrival.isLate || !knownAt || knownAt < after(now, -KNOWN_FOR_MS)) return undefined
  return parcel && !arrival.window ? 'lost' : 'late'
}

/**
 * Tells the shopper of an order about its parts in trouble, each once, and ends the notices of those that arrived.
 * @returns how many were told
 */
async function examine(tx: Tx, shop: WatchNeeds, id: OrderId, now: Date): Promise<number> {
  const order = await lockOrder(tx, id)
  if (order.erasedAt) return 0
  const parts = await partsOf(tx, order, await readSiteSettings(tx), now)
  const notices = await adoptUnsent(tx, await listNotices(tx, id), parts)
  let told = 0
  for (const part of parts) {
    const { parcel, pieces, arrival } = part
    const kind = isSentAgain(part, parts) ? undefined : troubleOf(part, order, now)
    const known = notices.filter(({ shipmentId }) => shipmentId === (parcel?.id ?? null))
    const isSettled = parcel?.deliveredAt || isSentAgain(part, parts)
    for (const notice of known) if (isSettled || (kind && notice.kind !== kind)) await endNotice(tx, notice)
    if (!kind || known.some((notice) => notice.kind === kind) || !mayBeMade(order.paymentStatus)) continue
    if (kind === 'lost' && parcel) await recordLoss(tx, parcel.id, now)
    // What the shopper chose while it was late still holds.
    if (known.some(({ state }) => state === 'decided') || pieces.length === 0) continue
    const window = kind === 'late' ? arrival.window : undefined
    const notice = await insertNotice(tx, {
      ...{ orderId: id, shipmentId: parcel?.id ?? null, kind, pieces, toldAt: now },
      ...{ expectedFrom: window?.from ?? null, expectedTo: window?.to ?? null },
    })
    if (!notice) continue
    await mailParcelTroubleLater(shop, tx, order, { notice, parcel, lines: await listOrderLines(tx, id) }, now)
    told += 1
  }
  return told
}

/** The printer sends lost and returned parcels again by itself. */
const isSentAgain = ({ parcel }: Part, parts: readonly Part[]): boolean =>
  parcel !== null && parts.some((other) => other.parcel?.reshipment && other.parcel.shippedAt > parcel.shippedAt)

/** Once everything has shipped, a notice about what had not belongs to its parcel, whose shopper is told only once. */
async function adoptUnsent(tx: Tx, notices: readonly ParcelNotice[], parts: readonly Part[]): Promise<ParcelNotice[]> {
  const about = (parcel: Shipment | null) => notices.some((notice) => notice.shipmentId === (parcel?.id ?? null))
  const parcel = parts.find((part) => part.parcel && !about(part.parcel))?.parcel
  if (!parcel || !about(null) || parts.some((part) => part.parcel === null)) return [...notices]
  return Promise.all(
    notices.map(async (notice) => {
      if (notice.shipmentId !== null) return notice
      await updateNotice(tx, notice.id, { shipmentId: parcel.id })
      return { ...notice, shipmentId: parcel.id }
    }),
  )
}

/** A parcel that arrived or was sent again needs no choice, and one that is lost another. */
async function endNotice(tx: Tx, { id, state }: ParcelNotice): Promise<void> {
  const ended = nextNoticeState(state, 'end')
  if (ended) await updateNotice(tx, id, { state: ended })
}

/** Returned parcels are looked for this far back: longer than any outage of the shop. */
const RETURNS_SINCE_MS = 14 * DAY_MS
/** Older orders are not followed at the printer anymore. */
const ORDERS_SINCE_MS = 120 * DAY_MS
const BATCH = 200
/** Lateness goes by days, and by what carriers report every two hours. */
const LOOKED_SETTING = 'late_parcels_looked'

/** @returns how many shoppers' parcels were told of */
export async function tellOfParcels(shop: WatchNeeds): Promise<number> {
  const { db, clock, log } = shop
  const now = clock.now()
  const examineAll = async (ids: readonly OrderId[]) => {
    let told = 0
    for (const id of ids)
      try {
        told += await db.transaction((tx) => examine(tx, shop, id, now))
      } catch (error) {
        // The parcels of other orders are told of all the same.
        log.error({ err: error, orderId: id }, 'could not look at the parcels of an order')
      }
    return told
  }
  let told = await examineAll(await listOrdersWithReturns(db, after(now, -RETURNS_SINCE_MS)))
  if (!(await isDue(shop, now))) return told
  told += await examineAll(await listOrdersToChoose(db))
  const range = { from: after(now, -ORDERS_SINCE_MS), to: after(now, -DAY_MS), limit: BATCH }
  for (let beyond = 0; ;) {
    const ids = await listOrdersUnderWay(db, { ...range, beyond })
    told += await examineAll(ids)
    const last = ids.at(-1)
    if (last === undefined || ids.length < BATCH) return told
    beyond = last
  }
}

/** Once an hour, by one instance. */
const isDue = ({ db }: WatchNeeds, now: Date): Promise<boolean> =>
  db.transaction(async (tx) => {
    const looked = new Date(await lockSetting(tx, LOOKED_SETTING, new Date(0).toISOString()))
    if (looked > after(now, -HOUR_MS)) return false
    await saveSetting(tx, LOOKED_SETTING, now.toISOString())
    return true
  })

/**
 * The owner gives a parcel up as lost, such as when the carrier says so. Its shopper is told and chooses.
 * @throws Refusal `unknown_order`, `unknown_notice` for no parcel of it, `parcel_arrived`
 */
export async function declareLost(
  shop: WatchNeeds,
  orderNumber: OrderNumber,
  shipmentId: number,
  by: Actor,
): Promise<void> {
  const { db, clock } = shop
  const found = await findOrderByNumber(db, orderNumber)
  if (!found) throw new Refusal('unknown_order')
  await db.transaction(async (tx) => {
    const order = await lockOrder(tx, found.id)
    const parcel = (await listShipments(tx, order.id)).find(({ id }) => id === shipmentId)
    if (!parcel) throw new Refusal('unknown_notice')
    if (parcel.deliveredAt || parcel.returnedAt) throw new Refusal('parcel_arrived')
    const now = clock.now()
    if (!(await recordLoss(tx, shipmentId, now))) return
    const about = { kind: 'order', id: order.orderNumber }
    await recordAction(tx, { by, what: 'gave a parcel up as lost', about, after: { parcel: shipmentId }, at: now })
    await examine(tx, shop, order.id, now)
  })
}
