import { cents, decimalFromCents, minus, plus, share, type Cents } from '#shared/money.ts'
import { timeText, type Link, type Needs, type StoredCapture, type StoredOrder, type StoredRefund } from './books.ts'

/** Orders, captures and refunds on the wire. */

type Base = Pick<Needs, 'base' | 'books'>

export const usd = (amount: Cents) => ({ currency_code: 'USD', value: decimalFromCents(amount) })

/** PayPal's list price in the United States: 3.49 % and 49 cents. */
export const feeOn = (amount: Cents): Cents => plus(share(amount, 349), cents(49))

/** The only payer here. */
export const payer = {
  id: 'QYR5Z8XDVJNXQ',
  email: 'sandbox.shopper@paypal.example',
  given: 'Ada',
  surname: 'Sandbox',
  country: 'US',
}

const payee = { email_address: 'care@shop.example', merchant_id: 'T3STSH2PMRCH2' }

export const link = (base: string, path: string, rel: string, method = 'GET'): Link => ({
  href: `${base}${path}`,
  rel,
  method,
})

function linksOf({ base }: Base, order: StoredOrder): Link[] {
  const path = `/v2/checkout/orders/${order.id}`
  const self = link(base(), path, 'self')
  const approve = link(base(), `/checkoutnow?token=${order.id}`, order.hasSource ? 'payer-action' : 'approve')
  if (order.status === 'COMPLETED') return [self]
  if (order.status === 'APPROVED')
    return [self, link(base(), path, 'update', 'PATCH'), link(base(), `${path}/capture`, 'capture', 'POST')]
  return [
    self,
    approve,
    ...(order.hasSource
      ? []
      : [link(base(), path, 'update', 'PATCH'), link(base(), `${path}/capture`, 'capture', 'POST')]),
  ]
}

export const shortOrder = (needs: Base, order: StoredOrder) => ({
  id: order.id,
  status: order.status,
  ...(order.hasSource && { payment_source: { paypal: payerOf(order) ?? {} } }),
  links: linksOf(needs, order),
})

export function wholeOrder(needs: Base, order: StoredOrder) {
  const { books } = needs
  const person = payerOf(order)
  const capture = books.captures.get(order.captureId ?? '')
  const refunds = [...books.refunds.values()].filter(({ captureId }) => captureId === capture?.id)
  return {
    id: order.id,
    intent: 'CAPTURE',
    status: order.status,
    ...((order.hasSource || person) && { payment_source: { paypal: person ?? {} } }),
    purchase_units: [
      {
        ...order.unit,
        payee,
        ...(capture && {
          payments: {
            captures: [captureFields(needs, capture)],
            ...(refunds.length > 0 && { refunds: refunds.map((refund) => refundShape(needs, refund)) }),
          },
        }),
      },
    ],
    ...(person && {
      payer: {
        name: person.name,
        email_address: person.email_address,
        payer_id: person.account_id,
        address: person.address,
      },
    }),
    create_time: timeText(order.createdAt),
    update_time: timeText(order.updatedAt),
    links: linksOf(needs, order),
  }
}

const payerOf = ({ approvedAt, payerId = payer.id }: StoredOrder) =>
  approvedAt && {
    email_address: payer.email,
    account_id: payerId,
    account_status: 'VERIFIED',
    name: { given_name: payer.given, surname: payer.surname },
    address: { country_code: payer.country },
  }

/** A capture inside an order. */
function captureFields({ base }: Base, capture: StoredCapture) {
  const { id, status, amount, reason, orderId } = capture
  const fee = feeOn(amount)
  const path = `/v2/payments/captures/${id}`
  return {
    id,
    status,
    ...(reason && { status_details: { reason } }),
    amount: usd(amount),
    final_capture: true,
    seller_protection: {
      status: 'ELIGIBLE',
      dispute_categories: ['ITEM_NOT_RECEIVED', 'UNAUTHORIZED_TRANSACTION'],
    },
    // The fee and net amount are known only once the money has arrived.
    ...(status !== 'PENDING' &&
      status !== 'DECLINED' && {
        seller_receivable_breakdown: {
          gross_amount: usd(amount),
          paypal_fee: usd(fee),
          net_amount: usd(minus(amount, fee)),
        },
      }),
    ...(capture.invoiceId !== undefined && { invoice_id: capture.invoiceId }),
    ...(capture.customId !== undefined && { custom_id: capture.customId }),
    create_time: timeText(capture.createdAt),
    update_time: timeText(capture.updatedAt),
    links: [
      link(base(), path, 'self'),
      link(base(), `${path}/refund`, 'refund', 'POST'),
      link(base(), `/v2/checkout/orders/${orderId}`, 'up'),
    ],
  }
}

/** A capture on its own, as the payments calls and the events return it. */
export const captureShape = (needs: Base, capture: StoredCapture) => ({
  ...captureFields(needs, capture),
  payee,
  supplementary_data: { related_ids: { order_id: capture.orderId } },
})

export const shortRefund = ({ base }: Base, { id, status, captureId }: StoredRefund) => ({
  id,
  status,
  links: [link(base(), `/v2/payments/refunds/${id}`, 'self'), link(base(), `/v2/payments/captures/${captureId}`, 'up')],
})

/** PayPal keeps the payment's fee. */
export const refundShape = (needs: Base, refund: StoredRefund) => ({
  id: refund.id,
  status: refund.status,
  ...(refund.status === 'PENDING' && { status_details: { reason: 'ECHECK' } }),
  amount: usd(refund.amount),
  ...(refund.invoiceId !== undefined && { invoice_id: refund.invoiceId }),
  ...(refund.customId !== undefined && { custom_id: refund.customId }),
  ...(refund.note !== undefined && { note_to_payer: refund.note }),
  seller_payable_breakdown: {
    gross_amount: usd(refund.amount),
    paypal_fee: usd(cents(0)),
    net_amount: usd(refund.amount),
    total_refunded_amount: usd(refund.totalRefunded),
  },
  payer: payee,
  create_time: timeText(refund.createdAt),
  update_time: timeText(refund.updatedAt),
  links: shortRefund(needs, refund).links,
})
