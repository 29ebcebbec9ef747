import type { ChangePreview, OrderWish } from '#contract/order-changes.ts'
import { spokenName } from '#domain/catalog/product-name.ts'
import { sayVariant } from '#domain/catalog/variant-name.ts'
import { formatUsd, negate, ZERO, type Cents } from '#shared/money.ts'
import { say, sayKnown } from '#words/say.ts'
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
    [say('Subtotal'), before.subtotal, after.subtotal],
    [say('Shipping, surcharges'), before.shipping, after.shipping],
    [
      before.taxLabel === undefined || before.taxLabel === taxLabel ? sayKnown(taxLabel) : say('Tax'),
      before.tax,
      after.tax,
    ],
    ...(before.vatProtection + after.vatProtection > 0
      ? [[say('Country Consumption Tax'), before.vatProtection, after.vatProtection] as const]
      : []),
    [say('Total'), before.total, after.total],
  ] as const
  return (
    <div className="grid gap-5">
      <ul className="list-disc pl-5">
        {lines.map(({ productName, variantName, quantity, unitPrice }) => (
          <li key={`${productName} ${variantName} ${quantity} ${unitPrice}`}>
            {quantity} × {spokenName(productName)}
            {variantName && `, ${sayVariant(variantName)}`}, {say('{price} each', { price: formatUsd(unitPrice) })}
          </li>
        ))}
      </ul>
      <table className="w-full text-left">
        <caption className="sr-only">{say('What the change costs')}</caption>
        <thead>
          <tr className="border-b border-line text-sm text-ink-soft">
            <th scope="col" className="py-1.5 font-normal">
              {say('Amount')}
            </th>
            <th scope="col" className="py-1.5 pl-4 text-right font-normal">
              {say('Before')}
            </th>
            <th scope="col" className="py-1.5 pl-4 text-right font-normal">
              {say('After')}
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
        {waived > ZERO &&
          ` ${say('{amount} more would be too little for a card, so a piece costs that much less.', { amount: formatUsd(waived) })}`}
      </Notice>
      {failure && <Notice>{failure.sentence}</Notice>}
      <div className="flex flex-wrap gap-3">
        <Button busy={busy} onClick={() => void run(send)}>
          {effect.button}
        </Button>
        <Button variant="quiet" onClick={onBack}>
          {say('Back')}
        </Button>
      </div>
    </div>
  )
}

type Words = {
  pays: (amount: string) => string
  gets: (amount: string) => string
  toPay: Omit<Effect, 'title'>
  now: Omit<Effect, 'title'>
}

/** @param words such as `You pay $5.00` and `You get back $5.00` */
export const effectOf = (difference: Cents, { pays, gets, toPay, now }: Words): Effect =>
  difference > ZERO
    ? { title: pays(formatUsd(difference)), ...toPay }
    : { title: difference < ZERO ? gets(formatUsd(negate(difference))) : say('The price stays the same'), ...now }
