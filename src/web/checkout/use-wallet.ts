import { useEffect, useRef, useState, type RefObject } from 'react'
import type { PublicConfig } from '#contract/public-config.ts'
import type { WalletOrderProcessing } from '#contract/payments.ts'
import { hasTakenNothing } from '#domain/checkout/steps.ts'
import { paymentKey } from '#shared/ids.ts'
import { ApiError } from '#web/api/client.ts'
import { sentenceOf } from '#web/api/error-sentence.ts'
import { useApi } from '#web/api/use-api.ts'
import { PAYMENT_FAILED, type RecoveryStep, type PaidBefore, type WalletAnswer } from './start-payment.ts'
import type { ChargeCertainty, PaymentControls } from './use-payment-state.ts'
import { openWallet, type WalletError, type WalletHandlers, type WalletSession } from './wallet-script.ts'

const TIMEOUT_MS = 30_000 // specification, section 9

// Polls an undecided capture: often for half a minute, then slowly for as long as the page is open.
const POLL_MS = 2000
const FAST_POLLS_MAX = 15
const SLOW_POLL_MS = 10_000

/** Specification, section 8, Wallet payment. */
const ON_HOLD = 'Payment is on hold pending PayPal review. Your order will be processed once payment is cleared.'
const CHECK_ADDRESS = 'Please verify your shipping address and try again.'
const failureSentence = (message: string) => `Payment processing failed: ${message}`

const UNDECIDED = {
  title: 'Payment Processing',
  sentence: 'PayPal is still working on this payment. You do not need to pay again.',
}

const STILL_PROCESSING: WalletOrderProcessing = { success: false, status: 'PROCESSING' }

/** Not a final refusal. */
const isTemporary = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status >= 500 || error.status === 429

export type WalletState = 'loading' | 'ready' | 'unavailable'

export type WalletPaid = { paypalOrderId: string; orderNumber: string | undefined; printfulOrderId: string | undefined }

type WalletInput = {
  payment: PaymentControls
  config: PublicConfig['paypal']
  /** Creates the wallet order. */
  order: () => Promise<WalletAnswer>
  /** More fields for `process-paypal-order`. */
  about: () => { customerInfo: unknown; cartItems: unknown; amount: unknown }
  isPaid: (walletOrder: string) => Promise<boolean>
  onPaid: (paid: WalletPaid) => void
  /** PayPal reviews the payment. */
  onClosed: () => void
  /** Paid elsewhere. */
  onPaidBefore: (answer: PaidBefore) => void
}

