import { centsFromDecimal, negate, ZERO, type Cents } from '#shared/money.ts'
import { newId, type Course, type Needs, type StoredCapture, type StoredOrder } from './books.ts'
import { NotPlayed, applyPatch, readOrder, withShipping } from './order-body.ts'
import { captureShape, feeOn, link, payer, wholeOrder } from './shapes.ts'
import { PaypalError, detail, isIssue, resourceNotFound, unprocessable } from './errors.ts'

const HOUR_MS = 3_600_000
/** How long a payer has to approve, and the shop to capture afterwards. */
const WINDOW_MS = 6 * HOUR_MS

/** @throws PaypalError */
export function createOrder({ books, kit }: Needs, raw: Buffer, requestId: string | undefined): StoredOrder {
  const { unit, hasSource, experience } = readOrder(raw)
  if (hasSource && requestId === undefined)
    throw new PaypalError(400, [
      { ...detail('PAYPAL_REQUEST_ID_REQUIRED'), field: 'PayPal-Request-Id', location: 'header' },
    ])
  requireNewInvoice({ books }, unit.invoice_id)
  const now = kit.clock.now()
  const order: StoredOrder = {
    id: newId(),
    status: hasSource ? 'PAYER_ACTION_REQUIRED' : 'CREATED',
    unit,
    hasSource,
    experience,
    createdAt: now,
    updatedAt: now,
    approvedAt: undefined,
    course: 'complete',
    captureId: undefined,
  }
  books.orders.set(order.id, order)
  return order
}

/** @throws PaypalError for an order that is unknown, or was neither approved nor captured in time */
export function getOrder({ books, kit }: Needs, id: string): StoredOrder {
  const order = books.orders.get(id)
  if (!order) throw resourceNotFound()
  const since = (order.approvedAt ?? order.createdAt).getTime()
  if (order.status !== 'COMPLETED' && kit.clock.now().getTime() - since > WINDOW_MS) throw resourceNotFound()
  return order
}

export function patchOrder(needs: Needs, id: string, raw: Buffer): void {
  const order = getOrder(needs, id)
  if (order.status === 'COMPLETED') throw unprocessable('ORDER_ALREADY_COMPLETED')
  const unit = applyPatch(order.unit, raw)
  if (unit.invoice_id !== order.unit.invoice_id) requireNewInvoice(needs, unit.invoice_id)
  order.unit = unit
  order.updatedAt = needs.kit.clock.now()
}

/** The payer chooses where it goes, unless the shop has said so, or nothing is sent. */
export const hasFreeAddress = ({ experience }: Pick<StoredOrder, 'experience'>): boolean =>
  (experience.shipping_preference ?? 'GET_FROM_FILE') === 'GET_FROM_FILE'

type Approval = { payerId?: string | undefined; address?: object; name?: string }

/** The payer approves, with an address of their own if the order leaves it open; `course` is what capturing will lead to. */
export function approveOrder(
  needs: Needs,
  id: string,
  course: Course,
  { payerId, address, name = `${payer.given} ${payer.surname}` }: Approval = {},
): StoredOrder {
  const order = getOrder(needs, id)
  if (order.status === 'COMPLETED') throw unprocessable('ORDER_ALREADY_CAPTURED')
  if (course !== 'complete' && course !== 'hold' && !isIssue(course)) throw new NotPlayed()
  if (address && hasFreeAddress(order)) order.unit = withShipping(order.unit, { name: { full_name: name }, address })
  const now = needs.kit.clock.now()
  Object.assign(order, {
    status: 'APPROVED',
    approvedAt: now,
    updatedAt: now,
    course,
    payerId,
  } satisfies Partial<StoredOrder>)
  needs.kit.witness('paypal', 'approved', { order: id, course })
  needs.sendEvent('CHECKOUT.ORDER.APPROVED', { type: 'checkout-order', version: '2.0', body: wholeOrder(needs, order) })
  return order
}

