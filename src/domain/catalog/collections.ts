import type { CollectionContent, CollectionTheme } from './collection-theme.ts'

/**
 * `draft`: only the owner sees it. `coming_soon`: has a page without products. `published`: has its products. `retired`: its addresses
 * redirect; orders and links still refer to it.
 */
export const collectionStates = ['draft', 'coming_soon', 'published', 'retired'] as const
export type CollectionState = (typeof collectionStates)[number]

const nextState: Record<CollectionState, readonly CollectionState[]> = {
  draft: ['coming_soon', 'published', 'retired'],
  coming_soon: ['draft', 'published', 'retired'],
  // Links and orders may refer to it, so it is never a draft again.
  published: ['retired'],
  retired: ['coming_soon', 'published'],
}

/** Keeping a state is always allowed. */
export const collectionCanBecome = (from: CollectionState, to: CollectionState): boolean =>
  from === to || nextState[from].includes(to)

/** The states an owner can choose, the present one first. */
export const collectionStatesAfter = (from: CollectionState): readonly CollectionState[] => [from, ...nextState[from]]

export type Collection = CollectionTheme &
  CollectionContent & {
    /** Its page is `/collections/{slug}`. */
    slug: string
    /** Redirect to `slug`. */
    formerSlugs: readonly string[]
    state: CollectionState
    inMenu: boolean
    onHome: boolean
  }

/** @param id unchecked, from a request or an order */
export const findCollection = <K extends { id: string }>(collections: readonly K[], id: string): K | undefined =>
  collections.find((collection) => collection.id === id)

/** Those that shoppers see, in the order of the menu. */
export const shownCollections = <K extends { state: CollectionState }>(collections: readonly K[]): K[] =>
  collections.filter(({ state }) => state === 'published' || state === 'coming_soon')

type KnownCollection = { id: string; slug: string; name: string }

/** `/RudyCollection`: the short address that menus use. */
export const namedPath = (name: string): string => `/${name.replaceAll(/[^\p{L}\p{N}]+/gu, '')}Collection`

/** What a path calls a collection: its slug, or the word of the short form. @returns undefined for other paths */
export function collectionWordIn(pathname: string): string | undefined {
  const word = /^\/(?:collections?\/)?([^/]+)\/?$/.exec(pathname)?.[1]
  return word !== undefined && /^[\p{L}\p{N}-]{1,100}$/u.test(safeDecode(word)) ? safeDecode(word) : undefined
}

function safeDecode(word: string): string {
  try {
    return decodeURIComponent(word)
  } catch {
    return ''
  }
}

/** The collection a path names, in any of its four forms; as for all pages, capitals make no difference. */
export function collectionInPath<K extends KnownCollection>(pathname: string, known: readonly K[]): K | undefined {
  const word = collectionWordIn(pathname)?.toLowerCase()
  const path = pathname.toLowerCase()
  return known.find(({ slug, name }) => slug === word || namedPath(name).toLowerCase() === path)
}

/**
 * The collection a page belongs to: by its path, else by the name of the first product on it.
 * @returns undefined if it belongs to none: the visitor keeps the current one, else the first (specification,
 * section 4, Current collection)
 */
export function collectionOfPage<K extends KnownCollection>(
  page: { pathname: string; firstProductName?: string | undefined },
  known: readonly K[],
): K | undefined {
  const words = page.firstProductName?.toLowerCase().split(/[^\p{L}\p{N}]+/u) ?? []
  return collectionInPath(page.pathname, known) ?? known.find(({ name }) => words.includes(name.toLowerCase()))
}
