/**
 * The one door to what we keep in the browser (specification, section 3, Browser storage). Values carry a version, so that a
 * shop that changed its mind about a shape finds nothing rather than something wrong.
 */
const VERSION = 1

export type StorageKey =
  /** A copy of the cart, for the day when the server no longer has it. */
  | 'backup-cart'
  | 'currentCollection'
  /** That the owner has signed in here: only then does every page ask who is signed in. */
  | 'ownerSignedIn'
  /** What the shopper typed at the checkout; removed after purchase, like the two below. */
  | 'customerInfo'
  | 'checkoutEmail'
  | 'checkoutInfo'
  /** What was typed at a checkout whose shopper went to a bank's own page to pay; it ends with this tab. */
  | 'checkoutReturn'

const storageOf = (key: StorageKey): Storage => (key === 'checkoutReturn' ? sessionStorage : localStorage)

/** @param accepts says whether what was found still has today's shape. @returns undefined when nothing usable is there */
export function readStored<T>(key: StorageKey, accepts: (value: unknown) => value is T): T | undefined {
  try {
    const stored: unknown = JSON.parse(storageOf(key).getItem(key) ?? 'null')
    if (typeof stored !== 'object' || stored === null || !('version' in stored) || !('value' in stored))
      return undefined
    return stored.version === VERSION && accepts(stored.value) ? stored.value : undefined
  } catch {
    return undefined
  }
}

/** Does nothing where the browser keeps nothing, such as a full or forbidden storage: the shop works without. */
export function writeStored(key: StorageKey, value: unknown): void {
  try {
    storageOf(key).setItem(key, JSON.stringify({ version: VERSION, value }))
  } catch {
    // A private window or a full disk: the copy is a convenience, the sale goes on.
  }
}

export function removeStored(key: StorageKey): void {
  try {
    storageOf(key).removeItem(key)
  } catch {
    // See writeStored.
  }
}

/** After a purchase nothing of it stays behind (specification, section 3). */
export function clearPurchase(): void {
  for (const key of ['backup-cart', 'customerInfo', 'checkoutEmail', 'checkoutInfo', 'checkoutReturn'] as const)
    removeStored(key)
}
