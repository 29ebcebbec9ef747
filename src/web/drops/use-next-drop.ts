import type { DropView } from '#contract/drops.ts'
import { useDrops } from './use-drop.ts'

/** The drop of a whole collection: one that is not over before one that is. */
export function useCollectionDrop(id: string | undefined): DropView | undefined {
  const own = useDrops().filter(({ collectionId }) => collectionId === id)
  return own.find(({ state }) => state !== 'ended') ?? own[0]
}

/** The drop that is on sale, or the next one. */
export function useNextDrop(): DropView | undefined {
  const inOrder = useDrops().toSorted((a, b) => a.startsAt.localeCompare(b.startsAt))
  return inOrder.find(({ state }) => state === 'open') ?? inOrder.find(({ state }) => state === 'scheduled')
}
