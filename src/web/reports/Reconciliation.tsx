import type { ReactNode } from 'react'
import { paths } from '#contract/paths.ts'
import type { Reconciliation as Figures } from '#contract/reports.ts'
import { formatUsd, plus, ZERO, type Cents } from '#shared/money.ts'
import { Link } from '#web/app/Link.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { linesPath, type Days, type LinesRequest } from './report-queries.ts'
import { formatMomentIn } from './report-format.ts'

type Props = {
  title: string
  provider: 'stripe' | 'paypal'
  name: string
  figures: Figures
  /** The provider's total. */
  listed: Cents
  days: Days
  timeZone: string
}

const statusLabels: Record<Figures['reconciliationStatus'], string> = {
  reconciled: 'Reconciled',
  action_required: 'Not reconciled',
  not_read: 'Not loaded yet',
}

/** What is wrong is louder than what is right. */
const statusClasses: Record<Figures['reconciliationStatus'], string> = {
  reconciled: 'text-good',
  action_required: 'rounded-card bg-danger px-2 font-semibold text-ivory',
  not_read: 'font-medium',
}

/** A provider's totals beside the shop's. */
export function Reconciliation({ title, provider, name, figures, listed, days, timeZone }: Props) {
  const { databaseTotal, missingFromDatabase, refundedTotal, reconciliationStatus: status } = figures
  const isRead = status !== 'not_read'
  const to = (figure: LinesRequest['figure']) => linesPath(days, { figure, of: provider })
  return (
    <section aria-label={title} className="grid content-start gap-4 rounded-card border border-line bg-surface p-5">
      <header className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 className="text-[1.1875rem] leading-snug">{title}</h2>
        <p className={statusClasses[status]}>{statusLabels[status]}</p>
      </header>
      <dl className="grid gap-2 text-[0.9375rem]">
        <Amount title="Database Total" amount={databaseTotal} to={to('database')} />
        <Amount title={`${name} Total`} amount={isRead ? listed : null} to={to('listed')} />
        <Amount title="Missing from Database" amount={isRead ? missingFromDatabase : null} to={to('missing')} />
        <Amount title="Refunded Amounts" amount={refundedTotal} to={to('refunded')} />
      </dl>
      {missingFromDatabase > ZERO && (
        <Notice title="Action Required">
          {name} received {formatUsd(missingFromDatabase)} for checkouts of this shop that have no order. Open the
          amount to see the payments.{' '}
          <Link to={paths.adminReconciliation} className="underline underline-offset-4">
            Reconciliation
          </Link>{' '}
          offers a fix for each, and the Payment Recovery workbook explains it.
        </Notice>
      )}
      <ul className="grid gap-1 text-sm text-ink-soft">
        {noticesOn(figures, name).map((remark) => (
          <li key={remark}>{remark}</li>
        ))}
        {figures.ofOthers > ZERO && (
          <li>
            <Link to={to('others')} className="link-line">
              {formatUsd(figures.ofOthers)}
            </Link>{' '}
            from other apps on this account is not included.
          </li>
        )}
        <li>
          {figures.listedUntil
            ? `${name}’s data is complete up to ${formatMomentIn(timeZone, figures.listedUntil)}.`
            : `${name}’s data has not been loaded yet.`}
          {figures.failingSince &&
            ` ${name} has been unreachable since ${formatMomentIn(timeZone, figures.failingSince)}; these are the last known figures.`}
        </li>
      </ul>
    </section>
  )
}

function noticesOn(figures: Figures, name: string): string[] {
  const { withoutOrder, notYetListed, unknownToProvider, differing } = figures
  const isRead = figures.reconciliationStatus !== 'not_read'
  return [
    withoutOrder > ZERO ? `${formatUsd(withoutOrder)} of the database total has no order.` : '',
    isRead && notYetListed > ZERO ? `${formatUsd(notYetListed)} is newer than ${name}’s data.` : '',
    isRead && unknownToProvider > ZERO ? `${formatUsd(unknownToProvider)} should be in ${name}’s data but isn’t.` : '',
    differing > 0
      ? `${differing} ${differing === 1 ? 'payment has' : 'payments have'} a different amount at ${name}.`
      : '',
  ].filter(Boolean)
}

/** @param amount null while unknown, which is not zero */
const Amount = ({ title, amount, to }: { title: ReactNode; amount: Cents | null; to: string }) => (
  <div className="flex items-baseline justify-between gap-4">
    <dt className="text-ink-soft">{title}</dt>
    <dd className="font-semibold">
      {amount === null ? (
        <span className="font-normal text-ink-soft">not known yet</span>
      ) : (
        <Link to={to} className="link-line">
          {formatUsd(amount)}
        </Link>
      )}
    </dd>
  </div>
)

/** The total over all providers. */
export const totalMissing = (figures: readonly Figures[]): Cents =>
  figures.reduce<Cents>((total, { missingFromDatabase }) => plus(total, missingFromDatabase), ZERO)
