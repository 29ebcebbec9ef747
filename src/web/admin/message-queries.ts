import { infiniteQueryOptions } from '@tanstack/react-query'
import type { ConversationState } from '#domain/messages/conversation.ts'
import { SECOND_MS } from '#shared/time.ts'
import type { Answer, Api } from '#web/api/client.ts'
import { query } from '#web/api/queries.ts'

type ListCall =
  | 'GET /api/admin/calls'
  | 'GET /api/admin/applications'
  | 'GET /api/admin/subscribers'
  | 'GET /api/admin/redirects'

/** A paged list of the admin. Its key begins with the call, so that every action refetches it. */
export const pagedQuery = <K extends ListCall>(api: Api, key: K) =>
  infiniteQueryOptions({
    queryKey: [key, 'pages'],
    queryFn: async ({ pageParam }): Promise<Answer<K>> => {
      const request = api as (key: K, payload: { query: { after?: string } }) => Promise<Answer<K>>
      return request(key, { query: pageParam === null ? {} : { after: String(pageParam) } })
    },
    initialPageParam: null as string | number | null,
    getNextPageParam: ({ next }) => next,
    staleTime: 2 * SECOND_MS,
    refetchOnWindowFocus: true,
  })

/** @param state of the conversations; empty: all, those that wait first */
export const conversationsQuery = (api: Api, state: ConversationState | '') =>
  infiniteQueryOptions({
    queryKey: ['GET /api/admin/conversations', state],
    queryFn: ({ pageParam }): Promise<Answer<'GET /api/admin/conversations'>> =>
      api('GET /api/admin/conversations', {
        // The position's schema parses text; its input type is text.
        query: { ...(state && { state }), ...(pageParam !== null && { after: pageParam }) },
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    staleTime: 2 * SECOND_MS,
    refetchOnWindowFocus: true,
    refetchInterval: POLL_MS,
  })

/** Somebody may be writing right now. */
const POLL_MS = 15 * SECOND_MS

export const threadQuery = (id: number) => ({
  ...query('GET /api/admin/conversations/:id', { params: { id } }),
  staleTime: 2 * SECOND_MS,
  refetchOnWindowFocus: true,
  refetchInterval: POLL_MS,
})

export const savedRepliesQuery = { ...query('GET /api/admin/saved-replies'), staleTime: 2 * SECOND_MS }
