import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useReducer, useRef, useState } from 'react'
import type { CartLine } from '#contract/cart.ts'
import type { OrderSummary, PaymentStart } from '#contract/checkout.ts'
import { paths } from '#contract/paths.ts'
import { stepAfter } from '#domain/checkout/steps.ts'
import { cartQuery } from '#web/api/queries.ts'
import { useApi } from '#web/api/use-api.ts'
import { forgetPurchase } from '#web/app/browser-storage.ts'
import { useCart } from '#web/cart/use-cart.tsx'
import { useToast } from '#web/ui/toast.tsx'
import { withTyped, type FieldName } from './customer-form.ts'
import { clearSavedInfo, readSavedInfo, saveInfo } from './saved-info.ts'
import { startPayment, type PaymentAnswer, type Trouble } from './start-payment.ts'
import { useCustomerForm } from './use-customer-form.ts'
import { useEmptyCartGuard } from './use-empty-cart-guard.ts'
import { useLiveQuote } from './use-live-quote.ts'

const SUCCESS_DELAY_MS = 2000 // specification, section 9: time to read that the payment came

const TERMS_REQUIRED = 'Please agree to the terms and conditions to continue.'

/** A payment that was started, with the amounts that the shopper sees for it. */
type Offer = { start: PaymentStart; summary: OrderSummary }

/** What step 1 says about the form as a whole. */
export type Said =
  | { kind: 'nothing' }
  | { kind: 'changed'; sentence: string }
  | { kind: 'trouble'; trouble: Trouble; isAboutCart: boolean }

type CustomerStage = {
  step: 'customer_info'
  offer: Offer | undefined
  doing: 'nothing' | 'calculating' | 'starting'
  said: Said
}
/** Where the shopper stands. An offer outlives the way back to step 1, so that the card stays typed in. */
type Stage =
  | CustomerStage
  | { step: 'payment'; offer: Offer }
  | { step: 'paid'; offer: Offer; bought: readonly CartLine[] }

/** What this device keeps; `isBack`: from an earlier visit that came as far as the payment. */
type Saved = { remember: boolean; isSaved: boolean; isBack: boolean }

type Terms = 'open' | 'missing' | 'accepted'

const atBeginning: CustomerStage = {
  step: 'customer_info',
  offer: undefined,
  doing: 'nothing',
  said: { kind: 'nothing' },
}

