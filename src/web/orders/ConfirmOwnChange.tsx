import type { ComponentProps } from 'react'
import { say } from '#words/say.ts'
import { ConfirmChange, effectOf } from './ConfirmChange.tsx'

const words = () => ({
  pays: (amount: string) => say('You pay {amount}', { amount }),
  gets: (amount: string) => say('You get back {amount}', { amount }),
  toPay: {
    text: say(
      'You pay the difference by card in the next step. Nothing changes before. If it isn’t paid within an hour, we make your order as it was.',
    ),
    button: say('Go on to pay'),
  },
  now: { text: say('Your order changes at once, and you get an email.'), button: say('Change my order') },
})

/** The last step of a customer's change, with what it costs. */
export const ConfirmOwnChange = (props: Omit<ComponentProps<typeof ConfirmChange>, 'effect'>) => (
  <ConfirmChange {...props} effect={effectOf(props.preview.difference, words())} />
)
