import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Draft } from '#contract/admin-studio.ts'
import { paths } from '#contract/paths.ts'
import { query } from '#web/api/queries.ts'
import { Link } from '#web/app/Link.tsx'
import { buttonClass } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { Spinner } from '#web/ui/Spinner.tsx'

const POLL_MS = 1000

/** How far a product is that is being made; it goes on without this page. */
export function Progress({ draft, onChange }: { draft: Draft; onChange: (draft: Draft) => void }) {
  const isRunning = draft.state === 'creating'
  const { data } = useQuery({
    ...query('GET /api/admin/drafts/:id', { params: { id: draft.id } }),
    staleTime: 0,
    refetchInterval: isRunning ? POLL_MS : false,
  })
  useEffect(() => {
    // An answer from before it was started says `open`.
    if (data && data.version >= draft.version && data.state !== 'open' && data.state !== draft.state) onChange(data)
  }, [data, draft, onChange])
  if (isRunning)
    return (
      <p role="status" className="flex items-center gap-3 py-10 text-lg">
        <Spinner /> {(data ?? draft).progress ?? 'The product is being made.'}
      </p>
    )
  return (
    <div className="grid justify-items-start gap-5">
      <Notice tone="calm" title={draft.remark === null ? 'Done' : 'Made, with a remark'}>
        {draft.remark ??
          (draft.content.staysDraft
            ? 'The product is in the catalog, and hidden.'
            : draft.content.publishAt !== null
              ? 'The product is in the catalog. It goes on sale at its time.'
              : `${draft.content.name} is on sale.`)}
      </Notice>
      <div className="flex flex-wrap gap-3">
        {draft.productId !== null && (
          <Link to={paths.product(draft.productId)} className={buttonClass('primary')}>
            Open its page
          </Link>
        )}
        <a href={paths.newProduct} className={buttonClass('outline')}>
          Another product
        </a>
        <a href={paths.copiesOf('draft', draft.id)} className={buttonClass('outline')}>
          Same drawing on other products
        </a>
        <Link to={paths.adminProducts} className={buttonClass('outline')}>
          All products
        </Link>
      </div>
    </div>
  )
}
