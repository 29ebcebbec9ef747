import type { Reader } from '#server/db/db.ts'
import { listEntriesOfOrder } from '#server/ledger/ledger.ts'
import { listMailHeaders } from '#server/mail/order-mails.ts'
import { listChanges } from '#server/orders/changes.ts'
import { listNotes } from '#server/orders/notes.ts'
import { readOrderSteps } from '#server/orders/order-records.ts'
import { listPaymentKeys, type Order } from '#server/orders/orders.ts'
import { listEveryRefund } from '#server/orders/refunds.ts'
import { listDisputesOf } from '#server/payments/payments.ts'
import { listEventsAbout } from '#server/providers/events.ts'

/** Carriers can report a parcel hundreds of times; nobody reads more than this. */
const EVENTS_MAX = 500

/** All stored records about an order, besides the order and its lines. */
export async function readOrderRecords(db: Reader, { id, paymentKey, externalId, orderNumber }: Order) {
  const keys = paymentKey === null ? [] : [paymentKey]
  const paymentIds = keys.map((key) => key.slice(key.indexOf(':') + 1))
  return {
    ...(await readOrderSteps(db, id)),
    refunds: await listEveryRefund(db, [id]),
    disputes: (await listDisputesOf(db, await listPaymentKeys(db, { id, paymentKey }))).toSorted(
      (a, b) => a.openedAt.getTime() - b.openedAt.getTime(),
    ),
    mails: await listMailHeaders(db, id),
    events: await listEventsAbout(db, [...paymentIds, orderNumber, externalId], EVENTS_MAX),
    entries: await listEntriesOfOrder(db, id),
    changes: await listChanges(db, id),
    notes: await listNotes(db, id),
  }
}
