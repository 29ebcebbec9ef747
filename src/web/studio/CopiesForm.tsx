import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { BlankSummary } from '#contract/admin-blanks.ts'
import { fillPattern } from '#domain/studio/copies.ts'
import { COPIES_MAX, type DraftContent } from '#domain/studio/draft.ts'
import type { StoredPicture } from '#contract/admin-pictures.ts'
import { useApi } from '#web/api/use-api.ts'
import { useRequest } from '#web/api/use-request.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { Select } from '#web/ui/Select.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { BlankChooser } from './BlankChooser.tsx'
import { DrawingPicker } from './DrawingPicker.tsx'
import { BASIS_POINTS_PER_PERCENT } from './PriceRow.tsx'
import { TARGET_DEFAULT } from './PriceStep.tsx'
import { choicesQuery, drawingsQuery } from './studio-queries.ts'

type Props = { source: DraftContent; onMade: (batch: string) => void }

/** The drawing, what all products share, and the blanks; then each blank has a draft. */
export function CopiesForm({ source, onMade }: Props) {
  const api = useApi()
  const choices = useQuery(choicesQuery)
  const drawings = useQuery(drawingsQuery)
  const [content, setContent] = useState<DraftContent>(() => ({
    ...source,
    description: source.description || '{name} on a {type}.',
  }))
  const [namePattern, setNamePattern] = useState(source.name ? '{name}, {type}' : '{name} {type}')
  const [target, setTarget] = useState(TARGET_DEFAULT)
  const [blanks, setBlanks] = useState<readonly BlankSummary[]>([])
  // One for this form: sent again after a lost answer, it makes no second batch.
  const [batch] = useState(newBatch)
  const { run, busy, failure } = useRequest()
  const update = (part: Partial<DraftContent>) => setContent((now) => ({ ...now, ...part }))
  const choose = ({ file }: StoredPicture) =>
    update({
      placements: content.placements.length
        ? content.placements.map((one, index) => (index === 0 ? { ...one, drawing: file } : one))
        : // The server places it where it usually sits on each blank.
          [{ area: '', drawing: file, x: 0.5, y: 0.5, width: 0.8, height: 0.8, threadColors: [] }],
    })
  const toggle = (blank: BlankSummary) =>
    setBlanks((now) =>
      now.some(({ id }) => id === blank.id)
        ? now.filter(({ id }) => id !== blank.id)
        : now.length < COPIES_MAX
          ? [...now, blank]
          : now,
    )
  const missing = [
    !content.placements.length && 'a drawing',
    !content.name && 'a name',
    !content.collection && 'a collection',
    !blanks.length && 'at least one blank',
  ].filter((one) => one !== false)

  const make = () =>
    run(async () => {
      const targetBasisPoints = Math.round((Number(target) || 0) * BASIS_POINTS_PER_PERCENT)
      await api('PUT /api/admin/draft-batches/:batch', {
        params: { batch },
        body: { blankIds: blanks.map(({ id }) => id), content, namePattern, targetBasisPoints },
      })
      onMade(batch)
    })

  return (
    <div className="grid grid-cols-1 gap-8">
      <section aria-labelledby="copied-drawing" className="grid grid-cols-1 gap-4">
        <h2 id="copied-drawing" className="text-xl font-semibold">
          Drawing
        </h2>
        <QueryBoundary query={drawings}>
          {({ pictures }) => (
            <DrawingPicker pictures={pictures} chosen={content.placements[0]?.drawing} onChoose={choose} />
          )}
        </QueryBoundary>
      </section>
      <section aria-labelledby="copied-words" className="grid max-w-3xl grid-cols-1 gap-5">
        <h2 id="copied-words" className="text-xl font-semibold">
          What they share
        </h2>
        <Field label="Name" value={content.name} maxLength={150} onValue={(name) => update({ name })} />
        <Field
          label="Name of each product"
          value={namePattern}
          maxLength={200}
          onValue={setNamePattern}
          hint={`{name} and {type} are filled in, such as ${fillPattern(namePattern, { name: content.name || 'Biscuit', type: 'T-Shirt' })}.`}
        />
        <TextArea
          label="Description of each product"
          rows={3}
          maxLength={5000}
          value={content.description}
          onChange={(event) => update({ description: event.currentTarget.value })}
        />
        <div className="grid gap-5 sm:grid-cols-2">
          <Select
            label="Collection"
            value={content.collection}
            required
            options={(choices.data?.collections ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            onValue={(collection) => update({ collection })}
          />
          <Field label="Target margin, in percent" inputMode="numeric" value={target} onValue={setTarget} />
        </div>
      </section>
      <section aria-labelledby="copied-blanks">
        <h2 id="copied-blanks" className="mb-4 text-xl font-semibold">
          Blanks
        </h2>
        {blanks.length > 0 && (
          <ul aria-label="Chosen blanks" className="mb-4 flex flex-wrap gap-2">
            {blanks.map((blank) => (
              <li key={blank.id}>
                <Button
                  variant="quiet"
                  className="px-4!"
                  aria-label={`Remove ${blank.title}`}
                  onClick={() => toggle(blank)}
                >
                  {blank.title} <span aria-hidden>×</span>
                </Button>
              </li>
            ))}
          </ul>
        )}
        <BlankChooser chosen={blanks.map(({ id }) => id)} onChoose={toggle} />
      </section>
      {failure && <Notice title="No draft was made">{failure.sentence}</Notice>}
      <div className="sticky bottom-0 flex flex-wrap items-center gap-4 border-t border-line bg-ivory py-4">
        <Button busy={busy} aria-disabled={missing.length > 0} onClick={() => void make()}>
          {blanks.length === 1 ? 'Make 1 draft' : `Make ${blanks.length} drafts`}
        </Button>
        <p role="status" className="text-sm text-ink-soft">
          {missing.length > 0
            ? `Please choose ${new Intl.ListFormat('en-US').format(missing)}.`
            : `${blanks.length} of at most ${COPIES_MAX} blanks. Nothing is published yet.`}
        </p>
      </div>
    </div>
  )
}

/** Works without a secure context too, unlike `randomUUID`. */
const newBatch = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join('')
