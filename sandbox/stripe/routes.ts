import type { z } from 'zod'
import {
  account,
  balanceOf,
  closeEndpoint,
  getEndpoint,
  listEndpoints,
  openEndpoint,
  settledTransaction,
  taxSettings,
} from './account.ts'
import { idOf } from './books.ts'
import type { Books } from './books.ts'
import { closeDispute, getCharge, getDispute, updateDispute } from './disputes.ts'
import { changeDomain, findDomain, registerDomain } from './domains.ts'
import { createFile, getFile } from './files.ts'
import type { Form } from './form.ts'
import { pageOf } from './lists.ts'
import type { Needs } from './needs.ts'
import * as parameters from './parameters.ts'
import {
  cancelPayment,
  confirmPayment,
  createPayment,
  finishChallenge,
  getIntent,
  inBrowser,
  requireSecret,
  updatePayment,
} from './payments.ts'
import { getPayout } from './payouts.ts'
import { createRefund, getRefund } from './refunds.ts'
import { calculateTax, getCalculation, getTaxTransaction, recordTax, reverseTax } from './tax.ts'
import { StripeError, resourceMissing } from './errors.ts'

export type Route = {
  method: string
  /** Segments of the path; `:id` matches one. */
  path: readonly string[]
  /** Stripe's type names of parameters and response, for the schema check; none if they have no published type. */
  takes: string | undefined
  gives: string | undefined
  /** @throws StripeError when the form lacks what the call needs */
  read: (form: Form) => { expand: readonly string[]; run: (needs: Needs, id: string) => unknown }
}

/** One endpoint: what it takes (schema and Stripe's name for it), what it returns, what it does. */
function route<T extends z.ZodType<object>>(
  call: `${'GET' | 'POST' | 'DELETE'} ${string}`,
  takes: string | undefined,
  gives: string | undefined,
  schema: T,
  run: (needs: Needs, wanted: z.output<T>, id: string) => unknown,
): Route {
  const [method = '', path = ''] = call.split(' ')
  return {
    method,
    path: path.split('/').slice(1),
    takes,
    gives,
    read: (form) => {
      const wanted = parameters.read(schema, form)
      const { expand = [] }: { expand?: readonly string[] } = wanted
      return { expand, run: (needs, id) => run(needs, wanted, id) }
    },
  }
}

