import { spokenLanguage, type Language } from '#shared/language.ts'
import type { PublicConfig } from '#contract/public-config.ts'
import { loadScript } from './load-script.ts'

export type WalletError = Error & { code?: string }

export type WalletHandlers = {
  onApprove: (about: { orderId: string }) => Promise<void>
  onCancel: () => void
  onError: (error: WalletError) => void
}

export type WalletSession = {
  /**
   * Must be called in the click handler with the pending promise: browsers block a window that opens after an await.
   */
  start: (how: { presentationMode: 'auto' }, order: Promise<{ orderId: string }>) => Promise<void>
  destroy: () => void
}

type WalletInstance = {
  findEligibleMethods: (options: { currencyCode: string }) => Promise<{ isEligible: (method: 'paypal') => boolean }>
  createPayPalOneTimePaymentSession: (handlers: WalletHandlers) => WalletSession
}

/** The part of PayPal's JavaScript SDK v6 that we use (developer.paypal.com). */
type WalletScript = {
  createInstance: (options: {
    clientToken: string
    components: string[]
    pageType: 'checkout'
    locale: string
  }) => Promise<WalletInstance>
}

declare global {
  interface Window {
    paypal?: WalletScript
  }
}

/** As PayPal names them. */
const locales: Readonly<Record<Language, string>> = {
  en: 'en-US',
  de: 'de-DE',
  fr: 'fr-FR',
  es: 'es-ES',
  ja: 'ja-JP',
}

/**
 * Loads PayPal's script and prepares a payment.
 * @throws Error when the script does not load or start, or PayPal is not available to this shopper
 */
export async function openWallet(
  { scriptUrl }: PublicConfig['paypal'],
  clientToken: Promise<string>,
  handlers: WalletHandlers,
): Promise<WalletSession> {
  const [token] = await Promise.all([clientToken, loadScript(scriptUrl)])
  if (!window.paypal) throw new Error('The wallet’s script did not start')
  const instance = await window.paypal.createInstance({
    clientToken: token,
    components: ['paypal-payments'],
    pageType: 'checkout',
    locale: locales[spokenLanguage()],
  })
  const methods = await instance.findEligibleMethods({ currencyCode: 'USD' })
  if (!methods.isEligible('paypal')) throw new Error('PayPal is not available to this shopper')
  return instance.createPayPalOneTimePaymentSession(handlers)
}
