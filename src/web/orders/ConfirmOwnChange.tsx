import type { ComponentProps } from 'react'
import { ConfirmChange, effectOf } from './ConfirmChange.tsx'

const WORDS = {
  pays: 'You pay',
  gets: 'You get back',
  toPay: {
    text: 'You pay the difference by card in the next step. Nothing changes before. If it isn’t paid within an hour, we make your order as it was.',
    button: 'Go on to pay',
  },
  now: { text: 'Your order changes at once, and you get an email.', button: 'Change my order' },
}

/** The last step of a customer's change, with what it costs. */
export const ConfirmOwnChange = (props: Omit<ComponentProps<typeof ConfirmChange>, 'effect'>) => (
  <ConfirmChange {...props} effect={effectOf(props.preview.difference, WORDS)} />
)
