/**
 * What came of looking at something that calls itself a provider's event: the event, or the kind of thing that was wrong with it, in
 * words for the log. `isGenuine`: the provider did sign it, and it still is no event that we can read.
 */
export type Verdict<Event> = { event: Event } | { wrong: string; isGenuine?: true }

/** Ids and types go into columns of text: visible letters, and not too many. */
export const isName = (value: unknown): value is string =>
  typeof value === 'string' && /^[\x21-\x7e]{1,255}$/.test(value)

/** How far a sender's clock may be ahead of ours; the providers allow the same to the other side. */
export const AHEAD_MAX_MS = 300_000
