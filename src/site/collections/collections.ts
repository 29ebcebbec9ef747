import { example } from './example.ts'
import { rudy } from './rudy.ts'
import { sherlock } from './sherlock.ts'
import type { CollectionId, CollectionTheme } from './theme.ts'

/** In the order in which they are shown. */
export const collections: Readonly<Record<CollectionId, CollectionTheme>> = { rudy, sherlock, example }

/** Stands in where no collection is known: an order without one, a page outside of all (specification, sections 1 and 2). */
export const defaultCollection: CollectionTheme = rudy

/** @param id as it came from a URL or from storage; undefined for the answer means that there is no such collection */
export const findCollection = (id: string): CollectionTheme | undefined =>
  Object.values(collections).find((collection) => collection.id === id)
