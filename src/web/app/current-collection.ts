import { useSyncExternalStore } from 'react'
import { findCollection } from '#site/collections/collections.ts'
import type { CollectionId } from '#site/collections/theme.ts'
import { readStored, writeStored } from './browser-storage.ts'

/**
 * The collection that this browser wears where a page has none of its own: kept in storage, so that somebody who came for one
 * pet still sees its colors on the next visit (specification, section 4, Current collection).
 */
let savedCollection: CollectionId | undefined
const listeners = new Set<(collection: CollectionId) => void>()

/** Called before React looks at the page, which wears it already: see `applySavedTheme`. */
export function restoreCollection(): void {
  savedCollection = readStored('currentCollection', isCollectionId)
}

/** Wears another collection from now on, and tells everybody who listens. Nothing happens when it is worn already. */
export function switchCollection(collection: CollectionId): void {
  if (collection === savedCollection) return
  savedCollection = collection
  writeStored('currentCollection', collection)
  for (const tell of listeners) tell(collection)
}

/** @returns an end to it */
export function onCollectionSwitched(tell: (collection: CollectionId) => void): () => void {
  listeners.add(tell)
  return () => listeners.delete(tell)
}

/** Undefined while rendering on the server, and where nothing has been worn yet. */
export const useSavedCollection = (): CollectionId | undefined =>
  useSyncExternalStore(
    onCollectionSwitched,
    () => savedCollection,
    () => undefined,
  )

const isCollectionId = (value: unknown): value is CollectionId =>
  typeof value === 'string' && findCollection(value) !== undefined
