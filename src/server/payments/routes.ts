import type { AnswerOf } from '#contract/call.ts'
import type { paymentCalls } from '#contract/payments.ts'
import {
  type CaptureData,
  type CollectionDisplay,
  type PaymentOutcome,
  type WalletOrderProcessing,
} from '#contract/payments.ts'
import type { ProviderPayment } from '#domain/payments/objection.ts'
import { paymentKey, readOrderNumber, type PaymentKey } from '#shared/ids.ts'
import { decimalFromCents } from '#shared/money.ts'
import { readCollections, themeOf } from '#server/catalog/collections.ts'
import { findVersion } from '#server/checkout/checkout.ts'
import type { Reader } from '#server/db/db.ts'
import { findDropPage } from '#server/drops/drops.ts'
import type { App } from '#server/http/app.ts'
import type { Context } from '#server/http/context.ts'
import { bodyOfRefusal, Refusal } from '#server/http/refusal.ts'
import { serve } from '#server/http/serve.ts'
import { findOrderByNumber, type Order } from '#server/orders/orders.ts'
import type { WalletPayment } from '#server/providers/paypal/orders.ts'
import { providerOfId } from '#server/providers/payments.ts'
import { ProviderUnavailable } from '#server/providers/provider-errors.ts'
import type { Needs } from '#server/shop.ts'
import { findException } from './exceptions.ts'
import { settle } from './settlement.ts'
import { captureWallet, isApproved, processWallet } from './wallet.ts'

const outcomes: Record<ProviderPayment['status'], PaymentOutcome> = {
  captured: 'paid',
  processing: 'processing',
  held: 'held',
  open: 'failed',
  cancelled: 'failed',
}

type PaymentRouteNeeds = Needs<'db' | 'clock' | 'payments' | 'paypal' | 'jobs' | 'config' | 'log'>

export const paymentRoutes = (app: App, shop: PaymentRouteNeeds) =>
  serve(app, 'payments', {
    complete: async (context, { body }): Promise<AnswerOf<typeof paymentCalls.complete>> => {
      const key = paymentKey('stripe', body.paymentIntentId)
      try {
        const { order } = await orUnknown(settle(shop, key))
        // Also for an exception: the owner resolves it, and the shopper has paid. Only the paying session gets the order number;
        // anybody else who knows the payment's id learns only that it was paid.
        const isPayer = order !== undefined && (await context.session())?.id === order.sessionId
        return { success: true, status: 'paid', ...(isPayer && { orderId: order.orderNumber }) }
      } catch (error) {
        if (!(error instanceof Refusal) || error.code !== 'payment_not_captured') throw error
        const status = outcomes[error.facts['status'] as ProviderPayment['status']]
        return { success: false, status, error: 'This payment has not been completed.' }
      }
    },
    captureWallet: async (context, { params }) => {
      const payment = await captureWallet(shop, (await context.session())?.id, params.id)
      return captureData(params.id, payment)
    },
    processWallet: async (context, { body }): Promise<WalletOrderProcessing> => {
      const processed = await orUnknown(processWallet(shop, (await context.session())?.id, body.paypalOrderId))
      if (processed.kind === 'held')
        return { success: false, status: 'PENDING_REVIEW', error: bodyOfRefusal(new Refusal('payment_held')).message }
      if (processed.kind === 'processing') return { success: false, status: 'PROCESSING' }
      return { success: true, status: 'COMPLETED', ...(processed.order && numbersOf(processed.order)) }
    },
    result: async (context, { params }) => {
      const key = await keyOf(shop, context, params.id)
      const payment = key && (await orUnknown(shop.payments.read(key)))
      if (!key || !payment?.checkoutId) throw new Refusal('unknown_payment')
      // An approved wallet order may be captured at any moment, so it has not failed.
      const status = isApproved(payment) ? 'processing' : outcomes[payment.status]
      const kind = (await findException(shop.db, key))?.kind
      const missed = (['drop_taken', 'drop_limit'] as const).find((one) => one === kind)
      const version = await versionOf(shop.db, payment)
      const page = missed && version && (await findDropPage(shop.db, version.frozen.lines, shop.clock.now()))
      return {
        ...{ success: status === 'paid', status, collection: await collectionOf(shop, version) },
        ...(missed && { missed, ...(page !== undefined && { page }) }),
      }
    },
  })

/** Never reports a payment as failed while it is unknown. @throws Refusal `outcome_unknown` while the provider does not respond */
async function orUnknown<Result>(outcome: Promise<Result>): Promise<Result> {
  try {
    return await outcome
  } catch (error) {
    throw error instanceof ProviderUnavailable ? new Refusal('outcome_unknown') : error
  }
}

/**
 * The payment of an intent id, a wallet order id, or an order number from the wallet's return URL. An order number can be guessed or
 * read over a shoulder, so it works only for the paying session and looks unknown to everybody else.
 */
async function keyOf(
  { db }: Needs<'db'>,
  context: Pick<Context, 'session'>,
  id: string,
): Promise<PaymentKey | undefined> {
  const orderNumber = readOrderNumber(id)
  if (orderNumber) {
    const [order, session] = await Promise.all([findOrderByNumber(db, orderNumber), context.session()])
    return order?.paymentKey && order.sessionId === session?.id ? order.paymentKey : undefined
  }
  return paymentKey(providerOfId(id), id)
}

const numbersOf = ({ orderNumber, printfulOrderId }: Order) => ({
  orderNumber,
  ...(printfulOrderId !== null && { printfulOrderId: String(printfulOrderId) }),
})

function captureData(id: string, payment: WalletPayment | 'processing'): CaptureData {
  if (payment === 'processing' || payment.captureId === null || !['captured', 'held'].includes(payment.status))
    return { id, status: 'PROCESSING', purchase_units: [] }
  const isHeld = payment.status === 'held'
  const capture = {
    id: payment.captureId,
    status: isHeld ? 'PENDING' : 'COMPLETED',
    ...(isHeld
      ? { status_details: { reason: 'PENDING_REVIEW' } }
      : { amount: { currency_code: payment.currency.toUpperCase(), value: decimalFromCents(payment.amount) } }),
  }
  return { id, status: isHeld ? 'PENDING' : 'COMPLETED', purchase_units: [{ payments: { captures: [capture] } }] }
}

/** The display texts of the purchased collection; no personal data. */
const versionOf = async (db: Reader, { checkoutId, quoteHash }: ProviderPayment) =>
  checkoutId && quoteHash ? findVersion(db, checkoutId, quoteHash) : undefined

async function collectionOf(
  { db }: Needs<'db'>,
  version: Awaited<ReturnType<typeof versionOf>>,
): Promise<CollectionDisplay> {
  const theme = themeOf(await readCollections(db), version?.frozen.lines[0]?.collection ?? '')
  const { primary, accent, background } = theme.colors
  return { ...theme, emailSubjectLine: theme.emailSubject, colors: { primary, accent, background } }
}
