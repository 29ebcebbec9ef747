import { use, type ComponentProps, type ReactNode, type SubmitEvent } from 'react'
import type { output, ZodMiniType } from 'zod/mini'
import { fieldsOf, sentenceOf } from '#web/api/error-sentence.ts'
import { useRequest } from '#web/api/use-request.ts'
import { Button } from './Button.tsx'
import { FormContext } from './form-context.ts'
import { Notice } from './Notice.tsx'
import { useForm, type TypedFields } from './use-form.ts'

type Props<Schema extends ZodMiniType> = Omit<ComponentProps<'form'>, 'onSubmit' | 'ref'> & {
  /** Or its loader (`useForm`); unset: only the server validates. */
  schema?: Schema | (() => Promise<Schema>) | undefined
  /** Rejects with what the call rejects with: refused fields show it, and `FormNotice` the sentence. */
  send: (typed: output<Schema>) => Promise<unknown>
  /** Empties the fields afterward. */
  clears?: boolean
  onFailure?: (sentence: string) => void
}

/**
 * A form that sends its fields to the API, once at a time. It validates them, focuses the first error and shows what the server
 * refuses. Without an `action` it needs JavaScript, so its button works only after hydration.
 */
export function ApiForm<Schema extends ZodMiniType = ZodMiniType<TypedFields>>({
  schema,
  send,
  clears = false,
  onFailure,
  children,
  ...attributes
}: Props<Schema>) {
  const form = useForm(schema)
  const { run, busy, isDone, failure, reset } = useRequest()

  const attempt = (work: () => Promise<unknown>) =>
    void run(async () => {
      try {
        await work()
      } catch (error) {
        form.refuse(fieldsOf(error))
        onFailure?.(sentenceOf(error))
        throw error
      }
    })
  const deliver = async (typed: output<Schema> | undefined) => {
    if (typed === undefined) return
    await send(typed)
    if (clears) form.clear()
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!form.hasRules()) return attempt(async () => deliver((await form.ready(), form.check())))
    const typed = form.check()
    if (typed !== undefined) attempt(() => deliver(typed))
    else if (isDone) reset()
  }
  return (
    <FormContext
      value={{
        errorOf: form.errorOf,
        problem: failure && (form.unplacedError ?? failure.sentence),
        isDone,
        busy,
        isReady: form.isReady || attributes.action !== undefined,
        run: (sendOther) => attempt(() => sendOther(form.typed())),
      }}
    >
      <form {...form.tied} {...attributes} onSubmit={submit}>
        {children}
      </form>
    </FormContext>
  )
}

/** Why the form was not sent. */
export function FormNotice({ title }: { title?: string }) {
  const { problem } = use(FormContext)
  return problem === undefined ? null : <Notice {...(title && { title })}>{problem}</Notice>
}

/** Shown after the form was sent. */
export function FormSuccess({ title, children }: { title: string; children: ReactNode }) {
  const { isDone } = use(FormContext)
  return isDone ? (
    <Notice tone="calm" title={title}>
      {children}
    </Notice>
  ) : null
}

type ButtonProps = Omit<ComponentProps<typeof Button>, 'type' | 'busy' | 'disabled' | 'onClick'>

export function SubmitButton({ busyText, children, ...button }: ButtonProps & { busyText?: string }) {
  const { busy, isReady } = use(FormContext)
  return (
    <Button {...button} type="submit" busy={busy} disabled={!isReady}>
      {(busy && busyText) || children}
    </Button>
  )
}

type FormButtonProps = ButtonProps & { send: (typed: TypedFields) => Promise<unknown> }

/** A second action of a form: sends without validation, and is busy and fails like the form. */
export function FormButton({ send, ...button }: FormButtonProps) {
  const { busy, run } = use(FormContext)
  return <Button {...button} busy={busy} onClick={() => run(send)} />
}
