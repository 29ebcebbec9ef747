import { useEffect, useEffectEvent } from 'react'
import type { WalletOrderProcessing } from '#contract/payments.ts'
import { ApiError } from '#web/api/client.ts'
import { useApi } from '#web/api/use-api.ts'
import type { CheckoutState } from './use-checkout.ts'
import type { PaymentControls } from './use-payment.ts'
import {
  walletLate,
  walletNotCaptured,
  walletPaid,
  walletProcessed,
  WALLET_READY,
  walletUndecided,
  type WalletEvent,
} from './wallet-payment.ts'

const TIMEOUT_MS = 30_000 // specification, section 9

// Polls an undecided capture: often for half a minute, then slowly for as long as the page is open.
const POLL_MS = 2000
const FAST_POLLS_MAX = 15
const SLOW_POLL_MS = 10_000

const STILL_PROCESSING: WalletOrderProcessing = { success: false, status: 'PROCESSING' }

/** Not a final refusal. */
const isTemporary = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status >= 500 || error.status === 429

/** Takes the payment of an approved order, and follows it until it is decided. */
export function useWalletCapture(checkout: CheckoutState, { payment, send }: PaymentControls): void {
  const api = useApi()
  const { step, order } = payment.by === 'wallet' ? payment : WALLET_READY
  const approved = step === 'capturing' || step === 'polling' ? order : undefined

  /** @returns undefined when the page was left */
  const capture = useEffectEvent(async (order: string, hasLeft: () => boolean): Promise<WalletEvent | undefined> => {
    const captured = await api('POST /paypal/order/:id/capture', { params: { id: order } })
    const body = { paypalOrderId: order, paypalOrderData: captured, ...checkout.walletFacts() }
    const process = () =>
      api('POST /api/process-paypal-order', { body }).catch((error: unknown) => {
        // Paid: the confirmation page finds out the rest.
        if (captured.status === 'COMPLETED') return undefined
        // Undecided: poll again.
        if (captured.status === 'PROCESSING' && isTemporary(error)) return STILL_PROCESSING
        throw error
      })
    let processed = await process()
    for (let polls = 1; processed?.status === 'PROCESSING' && !hasLeft(); polls += 1) {
      const isLate = polls >= FAST_POLLS_MAX
      if (isLate) send(walletUndecided)
      await new Promise((resolve) => setTimeout(resolve, isLate ? SLOW_POLL_MS : POLL_MS))
      processed = await process()
    }
    if (hasLeft()) return undefined
    return processed ? walletProcessed(order, processed) : walletPaid(order)
  })
  useEffect(() => {
    if (approved === undefined) return undefined
    let hasLeft = false
    const timer = setTimeout(() => send(walletLate(approved)), TIMEOUT_MS)
    void capture(approved, () => hasLeft)
      .catch(walletNotCaptured)
      .then((event) => event && send(event))
    return () => {
      hasLeft = true
      clearTimeout(timer)
    }
  }, [approved, send])
}
