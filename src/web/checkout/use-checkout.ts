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
import { say, sayKnown } from '#words/say.ts'
import { spokenAddress } from '#shared/language.ts'
import type { Word } from '#words/words.ts'
import { looksLikeEmail, wireCustomer, type CustomerForm, type FieldName } from './customer-form.ts'
import type { PaidBy } from './payment.ts'
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
import { useShopperInput, type ConsentName } from './use-shopper-input.ts'

/** Specification, section 9. */
const CONFIRMATION_DELAY_MS: Record<PaidBy, number> = { card: 2000, wallet: 1000 }

/** An open payment with the amounts on the shopper's screen. */
export type OpenPayment = {
  /** Undefined while cards do not work. */
  start: PaymentStart | undefined
  absence?: CardAbsence
  summary: OrderSummary
  /** A changed form needs a new offer. */
  form: CustomerForm
}

export type CheckoutMessage =
  | { kind: 'nothing' }
  | { kind: 'changed'; sentence: string }
  | { kind: 'failure'; failure: FailureMessage; recovery: RecoveryStep }

/** `isPaid` is false while PayPal has not decided. */
type ClosedCheckout = { lines: readonly CartLine[]; isPaid: boolean }

/** Specification, section 5, Alternate checkout. */
const INVALID_EMAIL = {
  title: 'Invalid Email',
  sentence: 'Please enter a valid email address.',
} as const satisfies Record<keyof FailureMessage, Word>
const INCOMPLETE = {
  title: 'Incomplete Address',
  sentence: 'Please complete the shipping address form.',
} as const satisfies Record<keyof FailureMessage, Word>
const looksWrong = ({ email }: CustomerForm): boolean => email.trim() !== '' && !looksLikeEmail(email)

const NO_MESSAGE: CheckoutMessage = { kind: 'nothing' }

type StepState = {
  doing: 'nothing' | 'calculating' | 'starting'
  message: CheckoutMessage
  /** The form that shipping and tax were last calculated for. */
  pricedFor: CustomerForm | undefined
  /** The server requires an age confirmation, even if the preview did not. */
  isAgeRequired: boolean
}
const initialStepState: StepState = {
  doing: 'nothing',
  message: NO_MESSAGE,
  pricedFor: undefined,
  isAgeRequired: false,
}
const updateStepState = (before: StepState, update: Partial<StepState>): StepState => ({ ...before, ...update })

/**
 * Shared by both checkouts: the form, its quote and the one payment (specification, sections 2 and 4).
 */
