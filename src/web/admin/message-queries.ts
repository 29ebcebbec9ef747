import { infiniteQueryOptions } from '@tanstack/react-query'
import { SECOND_MS } from '#shared/time.ts'
import type { Answer, Api } from '#web/api/client.ts'

type ListCall =
  | 'GET /api/admin/messages'
  | 'GET /api/admin/chats'
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
