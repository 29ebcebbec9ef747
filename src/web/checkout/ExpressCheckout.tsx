import { ExpressButtons } from '#web/cart/ExpressButtons.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { say } from '#words/say.ts'
import { OrDivider } from './OrDivider.tsx'

type Props = {
  /** The shopper has just come back from PayPal without approving. */
  isCanceled: boolean
  /** Keeps what was entered, for the way back. */
  onLeaving: () => void
  onSheet: () => void
}

/** On top of step 1: a wallet knows the address already. */
export const ExpressCheckout = ({ isCanceled, onLeaving, onSheet }: Props) => (
  <section aria-labelledby="express-title" className="mb-4">
    <div className="grid items-center gap-x-6 gap-y-3 sm:grid-cols-[auto_minmax(0,1fr)]">
      <h2
        id="express-title"
        className="font-text! text-sm leading-none font-semibold tracking-normal text-ink-soft max-sm:text-center"
      >
        {say('Express checkout')}
      </h2>
      <ExpressButtons onLeaving={onLeaving} onSheet={onSheet} />
    </div>
    {isCanceled && (
      <div className="mt-4">
        <Notice tone="calm" title={say('You canceled')}>
          {say('Nothing was charged. Try PayPal again, or enter your details below.')}
        </Notice>
      </div>
    )}
    <OrDivider className="mt-4" />
  </section>
)
