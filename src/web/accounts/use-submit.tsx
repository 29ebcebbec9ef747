import { useState, type SubmitEvent } from 'react'
import type { output, ZodMiniType } from 'zod/mini'
import { fieldsOf, sentenceOf } from '#web/api/error-sentence.ts'
import { Notice } from '#web/checkout/Notice.tsx'
import { useForm } from '#web/ui/use-form.ts'

/**
 * A form that is sent once at a time, and says beside its fields and under them what the shop said.
 * @param onSend what it is for; what was typed goes with success, unless it answers `keep`
 */
export function useSubmit<Schema extends ZodMiniType>(
  schema: Schema,
  onSend: (typed: output<Schema>) => Promise<unknown>,
) {
  const form = useForm(schema)
  const [isSending, setIsSending] = useState(false)
  const [problem, setProblem] = useState<string>()

  const send = async (typed: output<Schema>) => {
    setIsSending(true)
    setProblem(undefined)
    try {
      if ((await onSend(typed)) !== 'keep') form.clear()
    } catch (error) {
      setProblem(sentenceOf(error))
      form.refuse(fieldsOf(error))
    } finally {
      setIsSending(false)
    }
  }
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = form.check()
    if (typed !== undefined && !isSending) void send(typed)
  }
  return { form, submit, isSending, problem }
}

/** Why it was not done, beside the button. */
export const SubmitError = ({ title, said }: { title: string; said: string | undefined }) =>
  said === undefined ? null : <Notice title={title}>{said}</Notice>
