import type { CollectionContent } from '#domain/catalog/collection-theme.ts'
import { example } from './example.ts'
import { rudy } from './rudy.ts'
import { sherlock } from './sherlock.ts'

/** A collection as the catalog file has it. Its slug is its id. */
export type KnownCollection = CollectionContent & { id: string; inMenu: boolean; onHome: boolean }

/** The three of the specification, in display order: the catalog's import adds those that products refer to. */
export const knownCollections: readonly KnownCollection[] = [rudy, sherlock, example]
