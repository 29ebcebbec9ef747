import type { ChangePreview, OrderWish } from '#contract/order-changes.ts'
import { formatUsd, negate, ZERO, type Cents } from '#shared/money.ts'
import { useRequest } from '#web/api/use-request.ts'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'

export type PreviewedChange = ChangePreview & { wish: OrderWish }

type Amounts = ChangePreview['amounts']
/** What happens, in words for the owner or the customer. */
type Effect = { title: string; text: string; button: string }

type Props = {
  /** Named for itself, because another country's tax has another name. */
  before: Amounts & { taxLabel?: string }
  preview: PreviewedChange
  effect: Effect
  send: () => Promise<unknown>
  onBack: () => void
}

/** What a change costs, before and after, and what happens to the difference. */
export function ConfirmChange({ before, preview, effect, send, onBack }: Props) {
  const { run, busy, failure } = useRequest()
  const { amounts: after, lines, taxLabel, waived } = preview
  const rows = [
    ['Subtotal', before.subtotal, after.subtotal],
    ['Shipping, surcharges', before.shipping, after.shipping],
    [before.taxLabel === undefined || before.taxLabel === taxLabel ? taxLabel : 'Tax', before.tax, after.tax],
    ...(before.vatProtection + after.vatProtection > 0
      ? [['Country Consumption Tax', before.vatProtection, after.vatProtection] as const]
      : []),
    ['Total', before.total, after.total],
  ] as const
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
            <th scope="col" className="py-1.5 pl-4 text-right font-normal">
              Before
            </th>
            <th scope="col" className="py-1.5 pl-4 text-right font-normal">
              After
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([title, was, is]) => (
            <tr key={title} className="border-b border-line last:border-0 last:font-semibold">
              <th scope="row" className="py-1.5 [font-weight:inherit]">
                {title}
              </th>
              <td className="py-1.5 pl-4 text-right">{formatUsd(was)}</td>
              <td className="py-1.5 pl-4 text-right">{formatUsd(is)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Notice tone="calm" title={effect.title}>
        {effect.text}
        {waived > ZERO && ` ${formatUsd(waived)} more would be too little for a card, so a piece costs that much less.`}
      </Notice>
      {failure && <Notice>{failure.sentence}</Notice>}
      <div className="flex flex-wrap gap-3">
        <Button busy={busy} onClick={() => void run(send)}>
          {effect.button}
        </Button>
        <Button variant="quiet" onClick={onBack}>
          Back
        </Button>
      </div>
    </div>
  )
}

type Words = { pays: string; gets: string; toPay: Omit<Effect, 'title'>; now: Omit<Effect, 'title'> }

/** @param words around the amount, such as `You pay` and `You get back` */
export const effectOf = (difference: Cents, { pays, gets, toPay, now }: Words): Effect =>
  difference > ZERO
    ? { title: `${pays} ${formatUsd(difference)}`, ...toPay }
    : { title: difference < ZERO ? `${gets} ${formatUsd(negate(difference))}` : 'The price stays the same', ...now }
