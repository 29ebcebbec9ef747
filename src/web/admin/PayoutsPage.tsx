import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { AmountDue, Payout } from '#contract/payouts.ts'
import { paths } from '#contract/paths.ts'
import { formatUsd, ZERO } from '#shared/money.ts'
import { useFreshPassword } from '#web/accounts/use-fresh-password.tsx'
import { download, saveFile } from '#web/api/download.ts'
import { useApi } from '#web/api/use-api.ts'
import { PagedTable } from '#web/app/PagedTable.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import { QueryBoundary } from '#web/ui/QueryBoundary.tsx'
import { AdminFrame } from './AdminFrame.tsx'
import { payoutsQuery } from './admin-queries.ts'
import { Moment } from './Moment.tsx'
import { formatNewYorkTime } from './date-format.ts'
import { useAction } from './use-action.ts'
import { May } from './May.tsx'

/** `/admin/payouts`: what partners can be paid, and past payouts. */
export function PayoutsPage() {
  const [parameters] = useSearchParams()
  const older = parameters.get('older') ?? undefined
  const query = useQuery(payoutsQuery(older))
  const [paying, setPaying] = useState<AmountDue>()
  const [returning, setReturning] = useState<Payout>()
  const { run, busy, failure } = useAction()
  const { confirmed, dialog } = useFreshPassword()
  const downloadHistory = () => run(() => confirmed(() => download(paths.payoutList())))
  return (
    <AdminFrame
      title="Payouts"
      actions={
        <May need="owner">
          <PayableFiles />
          <Button variant="outline" busy={busy} onClick={() => void downloadHistory()}>
            Payout history (CSV)
          </Button>
        </May>
      }
    >
      {failure && <Notice>{failure.sentence}</Notice>}
      <QueryBoundary query={query}>
        {({ due, payouts, hasMore }) => (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-12">
            <section aria-labelledby="due">
              <h2 id="due" className="mb-2 text-[1.375rem]">
                Balances
              </h2>
              <p className="mb-4 max-w-[44em] text-ink-soft">
                Commission can be paid once its holding period is over. Download a file and send the money at your bank
                or PayPal, with the reference that the file gives each payout. Then record each payout here: that moves
                no money, but emails the partner the same reference. The bank file holds US dollar transfers (ISO 20022
                pain.001); PayPal accounts and partners without payout details are only in the CSV. A negative balance
                carries over to the next payout.
              </p>
              <Table
                caption="Partner balances"
                isCaptionHidden
                stacks
                columns={dueColumns(setPaying)}
                rows={due}
                keyOf={({ partnerId }) => partnerId}
                empty="No partners yet."
              />
            </section>
            <section aria-labelledby="made">
              <h2 id="made" className="mb-4 text-[1.375rem]">
                Payout history
              </h2>
              <PagedTable
                caption="Past payouts"
                columns={payoutColumns(setReturning)}
                rows={payouts}
                keyOf={({ id }) => id}
                empty="No payouts yet."
                first={older && paths.adminPayouts}
                hasMore={hasMore}
                after={({ id }) => `${paths.adminPayouts}?older=${id}`}
              />
            </section>
          </div>
        )}
      </QueryBoundary>
      <Dialog
        open={paying !== undefined}
        onClose={() => setPaying(undefined)}
        title={`Payout to ${paying?.displayName ?? ''}`}
      >
        {paying && <PayoutForm due={paying} onDone={() => setPaying(undefined)} />}
      </Dialog>
      <Dialog
        open={returning !== undefined}
        onClose={() => setReturning(undefined)}
        title={`Payout ${returning?.reference ?? ''} returned`}
      >
        {returning && <ReturnedPayoutForm payout={returning} onDone={() => setReturning(undefined)} />}
      </Dialog>
      {dialog}
    </AdminFrame>
  )
}

const dueColumns = (onPay: (due: AmountDue) => void): readonly [Column<AmountDue>, ...Column<AmountDue>[]] => [
  {
    key: 'partner',
    title: 'Partner',
    cell: ({ displayName, code }) => (
      <>
        {displayName}
        <span className="block text-sm font-normal text-ink-soft">/r/{code}</span>
      </>
    ),
    sortBy: ({ displayName }) => displayName,
  },
  {
    key: 'pending',
    title: 'Pending',
    isNumber: true,
    cell: ({ pending }) => formatUsd(pending),
    sortBy: ({ pending }) => pending,
  },
  {
    key: 'approved',
    title: 'Approved',
    isNumber: true,
    cell: ({ approved }) => formatUsd(approved),
    sortBy: ({ approved }) => approved,
  },
  {
    key: 'account',
    title: 'Account',
    cell: ({ partnerId, displayName, account }) =>
      account ? (
        <>
          <span className="wrap-anywhere">{account.masked}</span>
          <span className="block text-sm text-ink-soft">
            since <Moment at={account.changedAt} />
          </span>
          <Reveal partnerId={partnerId} displayName={displayName} />
        </>
      ) : (
        <span className="text-ink-soft">Not provided yet</span>
      ),
  },
  {
    key: 'pay',
    title: 'Payout',
    cell: (due) =>
      due.payable > ZERO ? (
        <May need="owner">
          <Button variant="outline" aria-haspopup="dialog" onClick={() => onPay(due)}>
            Record {formatUsd(due.payable)}...
            <span className="sr-only"> to {due.displayName}</span>
          </Button>
        </May>
      ) : (
        <span className="text-ink-soft">{due.approved < ZERO ? 'Carried over' : 'Nothing to pay'}</span>
      ),
  },
]

