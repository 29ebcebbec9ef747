import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/time.ts'

/** How long somebody stays signed in: without being seen, and however often they are seen. */
const SIGN_IN_LIFETIMES = {
  user: { idleMs: 30 * DAY_MS, longestMs: 90 * DAY_MS },
  // Whoever finds the owner's machine open finds everything.
  owner: { idleMs: 12 * HOUR_MS, longestMs: 7 * DAY_MS },
} as const

/** What moves money back or removes somebody asks for a password that was given this lately. */
const FRESH_MS = 15 * MINUTE_MS

type SignIn = { signedInAt: Date | null; seenAt: Date; isOwner: boolean }

export function isStillSignedIn({ signedInAt, seenAt, isOwner }: SignIn, now: Date): boolean {
  const { idleMs, longestMs } = isOwner ? SIGN_IN_LIFETIMES.owner : SIGN_IN_LIFETIMES.user
  return signedInAt !== null && within(signedInAt, longestMs, now) && within(seenAt, idleMs, now)
}

export const isFresh = (confirmedAt: Date | null, now: Date): boolean =>
  confirmedAt !== null && within(confirmedAt, FRESH_MS, now)

const within = (moment: Date, ms: number, now: Date) => now.getTime() - moment.getTime() < ms
