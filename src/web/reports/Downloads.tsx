import { useState } from 'react'
import { workbookPath, type WorkbookType } from '#contract/report-figures.ts'
import { useFreshPassword } from '#web/accounts/use-fresh-password.tsx'
import { download } from '#web/api/download.ts'
import { isRefusal } from '#web/api/error-sentence.ts'
import { Notice } from '#web/ui/Notice.tsx'
import { buttonClass } from '#web/ui/Button.tsx'
import { Spinner } from '#web/ui/Spinner.tsx'
import { withDays, type Days } from './report-queries.ts'

const workbooks: readonly { type: WorkbookType; name: string; holds: string }[] = [
  { type: 'orders', name: 'Order Details', holds: 'Every order with its lines' },
  { type: 'stripe-complete', name: 'Complete Stripe', holds: 'Everything Stripe lists, with PayPal on its own sheet' },
  { type: 'profit', name: 'Profit Analysis', holds: 'Fees, costs and margin by order, product and collection' },
  { type: 'recovery', name: 'Payment Recovery', holds: 'Payments without an order, and what to do' },
]

type Props = {
  /** As typed in the fields, shown or not yet (specification, section 7). */
  days: Days
  /** Whether the page shows the same days. */
  isShown: boolean
}

/** The four workbooks of a period. Without script they are plain links. */
export function Downloads({ days, isShown }: Props) {
  const [busy, setBusy] = useState<readonly WorkbookType[]>([])
  const [hasFailed, setHasFailed] = useState(false)
  const { confirmed, dialog } = useFreshPassword()

  async function downloadWorkbook(type: WorkbookType): Promise<void> {
    if (busy.includes(type)) return
    setHasFailed(false)
    setBusy((types) => [...types, type])
    try {
      await confirmed(() => download(withDays(workbookPath(type), days)))
    } catch (error) {
      // Closing the password dialog is not a failure.
      setHasFailed(!isRefusal(error, 'password_needed'))
    } finally {
      setBusy((types) => types.filter((other) => other !== type))
    }
  }

  return (
    <section aria-labelledby="downloads-title">
      <h2 id="downloads-title" className="mb-3 text-[1.375rem]">
        Downloads for this period
      </h2>
      <p role="status" className="mb-3 text-sm text-ink-soft empty:hidden">
        {!isShown && 'For the dates you entered above. Press Show to see their figures here.'}
      </p>
      <ul className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
        {workbooks.map(({ type, name, holds }) => (
          <li key={type} className="grid content-start gap-1.5">
            <a
              href={withDays(workbookPath(type), days)}
              download
              aria-busy={busy.includes(type)}
              aria-describedby={`holds-${type}`}
              className={buttonClass('outline')}
              onClick={(event) => {
                if (event.metaKey || event.ctrlKey || event.shiftKey) return
                event.preventDefault()
                void downloadWorkbook(type)
              }}
            >
              {busy.includes(type) && <Spinner />}
              {name}
            </a>
            <p id={`holds-${type}`} className="text-sm text-ink-soft">
              {holds}
            </p>
          </li>
        ))}
      </ul>
      {hasFailed && (
        <div className="mt-4">
          <Notice>Failed to download report</Notice>
        </div>
      )}
      {dialog}
    </section>
  )
}
