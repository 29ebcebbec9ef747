import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Partnership } from '#contract/partners.ts'
import { query } from '#web/api/queries.ts'

const partnershipQuery = query('GET /api/partnership')

/** The portal's data. Every action in it answers with all of it, which `show` takes. */
export function usePartnership() {
  const queries = useQueryClient()
  const { data, isError, refetch } = useQuery(partnershipQuery)
  return {
    partnership: data,
    isError,
    refetch: () => void refetch(),
    show: (partnership: Partnership) => queries.setQueryData(partnershipQuery.queryKey, partnership),
  }
}

export type ShowPartnership = ReturnType<typeof usePartnership>['show']
