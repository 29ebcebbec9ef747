import { entriesOfDecision, entriesOfDispute, entriesOfDisputeFeeReturn } from '#domain/ledger/ledger.ts'
import { type ProviderDispute } from '#domain/payments/returns.ts'
import { formatOrderNumber, paymentKey, type PaymentKey } from '#shared/ids.ts'
import { formatUsd, minus, ZERO, type Cents } from '#shared/money.ts'
import type { Tx } from '#server/db/db.ts'
import { hasPosted, post } from '#server/ledger/ledger.ts'
import { findOrderOfPayment, lockOrder, type Order } from '#server/orders/orders.ts'
import type { Needs } from '#server/shop.ts'
import { followCommission } from './commission.ts'
import { listDisputes, upsertDispute, filterSettled, type Dispute } from './store.ts'
import { linkToPaid, mailOwnerLater } from './owner-mails.ts'
import { providerOf } from './payments.ts'

type RefundNeeds = Needs<'db' | 'clock' | 'jobs' | 'config' | 'log'>

/** A payment with returned money, and its order if it made one. */
export type ReturnedPayment = { paymentKey: PaymentKey; order: Order | undefined }

export async function bookDispute(
  tx: Tx,
  shop: RefundNeeds,
  about: ReturnedPayment,
  theirs: ProviderDispute,
): Promise<void> {
  const { paymentKey: key, order } = about
  const provider = providerOf(key)
  const now = shop.clock.now()
  const known = (await listDisputes(tx, key)).find(({ disputeId }) => disputeId === theirs.id)
  if (known) await bookDisputeFee(tx, shop, known, theirs)
  // A decision is final; ignore events that arrive later.
  if (known?.decidedAt) return
  // The bank may extend the deadline, and drops it once it has our evidence.
  if (known && known.respondBy?.getTime() !== theirs.respondBy?.getTime())
    await upsertDispute(tx, { ...known, feeCents: theirs.fee, respondBy: theirs.respondBy, reason: theirs.reason })
  const name = `dispute:${provider}:${theirs.id}`
  const booked = { orderId: order?.id ?? null, paymentKey: key, bookedAt: now, kind: 'dispute' as const }
  // The bank may take the money some time after the dispute opened.
  if (theirs.hasMoved && !(await hasPosted(tx, `${name}:taken`))) {
    await post(tx, { ...booked, key: `${name}:taken`, entries: entriesOfDispute(provider, theirs.amount, theirs.fee) })
    if (order && known?.status === theirs.status)
      await followCommission(tx, shop, order, { kind: 'dispute', cause: `${name}:taken` })
    if (known) await upsertDispute(tx, { ...known, feeCents: theirs.fee, respondBy: theirs.respondBy })
  }
  if (known?.status === theirs.status) return

  const isDecided = theirs.status === 'won' || theirs.status === 'lost'
  await upsertDispute(tx, {
    provider,
    disputeId: theirs.id,
    paymentKey: key,
    orderId: booked.orderId,
    amountCents: theirs.amount,
    feeCents: theirs.fee,
    status: theirs.status,
    reason: theirs.reason,
    openedAt: known?.openedAt ?? now,
    respondBy: theirs.respondBy,
    decidedAt: isDecided ? now : null,
  })
  if (theirs.hasMoved && isDecided) {
    const entries = entriesOfDecision(provider, theirs.amount, theirs.status === 'won')
    await post(tx, { ...booked, key: `${name}:decided`, entries })
  }
  const kind = theirs.status === 'won' ? 'dispute_won' : 'dispute'
  if (order) await followCommission(tx, shop, order, { kind, cause: `${name}:${theirs.status}` })
  await mailAboutDispute(tx, shop, about, theirs)
}

/** A dispute's fee may be returned when it is won, possibly after the decision. */
async function bookDisputeFee(tx: Tx, shop: RefundNeeds, known: Dispute, { fee }: ProviderDispute): Promise<void> {
  const { provider, disputeId, paymentKey: key, orderId, feeCents } = known
  if (!(await hasPosted(tx, `dispute:${provider}:${disputeId}:taken`)) || fee === feeCents) return
  await post(tx, {
    kind: 'dispute',
    key: `dispute:${provider}:${disputeId}:fee:${fee}`,
    orderId,
    paymentKey: key,
    bookedAt: shop.clock.now(),
    entries: entriesOfDisputeFeeReturn(provider, minus(feeCents, fee)),
  })
  await upsertDispute(tx, { ...known, feeCents: fee })
}

/** PayPal shows a dispute's fee only in the account's history. @param fee as there: negative when PayPal charged it */
export async function bookWalletDisputeFee(
  shop: Needs<'db' | 'clock' | 'paypal'>,
  transactionId: string,
  captureId: string,
  fee: Cents,
): Promise<void> {
  const name = `dispute:paypal:${transactionId}:fee`
  if (await hasPosted(shop.db, name)) return
  const paymentId = await shop.paypal.orderIdOfCapture(captureId)
  const key = paymentId && paymentKey('paypal', paymentId)
  if (!key || !(await filterSettled(shop.db, [key])).has(key)) return
  await shop.db.transaction(async (tx) => {
    const order = await findOrderOfPayment(tx, key)
    if (order) await lockOrder(tx, order.id)
    if (await hasPosted(tx, name)) return
    const about = { orderId: order?.id ?? null, paymentKey: key, bookedAt: shop.clock.now() }
    await post(tx, { ...about, kind: 'dispute', key: name, entries: entriesOfDisputeFeeReturn('paypal', fee) })
  })
}

const disputeSentences: Record<ProviderDispute['status'], string> = {
  inquiry:
    'The customer’s bank has a question about a payment. No money has moved. Answer it from the page that this email links to.',
  open: 'A customer disputed a payment, and the bank took the money for now. Send your evidence from the page that this email links to, before the deadline.',
  won: 'You won a dispute. The money is yours.',
  lost: 'You lost a dispute. The money went to the customer.',
}

async function mailAboutDispute(
  tx: Tx,
  shop: RefundNeeds,
  { paymentKey: key, order }: ReturnedPayment,
  theirs: ProviderDispute,
) {
  const { id, amount, status, respondBy } = theirs
  const about = order ? `order ${formatOrderNumber(order.orderNumber)}` : `payment ${key}`
  await mailOwnerLater(tx, shop, {
    kind: 'dispute',
    about: `${id}:${status}`,
    subject: `Dispute ${status}: ${about}`,
    link: await linkToPaid(tx, key, order),
    sentences: [
      disputeSentences[status],
      amount === ZERO
        ? `The money had already been refunded: ${about}, dispute ${id}.`
        : `${formatUsd(amount)}, ${about}, dispute ${id}.`,
      ...(respondBy && (status === 'open' || status === 'inquiry')
        ? [`Evidence is due by ${respondBy.toISOString().slice(0, 16).replace('T', ' ')} UTC.`]
        : []),
    ],
  })
  shop.log.warn({ about, dispute: id, status }, 'A payment is disputed.')
}
