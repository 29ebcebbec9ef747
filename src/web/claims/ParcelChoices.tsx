import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { PARCEL_CHOICE } from '#contract/claim-paths.ts'
import type { CorrectedAddress, OrderKey } from '#contract/orders.ts'
import type { ParcelNotice } from '#contract/parcel-choices.ts'
import { spokenName } from '#domain/catalog/product-name.ts'
import type { ParcelChoice } from '#domain/claims/parcel-notice.ts'
import { sayVariant } from '#domain/catalog/variant-name.ts'
import { formatDates } from '#shared/calendar-day.ts'
import { formatUsd } from '#shared/money.ts'
import { say, sayKnown } from '#words/say.ts'
import type { Word } from '#words/words.ts'
import { orderQuery, query } from '#web/api/queries.ts'
import { useApi } from '#web/api/use-api.ts'
import { useRequest } from '#web/api/use-request.ts'
import { CorrectAddress } from '#web/orders/CorrectAddress.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'

type Props = {
  orderKey: OrderKey
  /** Shown until there is a choice about a late parcel. */
  unlessLate: ReactNode
}

/** Parcels that are late, lost or came back, each with what the shopper can choose. */
export function ParcelChoices({ orderKey, unlessLate }: Props) {
  const queries = useQueryClient()
  const noticesQuery = query('GET /api/order/parcel-notices', { query: orderKey })
  const { data } = useQuery({ ...noticesQuery, staleTime: 0 })
  const [done, setDone] = useState<string>()
  const section = useRef<HTMLElement>(null)
  const isLoaded = data !== undefined
  useEffect(() => {
    if (isLoaded && location.hash === `#${PARCEL_CHOICE}`) section.current?.scrollIntoView()
  }, [isLoaded])
  if (!data || data.notices.length === 0) return unlessLate
  return (
    <>
      {!data.notices.some(({ kind }) => kind === 'late') && unlessLate}
      <section
        ref={section}
        id={PARCEL_CHOICE}
        tabIndex={-1}
        aria-label={say('What should happen with your parcel')}
        className="mt-6 grid max-w-[44em] scroll-mt-24 gap-5 outline-none"
      >
        {done !== undefined && <Notice tone="calm">{done}</Notice>}
        {data.notices.map((notice) => (
          <NoticeCard
            key={notice.id}
            notice={notice}
            country={data.country}
            orderKey={orderKey}
            onDone={async (sentence) => {
              setDone(sentence)
              await queries.invalidateQueries({ queryKey: noticesQuery.queryKey })
              await queries.invalidateQueries(orderQuery(orderKey))
              section.current?.focus()
            }}
          />
        ))}
      </section>
    </>
  )
}

const titles = {
  late: 'This is taking longer than we said',
  lost: 'We think this parcel is lost',
  returned: 'This parcel came back to us',
} as const satisfies Record<ParcelNotice['kind'], Word>

function explanationOf({ kind, expected }: ParcelNotice): string {
  if (kind === 'lost')
    return say('It should have arrived long ago, and the carrier can’t say where it is. We’re sorry.')
  if (kind === 'returned')
    return say('The carrier couldn’t deliver it. Tell us where a new one should go; it costs you nothing.')
  return expected
    ? say('We’re sorry. We now expect it {dates}.', { dates: formatDates(expected) })
    : say('We’re sorry. You can wait, or choose what we should do instead.')
}

/** What became of a choice. */
function stateOf({ chosen, outcome, refunded }: ParcelNotice): string | undefined {
  if (chosen === null) return undefined
  if (chosen === 'wait') return say('You chose to wait. You can still choose something else.')
  switch (outcome) {
    case 'replaced':
      return say('A new parcel is being made. You have its order by email.')
    case 'refunded':
    case 'canceled':
      return refunded === null
        ? say('Refunded.')
        : say('{amount} is on its way back to you.', { amount: formatUsd(refunded) })
    case 'refused':
    case 'settled':
      return say('We’ve answered by email.')
    case null:
      return chosen === 'refund'
        ? say('You chose a refund. We’ll email you about it.')
        : say('You chose to have it made again. We’ll email you about it.')
  }
}

const labels = {
  wait: 'I’ll wait',
  refund: 'Refund it',
  replace: 'Make it again',
} as const satisfies Record<ParcelChoice, Word>

type CardProps = {
  notice: ParcelNotice
  country: string
  orderKey: OrderKey
  onDone: (sentence: string) => Promise<void>
}

function NoticeCard({ notice, country, orderKey, onDone }: CardProps) {
  const { id, kind, items, choices } = notice
  const api = useApi()
  const { run, busy, failure } = useRequest()
  const [sending, setSending] = useState<ParcelChoice>()
  const send = async (choice: ParcelChoice, recipient?: CorrectedAddress) => {
    const body = { ...orderKey, choice, ...(recipient && { recipient }) }
    const { done } = await api('POST /api/order/parcel-notices/:id/choice', { params: { id }, body })
    await onDone(sayKnown(done))
  }
  const choose = (choice: ParcelChoice) => {
    setSending(choice)
    void run(() => send(choice))
  }
  const state = stateOf(notice)
  const asksAddress = kind === 'returned' && choices.includes('replace')
  return (
    <div className="rounded-card border border-line border-l-4 border-l-accent bg-surface p-5 shadow-card sm:p-6">
      <h2 className="text-[1.25rem] leading-tight">{say(titles[kind])}</h2>
      <ul className="mt-2 text-[0.9375rem]">
        {items.map(({ productName, variantName, quantity }) => (
          <li key={`${productName} ${variantName}`}>
            {quantity} × {spokenName(productName)}
            {variantName && <span className="text-ink-soft">, {sayVariant(variantName)}</span>}
          </li>
        ))}
      </ul>
      {choices.length > 0 && <p className="mt-3">{explanationOf(notice)}</p>}
      {state && (
        <p role="status" className="mt-3 font-medium">
          {state}
        </p>
      )}
      {asksAddress && (
        <div className="mt-5">
          <CorrectAddress
            country={country}
            asksTaxNumber={false}
            title={say('Send it to this address')}
            send={(recipient) => send('replace', recipient)}
          />
        </div>
      )}
      {choices.length > 0 && (
        <div className="mt-5 flex flex-wrap gap-3">
          {choices
            .filter((choice) => choice !== 'replace' || !asksAddress)
            .map((choice) => (
              <Button key={choice} variant="outline" busy={busy && sending === choice} onClick={() => choose(choice)}>
                {say(asksAddress && choice === 'refund' ? 'Ask for a refund instead' : labels[choice])}
              </Button>
            ))}
        </div>
      )}
      {failure && (
        <div className="mt-4">
          <Notice title={say('Nothing was changed.')}>{failure.sentence}</Notice>
        </div>
      )}
    </div>
  )
}
