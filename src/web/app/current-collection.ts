import { useSyncExternalStore } from 'react'
import { findCollection } from '#site/collections/collections.ts'
import type { CollectionId } from '#site/collections/theme.ts'
import { readStored, writeStored } from './browser-storage.ts'

/**
 * The collection whose colors this browser uses on pages without one of their own. It is stored, so a returning visitor sees the
 * same pet's colors (specification, section 4, Current collection).
 */
let savedCollection: CollectionId | undefined
const listeners = new Set<(collection: CollectionId) => void>()

/** Must run before hydration: the page already has these colors (`applySavedTheme`). */
export function restoreCollection(): void {
  savedCollection = readStored('currentCollection', isCollectionId)
}

/** Stores the collection and notifies listeners, if it is a new one. */
export function switchCollection(collection: CollectionId): void {
  if (collection === savedCollection) return
  savedCollection = collection
  writeStored('currentCollection', collection)
  for (const listener of listeners) listener(collection)
}

/** @returns unsubscribe */
export function onCollectionSwitched(listener: (collection: CollectionId) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Undefined on the server, and on a first visit. */
export const useSavedCollection = (): CollectionId | undefined =>
  useSyncExternalStore(
    onCollectionSwitched,
    () => savedCollection,
    () => undefined,
  )

const isCollectionId = (value: unknown): value is CollectionId =>
  typeof value === 'string' && findCollection(value) !== undefined
