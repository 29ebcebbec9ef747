import type { ReactNode } from 'react'
import * as z from 'zod/mini'
import { ANSWER_MAX } from '#contract/messages.ts'
import { Notice } from '#web/checkout/Notice.tsx'
import { Button } from '#web/ui/Button.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { useForm } from '#web/ui/use-form.ts'
import { useAction } from './use-action.ts'

const ReplyFormSchema = z.object({ answer: z.string().check(z.trim(), z.minLength(1, 'Required')) })

type Props = {
  /** What is answered, for whoever does not see it. */
  about: string
  button: string
  send: (answer: string) => Promise<unknown>
  /** Takes it from the pile without an answer; unset where that is done. */
  onArchive?: (() => Promise<unknown>) | undefined
  children?: ReactNode
}

/** An answer in place. */
export function ReplyForm({ about, button, send, onArchive, children }: Props) {
  const { tied, errorOf, check, clear } = useForm(ReplyFormSchema)
  const { act, busy, trouble } = useAction()
  const answer = async (written: string) => {
    const done = await act(async () => {
      await send(written)
      return { done: 'Answered' }
    })
    if (done) clear()
  }
  return (
    <form
      {...tied}
      aria-label={`Answer ${about}`}
      className="mt-4 grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        const typed = check()
        if (typed) void answer(typed.answer)
      }}
    >
      <TextArea label="Answer" name="answer" rows={3} maxLength={ANSWER_MAX} error={errorOf('answer')} />
      {children}
      {trouble && <Notice>{trouble.sentence}</Notice>}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={busy}>
          {button}
        </Button>
        {onArchive && (
          <Button
            variant="outline"
            busy={busy}
            onClick={() =>
              void act(async () => {
                await onArchive()
                return { done: 'Put aside' }
              })
            }
          >
            Put aside
          </Button>
        )}
      </div>
    </form>
  )
}
