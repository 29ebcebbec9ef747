import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams } from 'react-router'
import type { OneCollection } from '#contract/admin-collections.ts'
import { paths } from '#contract/paths.ts'
import { useApi } from '#web/api/use-api.ts'
import { Link } from '#web/app/Link.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { AdminFrame } from './AdminFrame.tsx'
import { CollectionEditor } from './CollectionEditor.tsx'
import { Moment } from './Moment.tsx'
import { adminCollectionQuery } from './admin-queries.ts'
import { useAction, useChange } from './use-action.ts'

/** `/admin/collections/:id`. */
export function CollectionEditPage() {
  const { id = '' } = useParams()
  const one = useQuery(adminCollectionQuery(id))
  return (
    <AdminFrame
      title={one.data?.collection.displayName ?? 'Collection'}
      actions={
        <Link to={paths.adminCollections} className="link-line inline-flex min-h-11 items-center">
          All collections
        </Link>
      }
    >
      <QueryBoundary query={one}>{(data) => <Edit key={data.id} one={data} />}</QueryBoundary>
    </AdminFrame>
  )
}

function Edit({ one }: { one: OneCollection }) {
  const api = useApi()
  const change = useChange()
  // A restored version replaces what is in the form.
  const [restored, setRestored] = useState(0)
  const { id, version, formerSlugs } = one
  return (
    <>
      {formerSlugs.length > 0 && (
        <p className="mb-6 text-ink-soft">
          Former addresses that redirect: {formerSlugs.map((slug) => `/${slug}`).join(', ')}.
        </p>
      )}
      <CollectionEditor
        key={restored}
        saved={one}
        send={(collection) =>
          change(() => api('PUT /api/admin/collections/:id', { params: { id }, body: { ...collection, version } }))
        }
      />
      <History one={one} onRestored={() => setRestored((count) => count + 1)} />
    </>
  )
}

const sources: Readonly<Record<string, string>> = { import: 'imported', admin: 'saved', undo: 'restored' }

function History({ one: { id, version, history }, onRestored }: { one: OneCollection; onRestored: () => void }) {
  const api = useApi()
  const { act, busy, failure } = useAction()
  const restore = async (to: number) => {
    const params = { id }
    const done = await act(() => api('POST /api/admin/collections/:id/restore', { params, body: { version, to } }))
    if (done) onRestored()
  }
  return (
    <section aria-labelledby="history" className="mt-14">
      <h2 id="history" className="mb-4 text-title">
        History
      </h2>
      {failure && <Notice>{failure.sentence}</Notice>}
      <ol className="border-t border-line">
        {history.map(({ version: number, at, by, source }) => (
          <li key={number} className="flex flex-wrap items-center justify-between gap-x-6 border-b border-line py-2">
            <span className="inline-flex min-h-11 items-center">
              <span>
                Version {number}, {sources[source] ?? source} by {by}, <Moment at={at} />
              </span>
            </span>
            {number !== version && (
              <Button
                variant="plain"
                busy={busy}
                aria-label={`Restore version ${number}`}
                onClick={() => void restore(number)}
              >
                Restore
              </Button>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}
