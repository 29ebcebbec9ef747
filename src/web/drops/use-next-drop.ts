import type { DropView } from '#contract/drops.ts'
import { useDrops } from './use-drop.ts'

/** The drop that is on sale, or the next one. */
export function useNextDrop(): DropView | undefined {
  const inOrder = useDrops().toSorted((a, b) => a.startsAt.localeCompare(b.startsAt))
  return inOrder.find(({ state }) => state === 'open') ?? inOrder.find(({ state }) => state === 'scheduled')
}