/** The wallet: click, order, approval, capture, processing (specification, section 4, Wallet payment). */
export function useWallet({ payment, config, order, about, isPaid, onPaid, onClosed, onPaidBefore }: WalletInput) {
  const api = useApi()
  const { set, isStillOpen, lock } = payment
  const [attempt, setAttempt] = useState(0)
  const [current, setCurrent] = useState<{ attempt: number; state: WalletState }>({ attempt, state: 'loading' })
  const session: RefObject<WalletSession | undefined> = useRef<WalletSession>(undefined)
  /** Why the order was refused: PayPal's script only reports that the order is missing. */
  const orderRefusal = useRef<Exclude<WalletAnswer, { kind: 'ordered' }>>(undefined)
  const lastOrder = useRef<string>(undefined)
  const isGone = useRef(false)
  useEffect(() => {
    isGone.current = false
    return () => {
      isGone.current = true
    }
  }, [])

  const refuse = (
    sentence: string,
    more: { isCharged?: ChargeCertainty; alert?: string; recovery?: RecoveryStep } = {},
  ) => payment.refuse('wallet', { title: PAYMENT_FAILED, sentence }, more)

  const showHeld = (sentence: string, walletOrder: string) => {
    set({ kind: 'held', by: 'wallet', sentence, payment: paymentKey('paypal', walletOrder) })
    onClosed()
  }

  const showPaidBefore = (answer: PaidBefore) => {
    payment.setPaidBefore('wallet', answer)
    onPaidBefore(answer)
  }

  const showOrderRefusal = (answer: Exclude<WalletAnswer, { kind: 'ordered' }>): void => {
    switch (answer.kind) {
      case 'changed':
        return set({ kind: 'changed', by: 'wallet', sentence: answer.sentence })
      case 'already_paid':
      case 'held':
        return showPaidBefore(answer)
      case 'failed':
        return refuse(failureSentence(answer.failure.sentence))
      case 'refused':
        return answer.code === 'wallet_address'
          ? refuse(answer.failure.sentence, { alert: CHECK_ADDRESS })
          : refuse(failureSentence(answer.failure.sentence), { recovery: answer.recovery })
    }
  }

  const finish = (walletOrder: string, numbers: Partial<Omit<WalletPaid, 'paypalOrderId'>> = {}) => {
    set({ kind: 'paid', by: 'wallet' })
    onPaid({ paypalOrderId: walletOrder, orderNumber: undefined, printfulOrderId: undefined, ...numbers })
  }

  /** Whether an earlier attempt has paid: its answer was lost, or the shop captured an approval itself. */
  const wasPaid = async (): Promise<boolean> => {
    const earlier = lastOrder.current
    if (earlier === undefined || !(await isPaid(earlier))) return false
    finish(earlier)
    return true
  }

  const handleError = async (error: WalletError): Promise<void> => {
    const answer = orderRefusal.current
    orderRefusal.current = undefined
    try {
      if (!isStillOpen() || (await wasPaid())) return
      if (answer) return showOrderRefusal(answer)
      refuse(failureSentence(error.message))
      // The next click starts with a new wallet session.
      setAttempt((before) => before + 1)
    } finally {
      lock.release()
    }
  }

  const onError = (error: WalletError) => void handleError(error)

  const handleProcessed = (walletOrder: string, processed: WalletOrderProcessing): void => {
    const { success, status, type = '', details = '', error, orderNumber, printfulOrderId } = processed
    if (status === 'PENDING_REVIEW') return showHeld(ON_HOLD, walletOrder)
    if (success) return finish(walletOrder, { orderNumber, printfulOrderId })
    if (/address/i.test(type)) return refuse(`Address validation error: ${details}`, { alert: CHECK_ADDRESS })
    return refuse(failureSentence(error ?? details), { isCharged: 'unknown' })
  }

  const handleRefusal = (walletOrder: string, error: unknown): void => {
    if (!(error instanceof ApiError) || !error.refusal)
      return refuse(failureSentence(sentenceOf(error)), { isCharged: 'unknown' })
    const { code, message, payment: other } = error.refusal
    if (code === 'wallet_address') return refuse(message, { alert: CHECK_ADDRESS })
    if (code === 'already_paid' || code === 'payment_held')
      return showPaidBefore({ kind: code === 'payment_held' ? 'held' : code, sentence: message, payment: other })
    return refuse(failureSentence(message), { isCharged: hasTakenNothing(code) ? 'no' : 'unknown' })
  }

  const capture = async (walletOrder: string): Promise<void> => {
    set({ kind: 'taking', walletOrder, isLate: false })
    const timer = setTimeout(() => isStillOpen() && set({ kind: 'taking', walletOrder, isLate: true }), TIMEOUT_MS)
    try {
      const captured = await api('POST /paypal/order/:id/capture', { params: { id: walletOrder } })
      const body = { paypalOrderId: walletOrder, paypalOrderData: captured, ...about() }
      const process = () =>
        api('POST /api/process-paypal-order', { body }).catch((error: unknown) => {
          // Paid: the confirmation page finds out the rest.
          if (captured.status === 'COMPLETED') return undefined
          // Undecided: poll again.
          if (captured.status === 'PROCESSING' && isTemporary(error)) return STILL_PROCESSING
          throw error
        })
      let processed = await process()
      for (let polls = 1; processed?.status === 'PROCESSING' && !isGone.current; polls += 1) {
        const isLate = polls >= FAST_POLLS_MAX
        if (isLate) set({ kind: 'undecided', by: 'wallet', failure: UNDECIDED })
        await new Promise((resolve) => setTimeout(resolve, isLate ? SLOW_POLL_MS : POLL_MS))
        processed = await process()
      }
      if (isGone.current) return
      if (processed) handleProcessed(walletOrder, processed)
      else finish(walletOrder)
    } catch (error) {
      handleRefusal(walletOrder, error)
    } finally {
      clearTimeout(timer)
      lock.release()
    }
  }

  const onCancel = () => {
    lock.release()
    set({ kind: 'canceled' })
  }

  const handlers = useRef<WalletHandlers>(undefined)
  useEffect(() => {
    handlers.current = {
      onApprove: ({ orderId }) => capture(orderId),
      onCancel,
      onError,
    }
  })

  useEffect(() => {
    let isGone = false
    const setState = (state: WalletState) => {
      if (!isGone) setCurrent({ attempt, state })
    }
    const token = api('GET /paypal/setup').then(({ clientToken }) => clientToken)
    openWallet(config, token, {
      onApprove: async (approved) => handlers.current?.onApprove(approved),
      onCancel: () => handlers.current?.onCancel(),
      onError: (error) => handlers.current?.onError(error),
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
  }, [api, config, attempt])

  /** Must be called in the click handler: browsers block later popups. */
  const press = () => {
    const opened = session.current
    if (!opened || !lock.acquire()) return
    set({ kind: 'in_wallet' })
    orderRefusal.current = undefined
    const ordered = order().then((answer) => {
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
    void opened.start({ presentationMode: 'auto' }, ordered).catch(onError)
  }

  return {
    // Keep the button while a new session starts.
    state: current.attempt === attempt || current.state === 'ready' ? current.state : ('loading' as const),
    press,
    retry: () => setAttempt(attempt + 1),
  }
}
