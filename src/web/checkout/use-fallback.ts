import { useEffect, useEffectEvent } from 'react'
import type { Payment } from './payment.ts'
import type { CheckoutState } from './use-checkout.ts'

/**
 * After a refusal an express page goes on in step 1, where the sentence is shown and everything known is filled in.
 * @returns whether that is about to happen
 */
export function useFallback(
  { message, showFailure }: Pick<CheckoutState, 'message' | 'showFailure'>,
  { outcome }: Payment,
  onLeave: () => void,
): boolean {
  const refused = outcome?.kind === 'refused' && outcome.isCharged === 'no' ? outcome.failure : undefined
  const show = useEffectEvent(showFailure)
  useEffect(() => {
    if (refused) show(refused)
  }, [refused])

  const isShown = message.kind === 'failure'
  const leave = useEffectEvent(onLeave)
  useEffect(() => {
    if (isShown) leave()
  }, [isShown])
  return isShown || refused !== undefined
}
