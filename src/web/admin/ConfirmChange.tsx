import type { AdminOrder } from '#contract/admin-orders.ts'
import type { ChangePreview, OrderWish } from '#contract/order-changes.ts'
import { formatUsd, negate, ZERO } from '#shared/money.ts'
import { useApi } from '#web/api/use-api.ts'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { useAction } from './use-action.ts'

export type PreviewedChange = ChangePreview & { wish: OrderWish }

type Props = { order: AdminOrder; preview: PreviewedChange; onBack: () => void; onDone: () => void }

/** What a change costs, before and after, and what happens to the difference. */
export function ConfirmChange({ order, preview, onBack, onDone }: Props) {
  const api = useApi()
  const { act, busy, failure } = useAction()
  const { amounts: after, difference, lines, wish } = preview
  const { amounts: before, orderNumber: number } = order
  const rows = [
    ['Subtotal', before.subtotal, after.subtotal],
    ['Shipping and surcharges', before.shipping, after.shipping],
    ['Tax', before.tax, after.tax],
    ...(before.vatProtection + after.vatProtection > 0
      ? [['VAT protection', before.vatProtection, after.vatProtection] as const]
      : []),
    ['Total', before.total, after.total],
  ] as const
  const confirm = async () => {
    const body = { ...wish, difference }
    if (await act(() => api('POST /api/admin/orders/:number/change', { params: { number }, body }))) onDone()
  }
  return (
    <div className="grid gap-5">
      <ul className="list-disc pl-5">
        {lines.map(({ productName, variantName, quantity, unitPrice }) => (
          <li key={`${productName} ${variantName} ${quantity} ${unitPrice}`}>
            {quantity} × {productName}
            {variantName && `, ${variantName}`}, {formatUsd(unitPrice)} each
          </li>
        ))}
      </ul>
      <table className="w-full text-left tabular-nums">
        <caption className="sr-only">What the change costs</caption>
        <thead>
          <tr className="border-b border-line text-sm text-ink-soft">
            <th scope="col" className="py-1.5 font-normal">
              Amount
            </th>
            <th scope="col" className="py-1.5 text-right font-normal">
              Before
            </th>
            <th scope="col" className="py-1.5 text-right font-normal">
              After
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([title, was, is]) => (
            <tr key={title} className="border-b border-line last:border-0 last:font-semibold">
              <th scope="row" className="py-1.5 font-[inherit]">
                {title}
              </th>
              <td className="py-1.5 text-right">{formatUsd(was)}</td>
              <td className="py-1.5 text-right">{formatUsd(is)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Notice tone="calm" title={titleOf(difference)}>
        {effectOf(difference)}
      </Notice>
      {failure && <Notice>{failure.sentence}</Notice>}
      <div className="flex flex-wrap gap-3">
        <Button busy={busy} onClick={() => void confirm()}>
          {difference > ZERO ? 'Email the link to pay' : 'Change the order'}
        </Button>
        <Button variant="quiet" onClick={onBack}>
          Back
        </Button>
      </div>
    </div>
  )
}

const titleOf = (difference: typeof ZERO): string =>
  difference > ZERO
    ? `The customer pays ${formatUsd(difference)}`
    : difference < ZERO
      ? `The customer gets ${formatUsd(negate(difference))} back`
      : 'The price stays the same'

const effectOf = (difference: typeof ZERO): string =>
  difference > ZERO
    ? 'They get a link by email. The order waits, and changes once they have paid. If they don’t pay within a day, it is made as it was.'
    : 'The order changes at once. If the printer has not begun, it gets the new one instead, never both. The customer gets an email.'
