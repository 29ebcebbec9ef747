import { useEffect, useRef, useState, type RefObject } from 'react'
import type { PublicConfig } from '#contract/public-config.ts'
import type { WalletOrderProcessing } from '#contract/payments.ts'
import { hasTakenNothing } from '#domain/checkout/steps.ts'
import { paymentKey } from '#shared/ids.ts'
import { ApiError } from '#web/api/client.ts'
import { sentenceOf } from '#web/api/error-sentence.ts'
import { useApi } from '#web/api/use-api.ts'
import type { RecoveryStep, PaidBefore, WalletAnswer } from './start-payment.ts'
import type { ChargeCertainty, PaymentControls } from './use-payment-state.ts'
import { openWallet, type WalletError, type WalletHandlers, type WalletSession } from './wallet-script.ts'

const TIMEOUT_MS = 30_000 // specification, section 9: after that the shopper is told where to look

// While the provider has not said whether it has the money, the shop is asked again: often for half a minute, then for as long as
// the page is open.
const POLL_MS = 2000
const FAST_POLLS_MAX = 15
const SLOW_POLL_MS = 10_000

/** Specification, section 8, Wallet payment. */
const ON_HOLD = 'Payment is on hold pending PayPal review. Your order will be processed once payment is cleared.'
const CHECK_ADDRESS = 'Please verify your shipping address and try again.'
const failureSentence = (message: string) => `Payment processing failed: ${message}`

const TITLE = 'Payment Failed'
const UNDECIDED = {
  title: 'Payment Processing',
  sentence: 'PayPal is still working on this payment. You do not need to pay again.',
}

const STILL_PROCESSING: WalletOrderProcessing = { success: false, status: 'PROCESSING' }

/** The shop could not say; it may on another day. */
const isNoAnswer = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status >= 500 || error.status === 429

export type WalletState = 'loading' | 'ready' | 'unavailable'

/** What the confirmation page needs to find the payment. */
export type WalletPaid = { paypalOrderId: string; orderNumber: string | undefined; printfulOrderId: string | undefined }

type WalletInput = {
  payment: PaymentControls
  config: PublicConfig['paypal']
  /** Asks the shop for the wallet's order. */
  order: () => Promise<WalletAnswer>
  /** What `process-paypal-order` is told besides the order. */
  about: () => { customerInfo: unknown; cartItems: unknown; amount: unknown }
  /** Whether a wallet order's money came. */
  isPaid: (walletOrder: string) => Promise<boolean>
  onPaid: (paid: WalletPaid) => void
  /** The provider reviews the payment: nothing more is to be paid here. */
  onClosed: () => void
  /** Nor here: something else has paid. */
  onPaidBefore: (answer: PaidBefore) => void
}

