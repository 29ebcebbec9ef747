import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { PublicConfig } from '#contract/public-config.ts'
import type { WalletOrderProcessing } from '#contract/payments.ts'
import { ApiError } from '#web/api/client.ts'
import { useApi } from '#web/api/use-api.ts'
import type { CheckoutState, OpenPayment } from './use-checkout.ts'
import type { PaymentControls } from './use-payment.ts'
import {
  walletApproved,
  walletBroke,
  walletCanceled,
  walletLate,
  walletNotCaptured,
  walletOrderRefused,
  walletPaid,
  walletPressed,
  walletProcessed,
  walletScriptFailed,
  WALLET_READY,
  walletUndecided,
  type OrderRefusal,
  type WalletEvent,
} from './wallet-payment.ts'
import { openWallet, type WalletError, type WalletSession } from './wallet-script.ts'

const TIMEOUT_MS = 30_000 // specification, section 9

// Polls an undecided capture: often for half a minute, then slowly for as long as the page is open.
const POLL_MS = 2000
const FAST_POLLS_MAX = 15
const SLOW_POLL_MS = 10_000

const STILL_PROCESSING: WalletOrderProcessing = { success: false, status: 'PROCESSING' }

/** Not a final refusal. */
const isTemporary = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status >= 500 || error.status === 429

export type WalletState = 'loading' | 'ready' | 'unavailable'

type WalletInput = {
  checkout: CheckoutState
  offer: OpenPayment
  config: PublicConfig['paypal']
  controls: PaymentControls
}

/** PayPal's button and window, and the calls of each step (`wallet-payment.ts`; specification, section 4, Wallet payment). */
export function useWallet({ checkout, offer, config, controls: { payment, send } }: WalletInput) {
  const api = useApi()
  const [attempt, setAttempt] = useState(0)
  const [current, setCurrent] = useState<{ attempt: number; state: WalletState }>({ attempt, state: 'loading' })
  const session = useRef<WalletSession>(undefined)
  /** Why the order was refused: PayPal's script only reports that the order is missing. */
  const orderRefusal = useRef<OrderRefusal>(undefined)
  const lastOrder = useRef<string>(undefined)
  const { step, order, scriptError } = payment.by === 'wallet' ? payment : WALLET_READY
  const failure = step === 'looking_up' ? scriptError : undefined
  const approved = step === 'capturing' || step === 'polling' ? order : undefined

  useEffect(() => {
    let isGone = false
    const setState = (state: WalletState) => {
      if (!isGone) setCurrent({ attempt, state })
    }
    const token = api('GET /paypal/setup').then(({ clientToken }) => clientToken)
    openWallet(config, token, {
      onApprove: async ({ orderId }) => send(walletApproved(orderId)),
      onCancel: () => send(walletCanceled),
      onError: (error) => send(walletBroke(error)),
    }).then(
      (opened) => {
        if (isGone) return opened.destroy()
        session.current = opened
        return setState('ready')
      },
      () => setState('unavailable'),
    )
    return () => {
      isGone = true
      session.current?.destroy()
      session.current = undefined
    }
  }, [api, config, attempt, send])

  /** Must be called in the click handler: browsers block later popups. */
  const press = () => {
    const opened = session.current
    if (!opened || payment.step !== 'ready') return
    send(walletPressed)
    orderRefusal.current = undefined
    const ordered = checkout.orderWallet(offer).then((answer) => {
      if (answer.kind === 'ordered') {
        lastOrder.current = answer.id
        return { orderId: answer.id }
      }
      orderRefusal.current = answer
      throw new Error('The shop gave no order')
    })
    // PayPal's script reports the rejection: mark it as handled.
    ordered.catch(() => undefined)
    // The handlers receive the result.
    void opened.start({ presentationMode: 'auto' }, ordered).catch((error: WalletError) => send(walletBroke(error)))
  }

  const lookUp = useEffectEvent(async (scriptError: string): Promise<WalletEvent> => {
    const earlier = lastOrder.current
    if (earlier !== undefined && (await checkout.isPaid(earlier))) return walletPaid(earlier)
    if (orderRefusal.current) return walletOrderRefused(orderRefusal.current)
    // The next click starts with a new wallet session.
    setAttempt((before) => before + 1)
    return walletScriptFailed(scriptError)
  })
  useEffect(() => {
    if (failure !== undefined) void lookUp(failure).then(send)
  }, [failure, send])

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

  return {
    // Keep the button while a new session starts.
    state: current.attempt === attempt || current.state === 'ready' ? current.state : ('loading' as const),
    press,
  }
}
