import { paths } from '#contract/paths.ts'
import { readStored, removeStored, writeStored } from '#web/app/browser-storage.ts'

/** A checkout that was left for a bank's own page. What was typed there is judged by whoever takes it. */
type Return = { path: string; draft: unknown }

/**
 * While a provider is asked it may lead the shopper to a bank's own page, and from there to another entry of the history: should this
 * page be left, what was typed waits in this tab (docs/decisions/0062).
 * @returns ends it, once the provider has answered here
 */
export function saveReturn(draft: object): () => void {
  const kept: Return = { path: location.pathname, draft }
  const leave = () => writeStored('checkoutReturn', kept)
  addEventListener('pagehide', leave)
  return () => removeEventListener('pagehide', leave)
}

/** @returns what was typed; it is kept no longer */
export function takeReturn(): unknown {
  const returned = readStored('checkoutReturn', isReturn)
  removeStored('checkoutReturn')
  return returned?.draft
}

/** The checkout that was left, at its payment. */
export const returnPath = (): string => `${readStored('checkoutReturn', isReturn)?.path ?? paths.checkout}?step=payment`

const checkouts: readonly unknown[] = [paths.checkout, paths.directCheckout, paths.alternateCheckout]

const isReturn = (value: unknown): value is Return => checkouts.includes((value as Partial<Return> | null)?.path)
