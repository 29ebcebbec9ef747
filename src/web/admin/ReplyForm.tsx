import type { ReactNode } from 'react'
import * as z from 'zod/mini'
import { ANSWER_MAX } from '#contract/messages.ts'
import { ApiForm, FormButton, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { useChange } from './use-action.ts'

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
  const change = useChange()
  return (
    <ApiForm
      schema={ReplyFormSchema}
      send={({ answer }) =>
        change(async () => {
          await send(answer)
          return { done: 'Reply sent' }
        })
      }
      clears
      aria-label={`Reply to ${about}`}
      className="mt-4 grid gap-3"
    >
      <TextArea label="Reply" name="answer" rows={3} maxLength={ANSWER_MAX} />
      {children}
      <FormNotice />
      <div className="flex flex-wrap gap-3">
        <SubmitButton>{button}</SubmitButton>
        {onArchive && (
          <FormButton
            variant="outline"
            send={() =>
              change(async () => {
                await onArchive()
                return { done: 'Archived' }
              })
            }
          >
            Archive
          </FormButton>
        )}
      </div>
    </ApiForm>
  )
}
