import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useRequest } from '#web/api/use-request.ts'
import { useToast } from '#web/ui/toast.tsx'

/** Fetches again what the admin shows. */
export const refetchAdmin = (queries: QueryClient): Promise<void> =>
  queries.invalidateQueries({ predicate: ({ queryKey: [key] }) => isAdminCall(key) })

/** Sends a change of the admin, shows a toast and refetches what the admin shows. */
export function useChange() {
  const queries = useQueryClient()
  const { toast } = useToast()
  const refetch = () => refetchAdmin(queries)
  return async <Answer extends { done: string }>(send: () => Promise<Answer>): Promise<Answer> => {
    try {
      const answer = await send()
      toast({ title: answer.done })
      await refetch()
      return answer
    } catch (error) {
      // The refusal itself may have changed something, such as the printer's.
      void refetch()
      throw error
    }
  }
}

/** Runs one action of the admin at a time; `act` is for changes. */
export function useAction() {
  const request = useRequest()
  const change = useChange()
  return { ...request, act: (send: () => Promise<{ done: string }>) => request.run(() => change(send)) }
}

/** Menu and theme of the admin's own pages come from the configuration. */
const isAdminCall = (key: unknown): boolean =>
  typeof key === 'string' && /^GET \/api\/(?:admin|config|collections)/.test(key)
