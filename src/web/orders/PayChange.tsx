import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { OrderKey } from '#contract/orders.ts'
import { PAY_CHANGE } from '#contract/paths.ts'
import { payPaths } from '#contract/pay-paths.ts'
import { spokenName } from '#domain/catalog/product-name.ts'
import { formatClockTime } from '#domain/orders/clock-time.ts'
import { sayVariant } from '#domain/catalog/variant-name.ts'
import { formatUsd } from '#shared/money.ts'
import { spokenAddress } from '#shared/language.ts'
import { say, sayKnown } from '#words/say.ts'
import type { Answer } from '#web/api/client.ts'
import { orderQuery } from '#web/api/queries.ts'
import { useApi } from '#web/api/use-api.ts'
import { useRequest } from '#web/api/use-request.ts'
import { withKey } from '#web/claims/claim-queries.ts'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { changeQuery } from './change-query.ts'
import { CardForm } from './CardForm.tsx'

type Change = NonNullable<Answer<'GET /api/order/change'>['toPay']>
type Started = Answer<'POST /api/order/change/pay'>

type Props = {
  orderKey: OrderKey
  /** Whether this page may load the provider's script; otherwise a link leads to one that may. */
  pays?: boolean
}

const changed = () => say('Thank you. Your order is changed, and you get an email.')
const tooLate = () =>
  say('It was too late to change your order, so we make it as it was. Your payment goes back to you.')

/** The change of an order that waits for the payment of its difference; if none does, only the page that pays says so. */
export function PayChange({ orderKey, pays = false }: Props) {
  const api = useApi()
  const queries = useQueryClient()
  const { data } = useQuery({ ...changeQuery(orderKey), staleTime: 0 })
  const { run, busy, failure } = useRequest()
  const [started, setStarted] = useState<Started>()
  /** What happened to the change that had to be paid until then; the next one is another. */
  const [done, setDone] = useState<{ until: string | undefined; sentence: string }>()

  const reload = async (sentence: string) => {
    setDone({ until: data?.toPay?.until, sentence })
    setStarted(undefined)
    await Promise.all([
      queries.invalidateQueries(orderQuery(orderKey)),
      queries.invalidateQueries(changeQuery(orderKey)),
    ])
  }
  if (done && (!data?.toPay || data.toPay.until === done.until))
    return (
      <div id={PAY_CHANGE}>
        <Notice tone="calm">{done.sentence}</Notice>
      </div>
    )
  if (!data?.toPay) return data && pays && <p className="text-ink-soft">{say('There is nothing to pay here now.')}</p>
  const { amount, until, total, lines } = data.toPay
  return (
    <section id={PAY_CHANGE} aria-labelledby="pay-change-title" className="scroll-mt-24">
      <h2 id="pay-change-title" className="text-title">
        {say('Pay {amount} to change your order', { amount: formatUsd(amount) })}
      </h2>
      <p className="mt-3 max-w-[44em] text-ink-soft">
        {say(
          'Nothing has changed yet. Pay by {time}, and we make this instead, for {amount} in total. Otherwise we make your order as it was.',
          { time: formatClockTime(new Date(until)), amount: formatUsd(total) },
        )}
      </p>
      <ul className="mt-4 list-disc pl-5">
        {lines.map((line) => (
          <li key={lineText(line)}>{lineText(line)}</li>
        ))}
      </ul>
      {failure && (
        <div className="mt-4">
          <Notice>{failure.sentence}</Notice>
        </div>
      )}
      {started ? (
        <CardForm
          started={started}
          label={say('Pay for the change')}
          onPaid={async () => {
            const order = await queries.fetchQuery({ ...orderQuery(orderKey), staleTime: 0 })
            await reload(order.amounts.total === total ? changed() : tooLate())
          }}
        />
      ) : (
        <div className="mt-5 grid gap-3 sm:flex sm:flex-wrap">
          {pays ? (
            <Button
              busy={busy}
              onClick={() =>
                void run(async () => setStarted(await api('POST /api/order/change/pay', { body: orderKey })))
              }
            >
              {say('Pay {amount} by card', { amount: formatUsd(amount) })}
            </Button>
          ) : (
            // A document of its own, whose policy allows the provider's script.
            <a href={spokenAddress(withKey(payPaths.change, orderKey))} className={buttonClass()}>
              {say('Pay {amount} by card', { amount: formatUsd(amount) })}
            </a>
          )}
          <Button
            variant="quiet"
            onClick={() =>
              void run(async () =>
                reload(sayKnown((await api('POST /api/order/change/drop', { body: orderKey })).done)),
              )
            }
          >
            {say('Keep my order as it was')}
          </Button>
        </div>
      )}
    </section>
  )
}

const lineText = ({ quantity, productName, variantName }: Change['lines'][number]): string =>
  `${quantity} × ${spokenName(productName)}${variantName ? `, ${sayVariant(variantName)}` : ''}`
