import { useEffect, useState } from 'react'
import { paths } from '#contract/paths.ts'
import { spokenAddress } from '#shared/language.ts'
import { say } from '#words/say.ts'
import { sentenceOf } from '#web/api/error-sentence.ts'
import { useApi } from '#web/api/use-api.ts'
import { shipCountry } from '#web/app/ship-country.ts'
import { classNames } from '#web/ui/class-names.ts'
import { PaypalMark } from '#web/ui/PaypalMark.tsx'
import { Spinner } from '#web/ui/Spinner.tsx'
import { useDeviceWallet } from './device-wallet.ts'
import { GoogleMark } from './GoogleMark.tsx'

type Props = {
  /** Runs before the shopper is sent away. @returns false to stay; its reason is shown elsewhere */
  prepare?: () => Promise<boolean | void>
  /** Runs when the page is about to be left. */
  onLeaving?: () => void
  /** Opens Apple Pay or Google Pay on this page; otherwise the checkout does. */
  onSheet?: () => void
  isDisabled?: boolean
}

/**
 * Ways to pay that know the address already. They lead to a page of the wallet, or to the checkout: no script of a provider runs on
 * other pages (docs/decisions/0172-express-goes-through-paypals-page.md).
 */
export function ExpressButtons({ prepare, onLeaving, onSheet, isDisabled = false }: Props) {
  const api = useApi()
  const wallet = useDeviceWallet()
  const [busy, setBusy] = useState<'paypal' | 'sheet'>()
  const [problem, setProblem] = useState<string>()

  // The browser may show this page again as it was left.
  useEffect(() => {
    const onShow = ({ persisted }: PageTransitionEvent) => persisted && setBusy(undefined)
    addEventListener('pageshow', onShow)
    return () => removeEventListener('pageshow', onShow)
  }, [])

  /** @param findPage where the shopper goes; undefined to stay */
  const leave = async (by: 'paypal' | 'sheet', findPage: () => Promise<string | undefined>) => {
    if (busy || isDisabled) return
    setBusy(by)
    setProblem(undefined)
    try {
      const page = (await prepare?.()) === false ? undefined : await findPage()
      if (page !== undefined) {
        onLeaving?.()
        return location.assign(page)
      }
    } catch (error) {
      setProblem(sentenceOf(error))
    }
    setBusy(undefined)
  }
  const toPaypal = () =>
    leave('paypal', async () => (await api('POST /paypal/express', { body: { country: shipCountry() } })).page)
  const toSheet = () =>
    leave('sheet', async () => {
      if (!onSheet) return spokenAddress(paths.expressCheckout)
      onSheet()
      return undefined
    })

  const state = (by: 'paypal' | 'sheet') => ({
    type: 'button' as const,
    'aria-busy': busy === by,
    'aria-disabled': busy !== undefined || isDisabled,
  })

  return (
    <div className="noscript:hidden">
      {/* A second button makes the first narrower: its mark waits until that is known, so nothing moves. */}
      <div className={classNames('grid gap-2.5', wallet ? 'grid-cols-2' : '')}>
        <button
          {...state('paypal')}
          aria-label={say('Check out with {wallet}', { wallet: names.paypal })}
          className={classNames(button, outlined)}
          onClick={() => void toPaypal()}
        >
          {busy === 'paypal' ? <Spinner /> : wallet !== null && <PaypalMark />}
        </button>
        {wallet === 'apple' && (
          <button
            {...state('sheet')}
            aria-label={say('Check out with {wallet}', { wallet: names.apple })}
            // Safari draws Apple's own button.
            className={classNames(
              button,
              'bg-black text-white! [-apple-pay-button-type:plain] [-webkit-appearance:-apple-pay-button] supports-[-webkit-appearance:-apple-pay-button]:text-[0px]!',
            )}
            onClick={() => void toSheet()}
          >
            {busy === 'sheet' && <Spinner />}
            {names.apple}
          </button>
        )}
        {wallet === 'google' && (
          <button
            {...state('sheet')}
            aria-label={say('Check out with {wallet}', { wallet: names.google })}
            className={classNames(button, outlined)}
            onClick={() => void toSheet()}
          >
            {busy === 'sheet' ? <Spinner /> : <GoogleMark />}
            {names.besideGoogle}
          </button>
        )}
      </div>
      <p role="alert" className="mt-2 text-[0.9375rem] font-medium text-danger empty:hidden">
        {problem}
      </p>
    </div>
  )
}

/** The same in every language. */
const names = { paypal: 'PayPal', apple: 'Apple Pay', google: 'Google Pay', besideGoogle: 'Pay' } as const

const button =
  'flex min-h-12 w-full items-center justify-center gap-2 rounded-card px-4 font-semibold text-[#1d1b19] transition-colors duration-200 ease-quiet aria-disabled:cursor-not-allowed aria-disabled:opacity-70'
/** As PayPal's own button on white, which the payment step shows. */
const outlined = 'express-outline not-aria-disabled:hover:border-[#4a4845]'
