import { useRef } from 'react'
import { Note, type AdminOrder } from '#contract/admin-orders.ts'
import { useApi } from '#web/api/use-api.ts'
import { Notice } from '#web/ui/Notice.tsx'
import { Button } from '#web/ui/Button.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { useForm } from '#web/ui/use-form.ts'
import { formatNewYorkTime } from './date-format.ts'
import { useAction } from './use-action.ts'

/** Internal notes about an order. */
export function OrderNotes({ order: { orderNumber, notes } }: { order: AdminOrder }) {
  const api = useApi()
  const { tied, errorOf, check, clear, isReady } = useForm(Note)
  const { act, busy, failure } = useAction()
  const heading = useRef<HTMLHeadingElement>(null)

  const send = async (body: { words: string }) => {
    const isSaved = await act(() =>
      api('POST /api/admin/orders/:number/notes', { params: { number: orderNumber }, body }),
    )
    if (!isSaved) return
    clear()
    heading.current?.focus()
  }
  return (
    <section aria-labelledby="notes">
      <h2 id="notes" ref={heading} tabIndex={-1} className="mb-3 text-[1.375rem] outline-none">
        Notes
      </h2>
      <ul className="grid gap-3">
        {notes.map(({ id, author, words, at }) => (
          <li key={id} className="rounded-card bg-button-quiet p-3 text-[0.9375rem]">
            <p className="wrap-anywhere whitespace-pre-line">{words}</p>
            <p className="mt-1 text-sm text-ink-soft">
              {author}, {formatNewYorkTime(at)}
            </p>
          </li>
        ))}
      </ul>
      <form
        {...tied}
        aria-label="Write a note"
        className="mt-4 grid gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          const written = check()
          if (written) void send(written)
        }}
      >
        <TextArea
          label="New note"
          name="words"
          rows={3}
          maxLength={2000}
          hint="Only you see these."
          error={errorOf('words')}
        />
        {failure && <Notice>{failure.sentence}</Notice>}
        <div>
          <Button type="submit" variant="outline" busy={busy} disabled={!isReady}>
            Save note
          </Button>
        </div>
      </form>
    </section>
  )
}
