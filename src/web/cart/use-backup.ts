import { useEffect } from 'react'
import type { CartLine } from '#contract/cart.ts'
import { useApi } from '#web/api/use-api.ts'
import { readStored, removeStored, writeStored } from '#web/app/browser-storage.ts'
import { onSessionBegan } from './session-began.ts'

type BackedUpLine = { productId: number; variantId: number; quantity: number }

/**
 * Keeps a copy of the cart in the browser while it holds something, and fills it again when the shop says that it knows this
 * browser no longer: by product and variant, at today's prices. Lines that are no longer sold stay out.
 */
export function useBackup(lines: readonly CartLine[], isPending: boolean, onRestored: () => Promise<void>): void {
  const api = useApi()

  useEffect(() => {
    if (isPending || lines.length === 0) return
    writeStored(
      'backup-cart',
      lines.map(({ productId, variantId, quantity }): BackedUpLine => ({ productId, variantId, quantity })),
    )
  }, [lines, isPending])

  useEffect(
    () =>
      onSessionBegan(() => {
        const backup = readStored('backup-cart', isBackup) ?? []
        if (backup.length === 0) return
        const restore = async () => {
          for (const body of backup) await api('POST /api/cart', { body }).catch(() => undefined)
          await onRestored()
        }
        void restore()
      }),
    [api, onRestored],
  )
}

export const forgetBackup = (): void => removeStored('backup-cart')

const isBackup = (value: unknown): value is BackedUpLine[] =>
  Array.isArray(value) &&
  value.every(
    (line: unknown) =>
      typeof line === 'object' &&
      line !== null &&
      ['productId', 'variantId', 'quantity'].every((name) =>
        Number.isSafeInteger((line as Record<string, unknown>)[name]),
      ),
  )
