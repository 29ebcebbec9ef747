import { SECOND_MS } from '#kernel/time.ts'
import { query } from '#web/api/queries.ts'

/** Long enough for a page's own load to be shown, too short for a figure of yesterday to be believed. */
const FRESH_MS = 2 * SECOND_MS

/** What the desk shows is asked for again whenever somebody comes back to it. */
const current = { staleTime: FRESH_MS, refetchOnWindowFocus: true }

export const logQuery = (older?: string) => ({
  ...query('GET /api/desk/log', { query: older ? { older } : {} }),
  ...current,
})
