import { cents, minus, negate, plus, sum, ZERO, type Cents } from '#shared/money.ts'
import { newId, type Needs, type StoredCapture, type StoredDispute, type StoredRefund } from './books.ts'
import { centsOf, readRefund } from './order-body.ts'
import { sendCaptureEvent } from './orders.ts'
import { disputeShape } from './dispute-shape.ts'
import { refundShape } from './shapes.ts'
import { resourceNotFound, unprocessable } from './errors.ts'

const REFUNDABLE_MS = 180 * 86_400_000
const DISPUTE_FEE = cents(1500) // PayPal's list price in the United States

export function getCapture({ books }: Needs, id: string): StoredCapture {
  const capture = books.captures.get(id)
  if (!capture) throw resourceNotFound()
  return capture
}

export function getRefund({ books }: Needs, id: string): StoredRefund {
  const refund = books.refunds.get(id)
  if (!refund) throw resourceNotFound()
  return refund
}

/** @throws PaypalError */
export function refundCapture(needs: Needs, id: string, raw: Buffer): StoredRefund {
  const { books, kit } = needs
  const capture = getCapture(needs, id)
  const wanted = readRefund(raw)
  const now = kit.clock.now()
  const before = refundedOf(needs, capture)
  const rest = minus(capture.amount, before)
  if (wanted.amount && wanted.amount.currency_code !== 'USD') throw unprocessable('REFUND_CAPTURE_CURRENCY_MISMATCH')
  const amount = wanted.amount ? centsOf(wanted.amount, '/amount') : rest

  if (capture.status === 'PENDING') throw unprocessable('PENDING_CAPTURE')
  if (capture.status === 'DECLINED') throw unprocessable('REFUND_NOT_ALLOWED')
  requireUndisputed(needs, capture, amount, rest)
  if (rest === 0) throw unprocessable('CAPTURE_FULLY_REFUNDED')
  if (now.getTime() - capture.createdAt.getTime() > REFUNDABLE_MS) throw unprocessable('REFUND_TIME_LIMIT_EXCEEDED')
  if (amount === 0) throw unprocessable('CANNOT_BE_ZERO_OR_NEGATIVE', '/amount/value', wanted.amount?.value)
  if (amount > rest) throw unprocessable('REFUND_AMOUNT_EXCEEDED', '/amount/value', wanted.amount?.value)
  if (
    wanted.invoice_id !== undefined &&
    [...books.refunds.values()].some(({ invoiceId }) => invoiceId === wanted.invoice_id)
  )
    throw unprocessable('DUPLICATE_INVOICE_ID', '/invoice_id', wanted.invoice_id)

  const isSlow = books.slowRefunds > 0
  if (isSlow) books.slowRefunds -= 1
  const refund: StoredRefund = {
    id: newId(),
    captureId: id,
    status: isSlow ? 'PENDING' : 'COMPLETED',
    amount,
    totalRefunded: plus(before, amount),
    invoiceId: wanted.invoice_id ?? capture.invoiceId,
    customId: wanted.custom_id,
    note: wanted.note_to_payer,
    createdAt: now,
    updatedAt: now,
  }
  books.refunds.set(refund.id, refund)
  markRefunded(needs, capture)
  kit.witness('paypal', 'refunded', { refund: refund.id, capture: id, amount, status: refund.status })
  if (isSlow) sendRefundEvent(needs, 'PAYMENT.REFUND.PENDING', refund)
  else finishRefund(needs, refund)
  return refund
}

/** A pending refund goes through. */
export function completeRefund(needs: Needs, id: string): StoredRefund {
  const refund = getRefund(needs, id)
  if (refund.status !== 'PENDING') throw new Error(`The refund ${id} is not pending: it is ${refund.status}.`)
  Object.assign(refund, { status: 'COMPLETED', updatedAt: needs.kit.clock.now() })
  finishRefund(needs, refund)
  return refund
}

/** The money returns to the shop; the payer did not receive it. */
export function failRefund(needs: Needs, id: string): StoredRefund {
  const refund = getRefund(needs, id)
  if (refund.status === 'FAILED') throw new Error(`The refund ${id} has failed already.`)
  const now = needs.kit.clock.now()
  const wasBooked = refund.status === 'COMPLETED'
  Object.assign(refund, { status: 'FAILED', updatedAt: now })
  markRefunded(needs, getCapture(needs, refund.captureId))
  if (wasBooked)
    needs.books.bookings.push({
      id: newId(),
      code: 'T1106',
      at: now,
      amount: refund.amount,
      fee: ZERO,
      captureId: refund.captureId,
    })
  sendRefundEvent(needs, 'PAYMENT.REFUND.FAILED', refund)
  return refund
}

