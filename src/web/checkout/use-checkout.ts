import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useReducer, useRef } from 'react'
import type { CartLine } from '#contract/cart.ts'
import type { OrderSummary, PaymentStart } from '#contract/checkout.ts'
import { paths } from '#contract/paths.ts'
import type { CheckoutVariant } from '#domain/checkout/steps.ts'
import { cartQuery } from '#web/api/queries.ts'
import { useApi } from '#web/api/use-api.ts'
import { clearPurchase } from '#web/app/browser-storage.ts'
import { useCart } from '#web/cart/use-cart.tsx'
import { useToast } from '#web/ui/toast.tsx'
import { wireCustomer, type CustomerForm, type FieldName } from './customer-form.ts'
import {
  startPayment,
  startWalletOrder,
  reportDecline,
  type CardAbsence,
  type RecoveryStep,
  type PaidBefore,
  type PaymentAnswer,
  type FailureMessage,
  type WalletAnswer,
  type PaymentInput,
} from './start-payment.ts'
import { wireItems } from './summary.ts'
import { useLiveQuote } from './use-live-quote.ts'
import { useSteps } from './use-steps.ts'
import { useShopperInput } from './use-shopper-input.ts'
import type { WalletPaid } from './use-wallet.ts'

// Specification, section 9: time to read that the payment came.
const CARD_DELAY_MS = 2000
const WALLET_DELAY_MS = 1000

/** Something to pay, with the amounts that the shopper sees for it. */
export type Offer = {
  /** Undefined while cards do not work: the wallet may. */
  start: PaymentStart | undefined
  /** Why they do not. */
  absence?: CardAbsence
  summary: OrderSummary
  /** What it was made for; another form needs another offer. */
  form: CustomerForm
}

/** What a step says about itself as a whole. */
export type CheckoutMessage =
  | { kind: 'nothing' }
  | { kind: 'changed'; sentence: string }
  | { kind: 'trouble'; trouble: FailureMessage; cure: RecoveryStep }

/** The end of the checkout: what it was about. `isPaid` is false while the wallet has not decided. */
type ClosedCheckout = { lines: readonly CartLine[]; isPaid: boolean }

const NO_MESSAGE: CheckoutMessage = { kind: 'nothing' }

/** What the step is at, what it says, and how far the shopper has come. */
type StepState = {
  doing: 'nothing' | 'calculating' | 'starting'
  said: CheckoutMessage
  /** What shipping and tax were last asked for with success. */
  pricedFor: CustomerForm | undefined
  /** The shop has asked for the age, whatever the preview said. */
  isAgeAsked: boolean
}
const initialStepState: StepState = { doing: 'nothing', said: NO_MESSAGE, pricedFor: undefined, isAgeAsked: false }
const updateStepState = (before: StepState, now: Partial<StepState>): StepState => ({ ...before, ...now })

/**
 * The engine under both faces of the checkout: what was typed, the quote for it, and the one payment (specification,
 * sections 2 and 4). A face adds what it insists on before a step, and draws it.
 */
