import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Draft } from '#contract/admin-studio.ts'
import { paths } from '#contract/paths.ts'
import { sentenceOf } from '#web/api/error-sentence.ts'
import { useApi } from '#web/api/use-api.ts'
import { Link } from '#web/app/Link.tsx'
import { Button } from '#web/ui/Button.tsx'
import { useAction } from '#web/admin/use-action.ts'
import { useFloorQuestion } from '#web/admin/use-floor-question.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { Spinner } from '#web/ui/Spinner.tsx'
import { CopyRow, type CopyHandle } from './CopyRow.tsx'
import { batchQuery, blankQuery } from './studio-queries.ts'

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
  const { accepted, dialog } = useFloorQuestion()
  const handles = useRef(new Map<number, CopyHandle>())
  const [refusals, setRefusals] = useState<ReadonlyMap<number, string>>(new Map())
  const [publishing, setPublishing] = useState<number>()
  const register = useCallback((id: number, handle: CopyHandle | undefined) => {
    if (handle) handles.current.set(id, handle)
    else handles.current.delete(id)
  }, [])
  const { failures, fill } = useFilling(rows, refetch)
  const unfilled = rows.filter(({ isUnfilled }) => isUnfilled)
  const waiting = unfilled.filter(({ id }) => !failures.has(id))
  const open = rows.filter(({ state, isUnfilled }) => !isUnfilled && (state === 'open' || state === 'refused'))
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
          await accepted((query) =>
            api('POST /api/admin/drafts/:id/publish', { params: { id }, query, body: { version: handle.version() } }),
          ),
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
    [count('open') - unfilled.length, 'not published yet'],
    [unfilled.length, 'without placement and prices'],
  ] as const
  return (
    <>
      <p className="mb-5 max-w-[44em] text-ink-soft">
        Check names, colors and prices; every change is saved. Nothing is on sale until you publish.
      </p>
      <ol aria-label="Products" className="grid gap-4">
        {rows.map((draft) =>
          draft.isUnfilled ? (
            <UnfilledRow
              key={`unfilled ${draft.id}`}
              draft={draft}
              failure={failures.get(draft.id)}
              onDeleted={refetch}
            />
          ) : (
            <CopyRow
              key={draft.id}
              loaded={draft}
              refusal={refusals.get(draft.id)}
              onHandle={register}
              onDeleted={refetch}
            />
          ),
        )}
      </ol>
      {dialog}
      {failures.size > 0 && (
        <Button variant="outline" className="mt-4" onClick={() => void fill()}>
          Try those again
        </Button>
      )}
      <div className="sticky bottom-0 mt-6 flex flex-wrap items-center gap-4 border-t border-line bg-ivory py-4">
        {open.length > 0 && waiting.length === 0 && (
          <Button busy={publishing !== undefined} onClick={() => void publishAll()}>
            {open.length === 1 ? 'Publish 1 product' : `Publish all ${open.length} products`}
          </Button>
        )}
        <Link to={paths.adminProducts} className="link-line">
          All products
        </Link>
        <p role="status" className="text-sm text-ink-soft">
          {waiting.length > 0
            ? `Placing the drawing: ${rows.length - waiting.length} of ${rows.length}. All drafts are saved; you can close this page and open it again.`
            : publishing !== undefined
              ? `Starting ${publishing + 1} of ${open.length}`
              : figures.flatMap(([figure, name]) => (figure > 0 ? `${figure} ${name}` : [])).join(', ')}
        </p>
      </div>
    </>
  )
}

/** Fills in the drafts that no page has filled in yet, one after the other. A second page that does the same changes nothing. */
function useFilling(rows: readonly Draft[], refetch: () => void) {
  const api = useApi()
  const [failures, setFailures] = useState<ReadonlyMap<number, string>>(new Map())
  const isFilling = useRef(false)
  const fill = async () => {
    if (isFilling.current) return
    isFilling.current = true
    const failed = new Map<number, string>()
    setFailures(failed)
    for (const { id, batch, content, isUnfilled } of rows) {
      if (!isUnfilled || batch === null || content.blankId === null) continue
      try {
        await api('POST /api/admin/draft-batches/:batch', { params: { batch }, body: { blankId: content.blankId } })
        refetch()
      } catch (error) {
        failed.set(id, sentenceOf(error))
        setFailures(new Map(failed))
      }
    }
    isFilling.current = false
  }
  useEffect(() => {
    void fill()
    // oxlint-disable-next-line react/exhaustive-deps -- Once for each page.
  }, [])
  return { failures, fill }
}

type UnfilledProps = { draft: Draft; failure: string | undefined; onDeleted: () => void }

/** A draft whose drawing has no place yet. */
function UnfilledRow({ draft: { id, content }, failure, onDeleted }: UnfilledProps) {
  const api = useApi()
  const { act, busy } = useAction()
  const blank = useQuery(blankQuery(content.blankId)).data
  const title = blank?.title ?? `Blank ${content.blankId}`
  return (
    <li className="grid gap-3 rounded-card border border-line p-4">
      <p className="font-semibold wrap-anywhere">{title}</p>
      {failure === undefined ? (
        <p className="flex items-center gap-3 text-sm text-ink-soft">
          <Spinner /> Placing the drawing, choosing colors and prices.
        </p>
      ) : (
        <>
          <Notice title="Not placed yet">{failure}</Notice>
          <Button
            variant="plain"
            className="justify-self-start"
            busy={busy}
            aria-label={`Delete draft of ${title}`}
            onClick={() => void act(() => api('DELETE /api/admin/drafts/:id', { params: { id } })).then(onDeleted)}
          >
            Delete
          </Button>
        </>
      )}
    </li>
  )
}