/** Calls of the shop's server, with the secret key. */
export const serverRoutes: readonly Route[] = [
  route(
    'POST /v1/payment_intents',
    'PaymentIntentCreateParams',
    'PaymentIntent',
    parameters.createIntent,
    createPayment,
  ),
  route(
    'GET /v1/payment_intents',
    'PaymentIntentListParams',
    'PaymentIntentList',
    parameters.listIntents,
    ({ books }, page) =>
      pageOf(
        '/v1/payment_intents',
        books.intents.values(),
        page,
        ({ customer }) => page.customer === undefined || page.customer === customer,
      ),
  ),
  route(
    'GET /v1/payment_intents/:id',
    'PaymentIntentRetrieveParams',
    'PaymentIntent',
    parameters.readIntent,
    (needs, wanted, id) => {
      const intent = getIntent(needs, id)
      if (wanted.client_secret !== undefined) requireSecret(intent, wanted.client_secret)
      return intent
    },
  ),
  route(
    'POST /v1/payment_intents/:id',
    'PaymentIntentUpdateParams',
    'PaymentIntent',
    parameters.updateIntent,
    (needs, wanted, id) => updatePayment(needs, id, wanted),
  ),
  route(
    'POST /v1/payment_intents/:id/confirm',
    'PaymentIntentConfirmParams',
    'PaymentIntent',
    parameters.confirmIntent,
    (needs, wanted, id) => confirmPayment(needs, id, wanted),
  ),
  route(
    'POST /v1/payment_intents/:id/cancel',
    'PaymentIntentCancelParams',
    'PaymentIntent',
    parameters.cancelIntent,
    (needs, wanted, id) => cancelPayment(needs, id, wanted),
  ),

  route('GET /v1/charges', 'ChargeListParams', 'ChargeList', parameters.listByPayment, ({ books }, page) =>
    pageOf('/v1/charges', books.charges.values(), page, isOf(page.payment_intent)),
  ),
  route('GET /v1/charges/:id', 'ChargeRetrieveParams', 'Charge', parameters.readOnly, (needs, _, id) =>
    getCharge(needs, id),
  ),

  route('GET /v1/balance', 'BalanceRetrieveParams', 'Balance', parameters.readOnly, balanceOf),
  route(
    'GET /v1/balance_transactions',
    'BalanceTransactionListParams',
    'BalanceTransactionList',
    parameters.listBalanceTransactions,
    ({ books, kit }, page) => {
      const now = kit.clock.now()
      const all = [...books.balanceTransactions.values()].map((one) => settledTransaction(one, now))
      return pageOf(
        '/v1/balance_transactions',
        all,
        page,
        (one) =>
          (page.source === undefined || one.source === page.source) &&
          (page.type === undefined || one.type === page.type) &&
          (page.currency === undefined || one.currency === page.currency) &&
          (page.payout === undefined ||
            books.paidOutWith.get(one.id) === getPayout({ books }, page.payout, 'payout').id),
      )
    },
  ),
  route(
    'GET /v1/balance_transactions/:id',
    'BalanceTransactionRetrieveParams',
    'BalanceTransaction',
    parameters.readOnly,
    ({ books, kit }, _, id) =>
      settledTransaction(get(books.balanceTransactions, 'balance transaction', id), kit.clock.now()),
  ),

  route('POST /v1/refunds', 'RefundCreateParams', 'Refund', parameters.createRefund, createRefund),
  route('GET /v1/refunds', 'RefundListParams', 'RefundList', parameters.listRefunds, ({ books }, page) =>
    pageOf(
      '/v1/refunds',
      books.refunds.values(),
      page,
      (refund) => isOf(page.payment_intent)(refund) && (page.charge === undefined || refund.charge === page.charge),
    ),
  ),
  route('GET /v1/refunds/:id', 'RefundRetrieveParams', 'Refund', parameters.readOnly, (needs, _, id) =>
    getRefund(needs, id),
  ),

  route('GET /v1/disputes', 'DisputeListParams', 'DisputeList', parameters.listRefunds, ({ books }, page) =>
    pageOf(
      '/v1/disputes',
      books.disputes.values(),
      page,
      (dispute) => isOf(page.payment_intent)(dispute) && (page.charge === undefined || dispute.charge === page.charge),
    ),
  ),
  route('GET /v1/disputes/:id', 'DisputeRetrieveParams', 'Dispute', parameters.readOnly, (needs, _, id) =>
    getDispute(needs, id),
  ),
  route('POST /v1/disputes/:id', 'DisputeUpdateParams', 'Dispute', parameters.updateDispute, (needs, wanted, id) =>
    updateDispute(needs, id, wanted),
  ),
  route('POST /v1/disputes/:id/close', 'DisputeCloseParams', 'Dispute', parameters.readOnly, (needs, _, id) =>
    closeDispute(needs, id),
  ),

  // Its parameters are parts of a body, not a form.
  route('POST /v1/files', undefined, 'File', parameters.createFile, createFile),
  route('GET /v1/files', 'FileListParams', 'FileList', parameters.listFiles, ({ books }, page) =>
    pageOf(
      '/v1/files',
      [...books.files.values()].map(({ stored }) => stored),
      page,
      ({ purpose }) => page.purpose === undefined || purpose === page.purpose,
    ),
  ),
  route('GET /v1/files/:id', 'FileRetrieveParams', 'File', parameters.readOnly, (needs, _, id) => getFile(needs, id)),

  route('GET /v1/payouts', 'PayoutListParams', 'PayoutList', parameters.listPayouts, ({ books }, page) =>
    pageOf('/v1/payouts', books.payouts.values(), page),
  ),
  route('GET /v1/payouts/:id', 'PayoutRetrieveParams', 'Payout', parameters.readOnly, (needs, _, id) =>
    getPayout(needs, id),
  ),

  route(
    'POST /v1/tax/calculations',
    'Tax.CalculationCreateParams',
    'Tax.Calculation',
    parameters.createCalculation,
    calculateTax,
  ),
  route(
    'GET /v1/tax/calculations/:id',
    'Tax.CalculationRetrieveParams',
    'Tax.Calculation',
    parameters.readOnly,
    (needs, _, id) => getCalculation(needs, id),
  ),
  route(
    'GET /v1/tax/calculations/:id/line_items',
    'Tax.CalculationListLineItemsParams',
    'Tax.CalculationLineItemList',
    parameters.listPage,
    (needs, page, id) =>
      // A calculation's lines keep their order, while `readQueuePage` reverses a list.
      pageOf(
        `/v1/tax/calculations/${id}/line_items`,
        (getCalculation(needs, id).line_items?.data ?? []).toReversed(),
        page,
      ),
  ),
  route(
    'POST /v1/tax/transactions/create_from_calculation',
    'Tax.TransactionCreateFromCalculationParams',
    'Tax.Transaction',
    parameters.createTaxTransaction,
    recordTax,
  ),
  route(
    'POST /v1/tax/transactions/create_reversal',
    'Tax.TransactionCreateReversalParams',
    'Tax.Transaction',
    parameters.createTaxReversal,
    reverseTax,
  ),
  route(
    'GET /v1/tax/transactions/:id',
    'Tax.TransactionRetrieveParams',
    'Tax.Transaction',
    parameters.readOnly,
    (needs, _, id) => getTaxTransaction(needs, id),
  ),
  route(
    'GET /v1/tax/transactions/:id/line_items',
    'Tax.TransactionListLineItemsParams',
    'Tax.TransactionLineItemList',
    parameters.listPage,
    (needs, page, id) =>
      pageOf(
        `/v1/tax/transactions/${id}/line_items`,
        (getTaxTransaction(needs, id).line_items?.data ?? []).toReversed(),
        page,
      ),
  ),

  route('GET /v1/events', 'EventListParams', 'EventList', parameters.listEvents, ({ books }, page) =>
    pageOf(
      '/v1/events',
      books.events.values(),
      page,
      ({ type }) =>
        (page.type === undefined || matchesType(page.type, type)) &&
        (page.types === undefined || page.types.some((wanted) => matchesType(wanted, type))),
    ),
  ),
  route('GET /v1/events/:id', 'EventRetrieveParams', 'Event', parameters.readOnly, ({ books }, _, id) =>
    get(books.events, 'event', id),
  ),
  route('GET /v1/account', 'AccountRetrieveCurrentParams', 'Account', parameters.readOnly, () => account),

  route('GET /v1/tax/settings', 'Tax.SettingsRetrieveParams', 'Tax.Settings', parameters.readOnly, () => taxSettings),

  route(
    'POST /v1/webhook_endpoints',
    'WebhookEndpointCreateParams',
    'WebhookEndpoint',
    parameters.createEndpoint,
    openEndpoint,
  ),
  route(
    'GET /v1/webhook_endpoints',
    'WebhookEndpointListParams',
    'WebhookEndpointList',
    parameters.listPage,
    (needs, page) => pageOf('/v1/webhook_endpoints', listEndpoints(needs), page),
  ),
  route(
    'GET /v1/webhook_endpoints/:id',
    'WebhookEndpointRetrieveParams',
    'WebhookEndpoint',
    parameters.readOnly,
    ({ books }, _, id) => getEndpoint(books, id),
  ),
  route(
    'DELETE /v1/webhook_endpoints/:id',
    'WebhookEndpointDeleteParams',
    'DeletedWebhookEndpoint',
    parameters.readOnly,
    (needs, _, id) => closeEndpoint(needs, id),
  ),

  route(
    'POST /v1/payment_method_domains',
    'PaymentMethodDomainCreateParams',
    'PaymentMethodDomain',
    parameters.createDomain,
    registerDomain,
  ),
  route(
    'GET /v1/payment_method_domains',
    'PaymentMethodDomainListParams',
    'PaymentMethodDomainList',
    parameters.listDomains,
    ({ books }, page) =>
      pageOf(
        '/v1/payment_method_domains',
        books.domains.values(),
        page,
        ({ domain_name: name, enabled }) =>
          (page.domain_name === undefined || page.domain_name === name) &&
          (page.enabled === undefined || page.enabled === enabled),
      ),
  ),
  route(
    'POST /v1/payment_method_domains/:id',
    'PaymentMethodDomainUpdateParams',
    'PaymentMethodDomain',
    parameters.updateDomain,
    (needs, wanted, id) => changeDomain(needs, id, wanted),
  ),
  route(
    'POST /v1/payment_method_domains/:id/validate',
    'PaymentMethodDomainValidateParams',
    'PaymentMethodDomain',
    parameters.readOnly,
    (needs, _, id) => findDomain(needs, id),
  ),
]