/** The main checkout: two steps over one payment (specification, sections 2 and 4, Main checkout). */
export function useCheckout() {
  const api = useApi()
  const queries = useQueryClient()
  const { toast, dismiss } = useToast()
  const { lines, isPending } = useCart()

  const customer = useCustomerForm()
  const { form, mistakes, change } = customer
  const [stage, setStage] = useState<Stage>(atBeginning)
  const live = useLiveQuote(lines, form.shippingAddress, stage.step === 'customer_info')
  const [terms, setTerms] = useState<Terms>('open')
  const [saved, setSaved] = useReducer((_: Saved, now: Saved) => now, {
    remember: false,
    isSaved: false,
    isBack: false,
  })
  const formElement = useRef<HTMLFormElement>(null)

  useEmptyCartGuard(!isPending && lines.length === 0 && stage.step !== 'paid')

  useEffect(() => {
    const kept = readSavedInfo()
    const typed = typedInto(formElement.current)
    change({
      kind: 'filled',
      fill: (now) => withTyped(kept?.form ?? { ...now, email: kept?.email ?? now.email }, typed),
    })
    if (kept)
      setSaved({
        remember: kept.info?.remember ?? false,
        isSaved: true,
        isBack: kept.form !== undefined && kept.info?.step === 'payment',
      })
  }, [change])

  const refetchCart = () => queries.invalidateQueries({ queryKey: cartQuery.queryKey })
  const warn = ({ title, sentence }: Trouble) => toast({ title, description: sentence, destructive: true })

  /** Says something about the form as a whole; whatever was at work there has ended. */
  const say = (said: Said) =>
    setStage((now) => (now.step === 'customer_info' ? { ...now, doing: 'nothing', said } : now))

  const work = (doing: 'calculating' | 'starting') =>
    setStage((now) => (now.step === 'customer_info' ? { ...now, doing, said: { kind: 'nothing' } } : now))

  const save = (remember = saved.remember, step = stage.step) =>
    setSaved({ ...saved, remember, isSaved: saveInfo(form, { step, remember }) })

  const focusOn = (field: FieldName | 'terms' | undefined) => {
    const control = field && formElement.current?.elements.namedItem(field)
    if (control instanceof HTMLElement) control.focus()
  }

  const insistOn = (first: FieldName) => {
    change({ kind: 'insisted' })
    focusOn(first)
  }

  const sayRefused = (trouble: Trouble, fields: ReadonlyMap<FieldName, string>, isAboutCart = false) => {
    change({ kind: 'refused', fields })
    say({ kind: 'trouble', trouble, isAboutCart })
    warn(trouble)
    focusOn([...fields.keys()][0])
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

  const isWorking = stage.step === 'customer_info' && stage.doing !== 'nothing'

  const calculate = async () => {
    if (isWorking) return
    const missing = [...mistakes.keys()].find((name) => name.startsWith('shippingAddress.'))
    if (missing) return insistOn(missing)
    work('calculating')
    if (await askAmounts()) say({ kind: 'nothing' })
  }

  const take = (answer: PaymentAnswer): void => {
    switch (answer.kind) {
      case 'started':
        save(saved.remember, 'payment')
        return setStage(({ step }) =>
          stepAfter(step, 'started') === 'payment'
            ? { step: 'payment', offer: { start: answer.start, summary: answer.start.summary } }
            : atBeginning,
        )
      case 'changed':
        live.show(answer.summary)
        void refetchCart()
        return say({ kind: 'changed', sentence: answer.sentence })
      case 'already_paid':
        void refetchCart()
        return sayRefused({ title: 'Error', sentence: answer.sentence }, new Map(), true)
      case 'refused':
        if (answer.isAboutCart) void refetchCart()
        return sayRefused(answer.trouble, answer.fields, answer.isAboutCart)
      case 'failed':
        return sayRefused(answer.trouble, new Map())
    }
  }

  const proceed = async () => {
    if (isWorking || lines.length === 0) return
    const [first] = mistakes.keys()
    if (first) return insistOn(first)
    if (terms !== 'accepted') {
      setTerms('missing')
      focusOn('terms')
      return warn({ title: 'Terms Agreement Required', sentence: TERMS_REQUIRED })
    }
    dismiss()
    work('starting')
    const seen = live.quote.kind === 'quoted' ? live.quote.summary : await askAmounts()
    if (seen) take(await startPayment(api, form, lines, seen, false))
  }

  /** Before the bank is asked: the shop says once more that this payment is still the right one. */
  const restart = async ({ summary }: Offer): Promise<PaymentAnswer> => {
    const answer = await startPayment(api, form, lines, summary, true)
    if (answer.kind === 'started') show({ start: answer.start, summary: answer.start.summary })
    if (answer.kind === 'changed') {
      setStage((now) => (now.step === 'payment' ? { ...now, offer: { ...now.offer, summary: answer.summary } } : now))
      await refetchCart()
    }
    return answer
  }

  const show = (offer: Offer) => setStage((now) => (now.step === 'payment' ? { step: 'payment', offer } : now))

  const finish = ({ start }: Offer, paymentIntent = start.payment_intent) => {
    setStage((now) =>
      now.offer && stepAfter(now.step, 'money_came') === 'paid'
        ? { step: 'paid', offer: now.offer, bought: lines }
        : now,
    )
    toast({ title: 'Payment Successful!', description: 'Thank you for your order.' })
    forgetPurchase()
    void refetchCart()
    // A document of its own: no later page should run under this page's looser policy.
    const next = `${paths.paymentSuccess}?payment_intent=${encodeURIComponent(paymentIntent)}`
    setTimeout(() => location.assign(next), SUCCESS_DELAY_MS)
  }

  return {
    stage,
    customer,
    formElement,
    quote: stage.step === 'customer_info' ? live.quote : ({ kind: 'quoted', summary: stage.offer.summary } as const),
    lines: stage.step === 'paid' ? stage.bought : lines,
    isPending,
    terms: {
      accepted: terms === 'accepted',
      error: terms === 'missing' ? TERMS_REQUIRED : undefined,
      onAccepted: (accepted: boolean) => setTerms(accepted ? 'accepted' : 'open'),
    },
    saved,
    save,
    calculate,
    proceed,
    restart,
    finish,
    edit: () =>
      setStage((now) =>
        stepAfter(now.step, 'edited') === 'customer_info' ? { ...atBeginning, offer: now.offer } : now,
      ),
    clearForm: () => {
      change({ kind: 'cleared' })
      setTerms('open')
      say({ kind: 'nothing' })
      focusOn('email')
    },
    clearSaved: () => {
      clearSavedInfo()
      setSaved({ remember: false, isSaved: false, isBack: false })
    },
  }
}

/** What stands in the fields now; read at once, since the form is drawn over it. */
function typedInto(form: HTMLFormElement | null): (name: FieldName) => string | undefined {
  const values = form ? new FormData(form) : undefined
  return (name) => {
    const value = values?.get(name)
    return typeof value === 'string' ? value : undefined
  }
}
