import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { house } from '#site/house.ts'
import type { CollectionDisplay, PaymentOutcome } from '#contract/payments.ts'
import type { PaymentReference } from '#domain/payments/payment-reference.ts'
import { ApiError, type Api } from '#web/api/client.ts'
import { cartQuery, collectionsQuery, orderQuery } from '#web/api/queries.ts'
import { useApi } from '#web/api/use-api.ts'
import { clearPurchase } from '#web/app/browser-storage.ts'

const POLL_MS = 2000
const POLLS_MAX = 15 // half a minute
/** After that, as long as the page is open. */
const SLOW_POLL_MS = 15_000
/** The provider may learn of a payment some seconds after the bank has sent the shopper back. */
const UNPAID_POLLS_MAX = 5
/** Success is shown then, whatever of the order has not come yet. */
const SHOWN_AFTER_MS = 2000

type Missed = 'drop_taken' | 'drop_limit'

type Verdict =
  | { kind: 'paid'; orderNumber: string | undefined; collection: CollectionDisplay }
  /** Paid, but a drop had no piece for it: the money goes back. */
  | { kind: 'missed'; why: Missed; page: string | undefined }
  | { kind: 'processing' }
  | { kind: 'held' }
  /** The provider did not answer; a retry may help. */
  | { kind: 'unreachable' }
  /** Back from the bank's page without a payment: the checkout is as it was left. */
  | { kind: 'unpaid' }
  | { kind: 'failed' }

/** `pending` until the first verdict, or while polling. */
export type Outcome = { kind: 'pending' } | Verdict

/** @returns the outcome of the payment in the page's address, polled while it is processing */
export function usePaymentOutcome(readReference: (find: (name: string) => string | null) => PaymentReference) {
  const api = useApi()
  const search = useSearch()
  const parameters = search === undefined ? undefined : new URLSearchParams(search)
  const reference = parameters && readReference((name) => parameters.get(name))

  const returned = parameters?.get('redirect_status') ?? undefined

  const queries = useQueryClient()
  const { data } = useQuery({
    queryKey: ['payment outcome', reference],
    queryFn: async ({ signal }) => {
      const verdict = await finalVerdict(api, reference, returned, signal)
      if (verdict.kind !== 'paid') return verdict
      // All that the page shows at first, so that nothing moves; who has paid does not wait long to read it.
      const shown = Promise.allSettled([
        import('./PaidOrder.tsx'),
        queries.prefetchQuery(collectionsQuery),
        verdict.orderNumber !== undefined && queries.prefetchQuery(orderQuery({ order: verdict.orderNumber })),
      ])
      await Promise.race([shown, delay(SHOWN_AFTER_MS)])
      return verdict
    },
    enabled: reference !== undefined && reference.kind !== 'none',
    refetchInterval: ({ state }) => state.data !== undefined && canChange(state.data) && SLOW_POLL_MS,
  })
  const outcome: Outcome = reference?.kind === 'none' ? { kind: 'failed' } : (data ?? { kind: 'pending' })
  useClearAfterPurchase(outcome.kind === 'paid')
  return { outcome, reference }
}

/**
 * Polls until the payment is decided, for half a minute at most.
 * @param returned `redirect_status` from the bank's page: a reason to poll, never the verdict
 */
async function finalVerdict(
  api: Api,
  reference: PaymentReference | undefined,
  returned: string | undefined,
  signal: AbortSignal,
): Promise<Verdict> {
  if (!reference || reference.kind === 'none') return { kind: 'failed' }
  const fetchVerdict = async (): Promise<Verdict> => {
    const verdict = await verdictOn(api, reference)
    return verdict.kind === 'unpaid' && returned === undefined ? { kind: 'failed' } : verdict
  }
  let verdict = await fetchVerdict()
  for (let polls = 1; polls < POLLS_MAX && !signal.aborted; polls += 1) {
    const isMaybeLate = verdict.kind === 'unpaid' && returned !== 'failed' && polls < UNPAID_POLLS_MAX
    if (!isMaybeLate && !canChange(verdict)) break
    await delay(POLL_MS)
    verdict = await fetchVerdict()
  }
  return verdict
}

const delay = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

const canChange = ({ kind }: Verdict): boolean => kind === 'processing' || kind === 'unreachable'

/**
 * Settles the payment (idempotent), then reads whether the money arrived. A settlement that failed does not matter to a
 * shopper who has paid: the shop retries it.
 */
async function verdictOn(api: Api, reference: Exclude<PaymentReference, { kind: 'none' }>): Promise<Verdict> {
  try {
    const orderNumber = await settledNumber(api, reference)
    const answer = await api('GET /api/payment-success/:id', { params: { id: reference.id } })
    if (answer.missed) return { kind: 'missed', why: answer.missed, page: answer.page }
    const { status, collection } = readResult(answer)
    if (status === 'paid') return { kind: status, orderNumber, collection }
    return { kind: status === 'failed' ? 'unpaid' : status }
  } catch (error) {
    const isRefused = error instanceof ApiError && error.status < 500 && error.status !== 429
    return { kind: isRefused ? 'failed' : 'unreachable' }
  }
}

/** Only `success` is certain; the label's own words fill in what the answer leaves out (specification, section 2, Success page). */
function readResult(answer: {
  success: boolean
  status?: PaymentOutcome
  collection?: Partial<CollectionDisplay> | null
}) {
  const status: PaymentOutcome = answer.status ?? (answer.success ? 'paid' : 'failed')
  const { emailSubject: emailSubjectLine, ...theme } = house
  const collection: CollectionDisplay = { ...theme, emailSubjectLine, ...answer.collection }
  return { status, collection }
}

/** @returns the order number if this session paid; a number from the address is not trusted */
async function settledNumber(
  api: Api,
  reference: Exclude<PaymentReference, { kind: 'none' }>,
): Promise<string | undefined> {
  const ignore = () => undefined
  if (reference.kind === 'card') {
    const body = { paymentIntentId: reference.id }
    return (await api('POST /api/process-completed-payment', { body }).catch(ignore))?.orderId
  }
  // The wallet's first form carries only the order number, so the order exists already.
  if (reference.id === reference.orderNumber) return reference.orderNumber
  const body = { paypalOrderId: reference.id }
  return (await api('POST /api/process-paypal-order', { body }).catch(ignore))?.orderNumber
}

/** Deletes the purchase from browser storage and reloads the cart (specification, section 4, Confirmation page). */
function useClearAfterPurchase(isPaid: boolean): void {
  const queries = useQueryClient()
  useEffect(() => {
    if (!isPaid) return
    clearPurchase()
    void queries.invalidateQueries({ queryKey: cartQuery.queryKey })
  }, [isPaid, queries])
}

const noChanges = () => () => {}

/** Undefined until hydration: the server renders this page without its query, which names a payment. */
const useSearch = (): string | undefined =>
  useSyncExternalStore<string | undefined>(
    noChanges,
    () => location.search,
    () => undefined,
  )
