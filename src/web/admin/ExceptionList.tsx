import { useState } from 'react'
import type { Exception } from '#contract/reconciliation.ts'
import { paths } from '#contract/paths.ts'
import { formatUsd, ZERO } from '#shared/money.ts'
import { useFreshPassword } from '#web/accounts/use-fresh-password.tsx'
import { useApi } from '#web/api/use-api.ts'
import { Link } from '#web/app/Link.tsx'
import { Notice } from '#web/checkout/Notice.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { formatNewYorkTime } from './date-format.ts'
import { ManualRefund } from './ManualRefund.tsx'
import { useAction } from './use-action.ts'

/** Things that are wrong, each with its cause, its money and what helps. */
export function ExceptionList({ exceptions }: { exceptions: readonly Exception[] }) {
  const [asked, setAsked] = useState<Exception>()
  return (
    <>
      <ul className="divide-y divide-line rounded-card border border-line bg-surface">
        {exceptions.map((one) => (
          <li
            key={one.id}
            className="grid gap-x-8 gap-y-3 p-4 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-center sm:p-5"
          >
            <ExceptionSummary exception={one} />
            <ExceptionStep exception={one} onAsk={() => setAsked(one)} />
          </li>
        ))}
      </ul>
      <Dialog open={asked !== undefined} onClose={() => setAsked(undefined)} title={asked?.title}>
        {asked && <ConfirmRepair key={asked.id} exception={asked} onDone={() => setAsked(undefined)} />}
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
        {amount > ZERO && <span className="ml-3 font-normal tabular-nums">{formatUsd(amount)}</span>}
      </h2>
      <p className="mt-1 max-w-[44em] wrap-anywhere">{cause}</p>
      <p className="mt-1.5 flex flex-wrap items-baseline gap-x-5 gap-y-1 text-[0.875rem] text-ink-soft">
        {orderNumber ? (
          <Link to={paths.adminOrder(orderNumber)} className="link-line inline-block py-0.5">
            Order {orderNumber}
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
            healed <time dateTime={resolvedAt}>{formatNewYorkTime(resolvedAt)}</time>
          </span>
        )}
      </p>
    </div>
  )
}

function ExceptionStep({
  exception: { kind, step, canRepair, resolvedAt, title, about, orderNumber, amount },
  onAsk,
}: {
  exception: Exception
  onAsk: () => void
}) {
  if (resolvedAt) return null
  // Of an order it stands on the order's own page, beside refunding it again.
  if (kind === 'refund_failed' && orderNumber === null)
    return <ManualRefund refund={Number(about.replace('refund:', ''))} amount={amount} />
  if (!canRepair) return <p className="max-w-[20em] text-[0.9375rem] text-ink-soft sm:text-right">{step}.</p>
  return (
    <Button variant="outline" aria-haspopup="dialog" aria-label={`${step}: ${title}`} onClick={onAsk}>
      {step}...
    </Button>
  )
}

/** Says first what will happen, and to how much money. */
function ConfirmRepair({ exception, onDone }: { exception: Exception; onDone: () => void }) {
  const api = useApi()
  const { act, busy, trouble } = useAction()
  const { confirmed, dialog } = useFreshPassword()
  const { id, cause, amount, step, orderNumber, about } = exception

  const repair = async () => {
    const done = await act(async () => {
      const { wasOpen, isHealed } = await confirmed(() =>
        api('POST /api/admin/exceptions/:id/repair', { params: { id } }),
      )
      if (!wasOpen) return { done: 'It had healed already.' }
      return { done: isHealed ? 'Healed.' : 'Done. It goes from the list when it has come through.' }
    })
    if (done) onDone()
  }

  return (
    <div className="grid gap-5">
      <p className="wrap-anywhere">{cause}</p>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
        <dt className="text-ink-soft">About</dt>
        <dd className="wrap-anywhere">{orderNumber ? `Order ${orderNumber}` : about}</dd>
        <dt className="text-ink-soft">At stake</dt>
        <dd className="font-semibold tabular-nums">{formatUsd(amount)}</dd>
        <dt className="text-ink-soft">What happens</dt>
        <dd>{step}. It is looked up anew first, and happens once however often you press.</dd>
      </dl>
      {trouble && <Notice>{trouble.sentence}</Notice>}
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
