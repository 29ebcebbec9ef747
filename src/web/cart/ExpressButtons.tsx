import { useEffect, useState } from 'react'
import { sentenceOf } from '#web/api/error-sentence.ts'
import { useApi } from '#web/api/use-api.ts'
import { shipCountry } from '#web/app/ship-country.ts'
import { classNames } from '#web/ui/class-names.ts'
import { Spinner } from '#web/ui/Spinner.tsx'

type Props = {
  /** Runs before the shopper is sent away. @returns false to stay; its reason is shown elsewhere */
  prepare?: () => Promise<boolean | void>
  /** Runs when the page is about to be left. */
  onLeaving?: () => void
  isDisabled?: boolean
}

/**
 * Ways to pay that know the address already. They lead to a page of the wallet, or to the checkout: no script of a provider runs on
 * other pages (docs/decisions/0172-express-goes-through-paypals-page.md).
 */
export function ExpressButtons({ prepare, onLeaving, isDisabled = false }: Props) {
  const api = useApi()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()

  // The browser may show this page again as it was left.
  useEffect(() => {
    const onShow = ({ persisted }: PageTransitionEvent) => persisted && setBusy(false)
    addEventListener('pageshow', onShow)
    return () => removeEventListener('pageshow', onShow)
  }, [])

  const toPaypal = async () => {
    if (isBusy || isDisabled) return
    setBusy(true)
    setProblem(undefined)
    try {
      if ((await prepare?.()) !== false) {
        const { page } = await api('POST /paypal/express', { body: { country: shipCountry() } })
        onLeaving?.()
        return location.assign(page)
      }
    } catch (error) {
      setProblem(sentenceOf(error))
    }
    setBusy(false)
  }

  return (
    <div className="noscript:hidden">
      <button
        type="button"
        aria-label="Check out with PayPal"
        aria-busy={isBusy}
        aria-disabled={isBusy || isDisabled}
        className={classNames(
          'flex min-h-12 w-full items-center justify-center gap-2 rounded-card border border-ink/25 bg-white px-4 font-semibold text-[#1d1b19] transition-colors duration-200 ease-quiet',
          'aria-disabled:cursor-not-allowed aria-disabled:opacity-70 not-aria-disabled:hover:border-ink/60',
        )}
        onClick={() => void toPaypal()}
      >
        {isBusy ? <Spinner /> : <PaypalMark />}
        PayPal
      </button>
      <p role="alert" className="mt-2 text-[0.9375rem] font-medium text-danger empty:hidden">
        {problem}
      </p>
    </div>
  )
}

const PaypalMark = () => (
  <svg viewBox="10.5 5 16 15" aria-hidden="true" className="h-5.5">
    <path
      fill="#003087"
      d="M15.2 5.5h5c2.7 0 4 1.5 3.7 3.7-.4 2.7-2.2 4.2-4.9 4.2h-1.3c-.4 0-.6.3-.7.6l-.5 3.1h-3c-.3 0-.4-.2-.4-.4l1.7-10.6c0-.4.2-.6.4-.6Z"
    />
    <path
      fill="#0070e0"
      d="M24.5 9.8c1 .8 1.4 1.9 1.1 3.4-.4 2.3-2 3.6-4.4 3.6h-.9c-.3 0-.6.2-.7.6l-.4 2.1h-2.5l.9-5.6c0-.3.2-.5.6-.5h1.2c2.6 0 4.6-1.3 5.1-3.6Z"
    />
  </svg>
)