/** @throws PaypalError */
export function captureOrder(needs: Needs, id: string): StoredOrder {
  const { books, kit } = needs
  const order = getOrder(needs, id)
  if (order.status === 'COMPLETED') throw unprocessable('ORDER_ALREADY_CAPTURED')
  if (order.status !== 'APPROVED') throw unprocessable('ORDER_NOT_APPROVED')
  requireNewInvoice(needs, order.unit.invoice_id)
  if (order.course !== 'complete' && order.course !== 'hold') throw refusedCapture(needs, order)

  const now = kit.clock.now()
  const isHeld = order.course === 'hold'
  const capture: StoredCapture = {
    id: newId(),
    orderId: order.id,
    status: isHeld ? 'PENDING' : 'COMPLETED',
    reason: isHeld ? 'PENDING_REVIEW' : undefined,
    amount: totalOf(order),
    invoiceId: order.unit.invoice_id,
    customId: order.unit.custom_id,
    createdAt: now,
    updatedAt: now,
  }
  books.captures.set(capture.id, capture)
  // An order is complete when everything is captured, whether the money is available or under review.
  Object.assign(order, { status: 'COMPLETED', captureId: capture.id, updatedAt: now } satisfies Partial<StoredOrder>)
  kit.witness('paypal', 'captured', { order: id, capture: capture.id, status: capture.status, amount: capture.amount })
  if (!isHeld) bookPayment(needs, capture)
  sendCaptureEvent(needs, `PAYMENT.CAPTURE.${capture.status}`, capture)
  return order
}

/** Ends the review of a held payment. */
export function decideHold(needs: Needs, named: string, outcome: 'COMPLETED' | 'DECLINED'): StoredCapture {
  const capture = findCapture(needs, named)
  if (capture.status !== 'PENDING') throw new Error(`The payment ${named} is not on hold: it is ${capture.status}.`)
  Object.assign(capture, { status: outcome, reason: undefined, updatedAt: needs.kit.clock.now() })
  needs.kit.witness('paypal', 'hold_ended', { capture: capture.id, outcome })
  if (outcome === 'COMPLETED') bookPayment(needs, capture)
  sendCaptureEvent(needs, outcome === 'COMPLETED' ? 'PAYMENT.CAPTURE.COMPLETED' : 'PAYMENT.CAPTURE.DENIED', capture)
  return capture
}

/** @param named the id of an order or of its capture @throws Error with a sentence for the control page */
export function findCapture({ books }: Pick<Needs, 'books'>, named: string): StoredCapture {
  const capture = books.captures.get(named) ?? books.captures.get(books.orders.get(named)?.captureId ?? '')
  if (!capture) throw new Error(`No order or capture ${named} was ever captured.`)
  return capture
}

export const sendCaptureEvent = (needs: Needs, type: string, capture: StoredCapture): void =>
  needs.sendEvent(type, { type: 'capture', version: '2.0', body: captureShape(needs, capture) })

export const totalOf = ({ unit }: StoredOrder): Cents => centsFromDecimal(unit.amount.value) ?? ZERO

function bookPayment({ books }: Needs, { id, amount, updatedAt }: StoredCapture): void {
  books.bookings.push({ id, code: 'T0006', at: updatedAt, amount, fee: negate(feeOn(amount)), captureId: id })
}

function refusedCapture({ base, kit }: Needs, order: StoredOrder): PaypalError {
  const { course } = order
  // The payer chooses another payment method; every other refusal is final for this approval but leaves the order unchanged.
  if (course === 'INSTRUMENT_DECLINED') {
    Object.assign(order, {
      status: 'PAYER_ACTION_REQUIRED',
      course: 'complete',
      updatedAt: kit.clock.now(),
    } satisfies Partial<StoredOrder>)
  }
  const back = link(base(), `/checkoutnow?token=${order.id}`, 'redirect')
  return new PaypalError(422, [detail(course)], course === 'INSTRUMENT_DECLINED' ? [back] : [])
}

/** PayPal refuses a second payment of one invoice (an account setting, on by default). */
function requireNewInvoice({ books }: Pick<Needs, 'books'>, invoiceId: string | undefined): void {
  if (invoiceId === undefined) return
  if ([...books.captures.values()].some((capture) => capture.invoiceId === invoiceId))
    throw unprocessable('DUPLICATE_INVOICE_ID', "/purchase_units/@reference_id=='default'/invoice_id", invoiceId)
}
