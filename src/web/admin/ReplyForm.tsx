import type { ReactNode } from 'react'
import * as z from 'zod/mini'
import { ANSWER_MAX } from '#contract/messages.ts'
import { Notice } from '#web/ui/Notice.tsx'
import { Button } from '#web/ui/Button.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { useForm } from '#web/ui/use-form.ts'
import { useAction } from './use-action.ts'

const ReplyFormSchema = z.object({ answer: z.string().check(z.trim(), z.minLength(1, 'Required')) })

type Props = {
  /** For screen readers. */
  about: string
  button: string
  send: (answer: string) => Promise<unknown>
  /** Closes it without a reply; unset once it is closed. */
  onArchive?: (() => Promise<unknown>) | undefined
  children?: ReactNode
}

export function ReplyForm({ about, button, send, onArchive, children }: Props) {
  const { tied, errorOf, check, clear } = useForm(ReplyFormSchema)
  const { act, busy, failure } = useAction()
  const reply = async (text: string) => {
    const done = await act(async () => {
      await send(text)
      return { done: 'Reply sent' }
    })
    if (done) clear()
  }
  return (
    <form
      {...tied}
      aria-label={`Reply to ${about}`}
      className="mt-4 grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        const typed = check()
        if (typed) void reply(typed.answer)
      }}
    >
      <TextArea label="Reply" name="answer" rows={3} maxLength={ANSWER_MAX} error={errorOf('answer')} />
      {children}
      {failure && <Notice>{failure.sentence}</Notice>}
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
                return { done: 'Archived' }
              })
            }
          >
            Archive
          </Button>
        )}
      </div>
    </form>
  )
}
