import type { OrderView } from '#contract/orders.ts'
import { paths } from '#contract/paths.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { Link } from '#web/app/Link.tsx'
import { DateRange } from '#web/ui/DateRange.tsx'
import { Notice } from '#web/ui/Notice.tsx'

/** Says that an order is later than promised, and what the shopper can do. */
export function LateNotice({ order: { isLate, expected, orderNumber } }: { order: OrderView }) {
  if (!isLate) return null
  return (
    <div className="mt-6 max-w-[44em]">
      <Notice tone="calm" title="It’s later than we said. We’re sorry.">
        {expected ? (
          <>
            We now expect it <DateRange dates={expected} />.
          </>
        ) : (
          'It has taken longer than parcels do, even late ones.'
        )}{' '}
        {expected ? 'You can wait or choose what we should do instead' : 'You can choose what we should do'}, in our
        email about it or here. Or{' '}
        <Link to={paths.contactAbout(`Late order ${formatOrderNumber(orderNumber)}`)} className="link-line">
          write to us
        </Link>
        .
      </Notice>
    </div>
  )
}
