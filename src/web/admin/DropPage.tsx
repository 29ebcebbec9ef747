import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import type { AdminDrop } from '#contract/admin-drops.ts'
import { dropPaths } from '#contract/drop-paths.ts'
import { paths } from '#contract/paths.ts'
import { useApi } from '#web/api/use-api.ts'
import { Link } from '#web/app/Link.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { AdminFrame } from './AdminFrame.tsx'
import { dropsQuery } from './admin-queries.ts'
import { DropActions } from './DropActions.tsx'
import { DropEditor } from './DropEditor.tsx'
import { May } from './May.tsx'
import { StatusLabel } from './StatusLabel.tsx'
import { useChange } from './use-action.ts'

/** `/admin/drops/{id}`: a drop's figures, what can be decided now, and its fields. */
export function DropPage() {
  const { id } = useParams()
  const query = useQuery(dropsQuery)
  const drop = query.data?.drops.find((one) => String(one.id) === id)
  return (
    <AdminFrame title={drop?.title ?? 'Drop'}>
      <p className="mb-6">
        <Link to={dropPaths.admin} className="link-line">
          All drops
        </Link>
      </p>
      <QueryBoundary query={query}>
        {({ collections }) =>
          drop ? (
            <div className="grid gap-10">
              <Figures drop={drop} />
              <Fields key={drop.id} drop={drop} collections={collections} />
            </div>
          ) : (
            <p>We couldn’t find this drop.</p>
          )
        }
      </QueryBoundary>
    </AdminFrame>
  )
}

function Figures({ drop }: { drop: AdminDrop }) {
  const { counts, pieces, state, productId, goods } = drop
  const figures = [
    ['Sold', pieces === null ? String(counts.sold) : `${counts.sold} of ${pieces}`],
    ['Being paid', String(counts.reserved)],
    ['Offered to the waiting list', String(counts.offered)],
    ['Waiting', String(counts.waiting)],
    ['Retired', String(counts.retired)],
    ['Want to be told', String(counts.notices)],
  ] as const
  return (
    <section aria-label="Now" className="grid gap-6">
      <p className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <StatusLabel status={state} />
        {productId === null ? (
          <span>{goods}</span>
        ) : (
          <Link to={paths.product(productId)} className="link-line">
            {goods}
          </Link>
        )}
      </p>
      <dl className="grid grid-cols-2 gap-x-8 gap-y-4 sm:grid-cols-3 lg:grid-cols-6">
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt className="text-sm text-ink-soft">{name}</dt>
            <dd className="text-[1.375rem]">{value}</dd>
          </div>
        ))}
      </dl>
      <DropActions drop={drop} />
      <May need="read_figures">
        <p>
          <Link to={dropPaths.adminBoard(drop.id)} className="link-line">
            Live: the day of this drop
          </Link>
        </p>
      </May>
    </section>
  )
}

function Fields({ drop, collections }: { drop: AdminDrop; collections: readonly { id: string; name: string }[] }) {
  const api = useApi()
  const change = useChange()
  return (
    <section aria-labelledby="fields">
      <h2 id="fields" className="mb-5 text-[1.375rem]">
        {drop.state === 'draft' ? 'Draft' : 'Details'}
      </h2>
      <DropEditor
        drop={drop}
        collections={collections}
        send={(body) => change(() => api('PUT /api/admin/drops/:id', { params: { id: drop.id }, body }))}
      />
    </section>
  )
}
