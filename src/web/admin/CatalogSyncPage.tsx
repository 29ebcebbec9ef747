import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AdminSyncChange, AdminSync, MarginEffect } from '#contract/admin-products.ts'
import { paths } from '#contract/paths.ts'
import { formatUsd, ZERO, type Cents } from '#shared/money.ts'
import { Link } from '#web/app/Link.tsx'
import { useApi } from '#web/api/use-api.ts'
import { Notice } from '#web/ui/Notice.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { AdminFrame } from './AdminFrame.tsx'
import { Moment } from './Moment.tsx'
import { StatusLabel } from './StatusLabel.tsx'
import { syncQuery, syncsQuery } from './admin-queries.ts'
import { formatNewYorkTime } from './date-format.ts'
import { useAction } from './use-action.ts'
import { useFloorQuestion } from './use-floor-question.tsx'

/** `/admin/catalog`: differences between the printer's store and ours, for the owner to accept or not, with what is left of a piece. */
export function CatalogSyncPage() {
  const syncs = useQuery(syncsQuery)
  const [openSync, setOpenSync] = useState<number>()
  return (
    <AdminFrame title="Catalog">
      <p className="mb-6 max-w-[44em] text-ink-soft">
        We regularly compare the printer’s store with ours. Changes that shoppers would see wait for your approval.
        Variants that can no longer be made stop selling right away. Products that only the printer has are listed under{' '}
        <Link to={paths.printerProducts} className="link-line">
          New in the printer’s store
        </Link>
        .
      </p>
      <QueryBoundary query={syncs}>
        {({ syncs: rows }) => (
          <Table
            caption="Syncs"
            isCaptionHidden
            stacks
            columns={columnsWith(setOpenSync)}
            rows={rows}
            keyOf={({ id }) => id}
            empty="No syncs yet."
          />
        )}
      </QueryBoundary>
      <Dialog open={openSync !== undefined} onClose={() => setOpenSync(undefined)} title={`Sync ${openSync ?? ''}`}>
        {openSync !== undefined && <Changes key={openSync} id={openSync} onDone={() => setOpenSync(undefined)} />}
      </Dialog>
    </AdminFrame>
  )
}

const triggers: Readonly<Record<string, string>> = {
  import: 'Catalog file changed',
  schedule: 'Schedule',
  event: 'Printer update',
  owner: 'Started by you',
}

const columnsWith = (open: (id: number) => void): readonly [Column<AdminSync>, ...Column<AdminSync>[]] => [
  {
    key: 'at',
    title: 'When',
    cell: ({ startedAt }) => <Moment at={startedAt} />,
  },
  { key: 'why', title: 'Trigger', cell: ({ trigger }) => triggers[trigger] ?? trigger },
  { key: 'state', title: 'Status', cell: ({ state }) => <StatusLabel status={state} /> },
  { key: 'products', title: 'Products', isNumber: true, cell: ({ products }) => products },
  { key: 'waiting', title: 'To review', isNumber: true, cell: ({ waiting }) => waiting },
  {
    key: 'open',
    title: 'Changes',
    isAction: true,
    cell: ({ id, startedAt }) => (
      <Button
        variant="plain"
        className="-my-3"
        aria-haspopup="dialog"
        aria-label={`View the changes of ${formatNewYorkTime(startedAt)}`}
        onClick={() => open(id)}
      >
        View
      </Button>
    ),
  },
]

type Decide = (change: AdminSyncChange, what: 'apply' | 'revert') => void

const changeColumns = (
  decide: Decide,
  busy: boolean,
): readonly [Column<AdminSyncChange>, ...Column<AdminSyncChange>[]] => [
  {
    key: 'what',
    title: 'Change',
    cell: ({ product, variant, change }) => (
      <>
        {change}
        <span className="block min-w-40 text-sm font-normal wrap-anywhere text-ink-soft">
          {product}, {variant}
        </span>
      </>
    ),
  },
  { key: 'from', title: 'Ours', cell: ({ from }) => <span className="block min-w-24 wrap-anywhere">{from}</span> },
  { key: 'to', title: 'Printer’s', cell: ({ to }) => <span className="block min-w-24 wrap-anywhere">{to}</span> },
  {
    key: 'margin',
    title: 'What is left of each piece',
    cell: ({ effect, change }) => (effect ? <Effect effect={effect} change={change} /> : 'unchanged'),
  },
  { key: 'state', title: 'Status', cell: ({ state }) => state },
  {
    key: 'decide',
    title: 'Decision',
    isAction: true,
    cell: (change) => (
      <span className="flex flex-wrap gap-x-3">
        {change.state !== 'applied' && change.state !== 'superseded' && (
          <Button variant="plain" className="-my-3" busy={busy} onClick={() => decide(change, 'apply')}>
            Accept<span className="sr-only"> {nameOf(change)}</span>
          </Button>
        )}
        {(change.state === 'applied' || change.state === 'waiting') && (
          <Button variant="plain" className="-my-3" busy={busy} onClick={() => decide(change, 'revert')}>
            Keep ours<span className="sr-only"> {nameOf(change)}</span>
          </Button>
        )}
      </span>
    ),
  },
]

