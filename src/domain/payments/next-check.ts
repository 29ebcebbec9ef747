import { after, DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/time.ts'
import type { ProviderPayment } from './objection.ts'

/** While the shopper may still be in the wallet's window, every sweep checks. */
const FRESH_MS = 30 * MINUTE_MS
/** PayPal allows approval and capture for six hours (its Orders documentation). */
const PAYABLE_MS = 6 * HOUR_MS
/** A review takes hours, rarely weeks; after this somebody has to check. */
const REVIEWED_OFTEN_MS = 3 * DAY_MS
const REVIEWED_AT_ALL_MS = 60 * DAY_MS

/**
 * When to check a wallet order next, in case no webhook comes.
 * @returns null if it can no longer change
 */
export function nextCheckAt(status: ProviderPayment['status'], orderedAt: Date, now: Date): Date | null {
  const age = now.getTime() - orderedAt.getTime()
  switch (status) {
    case 'captured':
    case 'cancelled':
      return null
    case 'open':
      if (age >= PAYABLE_MS) return null
      return age < FRESH_MS ? now : after(now, FRESH_MS)
    case 'held':
    case 'processing':
      if (age >= REVIEWED_AT_ALL_MS) return null
      return after(now, age < REVIEWED_OFTEN_MS ? HOUR_MS : DAY_MS)
  }
}
