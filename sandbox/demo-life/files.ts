import { fileURLToPath } from 'node:url'

const file = (name: string): string => fileURLToPath(new URL(`life/${name}`, import.meta.url))

/** The life that `npm start` begins with, as `npm run demo` saved it. */
export const DEMO = {
  /** The shop's data, a backup like any other. */
  backup: file('shop.backup.gz'),
  /** The books of the simulated providers, and the newest emails. */
  books: file('sandbox.gz'),
  /** Seed, days and hashes of the books. */
  facts: file('facts.json'),
} as const

/** Of the books after so many whole days, and at the end. */
export type DemoFacts = { seed: number; days: number; early: { days: number; hash: string }; hash: string }
