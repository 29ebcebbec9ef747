/**
 * The result of verifying a webhook: the event, or what is wrong with it, for the log. `isGenuine`: the provider signed it, but it is
 * not an event we can read.
 */
export type Verdict<Event> = { event: Event } | { wrong: string; isGenuine?: true }

/** Ids and types are stored as text: visible ASCII, limited length. */
export const isEventName = (value: unknown): value is string =>
  typeof value === 'string' && /^[\x21-\x7e]{1,255}$/.test(value)

/** How far a sender's clock may be ahead of this server's; the providers recommend the same limit. */
export const AHEAD_MAX_MS = 300_000
