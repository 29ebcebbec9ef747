import { useState } from 'react'
import type { Exception } from '#contract/reconciliation.ts'
import { paths } from '#contract/paths.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { formatUsd, ZERO } from '#shared/money.ts'
import { useFreshPassword } from '#web/accounts/use-fresh-password.tsx'
import { useApi } from '#web/api/use-api.ts'
import { Link } from '#web/app/Link.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { formatNewYorkTime } from './date-format.ts'
import { ManualRefund } from './ManualRefund.tsx'
import { useAction } from './use-action.ts'
import { useMay } from './use-may.ts'

/** Each exception with its cause, the money at stake and what fixes it. */
export function ExceptionList({ exceptions }: { exceptions: readonly Exception[] }) {
  const [selected, setSelected] = useState<Exception>()
  return (
    <>
      <ul className="divide-y divide-line rounded-card border border-line bg-surface">
        {exceptions.map((exception) => (
          <li
            key={exception.id}
            className="grid gap-x-8 gap-y-3 p-4 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-center sm:p-5"
          >
            <ExceptionSummary exception={exception} />
            <ExceptionStep exception={exception} onOpen={() => setSelected(exception)} />
          </li>
        ))}
      </ul>
      <Dialog open={selected !== undefined} onClose={() => setSelected(undefined)} title={selected?.title}>
        {selected && <ConfirmRepair key={selected.id} exception={selected} onDone={() => setSelected(undefined)} />}
      </Dialog>
    </>
  )
}

function ExceptionSummary({ exception }: { exception: Exception }) {
  const { title, about, orderNumber, cause, amount, deadline, openedAt, resolvedAt } = exception
  return (
    <div className="min-w-0">
      <h2 className="font-text! text-[1.0625rem] font-semibold tracking-normal">
        {title}
        {amount > ZERO && <span className="ml-3 font-normal">{formatUsd(amount)}</span>}
      </h2>
      <p className="mt-1 max-w-[44em] wrap-anywhere">{cause}</p>
      <p className="mt-1.5 flex flex-wrap items-baseline gap-x-5 gap-y-1 text-[0.875rem] text-ink-soft">
        {orderNumber ? (
          <Link to={paths.adminOrder(orderNumber)} className="link-line inline-block py-0.5">
            Order {formatOrderNumber(orderNumber)}
          </Link>
        ) : (
          <span className="wrap-anywhere">{about}</span>
        )}
        <span>
          since <time dateTime={openedAt}>{formatNewYorkTime(openedAt)}</time>
        </span>
        {deadline && !resolvedAt && (
          <span className="font-semibold text-danger">
            due <time dateTime={deadline}>{formatNewYorkTime(deadline)}</time>
          </span>
        )}
        {resolvedAt && (
          <span>
            resolved <time dateTime={resolvedAt}>{formatNewYorkTime(resolvedAt)}</time>
          </span>
        )}
      </p>
    </div>
  )
}

function ExceptionStep({
  exception: { kind, step, canRepair, resolvedAt, title, about, orderNumber, amount },
  onOpen,
}: {
  exception: Exception
  onOpen: () => void
}) {
  const may = useMay()
  if (resolvedAt) return null
  if (!may('owner')) return <p className="max-w-[20em] text-[0.9375rem] text-ink-soft sm:text-right">{step}.</p>
  // For an order this is on the order's own page, beside the refund.
  if (kind === 'refund_failed' && orderNumber === null)
    return <ManualRefund refund={Number(about.replace('refund:', ''))} amount={amount} />
  if (!canRepair) return <p className="max-w-[20em] text-[0.9375rem] text-ink-soft sm:text-right">{step}.</p>
  return (
    <Button variant="outline" aria-haspopup="dialog" aria-label={`${step}: ${title}`} onClick={onOpen}>
      {step}...
    </Button>
  )
}

/** Shows what will happen, and to how much money, before it happens. */
function ConfirmRepair({ exception, onDone }: { exception: Exception; onDone: () => void }) {
  const api = useApi()
  const { act, busy, failure } = useAction()
  const { confirmed, dialog } = useFreshPassword()
  const { id, cause, amount, step, orderNumber, about } = exception

  const repair = async () => {
    const done = await act(async () => {
      const { wasOpen, isHealed } = await confirmed(() =>
        api('POST /api/admin/exceptions/:id/repair', { params: { id } }),
      )
      if (!wasOpen) return { done: 'This was already resolved.' }
      return { done: isHealed ? 'Resolved.' : 'Done. It leaves the list once the result is confirmed.' }
    })
    if (done) onDone()
  }

  return (
    <div className="grid gap-5">
      <p className="wrap-anywhere">{cause}</p>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
        <dt className="text-ink-soft">About</dt>
        <dd className="wrap-anywhere">{orderNumber ? `Order ${formatOrderNumber(orderNumber)}` : about}</dd>
        <dt className="text-ink-soft">At stake</dt>
        <dd className="font-semibold">{formatUsd(amount)}</dd>
        <dt className="text-ink-soft">What happens</dt>
        <dd>{step}. We check the current state first. Pressing twice is safe: it happens once.</dd>
      </dl>
      {failure && <Notice>{failure.sentence}</Notice>}
      <div className="flex flex-wrap gap-3">
        <Button busy={busy} onClick={() => void repair()}>
          {step}
        </Button>
        <Button variant="plain" onClick={onDone}>
          Not now
        </Button>
      </div>
      {dialog}
    </div>
  )
}
