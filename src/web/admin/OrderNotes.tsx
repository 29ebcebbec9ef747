import { useRef } from 'react'
import { Note, type AdminOrder } from '#contract/admin-orders.ts'
import { useApi } from '#web/api/use-api.ts'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { formatNewYorkTime } from './date-format.ts'
import { useChange } from './use-action.ts'
import { May } from './May.tsx'

/** Internal notes about an order. */
export function OrderNotes({ order: { orderNumber, notes } }: { order: AdminOrder }) {
  const api = useApi()
  const change = useChange()
  const heading = useRef<HTMLHeadingElement>(null)

  const send = async (body: { words: string }) => {
    await change(() => api('POST /api/admin/orders/:number/notes', { params: { number: orderNumber }, body }))
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
      <May need="edit_orders">
        <ApiForm schema={Note} send={send} clears aria-label="Write a note" className="mt-4 grid gap-3">
          <TextArea label="New note" name="words" rows={3} maxLength={2000} hint="Only you see these." />
          <FormNotice />
          <div>
            <SubmitButton variant="outline">Save note</SubmitButton>
          </div>
        </ApiForm>
      </May>
    </section>
  )
}
