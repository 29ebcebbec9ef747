import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { defaultCollection } from '#site/collections/collections.ts'
import type { CollectionDisplay, PaymentOutcome } from '#contract/payments.ts'
import type { PaymentReference } from '#domain/payments/payment-reference.ts'
import { ApiError, type Api } from '#web/api/client.ts'
import { cartQuery } from '#web/api/queries.ts'
import { useApi } from '#web/api/use-api.ts'
import { clearPurchase } from '#web/app/browser-storage.ts'

const POLL_MS = 2000
const POLLS_MAX = 15 // half a minute; after that seldom, as long as somebody looks
const SELDOM_MS = 15_000
/** How long the provider may be behind the bank that sent the shopper back. */
const BEHIND_MAX = 5

type Verdict =
  | { kind: 'paid'; orderNumber: string | undefined; collection: CollectionDisplay }
  | { kind: 'processing' }
  | { kind: 'held' }
  /** Nobody could say; asking again may help. */
  | { kind: 'unreachable' }
  /** Back from a bank's own page, and the provider has no money: the checkout is as it was left. */
  | { kind: 'unpaid' }
  | { kind: 'failed' }

/** What the page shows: `asking` until the shop has spoken, or while it may yet decide. */
export type Outcome = { kind: 'asking' } | Verdict

/** @returns what became of the payment that the page's address names; asked again while it is being worked on */
export function usePaymentOutcome(referenceIn: (find: (name: string) => string | null) => PaymentReference) {
  const api = useApi()
  const search = useSearch()
  const parameters = search === undefined ? undefined : new URLSearchParams(search)
  const reference = parameters && referenceIn((name) => parameters.get(name))

  const returned = parameters?.get('redirect_status') ?? undefined

  const { data } = useQuery({
    queryKey: ['payment outcome', reference],
    queryFn: ({ signal }) => finalVerdict(api, reference, returned, signal),
    enabled: reference !== undefined && reference.kind !== 'none',
    refetchInterval: ({ state }) => state.data !== undefined && canChange(state.data) && SELDOM_MS,
  })
  const outcome: Outcome = reference?.kind === 'none' ? { kind: 'failed' } : (data ?? { kind: 'asking' })
  useClearedAfterPurchase(outcome.kind === 'paid')
  return { outcome, reference }
}

/**
 * Asks until it is decided, and at most half a minute.
 * @param returned what a bank's page says of itself in the address: a reason to ask, never the answer
 */
async function finalVerdict(
  api: Api,
  reference: PaymentReference | undefined,
  returned: string | undefined,
  signal: AbortSignal,
): Promise<Verdict> {
  if (!reference || reference.kind === 'none') return { kind: 'failed' }
  const ask = async (): Promise<Verdict> => {
    const verdict = await verdictOn(api, reference)
    return verdict.kind === 'unpaid' && returned === undefined ? { kind: 'failed' } : verdict
  }
  let verdict = await ask()
  for (let asked = 1; asked < POLLS_MAX && !signal.aborted; asked += 1) {
    const isBehind = verdict.kind === 'unpaid' && returned !== 'failed' && asked < BEHIND_MAX
    if (!isBehind && !canChange(verdict)) break
    await delay(POLL_MS)
    verdict = await ask()
  }
  return verdict
}

const delay = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

const canChange = ({ kind }: Verdict): boolean => kind === 'processing' || kind === 'unreachable'

/**
 * Asks the shop to settle the payment, which is safe to repeat, then whether the money came. A settlement that could not
 * finish does not matter to the shopper when it did: the shop repeats it by itself.
 */
async function verdictOn(api: Api, reference: Exclude<PaymentReference, { kind: 'none' }>): Promise<Verdict> {
  try {
    const orderNumber = await settledNumber(api, reference)
    const { status, collection } = readResult(
      await api('GET /api/payment-success/:id', { params: { id: reference.id } }),
    )
    if (status === 'paid') return { kind: status, orderNumber, collection }
    return { kind: status === 'failed' ? 'unpaid' : status }
  } catch (error) {
    const isAnswered = error instanceof ApiError && error.status < 500 && error.status !== 429
    return { kind: isAnswered ? 'failed' : 'unreachable' }
  }
}

/**
 * An answer names a success at least; the featured collection stands in where it names none, or not all of one
 * (specification, section 2, Success page).
 */
function readResult(answer: {
  success: boolean
  status?: PaymentOutcome
  collection?: Partial<CollectionDisplay> | null
}) {
  const status: PaymentOutcome = answer.status ?? (answer.success ? 'paid' : 'failed')
  const { emailSubject: emailSubjectLine, ...theme } = defaultCollection
  const collection: CollectionDisplay = { ...theme, emailSubjectLine, ...answer.collection }
  return { status, collection }
}

/** @returns the order's number, where this session paid; what an address says of it is not repeated */
async function settledNumber(
  api: Api,
  reference: Exclude<PaymentReference, { kind: 'none' }>,
): Promise<string | undefined> {
  const unsettled = () => undefined
  if (reference.kind === 'card') {
    const body = { paymentIntentId: reference.id }
    return (await api('POST /api/process-completed-payment', { body }).catch(unsettled))?.orderId
  }
  // The wallet's first form names the order alone, which the shop has then.
  if (reference.id === reference.orderNumber) return reference.orderNumber
  const body = { paypalOrderId: reference.id }
  return (await api('POST /api/process-paypal-order', { body }).catch(unsettled))?.orderNumber
}

/** Nothing of a purchase stays in the browser; the cart is what the shop says (specification, section 4, Confirmation page). */
function useClearedAfterPurchase(isPaid: boolean): void {
  const queries = useQueryClient()
  useEffect(() => {
    if (!isPaid) return
    clearPurchase()
    void queries.invalidateQueries({ queryKey: cartQuery.queryKey })
  }, [isPaid, queries])
}

const noChanges = () => () => {}

/** The page is rendered without its query, which names a payment: undefined until the browser has taken over. */
const useSearch = (): string | undefined =>
  useSyncExternalStore<string | undefined>(
    noChanges,
    () => location.search,
    () => undefined,
  )
