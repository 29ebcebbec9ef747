import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { fieldsOf, sentenceOf } from '#web/api/error-sentence.ts'
import { useToast } from '#web/ui/toast.tsx'

type ActionError = { sentence: string; fields: Readonly<Record<string, string>> }

/** One thing that is done in the admin: never twice at once, told when it is done, and everything shown is asked for again. */
export function useAction() {
  const queries = useQueryClient()
  const { toast } = useToast()
  const isUnderWay = useRef(false)
  const [busy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState<ActionError>()

  /** @returns what the shop answered; undefined when it said no, which `trouble` then says */
  const ask = async <Answer>(send: () => Promise<Answer>): Promise<Answer | undefined> => {
    if (isUnderWay.current) return undefined
    isUnderWay.current = true
    setBusy(true)
    setTrouble(undefined)
    try {
      return await send()
    } catch (error) {
      setTrouble({ sentence: sentenceOf(error), fields: fieldsOf(error) })
      return undefined
    } finally {
      isUnderWay.current = false
      setBusy(false)
    }
  }

  return {
    busy,
    /** Why the last one was not done. */
    trouble,
    ask,
    /** As `ask`, for what changes something; a no may have changed it, too, such as the printer's. */
    act: async (send: () => Promise<{ done: string }>) => {
      const answer = await ask(send)
      if (answer) toast({ title: answer.done })
      await queries.invalidateQueries({ predicate: ({ queryKey: [key] }) => isAdminCall(key) })
      return answer
    },
  }
}

const isAdminCall = (key: unknown): boolean => typeof key === 'string' && key.startsWith('GET /api/admin')
