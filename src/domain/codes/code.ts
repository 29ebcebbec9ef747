import { BASIS_POINTS_PER_PERCENT } from '#site/settings.ts'
import type { ProductId } from '#shared/ids.ts'
import { ZERO, type Cents } from '#shared/money.ts'

export const codeStates = ['active', 'ended'] as const

/** ended: nobody can use it any more; payments that were started with it keep their price. */
export type CodeState = (typeof codeStates)[number]

const nextStates: Readonly<Record<CodeState, readonly CodeState[]>> = { active: ['ended'], ended: [] }

export const codeCanBecome = (from: CodeState, to: CodeState): boolean => nextStates[from].includes(to)

/** What a code or an automatic discount takes off. `buy_get`: of every `buy + get` pieces, the price of the `get` cheapest. */
export type Benefit =
  | { kind: 'percent'; basisPoints: number }
  | { kind: 'amount'; amount: Cents }
  | { kind: 'buy_get'; buy: number; get: number }
  /** The highest percentage of those whose number of pieces is reached. */
  | { kind: 'tiers'; tiers: { pieces: number; basisPoints: number }[] }
  /** Shipping and its surcharges. */
  | { kind: 'shipping' }

export type CodeRule = {
  benefit: Benefit
  /** The goods it is for: any of these. Everything if all three are empty. */
  products: ProductId[]
  /** Keys of product types. */
  types: string[]
  collections: string[]
  /** What those goods must cost at least, at list prices. */
  minimum: Cents
  isFirstOrderOnly: boolean
  /** Whether it can be used together with others that say so too. */
  combines: boolean
}

/** `RUDY10`; as it is stored and compared. */
export const normalizeCode = (typed: string): string => typed.replaceAll(/\s+/g, '').toUpperCase()

/** Whether it can be the word of a code: 3 to 24 letters, digits and hyphens. */
export const isCodeWord = (typed: string): boolean => /^[A-Z0-9](?:[A-Z0-9-]{1,22})[A-Z0-9]$/.test(normalizeCode(typed))

/** The most codes of one cart. */
export const CODES_MAX = 5

/** What a code does that a partner makes: a percentage off everything, and never together with other codes. */
export const partnersRule = (percent: number): CodeRule => ({
  benefit: { kind: 'percent', basisPoints: percent * BASIS_POINTS_PER_PERCENT },
  ...{ products: [], types: [], collections: [], minimum: ZERO, isFirstOrderOnly: false, combines: false },
})
