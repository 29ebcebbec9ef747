import * as z from 'zod/mini'
import { ROW_ID_MAX } from './wire.ts'

/** Where a page of a queue ends: among open items by age, or among done ones. */
export type QueuePosition = { waitsSince: Date | null; id: number }

// Until the year 2286; anything longer is not a valid timestamp.
const placeText = /^(?:waiting:\d{1,13}|done):[1-9]\d{0,9}$/

const idIn = (text: string): number => Number(text.slice(text.lastIndexOf(':') + 1))

export const formatQueuePosition = ({ waitsSince, id }: QueuePosition): string =>
  waitsSince ? `waiting:${waitsSince.getTime()}:${id}` : `done:${id}`

function parseQueuePosition(text: string): QueuePosition {
  const since = /^waiting:(\d+)/.exec(text)?.[1]
  return { waitsSince: since === undefined ? null : new Date(Number(since)), id: idIn(text) }
}

/** Queries of an admin queue. Open items come first, the longest waiting on top; done ones follow, newest first. */
export const queueQuery = z.object({
  after: z.optional(
    z.pipe(
      z.string().check(
        z.regex(placeText),
        z.refine((text) => idIn(text) <= ROW_ID_MAX),
      ),
      z.transform(parseQueuePosition),
    ),
  ),
})

/** In each answer: where the next page starts, and how many items are open on all pages. */
export const queuePage = { next: z.nullable(z.string()), waiting: z.int() }
