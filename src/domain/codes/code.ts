import type { ProductId } from '#shared/ids.ts'
import type { Cents } from '#shared/money.ts'

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

export const CODE_PATTERN = /^[A-Z0-9](?:[A-Z0-9-]{1,22})[A-Z0-9]$/

/** The most codes of one cart. */
export const CODES_MAX = 5
