import { useSyncExternalStore } from 'react'

export type DeviceWallet = 'apple' | 'google'

/** What browsers tell of their wallets, beyond the types of the DOM. */
type Browser = {
  ApplePaySession?: { canMakePayments: () => boolean }
  PaymentRequest?: unknown
  navigator: { userAgentData?: { brands: readonly { brand: string }[] } }
}

/**
 * The wallet of this browser, as far as it tells without a provider's script. Asking Google Pay itself is closed to our pages by the
 * permissions policy, except in the checkout.
 */
export function deviceWallet({ ApplePaySession, PaymentRequest, navigator }: Browser): DeviceWallet | undefined {
  try {
    if (ApplePaySession?.canMakePayments()) return 'apple'
  } catch {
    // Without https it throws.
  }
  const isChrome = navigator.userAgentData?.brands.some(({ brand }) => brand === 'Google Chrome')
  return PaymentRequest && isChrome ? 'google' : undefined
}

const never = () => () => {}

/** Null before hydration: pages are rendered alike for everybody. */
export const useDeviceWallet = (): DeviceWallet | null | undefined =>
  useSyncExternalStore(
    never,
    () => deviceWallet(window as Browser),
    () => null,
  )
