import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import type { Explanation } from '#contract/earnings.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import { ATTRIBUTION_DAYS } from '#domain/partners/attribution.ts'
import { objectionLabels } from '#domain/partners/labels.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { formatUsd } from '#shared/money.ts'
import { sentenceOf } from '#web/api/error-sentence.ts'
import { Form } from '#web/app/Form.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { commissionStateOf } from './EarnedOrders.tsx'
import { whyQuery } from './earnings-queries.ts'
import { dayThere } from './earnings-format.ts'

/** Answers whether an order counts for this partner, and why. */
export function AttributionLookup({ timeZone }: { timeZone: string }) {
  const [parameters] = useSearchParams()
  const order = parameters.get('order')?.trim() ?? ''
  const { data, error } = useQuery({ ...whyQuery(order), enabled: order !== '' })
  return (
    <>
      {/* A plain form, so it works without script too. */}
      <Form action={`${portalPaths.orders}#why`} className="flex flex-wrap items-end gap-4">
        <Field
          label="Order number"
          name="order"
          defaultValue={order}
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
  const { why, orderNumber, clickedAt, link, code, order } = explanation
  if (why === 'not_by_your_links')
    return (
      <>
        <p className="font-semibold">We can’t match order {formatOrderNumber(orderNumber)} to your links and codes.</p>
        <p className="mt-2 text-ink-soft">
          Possible reasons: the number has a typo; nobody clicked your link in the {ATTRIBUTION_DAYS} days before
          paying; another partner’s link was clicked after yours; the buyer used another partner’s code; or the buyer
          paid in a different browser, or in one that blocks cookies.
        </p>
      </>
    )
  const clicked = code ? (
    <>
      The buyer used your code <span className="font-medium">{code}</span>, which counts more than any link.
    </>
  ) : (
    clickedAt && (
      <>
        The last click before paying was on your link <span className="font-medium">/r/{link}</span>, on{' '}
        {dayThere(clickedAt, timeZone)}.
      </>
    )
  )
  if (why !== 'last_click' && why !== 'code')
    return (
      <>
        <p className="font-semibold">
          Order {formatOrderNumber(orderNumber)} came through your link or code but earns no commission.
        </p>
        <p className="mt-2 text-ink-soft">
          {clicked} {objectionLabels[why]}
        </p>
      </>
    )
  return (
    <>
      <p className="font-semibold">Order {formatOrderNumber(orderNumber)} is yours.</p>
      <p className="mt-2 text-ink-soft">
        {clicked}{' '}
        {order && (
          <>
            It earns you {formatUsd(order.earned)} of {formatUsd(order.goods)} in items
            {order.returned < 0 && <>, with {formatUsd(order.returned)} refunded</>}.{' '}
            {commissionStateOf(order, timeZone)}.
          </>
        )}
      </p>
    </>
  )
}
