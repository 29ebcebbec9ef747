import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/time.ts'

/** How long a sign-in lasts without activity, and at most. */
const SIGN_IN_LIFETIMES = {
  user: { idleMs: 30 * DAY_MS, longestMs: 90 * DAY_MS },
  // An unlocked machine of somebody who works here exposes customers.
  staff: { idleMs: 12 * HOUR_MS, longestMs: 7 * DAY_MS },
} as const

/** Refunds and deleting data require a password entered this recently. */
const FRESH_MS = 15 * MINUTE_MS

type SignIn = { signedInAt: Date | null; seenAt: Date; isStaff: boolean }

export function isStillSignedIn({ signedInAt, seenAt, isStaff }: SignIn, now: Date): boolean {
  const { idleMs, longestMs } = isStaff ? SIGN_IN_LIFETIMES.staff : SIGN_IN_LIFETIMES.user
  return signedInAt !== null && within(signedInAt, longestMs, now) && within(seenAt, idleMs, now)
}

export const isRecentlyConfirmed = (confirmedAt: Date | null, now: Date): boolean =>
  confirmedAt !== null && within(confirmedAt, FRESH_MS, now)

const within = (moment: Date, ms: number, now: Date) => now.getTime() - moment.getTime() < ms