export function useCheckout(variant: CheckoutVariant) {
  const api = useApi()
  const queries = useQueryClient()
  const { toast, dismiss } = useToast()
  const { lines, isPending } = useCart()

  const [{ doing, message, pricedFor, isAgeRequired }, updateStep] = useReducer(updateStepState, initialStepState)
  const [offer, setOffer] = useReducer((_: OpenPayment | undefined, next: OpenPayment) => next, undefined)
  const [closed, setClosed] = useReducer((_: ClosedCheckout | undefined, next: ClosedCheckout) => next, undefined)
  const input = useShopperInput(variant, closed !== undefined)
  const { customer, phone, terms, age } = input
  const { form, mistakes, change } = customer

  const steps = useSteps(variant, {
    priced: pricedFor === form || offer?.form === form,
    started: offer?.form === form,
  })
  const step = closed?.isPaid ? 'paid' : steps.step
  const live = useLiveQuote(variant, lines, form.shippingAddress, step === 'customer_info' || step === 'review')

  const summary = step === 'payment' || step === 'paid' ? offer?.summary : undefined
  const quote = summary ? ({ kind: 'quoted', summary } as const) : live.quote
  const minimumAge = 'summary' in quote ? quote.summary.minimumAge : null
  const isAgeAsked = minimumAge !== null || isAgeRequired

  const refetchCart = () => queries.invalidateQueries({ queryKey: cartQuery.queryKey })
  const warn = ({ title, sentence }: FailureMessage) =>
    toast({ title: sayKnown(title), description: sayKnown(sentence), destructive: true })

  const showMessage = (message: CheckoutMessage) => updateStep({ doing: 'nothing', message })
  const setDoing = (doing: StepState['doing']) => updateStep({ doing, message: NO_MESSAGE })

  const showFailure = (
    failure: FailureMessage,
    fields: ReadonlyMap<FieldName, string> = new Map(),
    recovery: RecoveryStep = 'form',
  ) => {
    change({ kind: 'refused', fields })
    showMessage({ kind: 'failure', failure, recovery })
    warn(failure)
    const [first] = fields.keys()
    // The fields are in the first step.
    if (first && step === 'review') steps.back()
    input.focusOn(first)
  }

  /** Calculates shipping and tax now. @returns undefined after a refusal, which is then shown */
  const fetchAmounts = async (): Promise<OrderSummary | undefined> => {
    const answer = await live.calculateNow()
    if (answer.kind === 'refused') {
      if (answer.recovery === 'cart') void refetchCart()
      showFailure({ title: 'Error', sentence: answer.sentence }, answer.fields, answer.recovery)
      return undefined
    }
    if (answer.kind === 'estimate')
      warn({ title: say('Calculation Error'), sentence: say('Using default rates for shipping and tax.') })
    return 'summary' in answer ? answer.summary : undefined
  }

  const paymentInput: PaymentInput = { variant, form, phone: phone.value, lines, ageConfirmed: age.accepted }

  const openPayment = (next: OpenPayment) => {
    input.save('payment')
    setOffer(next)
    showMessage(NO_MESSAGE)
    steps.go('started')
  }

  /** Deletes the purchase from the browser; the server removes the bought lines from the cart. */
  const close = (isSettled = true) => {
    setClosed({ lines, isPaid: isSettled })
    clearPurchase()
    void refetchCart()
  }

  /** Opens a new document: no other page should run under this page's looser content security policy. */
  const leaveFor = (address: string) => {
    // Reload if the browser restores this page from its back/forward cache.
    addEventListener('pageshow', ({ persisted }) => persisted && location.reload())
    location.assign(address)
  }

  /** Opens the status page of a payment that was already made or is under review. */
  const closeFor = ({ kind, payment }: PaidBefore) => {
    if (!payment) return close(kind === 'already_paid')
    close(false)
    leaveFor(spokenAddress(paths.payment(payment)))
  }

  const handleAnswer = (answer: PaymentAnswer): void => {
    switch (answer.kind) {
      case 'started':
        return openPayment({ start: answer.start, summary: answer.start.summary, form })
      case 'card_unavailable':
        // The alternate checkout has no wallet.
        return variant === 'main'
          ? openPayment({ start: undefined, absence: answer, summary: answer.summary, form })
          : showFailure({ title: 'Payment Setup Failed', sentence: answer.sentence }, new Map(), 'wallet')
      case 'changed':
        live.show(answer.summary)
        void refetchCart()
        return showMessage({ kind: 'changed', sentence: answer.sentence })
      case 'already_paid':
      case 'held':
        if (answer.payment) return closeFor(answer)
        void refetchCart()
        return showFailure({ title: 'Error', sentence: answer.sentence }, new Map(), 'cart')
      case 'refused':
        if (answer.recovery === 'cart') void refetchCart()
        showFailure(answer.failure, answer.fields, answer.recovery)
        if (answer.recovery !== 'age') return undefined
        updateStep({ isAgeRequired: true })
        input.requireConsent('age')
        return undefined
      case 'failed':
        return showFailure(answer.failure)
    }
  }

  /** Calculates shipping and tax. @returns whether the review may open */
  const price = async (): Promise<boolean> => {
    setDoing('calculating')
    if (!(await fetchAmounts())) return false
    showMessage(NO_MESSAGE)
    updateStep({ pricedFor: form })
    return true
  }

  /** Freezes the checkout and opens the payment. The caller has checked all consents. */
  const start = async (): Promise<void> => {
    dismiss()
    setDoing('starting')
    const seen = live.quote.kind === 'quoted' ? live.quote.summary : await fetchAmounts()
    if (!seen) return
    updateStep({ pricedFor: form })
    handleAnswer(await startPayment(api, paymentInput, seen, false))
  }

  /** In the order of the page. */
  const missingConsents = (): ConsentName[] => {
    const isMissing = { terms: variant === 'main' && !terms.accepted, age: isAgeAsked && !age.accepted }
    return (['terms', 'age'] as const).filter((name) => isMissing[name])
  }

  /** @returns whether all consents are given that this checkout asks for; warns about the first missing one */
  const hasConsent = (): boolean => {
    const [missing] = missingConsents()
    const title = missing === 'terms' ? say('Terms Agreement Required') : say('Error')
    if (missing) warn({ title, sentence: input.requireConsent(missing) })
    return missing === undefined
  }

  /** The step's button: checks what was entered, then opens the review or the payment. */
  const proceed = async (): Promise<void> => {
    if (doing !== 'nothing' || lines.length === 0) return
    const [first] = mistakes.keys()
    if (first) {
      // The alternate checkout asks for them in a later step.
      input.showErrors(first, variant === 'main' ? missingConsents() : [])
      if (variant === 'alternate') warn(looksWrong(form) ? INVALID_EMAIL : INCOMPLETE)
    } else if (step === 'customer_info' && input.askAboutZip()) return
    else if (variant === 'alternate' && step === 'customer_info') {
      if (await price()) steps.go('priced')
    } else if (hasConsent()) await start()
  }

  /** Calculates shipping and tax without leaving the form. */
  const calculate = async (): Promise<void> => {
    if (doing !== 'nothing') return
    const missing = [...mistakes.keys()].find((name) => name.startsWith('shippingAddress.'))
    if (missing) input.showErrors(missing)
    else await price()
  }

  // After a reload, return to the step in the address.
  const isResuming = useRef(true)
  useEffect(() => {
    if (!input.isFilled || isPending || !isResuming.current) return
    isResuming.current = false
    const { requested } = steps
    if (requested === null || requested === step) return
    const canContinue = lines.length > 0 && mistakes.size === 0
    if (canContinue && requested === 'payment' && (variant === 'alternate' || terms.accepted)) void start()
    else if (canContinue && requested === 'review' && variant === 'alternate') void price()
    else steps.stay()
  })

  /** Updates the page after an answer about the open payment. */
  const applyAnswer = async (answer: PaymentAnswer | WalletAnswer, current: OpenPayment): Promise<void> => {
    if (answer.kind === 'started') setOffer({ ...current, start: answer.start, summary: answer.start.summary })
    if (answer.kind === 'card_unavailable')
      setOffer({ ...current, start: undefined, absence: answer, summary: answer.summary })
    if (answer.kind === 'refused' && answer.recovery === 'cart') await refetchCart()
    if (answer.kind !== 'changed') return
    setOffer({ ...current, summary: answer.summary })
    await refetchCart()
  }

  /** @param payment a payment intent or a wallet order */
  const isPaid = async (payment: string): Promise<boolean> => {
    const outcome = await api('GET /api/payment-success/:id', { params: { id: payment } }).catch(() => undefined)
    return outcome?.status === 'paid'
  }

  /** Verifies, before the bank is contacted, that the payment is still current. */
  const restart = async (current: OpenPayment): Promise<PaymentAnswer> => {
    const answer = await startPayment(api, paymentInput, current.summary, true)
    await applyAnswer(answer, { ...current, form })
    return answer
  }

  /** @returns whether the shop now refuses cards */
  const reportCardDecline = async (current: OpenPayment): Promise<boolean> => {
    const refusal = current.start && (await reportDecline(api, current.start.payment_intent))
    if (refusal) await applyAnswer(refusal, current)
    return refusal !== undefined
  }

  const orderWallet = async (current: OpenPayment): Promise<WalletAnswer> => {
    const answer = await startWalletOrder(api, paymentInput, current.summary)
    await applyAnswer(answer, { ...current, form })
    return answer
  }

  /**
   * Freezes the checkout for the order that was approved at PayPal.
   * @param seen the server's quote on the shopper's screen
   * @returns whether it can be taken; a refusal is shown
   */
  const orderExpress = async (expressOrder: string, seen: OrderSummary): Promise<boolean> => {
    setDoing('starting')
    const answer = await startWalletOrder(api, paymentInput, seen, expressOrder)
    if (answer.kind === 'ordered') showMessage(NO_MESSAGE)
    else handleAnswer(answer)
    return answer.kind === 'ordered'
  }

  /**
   * Freezes the checkout for what the sheet of Apple Pay or Google Pay has told.
   * @param told the form with it
   * @param seen the quote that the sheet shows
   * @returns undefined after a refusal, which is then shown
   */
  const startSheet = async (
    told: CustomerForm,
    seen: OrderSummary,
  ): Promise<(OpenPayment & { start: PaymentStart }) | undefined> => {
    setDoing('starting')
    const answer = await startPayment(api, { ...paymentInput, form: told }, seen, true)
    if (answer.kind === 'started') {
      showMessage(NO_MESSAGE)
      return { start: answer.start, summary: answer.start.summary, form: told }
    }
    if (answer.kind === 'card_unavailable')
      showFailure({ title: 'Payment Setup Failed', sentence: answer.sentence }, new Map(), 'form')
    else if (answer.kind === 'changed')
      showFailure({
        title: say('Your total has changed'),
        sentence: say('{sentence} Nothing was charged.', { sentence: answer.sentence }),
      })
    else handleAnswer(answer)
    return undefined
  }

  /** Opens the confirmation. @param query its address names the payment */
  const finish = (by: PaidBy, query: Record<string, string | undefined>) => {
    close()
    toast({ title: say('Payment Successful!'), description: say('Thank you for your order.') })
    const parameters = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined)
    setTimeout(
      () => leaveFor(spokenAddress(`${paths.paymentSuccess}?${new URLSearchParams(parameters)}`)),
      CONFIRMATION_DELAY_MS[by],
    )
  }

  return {
    ...input,
    step,
    back: () => {
      showMessage(NO_MESSAGE)
      steps.back()
    },
    offer,
    doing,
    message,
    quote,
    lines: closed?.lines ?? lines,
    isClosed: closed !== undefined,
    isPending,
    /** The same, whether or not it is asked for yet. */
    ageAgreement: age,
    /** Undefined without age-restricted items. */
    age: isAgeAsked
      ? {
          ...age,
          minimumAge,
        }
      : undefined,
    save: (remember?: boolean) => input.save(step, remember),
    proceed,
    calculate,
    restart,
    reportDecline: reportCardDecline,
    orderWallet,
    orderExpress,
    startSheet,
    showFailure,
    dismissMessage: () => showMessage(NO_MESSAGE),
    /** Repeated in the wallet's last call; the server uses its frozen checkout. */
    walletFacts: () => ({
      customerInfo: wireCustomer(form),
      cartItems: wireItems(lines),
      amount: offer?.summary.total,
    }),
    isPaid,
    close,
    closeFor,
    finish,
    clearForm: () => {
      showMessage(NO_MESSAGE)
      input.clearForm()
    },
  }
}

export type CheckoutState = ReturnType<typeof useCheckout>
