import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { fieldsOf, sentenceOf } from '#web/api/error-sentence.ts'
import { useToast } from '#web/ui/toast.tsx'

type ActionError = { sentence: string; fields: Readonly<Record<string, string>> }

/** Runs one action of the admin at a time; `act` also shows a toast and refetches what the admin shows. */
export function useAction() {
  const queries = useQueryClient()
  const { toast } = useToast()
  const isRunning = useRef(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<ActionError>()

  /** @returns the answer; undefined when the call failed, with the reason in `failure` */
  const run = async <Answer>(send: () => Promise<Answer>): Promise<Answer | undefined> => {
    if (isRunning.current) return undefined
    isRunning.current = true
    setBusy(true)
    setFailure(undefined)
    try {
      return await send()
    } catch (error) {
      setFailure({ sentence: sentenceOf(error), fields: fieldsOf(error) })
      return undefined
    } finally {
      isRunning.current = false
      setBusy(false)
    }
  }

  return {
    busy,
    failure,
    run,
    /** Like `run`, for changes. A refused change refetches too: the refusal itself may have changed something, such as the printer's. */
    act: async (send: () => Promise<{ done: string }>) => {
      const answer = await run(send)
      if (answer) toast({ title: answer.done })
      await queries.invalidateQueries({ predicate: ({ queryKey: [key] }) => isAdminCall(key) })
      return answer
    },
  }
}

const isAdminCall = (key: unknown): boolean => typeof key === 'string' && key.startsWith('GET /api/admin')
