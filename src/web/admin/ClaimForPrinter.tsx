import type { AdminClaim } from '#contract/admin-claims.ts'
import { formatUsd, ZERO } from '#shared/money.ts'
import { useApi } from '#web/api/use-api.ts'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { CopyButton } from '#web/ui/CopyButton.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { formatNewYorkTime } from './date-format.ts'
import { useAction } from './use-action.ts'

/** Where Printful takes problem reports by email, as its help center says; its API has no call for them. */
const PRINTER_SUPPORT = 'support@printful.com'

type Props = { id: number; printer: NonNullable<AdminClaim['printer']> }

/** The prepared message to the printer, and its credit. */
export function ClaimForPrinter({
  id,
  printer: { subject, text, deadline, isPast, toldAt, credited, isCreditExpected },
}: Props) {
  const api = useApi()
  const { act, busy, failure } = useAction()
  const mail = `mailto:${PRINTER_SUPPORT}?${new URLSearchParams({ subject, body: text }).toString().replaceAll('+', '%20')}`
  return (
    <details className="mt-5 border-t border-line pt-3">
      <summary className="cursor-pointer py-2 font-semibold">
        Tell the printer
        <span className="ml-3 font-normal text-ink-soft">
          {toldAt
            ? credited > ZERO
              ? `credited ${formatUsd(credited)}`
              : `told ${formatNewYorkTime(toldAt)}, ${isCreditExpected ? 'credit expected' : 'no credit'}`
            : `${isPast ? 'deadline was' : 'until'} ${formatNewYorkTime(deadline)}`}
        </span>
      </summary>
      <p className="mt-2 max-w-[46em] text-[0.9375rem] text-ink-soft">
        The printer takes claims by its dashboard or by email. Its credit is booked when it appears in its books, which
        are compared every day.
      </p>
      <pre className="mt-3 max-h-72 overflow-auto rounded-card border border-line bg-button-quiet p-4 text-sm whitespace-pre-wrap wrap-anywhere">
        {text}
      </pre>
      {failure && (
        <div className="mt-3">
          <Notice>{failure.sentence}</Notice>
        </div>
      )}
      <div className="mt-3 flex flex-wrap gap-3">
        <CopyButton text={text} what="message to the printer" />
        <a href={mail} className={buttonClass('outline')}>
          Write an email
        </a>
        {!toldAt && (
          <Button
            variant="outline"
            busy={busy}
            onClick={() => void act(() => api('POST /api/admin/claims/:id/printer-told', { params: { id } }))}
          >
            I sent it
          </Button>
        )}
        {isCreditExpected && credited === ZERO && (
          <Button
            variant="quiet"
            busy={busy}
            onClick={() => void act(() => api('POST /api/admin/claims/:id/no-credit', { params: { id } }))}
          >
            The printer gives no credit
          </Button>
        )}
      </div>
    </details>
  )
}
