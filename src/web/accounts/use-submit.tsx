import { useState, type SubmitEvent } from 'react'
import type { output, ZodMiniType } from 'zod/mini'
import { fieldsOf, sentenceOf } from '#web/api/error-sentence.ts'
import { Notice } from '#web/ui/Notice.tsx'
import { useForm } from '#web/ui/use-form.ts'

/**
 * A form that submits one request at a time and shows the errors of the answer.
 * @param onSend after it the form is cleared, unless it returns `keep`
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

export const SubmitError = ({ title, message }: { title: string; message: string | undefined }) =>
  message === undefined ? null : <Notice title={title}>{message}</Notice>