const sumText = (amount: Cents | null, isSold: boolean) =>
  amount === null ? (isSold ? 'unknown' : 'not sold') : formatUsd(amount)

/** The usual and the worst sale of a piece, before and after a change. */
function Effect({
  effect: { usual, worst, worstSale, isEstimated, loss },
  change,
}: {
  effect: MarginEffect
  change: string
}) {
  const effectText = ({ before, after }: MarginEffect['usual']) =>
    `${sumText(after, change !== 'gone')} (before: ${sumText(before, change !== 'new')})`
  const isWorstNewLoss = (worst.after ?? ZERO) < ZERO && (worst.before ?? ZERO) >= ZERO
  return (
    <span className="block min-w-52 text-sm">
      <span className="block">Usual sale: {effectText(usual)}</span>
      <span className="block">
        Worst sale, {worstSale}: {effectText(worst)}
      </span>
      {isEstimated && (
        <span className="block text-ink-soft">
          With the usual rate for shipping: the printer’s own is not known yet.
        </span>
      )}
      {loss !== 'none' && (
        <strong className="block text-danger">
          {loss === 'new' ? 'Now loses money on the usual sale' : 'Still loses money on the usual sale'}
        </strong>
      )}
      {loss === 'none' && isWorstNewLoss && (
        <strong className="block text-danger">Now loses money in the worst sale</strong>
      )}
    </span>
  )
}

const nameOf = ({ change, product, variant }: AdminSyncChange) => `of ${product}, ${variant}: ${change}`

function Changes({ id, onDone }: { id: number; onDone: () => void }) {
  const api = useApi()
  const sync = useQuery(syncQuery(id))
  const { act, busy, failure } = useAction()
  const { accepted, dialog } = useFloorQuestion()
  const decide = async (what: 'apply' | 'revert') => {
    const decided = await act(() =>
      what === 'apply'
        ? accepted((query) => api('POST /api/admin/catalog/:id/apply', { params: { id }, query }))
        : api('POST /api/admin/catalog/:id/revert', { params: { id } }),
    )
    if (decided) onDone()
  }
  const decideOne: Decide = (change, what) =>
    void act(() => {
      const params = { id, change: change.id }
      return what === 'apply'
        ? accepted((query) => api('POST /api/admin/catalog/:id/changes/:change/apply', { params, query }))
        : api('POST /api/admin/catalog/:id/changes/:change/revert', { params })
    })
  return (
    <QueryBoundary query={sync}>
      {({ sync: { remarks }, changes }) => {
        const has = (...states: string[]) => changes.some(({ state }) => states.includes(state))
        return (
          <div className="grid gap-5">
            {remarks.length > 0 && (
              <Notice tone="calm" title="Not changed">
                {remarks.join(' ')}
              </Notice>
            )}
            <Table
              caption="Changes"
              isCaptionHidden
              stacks
              columns={changeColumns(decideOne, busy)}
              rows={changes}
              keyOf={({ id: change }) => change}
              empty="No differences."
            />
            {failure && <Notice>{failure.sentence}</Notice>}
            {dialog}
            <div className="flex flex-wrap gap-3">
              {has('waiting', 'declined', 'reverted') && (
                <Button busy={busy} onClick={() => void decide('apply')}>
                  Accept all
                </Button>
              )}
              {has('waiting', 'applied') && (
                <Button variant="outline" busy={busy} onClick={() => void decide('revert')}>
                  Keep our versions
                </Button>
              )}
            </div>
          </div>
        )
      }}
    </QueryBoundary>
  )
}
