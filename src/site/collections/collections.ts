import { example } from './example.ts'
import { rudy } from './rudy.ts'
import { sherlock } from './sherlock.ts'
import type { CollectionId, CollectionTheme } from './theme.ts'

/** In display order. */
export const collections: Readonly<Record<CollectionId, CollectionTheme>> = { rudy, sherlock, example }

/** For orders and pages without a collection (specification, sections 1 and 2). */
export const defaultCollection: CollectionTheme = rudy

/** @param id unchecked, from a URL or from storage */
export const findCollection = (id: string): CollectionTheme | undefined =>
  Object.values(collections).find((collection) => collection.id === id)
