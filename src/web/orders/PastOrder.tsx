import type { PastOrderView } from '#contract/orders.ts'
import { spokenName } from '#domain/catalog/product-name.ts'
import { formatUsd, negate } from '#shared/money.ts'
import { say } from '#words/say.ts'
import type { Word } from '#words/words.ts'

const statuses = {
  paid: 'Paid',
  partially_refunded: 'Partly refunded',
  refunded: 'Refunded',
  canceled: 'Canceled',
} as const satisfies Record<PastOrderView['status'], Word>

/** An order placed at a former shop, as its export has it. */
export function PastOrder({ order }: { order: PastOrderView }) {
  const { shop, orderNumber, placedAt, status, lines, shipping, tax, discount, other, total, refunded } = order
  const title = say('Order {number}', { number: orderNumber })
  const amounts = [
    { name: say('Shipping'), amount: shipping },
    { name: say('Tax'), amount: tax },
    { name: say('Discount'), amount: negate(discount) },
    { name: say('Other'), amount: other },
  ].filter(({ amount }) => amount !== 0)
  return (
    <section aria-label={title} className="mt-8 rounded-card border border-line p-6" role="status">
      <h2 className="text-[1.375rem]">{title}</h2>
      <p className="mt-2 text-ink-soft">
        {say('Placed {day} at our former shop on {shop}. {status}.', {
          ...{ day: placedAt.slice(0, 10), shop, status: say(statuses[status]) },
        })}
      </p>
      <dl className="mt-4 grid grid-cols-[1fr_auto] gap-x-8 gap-y-2">
        {lines.map(({ productName, quantity, total: lineTotal }, index) => (
          // oxlint-disable-next-line react/no-array-index-key
          <div key={index} className="contents">
            <dt className="wrap-anywhere">
              {quantity} × {spokenName(productName)}
            </dt>
            <dd className="text-right">{formatUsd(lineTotal)}</dd>
          </div>
        ))}
        {amounts.map(({ name, amount }) => (
          <div key={name} className="contents text-ink-soft">
            <dt>{name}</dt>
            <dd className="text-right">{formatUsd(amount)}</dd>
          </div>
        ))}
        <div className="contents font-semibold">
          <dt>{say('Total')}</dt>
          <dd className="text-right">{formatUsd(total)}</dd>
        </div>
        {refunded !== 0 && (
          <div className="contents">
            <dt>{say('Refunded')}</dt>
            <dd className="text-right">{formatUsd(refunded)}</dd>
          </div>
        )}
      </dl>
    </section>
  )
}
