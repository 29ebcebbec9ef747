import { useSyncExternalStore } from 'react'
import { readStored, writeStored } from './browser-storage.ts'

/**
 * The collection whose colors this browser uses on pages without one of their own. It is stored, so a returning visitor sees the
 * same pet's colors (specification, section 4, Current collection).
 */
let savedCollection: string | undefined
const listeners = new Set<(collection: string) => void>()

/** Must run before hydration: the page already has these colors (`applySavedTheme`). */
export function restoreCollection(): void {
  savedCollection = readStored('currentCollection', isText)
}

/** Stores the collection and notifies listeners, if it is a new one. */
export function switchCollection(collection: string): void {
  if (collection === savedCollection) return
  savedCollection = collection
  writeStored('currentCollection', collection)
  for (const listener of listeners) listener(collection)
}

/** @returns unsubscribe */
export function onCollectionSwitched(listener: (collection: string) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Undefined on the server, and on a first visit. It may be gone by now. */
export const useSavedCollection = (): string | undefined =>
  useSyncExternalStore(
    onCollectionSwitched,
    () => savedCollection,
    () => undefined,
  )

const isText = (value: unknown): value is string => typeof value === 'string'
