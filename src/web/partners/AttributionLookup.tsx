import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import type { Explanation } from '#contract/earnings.ts'
import { paths } from '#contract/paths.ts'
import { ATTRIBUTION_DAYS } from '#domain/partners/attribution.ts'
import { objectionLabels } from '#domain/partners/labels.ts'
import { formatUsd } from '#shared/money.ts'
import { sentenceOf } from '#web/api/error-sentence.ts'
import { Form } from '#web/app/Form.tsx'
import { Notice } from '#web/checkout/Notice.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { commissionStateOf } from './EarnedOrders.tsx'
import { whyQuery } from './earnings-queries.ts'
import { dayThere } from './earnings-format.ts'

/** Somebody says to have ordered by a link: is it counted, and why, or why not. */
export function AttributionLookup({ timeZone }: { timeZone: string }) {
  const [parameters] = useSearchParams()
  const asked = parameters.get('order')?.trim() ?? ''
  const { data, error } = useQuery({ ...whyQuery(asked), enabled: asked !== '' })
  return (
    <>
      {/* A page's address says what was asked, so it also works where no script runs. */}
      <Form action={`${paths.earnings}#why`} className="flex flex-wrap items-end gap-4">
        <Field
          label="Order number"
          name="order"
          defaultValue={asked}
          required
          maxLength={40}
          autoComplete="off"
          autoCapitalize="characters"
          placeholder="K7QM-4T2X"
          className="w-full max-w-72"
        />
        <Button type="submit" variant="outline">
          Look it up
        </Button>
      </Form>
      <div aria-live="polite" className="mt-5 max-w-[44em]">
        {error && <Notice>{sentenceOf(error)}</Notice>}
        {data && <Answer explanation={data} timeZone={timeZone} />}
      </div>
    </>
  )
}

function Answer({ explanation, timeZone }: { explanation: Explanation; timeZone: string }) {
  const { why, orderNumber, clickedAt, link, order } = explanation
  if (why === 'not_by_your_links')
    return (
      <>
        <p className="font-semibold">We find no order {orderNumber} that came by your links.</p>
        <p className="mt-2 text-ink-soft">
          That is so when the number is mistyped; when nobody followed a link of yours in the {ATTRIBUTION_DAYS} days
          before paying; when another partner’s link was followed after yours; or when it was paid in another browser
          than the one in which the link was followed, or one that keeps no cookies.
        </p>
      </>
    )
  const clicked = clickedAt && (
    <>
      The last click before paying was on your link <span className="font-medium">/r/{link}</span>, on{' '}
      {dayThere(clickedAt, timeZone)}.
    </>
  )
  if (why !== 'last_click')
    return (
      <>
        <p className="font-semibold">Order {orderNumber} came by your link, but earns nothing.</p>
        <p className="mt-2 text-ink-soft">
          {clicked} {objectionLabels[why]}
        </p>
      </>
    )
  return (
    <>
      <p className="font-semibold">Order {orderNumber} is yours.</p>
      <p className="mt-2 text-ink-soft">
        {clicked}{' '}
        {order && (
          <>
            It earns you {formatUsd(order.earned)} of {formatUsd(order.goods)} in goods
            {order.returned < 0 && <>, of which {formatUsd(order.returned)} went back</>}.{' '}
            {commissionStateOf(order, timeZone)}.
          </>
        )}
      </p>
    </>
  )
}
