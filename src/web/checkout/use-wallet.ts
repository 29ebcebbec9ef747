import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { PublicConfig } from '#contract/public-config.ts'
import { useApi } from '#web/api/use-api.ts'
import type { CheckoutState, OpenPayment } from './use-checkout.ts'
import type { PaymentControls } from './use-payment.ts'
import {
  walletApproved,
  walletBroke,
  walletCanceled,
  walletOrderRefused,
  walletPaid,
  walletPressed,
  walletScriptFailed,
  WALLET_READY,
  type OrderRefusal,
  type WalletEvent,
} from './wallet-payment.ts'
import { useWalletCapture } from './use-wallet-capture.ts'
import { openWallet, type WalletError, type WalletSession } from './wallet-script.ts'

export type WalletState = 'loading' | 'ready' | 'unavailable'

type WalletInput = {
  checkout: CheckoutState
  offer: OpenPayment
  config: PublicConfig['paypal']
  controls: PaymentControls
}

/** PayPal's button and window, and the calls of each step (`wallet-payment.ts`; specification, section 4, Wallet payment). */
export function useWallet({ checkout, offer, config, controls }: WalletInput) {
  const { payment, send } = controls
  const api = useApi()
  useWalletCapture(checkout, controls)
  const [attempt, setAttempt] = useState(0)
  const [current, setCurrent] = useState<{ attempt: number; state: WalletState }>({ attempt, state: 'loading' })
  const session = useRef<WalletSession>(undefined)
  /** Why the order was refused: PayPal's script only reports that the order is missing. */
  const orderRefusal = useRef<OrderRefusal>(undefined)
  const lastOrder = useRef<string>(undefined)
  const { step, scriptError } = payment.by === 'wallet' ? payment : WALLET_READY
  const failure = step === 'looking_up' ? scriptError : undefined

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

  return {
    // Keep the button while a new session starts.
    state: current.attempt === attempt || current.state === 'ready' ? current.state : ('loading' as const),
    press,
  }
}
