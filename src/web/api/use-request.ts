import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { fieldsOf, sentenceOf } from './error-sentence.ts'

/** Runs one call at a time; another one meanwhile is ignored. */
export function useRequest() {
  const isRunning = useRef(false)
  const { mutateAsync, isPending, isSuccess, error, reset } = useMutation({
    mutationFn: (send: () => Promise<void>) => send(),
  })
  return {
    busy: isPending,
    /** The last call succeeded. */
    isDone: isSuccess,
    failure: error ? { sentence: sentenceOf(error), fields: fieldsOf(error) } : undefined,
    reset,
    /** @returns the answer; undefined when the call failed, with the reason in `failure`, or was ignored */
    run: async <Answer>(send: () => Promise<Answer>): Promise<Answer | undefined> => {
      if (isRunning.current) return undefined
      isRunning.current = true
      let answer: Answer | undefined
      try {
        await mutateAsync(async () => void (answer = await send()))
      } catch {
        // Shown by `failure`.
      }
      isRunning.current = false
      return answer
    },
  }
}