/** Calls of the script in the browser, with the publishable key and the payment's client secret; they return fewer fields. */
export const browserRoutes: readonly Route[] = [
  route('GET /v1/payment_intents/:id', undefined, undefined, parameters.readInBrowser, (needs, wanted, id) => {
    const intent = getIntent(needs, id)
    requireSecret(intent, wanted.client_secret)
    return inBrowser(intent)
  }),
  route(
    'POST /v1/payment_intents/:id/confirm',
    undefined,
    undefined,
    parameters.confirmInBrowser,
    (needs, wanted, id) => {
      requireSecret(getIntent(needs, id), wanted.client_secret)
      return answeredInBrowser(() => confirmPayment(needs, id, wanted))
    },
  ),
  route('POST /sandbox/3ds/:id', undefined, undefined, parameters.challengeOutcome, (needs, wanted, id) => {
    requireSecret(getIntent(needs, id), wanted.client_secret)
    return answeredInBrowser(() => finishChallenge(needs, id, wanted.outcome))
  }),
]

/** An error includes the intent, and the browser must not see its metadata there either. */
function answeredInBrowser(work: () => ReturnType<typeof getIntent>) {
  try {
    return inBrowser(work())
  } catch (error) {
    if (!(error instanceof StripeError) || error.body.payment_intent === undefined) throw error
    const intent = error.body.payment_intent as ReturnType<typeof getIntent>
    throw new StripeError(error.status, { ...error.body, payment_intent: inBrowser(intent) }, { isKept: error.isKept })
  }
}

