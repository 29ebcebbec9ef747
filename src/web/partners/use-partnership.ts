import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Partnership } from '#contract/partners.ts'
import { query } from '#web/api/queries.ts'

const partnershipQuery = query('GET /api/partnership')

/** What the portal shows; what somebody does in it answers with the whole of it again. */
export function usePartnership() {
  const queries = useQueryClient()
  const { data, isError, refetch } = useQuery(partnershipQuery)
  return {
    partnership: data,
    isError,
    askAgain: () => void refetch(),
    show: (now: Partnership) => queries.setQueryData(partnershipQuery.queryKey, now),
  }
}

export type ShowPartnership = ReturnType<typeof usePartnership>['show']