export function useCheckout(variant: CheckoutVariant) {
  const api = useApi()
  const queries = useQueryClient()
  const { toast, dismiss } = useToast()
  const { lines, isPending } = useCart()

  const [{ doing, said, pricedFor, isAgeAsked }, talk] = useReducer(updateStepState, initialStepState)
  const [offer, show] = useReducer((_: Offer | undefined, now: Offer) => now, undefined)
  const [closed, setClosed] = useReducer((_: ClosedCheckout | undefined, now: ClosedCheckout) => now, undefined)
  const typed = useShopperInput(variant, closed !== undefined)
  const { customer, phone, terms, age } = typed
  const { form, mistakes, change } = customer

  const steps = useSteps(variant, {
    priced: pricedFor === form || offer?.form === form,
    started: offer?.form === form,
  })
  const step = closed?.isPaid ? 'paid' : steps.step
  const live = useLiveQuote(variant, lines, form.shippingAddress, step === 'customer_info' || step === 'review')

  const refetchCart = () => queries.invalidateQueries({ queryKey: cartQuery.queryKey })
  const warn = ({ title, sentence }: FailureMessage) => toast({ title, description: sentence, destructive: true })

  /** Says something about the step as a whole; whatever was at work there has ended. */
  const say = (now: CheckoutMessage) => talk({ doing: 'nothing', said: now })
  const work = (now: StepState['doing']) => talk({ doing: now, said: NO_MESSAGE })

  const sayRefused = (
    trouble: FailureMessage,
    fields: ReadonlyMap<FieldName, string> = new Map(),
    cure: RecoveryStep = 'form',
  ) => {
    change({ kind: 'refused', fields })
    say({ kind: 'trouble', trouble, cure })
    warn(trouble)
    const [first] = fields.keys()
    // What is wrong stands in a field of the first step.
    if (first && step === 'review') steps.back()
    typed.focusOn(first)
  }

  /** Asks for shipping and tax now. @returns the amounts, or undefined after a no of the shop, which is then on the page */
  const askAmounts = async (): Promise<OrderSummary | undefined> => {
    const answer = await live.ask()
    if (answer.kind === 'refused') {
      sayRefused({ title: 'Error', sentence: answer.sentence }, answer.fields)
      return undefined
    }
    if (answer.kind === 'estimate')
      warn({ title: 'Calculation Error', sentence: 'Using default rates for shipping and tax.' })
    return 'summary' in answer ? answer.summary : undefined
  }

  const input: PaymentInput = { variant, form, phone: phone.value, lines, ageConfirmed: age.accepted }

  const openPayment = (now: Offer) => {
    typed.save('payment')
    show(now)
    say(NO_MESSAGE)
    steps.go('started')
  }

  /** Nothing of the purchase stays here; the shop itself takes the bought lines out of the cart, and leaves what came since. */
  const close = (isSettled = true) => {
    setClosed({ lines, isPaid: isSettled })
    clearPurchase()
    void refetchCart()
  }

  /** A document of its own: no later page should run under this page's looser policy. */
  const leaveFor = (address: string) => {
    // Whoever comes back to this very page finds nothing to wait for.
    addEventListener('pageshow', ({ persisted }) => persisted && location.reload())
    location.assign(address)
  }

  /** It was paid before, or the wallet reviews it: the page of that payment says how it stands. */
  const closeFor = ({ kind, payment }: PaidBefore) => {
    if (!payment) return close(kind === 'already_paid')
    close(false)
    leaveFor(paths.payment(payment))
  }

  const take = (answer: PaymentAnswer): void => {
    switch (answer.kind) {
      case 'started':
        return openPayment({ start: answer.start, summary: answer.start.summary, form })
      case 'card_unavailable':
        // Without a wallet there is nothing to open.
        return variant === 'main'
          ? openPayment({ start: undefined, absence: answer, summary: answer.summary, form })
          : sayRefused({ title: 'Payment Setup Failed', sentence: answer.sentence }, new Map(), 'wallet')
      case 'changed':
        live.show(answer.summary)
        void refetchCart()
        return say({ kind: 'changed', sentence: answer.sentence })
      case 'already_paid':
      case 'held':
        if (answer.payment) return closeFor(answer)
        void refetchCart()
        return sayRefused({ title: 'Error', sentence: answer.sentence }, new Map(), 'cart')
      case 'refused':
        if (answer.cure === 'cart') void refetchCart()
        sayRefused(answer.trouble, answer.fields, answer.cure)
        if (answer.cure !== 'age') return undefined
        talk({ isAgeAsked: true })
        typed.insistOnBox('age')
        return undefined
      case 'failed':
        return sayRefused(answer.trouble)
    }
  }

  /** Shipping and tax for what was typed; then the order may be looked at. */
  const price = async (): Promise<boolean> => {
    work('calculating')
    if (!(await askAmounts())) return false
    say(NO_MESSAGE)
    talk({ pricedFor: form })
    return true
  }

  /** Freezes the checkout and opens the payment. The shopper has agreed to everything that this face asks. */
  const start = async (): Promise<void> => {
    dismiss()
    work('starting')
    const seen = live.quote.kind === 'quoted' ? live.quote.summary : await askAmounts()
    if (!seen) return
    talk({ pricedFor: form })
    take(await startPayment(api, input, seen, false))
  }

  // A page that is loaded again walks on to where it stood.
  const isResuming = useRef(true)
  useEffect(() => {
    if (!typed.isFilled || isPending || !isResuming.current) return
    isResuming.current = false
    const { wished } = steps
    if (wished === null || wished === step) return
    const mayGoOn = lines.length > 0 && mistakes.size === 0
    if (mayGoOn && wished === 'payment' && (variant === 'alternate' || terms.accepted)) void start()
    else if (mayGoOn && wished === 'review' && variant === 'alternate') void price()
    else steps.stay()
  })

  /** The shop's word on an open payment, as far as it changes what is on the page. */
  const heed = async (answer: PaymentAnswer | WalletAnswer, about: Offer): Promise<void> => {
    if (answer.kind === 'started') show({ ...about, start: answer.start, summary: answer.start.summary })
    if (answer.kind === 'card_unavailable')
      show({ ...about, start: undefined, absence: answer, summary: answer.summary })
    if (answer.kind === 'refused' && answer.cure === 'cart') await refetchCart()
    if (answer.kind !== 'changed') return
    show({ ...about, summary: answer.summary })
    await refetchCart()
  }

  /** @param payment a payment intent or a wallet order */
  const isPaid = async (payment: string): Promise<boolean> => {
    const told = await api('GET /api/payment-success/:id', { params: { id: payment } }).catch(() => undefined)
    return told?.status === 'paid'
  }

  /** Before the bank is asked: the shop says once more that this payment is still the right one. */
  const restart = async (about: Offer): Promise<PaymentAnswer> => {
    const answer = await startPayment(api, input, about.summary, true)
    await heed(answer, { ...about, form })
    return answer
  }

  /** The bank has declined a card. @returns whether no further one may be used */
  const tellOfDecline = async (about: Offer): Promise<boolean> => {
    const told = about.start && (await reportDecline(api, about.start.payment_intent))
    if (told) await heed(told, about)
    return told !== undefined
  }

  const orderWallet = async (about: Offer): Promise<WalletAnswer> => {
    const answer = await startWalletOrder(api, input, about.summary)
    await heed(answer, { ...about, form })
    return answer
  }

  const finish = (query: Record<string, string | undefined>, delayMs: number) => {
    close()
    toast({ title: 'Payment Successful!', description: 'Thank you for your order.' })
    const known = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined)
    setTimeout(() => leaveFor(`${paths.paymentSuccess}?${new URLSearchParams(known)}`), delayMs)
  }

  const summary = step === 'payment' || step === 'paid' ? offer?.summary : undefined
  const quote = summary ? ({ kind: 'quoted', summary } as const) : live.quote
  const minimumAge = 'summary' in quote ? quote.summary.minimumAge : null

  return {
    ...typed,
    step,
    steps,
    /** To the step before; what this one said stays here. */
    back: () => {
      say(NO_MESSAGE)
      steps.back()
    },
    offer,
    doing,
    said,
    quote,
    lines: closed?.lines ?? lines,
    /** Nothing more is to be paid here. */
    isClosed: closed !== undefined,
    isPending,
    /** Undefined where everybody may buy everything that is in the cart. */
    age:
      minimumAge !== null || isAgeAsked
        ? {
            ...age,
            label: minimumAge === null ? 'I am old enough for everything in my order' : `I am ${minimumAge} or older`,
          }
        : undefined,
    warn,
    save: (remember?: boolean) => typed.save(step, remember),
    price,
    start,
    restart,
    tellOfDecline,
    orderWallet,
    /** What the wallet's last call repeats of the purchase; the shop goes by what it has frozen. */
    walletFacts: () => ({
      customerInfo: wireCustomer(form),
      cartItems: wireItems(lines),
      amount: offer?.summary.total,
    }),
    isPaid,
    close,
    closeFor,
    finishCard: (paymentIntent: string) => finish({ payment_intent: paymentIntent }, CARD_DELAY_MS),
    finishWallet: ({ paypalOrderId, orderNumber, printfulOrderId }: WalletPaid) =>
      finish(
        { paymentMethod: 'paypal', orderNumber, paypal_order_id: paypalOrderId, printfulOrderId },
        WALLET_DELAY_MS,
      ),
    clearForm: () => {
      say(NO_MESSAGE)
      typed.clearForm()
    },
  }
}

export type CheckoutState = ReturnType<typeof useCheckout>
