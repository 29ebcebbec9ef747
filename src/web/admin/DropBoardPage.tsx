import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useParams } from 'react-router'
import type { AdminDrop } from '#contract/admin-drops.ts'
import type { DropBoard } from '#contract/drop-board.ts'
import { dropPaths } from '#contract/drop-paths.ts'
import { paths } from '#contract/paths.ts'
import { MINUTE_MS } from '#shared/time.ts'
import { useApi } from '#web/api/use-api.ts'
import { Link } from '#web/app/Link.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { AdminFrame } from './AdminFrame.tsx'
import { dropBoardQuery } from './admin-queries.ts'
import { formatNewYorkTime } from './date-format.ts'
import { DropActions } from './DropActions.tsx'
import { May } from './May.tsx'
import { StatusLabel } from './StatusLabel.tsx'
import { useAction } from './use-action.ts'

/** `/admin/drops/{id}/live`: what happens around a drop now, with the switches for it; asked for again every few seconds. */
export function DropBoardPage() {
  const { id = '' } = useParams()
  const query = useQuery(dropBoardQuery(id))
  return (
    <AdminFrame title={query.data ? `${query.data.drop.title}: live` : 'Live'}>
      <p className="mb-6">
        <Link to={`${dropPaths.admin}/${id}`} className="link-line">
          All about this drop
        </Link>
      </p>
      <QueryBoundary query={query}>
        {(board) => (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
            <p className="flex flex-wrap items-center gap-x-6 gap-y-2">
              <StatusLabel status={board.state} />
              <span className="text-ink-soft">
                As of <time dateTime={board.at}>{formatNewYorkTime(board.at)}</time>
                {query.isRefetchError && ', and the shop does not answer right now'}
              </span>
            </p>
            <Sold board={board} />
            <Figures board={board} />
            <May need="owner">
              <section aria-labelledby="switches" className="grid justify-items-start gap-3">
                <h2 id="switches">Switches</h2>
                <DropActions drop={board.drop} />
                <Extend drop={board.drop} now={board.at} />
              </section>
            </May>
          </div>
        )}
      </QueryBoundary>
    </AdminFrame>
  )
}

const whole = (count: number) => count.toLocaleString('en-US')

function Sold({ board: { drop, soldLately } }: { board: DropBoard }) {
  const { counts, pieces } = drop
  return (
    <section aria-labelledby="sold" className="grid gap-2">
      <h2 id="sold" className="text-[0.9375rem] font-normal text-ink-soft">
        Sold
      </h2>
      <p className="text-[2.5rem] leading-none font-semibold">
        {whole(counts.sold)}
        {pieces !== null && <span className="text-[1.375rem] font-normal text-ink-soft"> of {whole(pieces)}</span>}
      </p>
      {pieces !== null && (
        <meter min={0} max={pieces} value={counts.sold} aria-label="Sold" className="h-3 w-full max-w-[34rem]" />
      )}
      <p className="text-ink-soft">
        {whole(soldLately)} in the last five minutes, {whole(counts.reserved)} being paid for now
        {counts.offered > 0 && `, ${whole(counts.offered)} offered to the waiting list`}
      </p>
    </section>
  )
}

function Figures({ board: { visits, room, carts, drop, exceptions, printer } }: { board: DropBoard }) {
  const open = exceptions.reduce((sum, { count }) => sum + count, 0)
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-card border border-line bg-line sm:grid-cols-3 xl:grid-cols-6">
      <Figure name="Visits" value={whole(visits)} note="begun in the last five minutes" />
      <Figure
        name="Waiting room"
        value={room ? whole(room.waiting) : '–'}
        note={room ? `${whole(room.visiting)} let in and choosing` : 'this drop has none'}
      />
      <Figure name="Carts" value={whole(carts)} note="with its goods, of the last day" />
      <Figure name="Payments" value={whole(drop.counts.reserved)} note="started and not finished" />
      <Figure
        name="Exceptions"
        value={whole(open)}
        note={
          open === 0 ? (
            'nothing is wrong'
          ) : (
            <Link to={paths.adminExceptions} className="link-line">
              {exceptions[0]?.title ?? 'See them'}
            </Link>
          )
        }
      />
      <Figure
        name="In line at the printer"
        value={whole(printer.waiting)}
        note={
          printer.waiting === 0
            ? 'no order waits'
            : printer.doneAt
              ? `the last is through ${formatNewYorkTime(printer.doneAt)}`
              : 'none got through in the last five minutes'
        }
      />
    </dl>
  )
}

const Figure = ({ name, value, note }: { name: string; value: string; note: ReactNode }) => (
  <div className="min-w-0 bg-surface p-4">
    <dt className="text-sm text-ink-soft">{name}</dt>
    <dd className="text-[1.75rem] leading-tight font-semibold">{value}</dd>
    <dd className="mt-1 text-sm text-ink-soft">{note}</dd>
  </div>
)

const MORE_MS = 30 * MINUTE_MS

/** Half an hour more, for a sale that has an end. More pieces are a promise of another kind: they are entered in the form. */
function Extend({ drop, now }: { drop: AdminDrop; now: string }) {
  const api = useApi()
  const { act, busy, failure } = useAction()
  if (drop.endsAt === null || !drop.actions.includes('extend'))
    return (
      <p className="text-sm text-ink-soft">
        It has no end by time. More pieces are entered{' '}
        <Link to={dropPaths.adminDrop(drop.id)} className="link-line">
          in its form
        </Link>
        .
      </p>
    )
  const { id, title, productId, collectionId, startsAt, pieces, limitPerPerson, numberRule } = drop
  const { earlyMinutes, earlyCodes, isEarlyForReaders, roomPerMinute } = drop
  const endsAt = new Date(Math.max(Date.parse(drop.endsAt), Date.parse(now)) + MORE_MS).toISOString()
  const body = {
    ...{ title, productId, collectionId, startsAt, endsAt, pieces, limitPerPerson, numberRule },
    ...{ earlyMinutes, earlyCodes, isEarlyForReaders, roomPerMinute },
  }
  return (
    <>
      <Button
        variant="outline"
        busy={busy}
        onClick={() => void act(() => api('PUT /api/admin/drops/:id', { params: { id }, body }))}
      >
        Half an hour more
      </Button>
      {failure && <Notice>{failure.sentence}</Notice>}
    </>
  )
}
