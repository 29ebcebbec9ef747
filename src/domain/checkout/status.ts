export const checkoutStates = ['open', 'held', 'paid', 'exception', 'released'] as const

/**
 * open: can be paid. held: the provider has the money and is reviewing it. paid: became an order. exception: was paid,
 * but not as frozen. released: can no longer be paid (canceled at the provider).
 */
export type CheckoutState = (typeof checkoutStates)[number]

const nextStates: Readonly<Record<CheckoutState, readonly CheckoutState[]>> = {
  open: ['held', 'paid', 'exception', 'released'],
  held: ['paid', 'released'],
  // A payment that was under way when it was released can still arrive, and is an order if it is as frozen.
  released: ['paid'],
  paid: [],
  exception: [],
}

export const checkoutCanBecome = (from: CheckoutState, to: CheckoutState): boolean => nextStates[from].includes(to)
