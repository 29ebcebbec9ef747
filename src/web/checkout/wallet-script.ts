import type { PublicConfig } from '#contract/public-config.ts'
import { loadScript } from './load-script.ts'

/** Whatever the wallet says went wrong. */
export type WalletError = Error & { code?: string }

export type WalletHandlers = {
  onApprove: (about: { orderId: string }) => Promise<void>
  onCancel: () => void
  onError: (error: WalletError) => void
}

export type WalletSession = {
  /**
   * Opens the wallet's window. To be called within the click, with the promise itself: a browser blocks a window that opens
   * after waiting.
   */
  start: (how: { presentationMode: 'auto' }, order: Promise<{ orderId: string }>) => Promise<void>
  destroy: () => void
}

type WalletInstance = {
  findEligibleMethods: (wanted: { currencyCode: string }) => Promise<{ isEligible: (method: 'paypal') => boolean }>
  createPayPalOneTimePaymentSession: (handlers: WalletHandlers) => WalletSession
}

/** What we use of PayPal's script for browsers, version 6 (developer.paypal.com, JavaScript SDK v6). */
type WalletScript = {
  createInstance: (wanted: {
    clientToken: string
    components: string[]
    pageType: 'checkout'
  }) => Promise<WalletInstance>
}

declare global {
  interface Window {
    paypal?: WalletScript
  }
}

/**
 * Brings the wallet's script into the page and prepares a payment.
 * @throws Error when the script does not come or start, or does not serve this shopper
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
  })
  const methods = await instance.findEligibleMethods({ currencyCode: 'USD' })
  if (!methods.isEligible('paypal')) throw new Error('The wallet does not serve this shopper')
  return instance.createPayPalOneTimePaymentSession(handlers)
}
