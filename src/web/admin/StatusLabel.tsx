import { classNames } from '#web/ui/class-names.ts'

const ATTENTION_STATUSES = new Set(['on_hold', 'needs_attention', 'returned', 'disputed', 'bounced', 'failed'])
const GOOD_STATUSES = new Set(['delivered', 'sent', 'succeeded', 'won', 'done', 'published'])
/** On the way to good: a ring instead of a dot. */
const NEARLY_GOOD_STATUSES = new Set(['shipped', 'partially_shipped'])

/** A status of the wire as text, in American spelling: `on hold`, `canceled`. */
export const statusText = (status: string): string => status.replaceAll('_', ' ').replace('cancelled', 'canceled')

/** The dot's color only repeats the label. */
export const StatusLabel = ({ status }: { status: string }) => (
  <span className="inline-flex items-center gap-2 font-medium whitespace-nowrap">
    <span
      aria-hidden="true"
      className={classNames(
        'size-2 rounded-full',
        ATTENTION_STATUSES.has(status)
          ? 'bg-danger'
          : GOOD_STATUSES.has(status)
            ? 'bg-good'
            : NEARLY_GOOD_STATUSES.has(status)
              ? 'border-2 border-good'
              : 'bg-accent',
      )}
    />
    <span className="inline-block first-letter:uppercase">{statusText(status)}</span>
  </span>
)

/** Beside the status of an order that is late. */
export const LateMark = () => <span className="ml-2 font-medium text-danger">Late</span>
