import type { StripeConstructorOptions } from '@stripe/stripe-js'
import { spokenLanguage } from '#shared/language.ts'

/** Stripe's form speaks the page's language; on English pages the browser's. */
export const stripeOptions = (): StripeConstructorOptions => {
  const language = spokenLanguage()
  return { locale: language === 'en' ? 'auto' : language }
}
