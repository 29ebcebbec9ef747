import type { LayoutObject, StripeConstructorOptions } from '@stripe/stripe-js'
import { spokenLanguage } from '#shared/language.ts'

/** Stripe's form speaks the page's language; on English pages the browser's. */
export const stripeOptions = (): StripeConstructorOptions => {
  const language = spokenLanguage()
  return { locale: language === 'en' ? 'auto' : language }
}

/** The card and whatever else the account offers, one below the other; a card alone has only its fields. */
export const paymentLayout: LayoutObject = {
  type: 'accordion',
  defaultCollapsed: false,
  radios: 'auto',
  spacedAccordionItems: false,
}
