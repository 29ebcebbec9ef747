import { useQuery } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'
import type { Draft } from '#contract/admin-studio.ts'
import { paths } from '#contract/paths.ts'
import { sentenceOf } from '#web/api/error-sentence.ts'
import { useApi } from '#web/api/use-api.ts'
import { Link } from '#web/app/Link.tsx'
import { Button } from '#web/ui/Button.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { CopyRow, type CopyHandle } from './CopyRow.tsx'
import { batchQuery } from './studio-queries.ts'

const POLL_MS = 1000

/** The drafts of a batch, to correct and to publish together. What is being made goes on without this page. */
export function CopiesTable({ batch }: { batch: string }) {
  const drafts = useQuery({
    ...batchQuery(batch),
    refetchInterval: ({ state }) => (state.data?.drafts.some((one) => one.state === 'creating') ? POLL_MS : false),
  })
  return (
    <QueryBoundary query={drafts}>
      {({ drafts: rows }) =>
        rows.length > 0 ? (
          <Rows rows={rows} refetch={() => void drafts.refetch()} />
        ) : (
          <p>
            These drafts were deleted.{' '}
            <a href={paths.severalProducts} className="link-line">
              Begin again
            </a>
          </p>
        )
      }
    </QueryBoundary>
  )
}

function Rows({ rows, refetch }: { rows: readonly Draft[]; refetch: () => void }) {
  const api = useApi()
  const handles = useRef(new Map<number, CopyHandle>())
  const [refusals, setRefusals] = useState<ReadonlyMap<number, string>>(new Map())
  const [publishing, setPublishing] = useState<number>()
  const register = useCallback((id: number, handle: CopyHandle | undefined) => {
    if (handle) handles.current.set(id, handle)
    else handles.current.delete(id)
  }, [])
  const open = rows.filter(({ state }) => state === 'open' || state === 'refused')
  const count = (state: Draft['state']) => rows.filter((one) => one.state === state).length

  /** One after the other; what is refused stays, and the others go on. */
  const publishAll = async () => {
    const refused = new Map<number, string>()
    for (const [index, { id }] of open.entries()) {
      setPublishing(index)
      const handle = handles.current.get(id)
      if (!handle) continue
      try {
        await handle.flush()
        handle.setDraft(
          await api('POST /api/admin/drafts/:id/publish', { params: { id }, body: { version: handle.version() } }),
        )
      } catch (error) {
        refused.set(id, sentenceOf(error))
      }
      setRefusals(new Map(refused))
    }
    setPublishing(undefined)
    refetch()
  }

  const figures = [
    [count('published'), 'published'],
    [count('creating'), 'being made'],
    [count('refused'), 'refused'],
    [count('open'), 'not published yet'],
  ] as const
  return (
    <>
      <p className="mb-5 max-w-[44em] text-ink-soft">
        Check names, colors and prices; every change is saved. Nothing is on sale until you publish.
      </p>
      <ol aria-label="Products" className="grid gap-4">
        {rows.map((draft) => (
          <CopyRow
            key={draft.id}
            loaded={draft}
            refusal={refusals.get(draft.id)}
            onHandle={register}
            onDeleted={refetch}
          />
        ))}
      </ol>
      <div className="sticky bottom-0 mt-6 flex flex-wrap items-center gap-4 border-t border-line bg-ivory py-4">
        {open.length > 0 && (
          <Button busy={publishing !== undefined} onClick={() => void publishAll()}>
            {open.length === 1 ? 'Publish 1 product' : `Publish all ${open.length} products`}
          </Button>
        )}
        <Link to={paths.adminProducts} className="link-line">
          All products
        </Link>
        <p role="status" className="text-sm text-ink-soft">
          {publishing !== undefined
            ? `Starting ${publishing + 1} of ${open.length}`
            : figures.flatMap(([figure, name]) => (figure > 0 ? `${figure} ${name}` : [])).join(', ')}
        </p>
      </div>
    </>
  )
}
