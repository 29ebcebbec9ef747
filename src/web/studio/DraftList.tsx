import { useQuery } from '@tanstack/react-query'
import { paths } from '#contract/paths.ts'
import type { DraftState } from '#domain/studio/draft.ts'
import { useApi } from '#web/api/use-api.ts'
import { useAction } from '#web/admin/use-action.ts'
import { Moment } from '#web/admin/Moment.tsx'
import { Button } from '#web/ui/Button.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { draftsQuery } from './studio-queries.ts'

const stateNames: Readonly<Record<DraftState, string>> = {
  open: 'Draft',
  creating: 'Being made',
  refused: 'Refused',
  published: 'In the catalog',
}

/** New products that are not in the catalog yet. */
export function DraftList() {
  const drafts = useQuery(draftsQuery)
  const api = useApi()
  const { act, busy } = useAction()
  return (
    <QueryBoundary query={drafts}>
      {({ drafts: rows }) =>
        rows.length > 0 && (
          <section aria-labelledby="drafts" className="mb-8">
            <h2 id="drafts" className="mb-3 text-xl font-semibold">
              Drafts
            </h2>
            <ul className="grid gap-2">
              {rows.map(({ id, name, state, batch, updatedAt }) => (
                <li key={id} className="flex flex-wrap items-center gap-x-4 rounded-card border border-line px-4 py-1">
                  {/* Loaded as a page of its own: see paths.newProduct. */}
                  <a href={paths.draft(id)} className="link-line font-medium">
                    {name || 'Without a name'}
                  </a>
                  <span className="text-sm text-ink-soft">
                    {stateNames[state]}, <Moment at={updatedAt} />
                  </span>
                  {batch !== null && (
                    <a href={paths.draftBatch(batch)} className="link-line text-sm">
                      Open with the others of its drawing <span className="sr-only">{name || id}</span>
                    </a>
                  )}
                  <a href={paths.copiesOf('draft', id)} className="link-line ml-auto text-sm">
                    Copy to other blanks <span className="sr-only">{name || id}</span>
                  </a>
                  {state !== 'creating' && (
                    <Button
                      variant="plain"
                      busy={busy}
                      aria-label={`Delete draft ${name || id}`}
                      onClick={() => void act(() => api('DELETE /api/admin/drafts/:id', { params: { id } }))}
                    >
                      Delete
                    </Button>
                  )}
                </li>
              ))}
            </ul>
          </section>
        )
      }
    </QueryBoundary>
  )
}
