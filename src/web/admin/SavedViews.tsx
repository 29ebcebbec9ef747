import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { SavedFilter, SavedView } from '#contract/saved-views.ts'
import { paths } from '#contract/paths.ts'
import { useApi } from '#web/api/use-api.ts'
import { Link } from '#web/app/Link.tsx'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { viewsQuery } from './admin-queries.ts'
import { useAction, useChange } from './use-action.ts'

const pathOf = (filter: SavedFilter): string =>
  `${paths.adminOrders}?${new URLSearchParams(Object.entries(filter).flatMap(([name, value]) => (value ? [[name, value]] : [])))}`

/** Whatever the order of the names. */
const keyOf = (filter: SavedFilter): string =>
  JSON.stringify(
    Object.entries(filter)
      .filter(([, value]) => value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  )

type Props = {
  /** The current filter without a search. */
  filter: SavedFilter
  /** Whether there is something to save. */
  canSave: boolean
}

/** Your own views of the list, and the current one to be saved. */
export function SavedViews({ filter, canSave }: Props) {
  const { data } = useQuery(viewsQuery)
  const [isNaming, setIsNaming] = useState(false)
  const api = useApi()
  const change = useChange()
  const views = data?.views ?? []
  const current = views.find((view) => keyOf(view.filter) === keyOf(filter))
  if (views.length === 0 && !canSave) return null
  return (
    <div className="flex flex-wrap items-center gap-1.5 text-[0.875rem] print:hidden">
      {views.length > 0 && (
        <ul aria-label="Your views" className="contents">
          {views.map((view) => (
            <View key={view.id} view={view} isCurrent={view === current} />
          ))}
        </ul>
      )}
      {canSave && !current && (
        <Button variant="plain" className="min-h-8! py-1!" aria-haspopup="dialog" onClick={() => setIsNaming(true)}>
          Save this view...
        </Button>
      )}
      <Dialog open={isNaming} onClose={() => setIsNaming(false)} title="Save this view">
        <p className="mb-4 text-ink-soft">
          It keeps the filters under a name, for you alone. A search text is not kept: it may be a customer’s name.
        </p>
        <ApiForm
          send={async ({ name = '' }) => {
            await change(() => api('POST /api/admin/views', { body: { name, filter } }))
            setIsNaming(false)
          }}
        >
          <Field label="Name" name="name" required maxLength={40} autoComplete="off" />
          <FormNotice />
          <SubmitButton>Save view</SubmitButton>
        </ApiForm>
      </Dialog>
    </div>
  )
}

function View({ view: { id, name, filter }, isCurrent }: { view: SavedView; isCurrent: boolean }) {
  const api = useApi()
  const { act, busy } = useAction()
  return (
    <li
      className={classNames(
        'inline-flex min-h-8 items-center rounded-full border pl-3',
        isCurrent ? 'border-ink bg-button-quiet font-semibold' : 'border-line',
      )}
    >
      <Link to={pathOf(filter)} aria-current={isCurrent ? 'page' : undefined} className="py-1">
        {name}
      </Link>
      <IconButton
        icon="close"
        label={`Delete the view ${name}`}
        className="size-8 *:size-3.5"
        idle={busy}
        onClick={() => act(() => api('DELETE /api/admin/views/:id', { params: { id } }))}
      />
    </li>
  )
}
