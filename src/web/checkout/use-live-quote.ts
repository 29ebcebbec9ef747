import { useCallback, useEffect, useRef, useState } from 'react'
import type { CartLine } from '#contract/cart.ts'
import type { OrderSummary } from '#contract/checkout.ts'
import { isComplete } from '#domain/checkout/address.ts'
import type { CheckoutVariant } from '#domain/checkout/steps.ts'
import { ApiError } from '#web/api/client.ts'
import { useApi } from '#web/api/use-api.ts'
import { refusedFields, wireAddress, type AddressForm, type FieldName } from './customer-form.ts'
import { fallbackSummary, summaryFrom, wireItems } from './summary.ts'

const DEBOUNCE_MS = 1000 // specification, section 9: tax is calculated a second after the last edit

export const PREVIEW_FAILED = 'Unable to calculate shipping costs'

/** What can be said of shipping and tax right now. */
export type LiveQuote =
  | { kind: 'incomplete' }
  | { kind: 'calculating' }
  | { kind: 'quoted'; summary: OrderSummary }
  /** The shop did not answer: the specification's figures stand in, and are charged nowhere. */
  | { kind: 'estimate'; summary: OrderSummary }
  /** The shop said no: this cart cannot go there, or the address does not exist. */
  | { kind: 'refused'; sentence: string; fields: ReadonlyMap<FieldName, string> }
  | { kind: 'unreachable' }

type SettledQuote = Exclude<LiveQuote, { kind: 'incomplete' | 'calculating' }>

/**
 * Shipping, tax and total while the address is being typed: asked a second after the last edit, as soon as the address is
 * complete. `ask` answers at once, and with the estimate when the shop cannot be reached; `show` takes a summary that the
 * shop has sent on its own.
 * @param isWatched false while nobody types: nothing is asked then
 */
export function useLiveQuote(
  variant: CheckoutVariant,
  lines: readonly CartLine[],
  typed: AddressForm,
  isWatched: boolean,
) {
  const api = useApi()
  const [known, setKnown] = useState<{ key: string; quote: SettledQuote }>()
  const running = useRef(new Map<string, Promise<SettledQuote>>())

  const address = wireAddress(typed)
  const items = wireItems(lines)
  const key = JSON.stringify([address, items])
  const isAskable = lines.length > 0 && isComplete(address)
  // The key holds everything that is asked about; objects made anew on each rendering would restart the clock.
  const asked = useRef({ address, items, lines })
  useEffect(() => {
    asked.current = { address, items, lines }
  })

  const calculate = useCallback(
    (about: string): Promise<SettledQuote> => {
      const before = running.current.get(about)
      if (before) return before
      const { address: to, items: cartItems, lines: priced } = asked.current
      const calculation = Promise.all([
        // Each face has its own form of it (specification, section 7).
        api('POST /api/calculate-shipping', {
          body: variant === 'main' ? { shippingAddress: to, cartItems } : { cartItems, destination: to },
        }),
        api('POST /api/calculate-taxes', { body: { customerAddress: to, cartItems } }),
      ])
        .then(([shipping, taxes]): SettledQuote => ({ kind: 'quoted', summary: summaryFrom(priced, shipping, taxes) }))
        .catch(refusedQuote)
        .finally(() => running.current.delete(about))
      running.current.set(about, calculation)
      return calculation
    },
    [api, variant],
  )

  const isKnown = known?.key === key
  useEffect(() => {
    if (!isWatched || !isAskable || isKnown) return undefined
    const timer = setTimeout(() => {
      void calculate(key).then((quote) => setKnown({ key, quote }))
    }, DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [key, isWatched, isAskable, isKnown, calculate])

  const ask = async (): Promise<SettledQuote> => {
    const answered = await calculate(key)
    const quote: SettledQuote =
      answered.kind === 'unreachable'
        ? { kind: 'estimate', summary: fallbackSummary(lines, address.country) }
        : answered
    setKnown({ key, quote })
    return quote
  }

  const quote: LiveQuote = !isAskable ? { kind: 'incomplete' } : isKnown ? known.quote : { kind: 'calculating' }
  return { quote, ask, show: (summary: OrderSummary) => setKnown({ key, quote: { kind: 'quoted', summary } }) }
}

function refusedQuote(error: unknown): SettledQuote {
  if (!(error instanceof ApiError) || !error.refusal || error.status >= 500 || error.refusal.code === 'too_many')
    return { kind: 'unreachable' }
  return { kind: 'refused', sentence: error.refusal.message, fields: refusedFields(error.refusal.fields) }
}
