import { useEffect } from 'react'
import type { CartLine } from '#contract/cart.ts'
import { readStored, removeStored, writeStored } from '#web/app/browser-storage.ts'
import { onNewSession } from './new-session.ts'

type CartToBackUp = {
  lines: readonly CartLine[]
  isPending: boolean
  /** A change of a line is being sent. */
  isChanging: boolean
  /** False while a change is pending. */
  isConfirmed: () => boolean
  refetch: () => Promise<void>
  addLine: (line: BackupLine) => Promise<unknown>
}
type BackupLine = { productId: number; variantId: number; quantity: number }

/**
 * Copies a non-empty cart to browser storage and restores it when the server has started a new session: by product and variant,
 * at today's prices, without lines that are no longer sold. Other tabs refetch the cart when the copy changes.
 */
export function useBackup({ lines, isPending, isChanging, isConfirmed, refetch, addLine }: CartToBackUp): void {
  useEffect(() => {
    // Only a saved cart is copied: otherwise another tab would refetch too early.
    if (isPending || lines.length === 0 || isChanging || !isConfirmed()) return
    writeStored(
      'backup-cart',
      lines.map(({ productId, variantId, quantity }): BackupLine => ({ productId, variantId, quantity })),
    )
  }, [lines, isPending, isChanging, isConfirmed])

  // Another tab has changed the cart.
  useEffect(() => {
    const onStored = ({ key }: StorageEvent) => {
      if (key === 'backup-cart') void refetch()
    }
    addEventListener('storage', onStored)
    return () => removeEventListener('storage', onStored)
  }, [refetch])

  useEffect(
    () =>
      onNewSession(() => {
        const backup = readStored('backup-cart', isBackup) ?? []
        if (backup.length === 0) return
        const restore = async () => {
          await Promise.allSettled(backup.map(addLine))
          await refetch()
        }
        void restore()
      }),
    [addLine, refetch],
  )
}

export const clearBackup = (): void => removeStored('backup-cart')

const isBackup = (value: unknown): value is BackupLine[] =>
  Array.isArray(value) &&
  value.every(
    (line: unknown) =>
      typeof line === 'object' &&
      line !== null &&
      ['productId', 'variantId', 'quantity'].every((name) =>
        Number.isSafeInteger((line as Record<string, unknown>)[name]),
      ),
  )