const payoutColumns = (onReturn: (payout: Payout) => void): readonly [Column<Payout>, ...Column<Payout>[]] => [
  {
    key: 'reference',
    title: 'Reference',
    cell: ({ reference }) => <span className="whitespace-nowrap">{reference}</span>,
  },
  { key: 'partner', title: 'Partner', cell: ({ displayName }) => displayName },
  {
    key: 'madeAt',
    title: 'Recorded',
    cell: ({ madeAt }) => <Moment at={madeAt} />,
  },
  { key: 'destination', title: 'Paid to', cell: ({ destination }) => destination ?? '' },
  { key: 'amount', title: 'Amount', isNumber: true, cell: ({ amount }) => formatUsd(amount) },
  {
    key: 'state',
    title: 'Status',
    cell: (payout) =>
      payout.returnedAt ? (
        <>Returned {formatNewYorkTime(payout.returnedAt)}</>
      ) : (
        <May need="owner">
          <Button variant="plain" className="-my-3" aria-haspopup="dialog" onClick={() => onReturn(payout)}>
            Mark as returned...<span className="sr-only"> ({payout.reference})</span>
          </Button>
        </May>
      ),
  },
]

/** Files of all payable amounts. They hold full account numbers, so each asks for the password. */
function PayableFiles() {
  const api = useApi()
  const { run, busy, failure } = useAction()
  const { confirmed, dialog } = useFreshPassword()
  const fetchFile = (kind: 'pain001' | 'csv') =>
    run(async () => {
      const { name, text, type } = await confirmed(() =>
        api('GET /api/admin/payouts/payable-file', { query: { kind } }),
      )
      saveFile(name, new Blob([text], { type }))
    })
  return (
    <>
      <Button variant="outline" busy={busy} onClick={() => void fetchFile('pain001')}>
        Bank file (XML)
      </Button>
      <Button variant="outline" busy={busy} onClick={() => void fetchFile('csv')}>
        Payable (CSV)
      </Button>
      {failure && <Notice>{failure.sentence}</Notice>}
      {dialog}
    </>
  )
}

/** A partner's full payout account, after the password. */
function Reveal({ partnerId, displayName }: { partnerId: number; displayName: string }) {
  const api = useApi()
  const { run, busy, failure } = useAction()
  const { confirmed, dialog } = useFreshPassword()
  const [facts, setFacts] = useState<readonly { name: string; value: string }[]>()
  const reveal = () =>
    run(async () => {
      const params = { id: partnerId }
      setFacts((await confirmed(() => api('GET /api/admin/payouts/accounts/:id', { params }))).facts)
    })
  return (
    <May need="owner">
      <Button variant="plain" className="-my-2" busy={busy} aria-haspopup="dialog" onClick={() => void reveal()}>
        Show in full...<span className="sr-only"> ({displayName})</span>
      </Button>
      {failure && <Notice>{failure.sentence}</Notice>}
      {dialog}
      <Dialog open={facts !== undefined} onClose={() => setFacts(undefined)} title={`Payout account of ${displayName}`}>
        <dl className="grid gap-4">
          {facts?.map(({ name, value }) => (
            <div key={name}>
              <dt className="text-[0.9375rem] text-ink-soft">{name}</dt>
              <dd className="text-lg font-medium wrap-anywhere">{value}</dd>
            </div>
          ))}
        </dl>
      </Dialog>
    </May>
  )
}

function PayoutForm({
  due: { partnerId, displayName, payable, reference, account },
  onDone,
}: {
  due: AmountDue
  onDone: () => void
}) {
  const api = useApi()
  const { act, busy, failure } = useAction()
  const { confirmed, dialog } = useFreshPassword()
  const record = async () => {
    const succeeded = await act(async () => {
      const { reference } = await confirmed(() =>
        api('POST /api/admin/payouts', { body: { partnerId, amount: payable } }),
      )
      return { done: `Recorded ${formatUsd(payable)} paid to ${displayName}: ${reference}` }
    })
    if (succeeded) onDone()
  }
  return (
    <div className="grid gap-5">
      <p>
        Send {formatUsd(payable)} to {displayName} {account ? `(${account.masked})` : '(who hasn’t told us where yet)'}{' '}
        with the reference <strong>{reference}</strong> first. Recording it moves no money: it marks the commission as
        paid, and emails the partner the reference.
      </p>
      {failure && <Notice>{failure.sentence}</Notice>}
      <div className="flex flex-wrap gap-3">
        <Button busy={busy} onClick={() => void record()}>
          Record {formatUsd(payable)} as paid
        </Button>
        <Button variant="quiet" onClick={onDone}>
          Not now
        </Button>
      </div>
      {dialog}
    </div>
  )
}

function ReturnedPayoutForm({
  payout: { id, reference, displayName, amount },
  onDone,
}: {
  payout: Payout
  onDone: () => void
}) {
  const api = useApi()
  const { act, busy, failure } = useAction()
  const { confirmed, dialog } = useFreshPassword()
  const markReturned = async () => {
    const succeeded = await act(async () => {
      await confirmed(() => api('POST /api/admin/payouts/:id/return', { params: { id } }))
      return { done: `Payout ${reference} marked as returned` }
    })
    if (succeeded) onDone()
  }
  return (
    <div className="grid gap-5">
      <p>
        The bank sent {formatUsd(amount)} back. We owe it to {displayName} again, and it goes out with the next payout.
      </p>
      {failure && <Notice>{failure.sentence}</Notice>}
      <div className="flex flex-wrap gap-3">
        <Button busy={busy} onClick={() => void markReturned()}>
          Mark as returned
        </Button>
        <Button variant="quiet" onClick={onDone}>
          Cancel
        </Button>
      </div>
      {dialog}
    </div>
  )
}
