import { useCallback, useEffect, useRef, useState } from 'react'
import type { CartLine } from '#contract/cart.ts'
import type { OrderSummary } from '#contract/checkout.ts'
import { isComplete } from '#domain/checkout/address.ts'
import type { CheckoutVariant } from '#domain/checkout/steps.ts'
import { ApiError } from '#web/api/client.ts'
import { useApi } from '#web/api/use-api.ts'
import type { Word } from '#words/words.ts'
import { refusedFields, wireAddress, type AddressForm, type FieldName } from './customer-form.ts'
import { recoveryOf, type RecoveryStep } from './start-payment.ts'
import { fallbackSummary, summaryFrom, wireItems } from './summary.ts'

const DEBOUNCE_MS = 1000 // specification, section 9: tax is calculated a second after the last edit

export const PREVIEW_FAILED = 'Unable to calculate shipping costs' satisfies Word

export type LiveQuote =
  | { kind: 'incomplete' }
  | { kind: 'calculating' }
  | { kind: 'quoted'; summary: OrderSummary }
  /** The server did not answer: the specification's default figures, never charged. */
  | { kind: 'estimate'; summary: OrderSummary }
  /** The cart cannot go there, or the address does not exist. */
  | { kind: 'refused'; sentence: string; fields: ReadonlyMap<FieldName, string>; recovery: RecoveryStep }
  | { kind: 'unreachable' }

type QuoteRequest = [address: AddressForm, items: ReturnType<typeof wireItems>]

type SettledQuote = Exclude<LiveQuote, { kind: 'incomplete' | 'calculating' }>

/**
 * Shipping, tax and total for a complete address, a second after the last edit. `calculateNow` skips the delay and returns the
 * estimate when the server cannot be reached; `show` replaces the quote with a summary from another answer.
 * @param isActive false stops requests
 */
export function useLiveQuote(
  variant: CheckoutVariant,
  lines: readonly CartLine[],
  typed: AddressForm,
  isActive: boolean,
) {
  const api = useApi()
  const [stored, setStored] = useState<{ key: string; quote: SettledQuote }>()
  const running = useRef(new Map<string, Promise<SettledQuote>>())

  const address = wireAddress(typed)
  const items = wireItems(lines)
  const request: QuoteRequest = [address, items]
  // Effects depend on this text only: new objects on each render would restart the debounce.
  const key = JSON.stringify(request)
  const canCalculate = lines.length > 0 && isComplete(address)

  const calculate = useCallback(
    (requestKey: string): Promise<SettledQuote> => {
      const before = running.current.get(requestKey)
      if (before) return before
      const [to, cartItems] = JSON.parse(requestKey) as QuoteRequest
      const calculation = Promise.all([
        // Each checkout has its own request shape (specification, section 7).
        api('POST /api/calculate-shipping', {
          body: variant === 'main' ? { shippingAddress: to, cartItems } : { cartItems, destination: to },
        }),
        api('POST /api/calculate-taxes', { body: { customerAddress: to, cartItems } }),
      ])
        .then(([shipping, taxes]): SettledQuote => ({ kind: 'quoted', summary: summaryFrom(shipping, taxes) }))
        .catch(refusedQuote)
        .finally(() => running.current.delete(requestKey))
      running.current.set(requestKey, calculation)
      return calculation
    },
    [api, variant],
  )

  const isCurrent = stored?.key === key
  useEffect(() => {
    if (!isActive || !canCalculate || isCurrent) return undefined
    const timer = setTimeout(() => {
      void calculate(key).then((quote) => setStored({ key, quote }))
    }, DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [key, isActive, canCalculate, isCurrent, calculate])

  const calculateNow = async (): Promise<SettledQuote> => {
    const result = await calculate(key)
    const quote: SettledQuote =
      result.kind === 'unreachable' ? { kind: 'estimate', summary: fallbackSummary(lines, address.country) } : result
    setStored({ key, quote })
    return quote
  }

  const quote: LiveQuote = !canCalculate ? { kind: 'incomplete' } : isCurrent ? stored.quote : { kind: 'calculating' }
  return {
    quote,
    calculateNow,
    show: (summary: OrderSummary) => setStored({ key, quote: { kind: 'quoted', summary } }),
  }
}

function refusedQuote(error: unknown): SettledQuote {
  if (!(error instanceof ApiError) || !error.refusal || error.status >= 500 || error.refusal.code === 'too_many')
    return { kind: 'unreachable' }
  const { code, message: sentence, fields } = error.refusal
  return { kind: 'refused', sentence, fields: refusedFields(fields), recovery: recoveryOf(code) }
}
