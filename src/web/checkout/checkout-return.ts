import { paths } from '#contract/paths.ts'
import { splitLanguage } from '#shared/language.ts'
import { readStored, removeStored, writeStored } from '#web/app/browser-storage.ts'

/** A checkout left for a bank's page. The reader validates the draft. */
type SavedReturn = { path: string; draft: unknown }

/**
 * A provider may redirect the shopper to a bank's page during a payment. If this page is left, the draft is kept for this tab
 * (docs/decisions/0062).
 * @returns stops it, once the provider has answered here
 */
export function saveReturn(draft: object): () => void {
  const saved: SavedReturn = { path: splitLanguage(location.pathname).path, draft }
  const leave = () => writeStored('checkoutReturn', saved)
  addEventListener('pagehide', leave)
  return () => removeEventListener('pagehide', leave)
}

/** Reads and deletes the draft. */
export function takeReturn(): unknown {
  const returned = readStored('checkoutReturn', isReturn)
  removeStored('checkoutReturn')
  return returned?.draft
}

/** The payment step of the checkout that was left. */
export const returnPath = (): string => `${readStored('checkoutReturn', isReturn)?.path ?? paths.checkout}?step=payment`

const checkouts: readonly unknown[] = [paths.checkout, paths.directCheckout, paths.alternateCheckout]

const isReturn = (value: unknown): value is SavedReturn =>
  checkouts.includes((value as Partial<SavedReturn> | null)?.path)