/** The wallet: click, order, approval, capture, processing (specification, section 4, Wallet payment). */
export function useWallet({ payment, config, order, about, isPaid, onPaid, onClosed, onPaidBefore }: WalletInput) {
  const api = useApi()
  const { set, isStillOpen, turn } = payment
  const [attempt, setAttempt] = useState(0)
  const [known, setKnown] = useState<{ attempt: number; state: WalletState }>({ attempt, state: 'loading' })
  const session: RefObject<WalletSession | undefined> = useRef<WalletSession>(undefined)
  /** Why the shop gave no order: the wallet's script only passes on that it got none. */
  const noOrder = useRef<Exclude<WalletAnswer, { kind: 'ordered' }>>(undefined)
  const lastOrder = useRef<string>(undefined)
  /** Whether the page was left. */
  const isGone = useRef(false)
  useEffect(() => {
    isGone.current = false
    return () => {
      isGone.current = true
    }
  }, [])

  const refuse = (sentence: string, more: { isCharged?: ChargeCertainty; alert?: string; cure?: RecoveryStep } = {}) =>
    payment.refuse('wallet', { title: TITLE, sentence }, more)

  const tellHeld = (sentence: string, walletOrder: string) => {
    set({ kind: 'held', by: 'wallet', sentence, payment: paymentKey('paypal', walletOrder) })
    onClosed()
  }

  const tellPaidBefore = (answer: PaidBefore) => {
    payment.setPaidBefore('wallet', answer)
    onPaidBefore(answer)
  }

  const tellNoOrder = (answer: Exclude<WalletAnswer, { kind: 'ordered' }>): void => {
    switch (answer.kind) {
      case 'changed':
        return set({ kind: 'changed', by: 'wallet', sentence: answer.sentence })
      case 'already_paid':
      case 'held':
        return tellPaidBefore(answer)
      case 'failed':
        return refuse(failureSentence(answer.trouble.sentence))
      case 'refused':
        return answer.code === 'wallet_address'
          ? refuse(answer.trouble.sentence, { alert: CHECK_ADDRESS })
          : refuse(failureSentence(answer.trouble.sentence), { cure: answer.cure })
    }
  }

  const finish = (walletOrder: string, numbers: Partial<Omit<WalletPaid, 'paypalOrderId'>> = {}) => {
    set({ kind: 'paid', by: 'wallet' })
    onPaid({ paypalOrderId: walletOrder, orderNumber: undefined, printfulOrderId: undefined, ...numbers })
  }

  /** Whether an earlier try has paid after all: its answer was lost, or the shop took an approval up by itself. */
  const wasPaid = async (): Promise<boolean> => {
    const earlier = lastOrder.current
    if (earlier === undefined || !(await isPaid(earlier))) return false
    finish(earlier)
    return true
  }

  const tellError = async (error: WalletError): Promise<void> => {
    const answer = noOrder.current
    noOrder.current = undefined
    try {
      if (!isStillOpen() || (await wasPaid())) return
      if (answer) return tellNoOrder(answer)
      refuse(failureSentence(error.message))
      // Whatever broke, the next click begins with a wallet of its own.
      setAttempt((before) => before + 1)
    } finally {
      turn.give()
    }
  }

  const onError = (error: WalletError) => void tellError(error)

  const tellProcessed = (walletOrder: string, processed: WalletOrderProcessing): void => {
    const { success, status, type = '', details = '', error, orderNumber, printfulOrderId } = processed
    if (status === 'PENDING_REVIEW') return tellHeld(ON_HOLD, walletOrder)
    if (success) return finish(walletOrder, { orderNumber, printfulOrderId })
    if (/address/i.test(type)) return refuse(`Address validation error: ${details}`, { alert: CHECK_ADDRESS })
    return refuse(failureSentence(error ?? details), { isCharged: 'unknown' })
  }

  const tellRefused = (walletOrder: string, error: unknown): void => {
    if (!(error instanceof ApiError) || !error.refusal)
      return refuse(failureSentence(sentenceOf(error)), { isCharged: 'unknown' })
    const { code, message, payment: other } = error.refusal
    if (code === 'wallet_address') return refuse(message, { alert: CHECK_ADDRESS })
    if (code === 'already_paid' || code === 'payment_held')
      return tellPaidBefore({ kind: code === 'payment_held' ? 'held' : code, sentence: message, payment: other })
    return refuse(failureSentence(message), { isCharged: hasTakenNothing(code) ? 'no' : 'unknown' })
  }

  const takeMoney = async (walletOrder: string): Promise<void> => {
    set({ kind: 'taking', walletOrder, isLate: false })
    const timer = setTimeout(() => isStillOpen() && set({ kind: 'taking', walletOrder, isLate: true }), TIMEOUT_MS)
    try {
      const captured = await api('POST /paypal/order/:id/capture', { params: { id: walletOrder } })
      const body = { paypalOrderId: walletOrder, paypalOrderData: captured, ...about() }
      const process = () =>
        api('POST /api/process-paypal-order', { body }).catch((error: unknown) => {
          // The money came; whatever keeps the shop from saying more, the confirmation page finds out.
          if (captured.status === 'COMPLETED') return undefined
          // It may have: whatever keeps the shop from knowing now, it is asked again.
          if (captured.status === 'PROCESSING' && isNoAnswer(error)) return STILL_PROCESSING
          throw error
        })
      let processed = await process()
      for (let asked = 1; processed?.status === 'PROCESSING' && !isGone.current; asked += 1) {
        const isLate = asked >= FAST_POLLS_MAX
        if (isLate) set({ kind: 'undecided', by: 'wallet', trouble: UNDECIDED })
        await new Promise((resolve) => setTimeout(resolve, isLate ? SLOW_POLL_MS : POLL_MS))
        processed = await process()
      }
      if (isGone.current) return
      if (processed) tellProcessed(walletOrder, processed)
      else finish(walletOrder)
    } catch (error) {
      tellRefused(walletOrder, error)
    } finally {
      clearTimeout(timer)
      turn.give()
    }
  }

  const onCancel = () => {
    turn.give()
    set({ kind: 'cancelled' })
  }

  const handlers = useRef<WalletHandlers>(undefined)
  useEffect(() => {
    handlers.current = {
      onApprove: ({ orderId }) => takeMoney(orderId),
      onCancel,
      onError,
    }
  })

  useEffect(() => {
    let isGone = false
    const tell = (state: WalletState) => {
      if (!isGone) setKnown({ attempt, state })
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
        return tell('ready')
      },
      () => tell('unavailable'),
    )
    return () => {
      isGone = true
      session.current?.destroy()
      session.current = undefined
    }
  }, [api, config, attempt])

  /** To be called within the click. */
  const press = () => {
    const opened = session.current
    if (!opened || !turn.take()) return
    set({ kind: 'in_wallet' })
    noOrder.current = undefined
    const ordered = order().then((answer) => {
      if (answer.kind === 'ordered') {
        lastOrder.current = answer.id
        return { orderId: answer.id }
      }
      noOrder.current = answer
      throw new Error('The shop gave no order')
    })
    // Told by the wallet's script; not a rejection that nobody took.
    ordered.catch(() => undefined)
    // How it ends is told to the handlers; that it began says nothing yet.
    void opened.start({ presentationMode: 'auto' }, ordered).catch(onError)
  }

  return {
    // While it begins anew the button keeps its place.
    state: known.attempt === attempt || known.state === 'ready' ? known.state : ('loading' as const),
    press,
    retry: () => setAttempt(attempt + 1),
  }
}
