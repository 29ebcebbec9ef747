import * as z from 'zod/mini'
import { ROW_ID_MAX } from './wire.ts'

/** Where a page of a pile ends: among what waits, by since when it does, or among what is done. */
export type QueuePosition = { waitsSince: Date | null; id: number }

// Until the year 2286; what is longer is no moment that a database knows.
const placeText = /^(?:waiting:\d{1,13}|done):[1-9]\d{0,9}$/

const idIn = (text: string): number => Number(text.slice(text.lastIndexOf(':') + 1))

export const formatQueuePosition = ({ waitsSince, id }: QueuePosition): string =>
  waitsSince ? `waiting:${waitsSince.getTime()}:${id}` : `done:${id}`

function parseQueuePosition(text: string): QueuePosition {
  const since = /^waiting:(\d+)/.exec(text)?.[1]
  return { waitsSince: since === undefined ? null : new Date(Number(since)), id: idIn(text) }
}

/**
 * What a pile of the admin is asked by. In each of them what waits for an answer lies on top, the longest waiting first; below it lies
 * what is done, the newest first.
 */
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

/** What stands in each answer of one: the place after which the next page begins, and how much waits on all pages. */
export const queuePage = { next: z.nullable(z.string()), waiting: z.int() }
