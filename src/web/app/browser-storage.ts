/**
 * The only file that uses browser storage (specification, section 3, Browser storage). Values carry a version: after a change
 * of shape, old values are ignored.
 */
const VERSION = 1

export type StorageKey =
  /** A copy of the cart, in case the server loses it. */
  | 'backup-cart'
  | 'currentCollection'
  /** Set when the owner has signed in here: only then do all pages request the signed-in user. */
  | 'ownerSignedIn'
  /** The checkout form; removed after purchase, like the two below. */
  | 'customerInfo'
  | 'checkoutEmail'
  | 'checkoutInfo'
  /** The checkout form while the shopper is on a bank's page; kept for this tab only. */
  | 'checkoutReturn'
  /** Where the shopper wants it sent; kept for this tab only. */
  | 'shipCountry'

const storageOf = (key: StorageKey): Storage =>
  key === 'checkoutReturn' || key === 'shipCountry' ? sessionStorage : localStorage

/** @returns undefined when nothing is stored, or `accepts` rejects it */
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

/** Does nothing when storage is full or forbidden: the shop works without it. */
export function writeStored(key: StorageKey, value: unknown): void {
  try {
    storageOf(key).setItem(key, JSON.stringify({ version: VERSION, value }))
  } catch {
    // A private window or a full disk.
  }
}

export function removeStored(key: StorageKey): void {
  try {
    storageOf(key).removeItem(key)
  } catch {
    // See writeStored.
  }
}

/** Specification, section 3: removed after a purchase. */
export function clearPurchase(): void {
  for (const key of ['backup-cart', 'customerInfo', 'checkoutEmail', 'checkoutInfo', 'checkoutReturn'] as const)
    removeStored(key)
}
