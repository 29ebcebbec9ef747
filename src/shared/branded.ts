declare const brand: unique symbol

/** A value that only its own constructor can make: `Brand<number, 'Cents'>` is a number, but a number is not it. */
export type Branded<Base, Name extends string> = Base & { readonly [brand]: Name }