/** The payer disputes a payment. The money leaves immediately only for a chargeback, which is lost. */
export function openDispute(
  needs: Needs,
  capture: StoredCapture,
  { reason, isChargeback }: { reason: string; isChargeback: boolean },
): StoredDispute {
  const { books, kit } = needs
  if ([...books.disputes.values()].some(({ captureId, status }) => captureId === capture.id && status !== 'RESOLVED'))
    throw new Error(`The payment ${capture.id} is disputed already.`)
  const now = kit.clock.now()
  const dispute: StoredDispute = {
    id: `PP-D-${books.disputes.size + 10_001}`,
    captureId: capture.id,
    reason,
    amount: minus(capture.amount, refundedOf(needs, capture)),
    status: isChargeback ? 'WAITING_FOR_SELLER_RESPONSE' : 'OPEN',
    stage: isChargeback ? 'CHARGEBACK' : 'INQUIRY',
    outcome: undefined,
    evidences: [],
    createdAt: now,
    updatedAt: now,
  }
  books.disputes.set(dispute.id, dispute)
  if (isChargeback) {
    books.bookings.push({
      id: newId(),
      code: 'T1201',
      at: now,
      amount: negate(dispute.amount),
      fee: negate(DISPUTE_FEE),
      captureId: capture.id,
    })
    capture.reason = 'CHARGEBACK'
    sendCaptureEvent(needs, 'PAYMENT.CAPTURE.REVERSED', capture)
  }
  sendDisputeEvent(needs, 'CUSTOMER.DISPUTE.CREATED', dispute)
  return dispute
}

/** Pays money out to the bank, as the owner would on PayPal's own pages. */
export function withdrawToBank({ books, kit }: Needs, amount: Cents): { id: string } {
  const id = newId()
  books.bookings.push({ id, code: 'T0400', at: kit.clock.now(), amount: negate(amount), fee: ZERO, captureId: '' })
  return { id }
}

/** @param asRefund the money to the payer is also listed as a refund of the payment */
export function resolveDispute(
  needs: Needs,
  id: string,
  outcome: 'won' | 'lost',
  { asRefund = false } = {},
): StoredDispute {
  const dispute = getDispute(needs, id)
  if (dispute.status === 'RESOLVED') throw new Error(`The dispute ${id} is resolved already.`)
  const now = needs.kit.clock.now()
  const { amount, captureId, stage } = dispute
  Object.assign(dispute, {
    status: 'RESOLVED',
    outcome: outcome === 'won' ? 'RESOLVED_SELLER_FAVOUR' : 'RESOLVED_BUYER_FAVOUR',
    updatedAt: now,
  } satisfies Partial<StoredDispute>)
  const move = (code: 'T1201' | 'T1202', amount: Cents) =>
    needs.books.bookings.push({ id: newId(), code, at: now, amount, fee: ZERO, captureId })
  if (outcome === 'won' && stage === 'CHARGEBACK') {
    move('T1202', amount)
    getCapture(needs, captureId).reason = undefined
  }
  if (outcome === 'lost' && stage === 'INQUIRY') move('T1201', negate(amount))
  if (outcome === 'lost' && asRefund) listAsRefund(needs, dispute)
  sendDisputeEvent(needs, 'CUSTOMER.DISPUTE.RESOLVED', dispute)
  return dispute
}

function listAsRefund(needs: Needs, { captureId, amount }: StoredDispute): void {
  const capture = getCapture(needs, captureId)
  const now = needs.kit.clock.now()
  const refund: StoredRefund = {
    id: newId(),
    captureId,
    status: 'COMPLETED',
    amount,
    totalRefunded: plus(refundedOf(needs, capture), amount),
    invoiceId: capture.invoiceId,
    customId: undefined,
    note: undefined,
    createdAt: now,
    updatedAt: now,
  }
  needs.books.refunds.set(refund.id, refund)
  markRefunded(needs, capture)
  sendRefundEvent(needs, 'PAYMENT.CAPTURE.REFUNDED', refund)
}

export function getDispute({ books }: Needs, id: string): StoredDispute {
  const dispute = books.disputes.get(id)
  if (!dispute) throw resourceNotFound()
  return dispute
}

const refundedOf = ({ books }: Needs, { id }: StoredCapture): Cents =>
  sum(
    [...books.refunds.values()]
      .filter(({ captureId, status }) => captureId === id && status !== 'FAILED')
      .map(({ amount }) => amount),
  )

function markRefunded(needs: Needs, capture: StoredCapture): void {
  const refunded = refundedOf(needs, capture)
  capture.status = refunded === 0 ? 'COMPLETED' : refunded < capture.amount ? 'PARTIALLY_REFUNDED' : 'REFUNDED'
  capture.updatedAt = needs.kit.clock.now()
}

function finishRefund(needs: Needs, refund: StoredRefund): void {
  const { id, amount, captureId, updatedAt } = refund
  needs.books.bookings.push({ id, code: 'T1107', at: updatedAt, amount: negate(amount), fee: ZERO, captureId })
  sendRefundEvent(needs, 'PAYMENT.CAPTURE.REFUNDED', refund)
}

const sendRefundEvent = (needs: Needs, type: string, refund: StoredRefund): void =>
  needs.sendEvent(type, { type: 'refund', version: '2.0', body: refundShape(needs, refund) })

export const sendDisputeEvent = (needs: Needs, type: string, dispute: StoredDispute): void =>
  needs.sendEvent(type, { type: 'dispute', version: '1.0', body: disputeShape(needs, dispute) })

function requireUndisputed({ books }: Needs, { id }: StoredCapture, amount: Cents, rest: Cents): void {
  const disputes = [...books.disputes.values()].filter(({ captureId }) => captureId === id)
  if (
    disputes.some(({ outcome, stage }) => outcome === 'RESOLVED_BUYER_FAVOUR' || (stage === 'CHARGEBACK' && !outcome))
  )
    throw unprocessable('REFUND_NOT_PERMITTED_DUE_TO_CHARGEBACK')
  if (amount < rest && disputes.some(({ status }) => status !== 'RESOLVED')) throw unprocessable('TRANSACTION_DISPUTED')
}
