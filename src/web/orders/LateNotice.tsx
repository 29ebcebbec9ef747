import type { OrderView } from '#contract/orders.ts'
import { paths } from '#contract/paths.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { say } from '#words/say.ts'
import { Link } from '#web/app/Link.tsx'
import { DateRange } from '#web/ui/DateRange.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { Sentence } from '#web/ui/Sentence.tsx'

/** Says that an order is later than promised, and what the shopper can do. */
export function LateNotice({ order: { isLate, expected, orderNumber } }: { order: OrderView }) {
  if (!isLate) return null
  const write = (
    <Link to={paths.contactAbout(`Late order ${formatOrderNumber(orderNumber)}`)} className="link-line">
      {say('write to us')}
    </Link>
  )
  return (
    <div className="mt-6 max-w-[44em]">
      <Notice tone="calm" title={say('It’s later than we said. We’re sorry.')}>
        {expected ? (
          <Sentence
            word="We now expect it {dates}. You can wait or choose what we should do instead, in our email about it or here. Or {link}."
            parts={{ dates: <DateRange dates={expected} />, link: write }}
          />
        ) : (
          <Sentence
            word="It has taken longer than parcels do, even late ones. You can choose what we should do, in our email about it or here. Or {link}."
            parts={{ link: write }}
          />
        )}
      </Notice>
    </div>
  )
}
