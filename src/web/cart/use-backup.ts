import { useEffect } from 'react'
import type { CartLine } from '#contract/cart.ts'
import { readStored, removeStored, writeStored } from '#web/app/browser-storage.ts'
import { onNewSession } from './new-session.ts'

type CartToBackUp = {
  lines: readonly CartLine[]
  isPending: boolean
  /** On their way to the shop. */
  changing: ReadonlySet<unknown>
  /** False while a click waits to be sent. */
  isConfirmed: () => boolean
  refetch: () => Promise<void>
  addLine: (line: BackupLine) => Promise<void>
}
type BackupLine = { productId: number; variantId: number; quantity: number }

/**
 * Keeps a copy of the cart in the browser while it holds something, and fills it again when the shop says that it knows this
 * browser no longer: by product and variant, at today's prices. Lines that are no longer sold stay out. Other tabs follow.
 */
export function useBackup({ lines, isPending, changing, isConfirmed, refetch, addLine }: CartToBackUp): void {
  useEffect(() => {
    // What the shop has not taken yet is not kept: another tab that sees the copy would ask too early.
    if (isPending || lines.length === 0 || changing.size > 0 || !isConfirmed()) return
    writeStored(
      'backup-cart',
      lines.map(({ productId, variantId, quantity }): BackupLine => ({ productId, variantId, quantity })),
    )
  }, [lines, isPending, changing, isConfirmed])

  // Another tab changed the cart: its copy tells.
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
