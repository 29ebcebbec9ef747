import { infiniteQueryOptions } from '@tanstack/react-query'
import { SECOND_MS } from '#shared/time.ts'
import type { Answer, Api } from '#web/api/client.ts'

type ListCall =
  | 'GET /api/desk/messages'
  | 'GET /api/desk/chats'
  | 'GET /api/desk/calls'
  | 'GET /api/desk/applications'
  | 'GET /api/desk/subscribers'

/** A list of the desk, page by page; its key begins as all of the desk's do, so that what is done asks for it again. */
export const pagesOf = <K extends ListCall>(api: Api, key: K) =>
  infiniteQueryOptions({
    queryKey: [key, 'pages'],
    queryFn: async ({ pageParam }): Promise<Answer<K>> => {
      const ask = api as (key: K, payload: { query: { after?: string } }) => Promise<Answer<K>>
      return ask(key, { query: pageParam === null ? {} : { after: String(pageParam) } })
    },
    initialPageParam: null as string | number | null,
    getNextPageParam: ({ next }) => next,
    staleTime: 2 * SECOND_MS,
    refetchOnWindowFocus: true,
  })