/** A copy of the object with this id, for `expand`. */
export function findObject({ books, kit }: Needs, id: string): unknown {
  const booked = books.balanceTransactions.get(id)
  if (booked) return settledTransaction(structuredClone(booked), kit.clock.now())
  const shelves = [books.charges, books.intents, books.methods, books.refunds, books.disputes, books.payouts]
  return structuredClone(shelves.map((shelf) => shelf.get(id)).find(Boolean))
}

/** Fields that responses include only if `expand` names them. */
export function expandOnlyField(object: Record<string, unknown>, field: string, books: Books): unknown {
  if (object['object'] === 'charge' && field === 'refunds') {
    const refunds = [...books.refunds.values()].filter(({ charge }) => charge === object['id']).toReversed()
    return {
      object: 'list',
      data: structuredClone(refunds),
      has_more: false,
      url: `/v1/charges/${String(object['id'])}/refunds`,
    }
  }
  if (object['object'] === 'tax.calculation' && field === 'line_items') {
    const kept = structuredClone(books.calculations.get(String(object['id']))?.line_items)
    for (const line of kept?.data ?? []) delete line.tax_breakdown
    return kept
  }
  if (object['object'] === 'tax.transaction' && field === 'line_items') {
    return structuredClone(books.taxTransactions.get(String(object['id']))?.line_items)
  }
  if (object['object'] === 'tax.calculation_line_item' && field === 'tax_breakdown') {
    const lines = [...books.calculations.values()].flatMap((calculation) => calculation.line_items?.data ?? [])
    return structuredClone(lines.find(({ id }) => id === object['id'])?.tax_breakdown)
  }
  return undefined
}

/** Removes from a fresh copy the fields that only `expand` includes. */
export function withhold(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body
  const object = body as Record<string, unknown>
  if (object['object'] === 'tax.calculation' || object['object'] === 'tax.transaction') delete object['line_items']
  if (object['object'] === 'tax.calculation_line_item') delete object['tax_breakdown']
  if (object['object'] === 'list' && Array.isArray(object['data'])) for (const one of object['data']) withhold(one)
  return body
}

function get<T>(shelf: Map<string, T>, object: string, id: string): T {
  const found = shelf.get(id)
  if (!found) throw resourceMissing(object, id)
  return found
}

const isOf = (wanted: string | undefined) => (one: { payment_intent: string | { id: string } | null }) =>
  wanted === undefined || idOf(one.payment_intent) === wanted

/** `charge.*` matches all events of charges. */
const matchesType = (wanted: string, type: string): boolean =>
  wanted.endsWith('*') ? type.startsWith(wanted.slice(0, -1)) : wanted === type
