/** A `sale` has a payment. The others are made without one, at the shop's expense. */
export const orderKinds = ['sale', 'replacement', 'sample', 'gift'] as const
export type OrderKind = (typeof orderKinds)[number]
export type FreeOrderKind = Exclude<OrderKind, 'sale'>
