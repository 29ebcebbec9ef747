import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { rafflePaths } from '#contract/raffle-paths.ts'
import type { RaffleEntryView } from '#contract/raffles.ts'
import { refusals } from '#contract/refusals.ts'
import { isOneOf } from '#shared/one-of.ts'
import type { VariantId } from '#shared/ids.ts'
import { useApi } from '#web/api/use-api.ts'
import { Link } from '#web/app/Link.tsx'
import { CorrectAddress } from '#web/orders/CorrectAddress.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'
import { Select } from '#web/ui/Select.tsx'
import { momentText } from './moment-text.ts'
import { raffleEntryQuery } from './raffle-queries.ts'

/** `/raffle-entry`: an entry is confirmed and withdrawn, and its prize claimed. Forms, so that an email app that prefetches links does neither. */
export function RaffleEntryPage() {
  const [parameters] = useSearchParams()
  const token = parameters.get('token') ?? ''
  const said = parameters.get('said') ?? ''
  const { data: entry } = useQuery({ ...raffleEntryQuery(token), enabled: token !== '' })
  return (
    <div className="shell max-w-[52rem] pt-10 pb-16 sm:pt-14">
      <PageHead title="Your raffle entry" />
      {entry ? (
        <Entry entry={entry} token={token} said={said} />
      ) : (
        <>
          <h1 className="text-headline">
            {said === 'withdrawn' ? 'Your entry is withdrawn' : 'This link shows no entry'}
          </h1>
          <p className="mt-5 text-lg text-ink-soft">
            {said === 'withdrawn' ? 'We deleted your entry and your data.' : refusals.unknown_raffle_entry[1]}
          </p>
        </>
      )}
    </div>
  )
}

type Props = { entry: RaffleEntryView; token: string; said: string }

function Entry({ entry, token, said }: Props) {
  const { raffle, email, isConfirmed, code, commitment, prize } = entry
  const problem = isOneOf(Object.keys(refusals), said) ? refusals[said as keyof typeof refusals][1] : ''
  return (
    <>
      <p className="eyebrow text-ink-soft">Raffle</p>
      <h1 className="mt-2 text-headline">{titleOf(entry)}</h1>
      <p className="mt-5 max-w-[40em] text-lg text-ink-soft">
        <Link to={rafflePaths.page(raffle.slug)} className="link-line">
          {raffle.title}
        </Link>
        , entered with <span className="wrap-anywhere">{email}</span>.{' '}
        {!isConfirmed && raffle.isOpen && `It counts once you confirm it, until ${momentText(raffle.endsAt)}.`}
        {prize?.isClaimed && 'An email has your order and how to follow it.'}
        {isConfirmed &&
          !prize &&
          raffle.winners.length > 0 &&
          'Another entry won. The raffle’s page shows how the winner was drawn, and checks it in your browser.'}
        {isConfirmed && raffle.winners.length === 0 && `The winner is drawn on ${momentText(raffle.drawAt)}.`}
      </p>
      {problem && (
        <div className="mt-6">
          <Notice>{problem}</Notice>
        </div>
      )}
      <div className="mt-8 grid gap-8">
        {!isConfirmed && raffle.isOpen && (
          <EntryButton wish="confirm" token={token} variant="primary">
            Confirm my entry
          </EntryButton>
        )}
        {prize && !prize.isClaimed && <Claim entry={entry} prize={prize} token={token} />}
        {code !== null && (
          <dl className="grid gap-x-8 gap-y-2 sm:grid-cols-[auto_1fr]">
            <dt className="text-ink-soft">Your code</dt>
            <dd className="font-mono text-[0.875rem] wrap-anywhere">{code}</dd>
            {commitment !== null && (
              <>
                <dt className="text-ink-soft">Your entry in the list</dt>
                <dd className="font-mono text-[0.875rem] wrap-anywhere">{commitment}</dd>
              </>
            )}
          </dl>
        )}
        {!prize?.isClaimed && (
          <section aria-labelledby="withdraw">
            <h2 id="withdraw" className="text-title">
              Withdraw
            </h2>
            <p className="mt-2 mb-4 max-w-[40em]">
              We delete your entry and your data at once.{' '}
              {prize && 'The prize goes to the next one in the draw’s order.'}
            </p>
            <EntryButton wish="withdraw" token={token} variant="outline">
              Withdraw my entry
            </EntryButton>
          </section>
        )}
      </div>
    </>
  )
}

function titleOf({ raffle, isConfirmed, prize }: RaffleEntryView): string {
  if (prize?.isClaimed) return 'Your prize is on its way'
  if (prize) return 'You’ve won'
  if (!isConfirmed) return raffle.isOpen ? 'Confirm your entry' : 'This entry was not confirmed'
  return raffle.winners.length > 0 ? 'Not this time' : 'You’re in'
}

const EntryButton = ({
  wish,
  token,
  variant,
  children,
}: {
  wish: 'confirm' | 'withdraw'
  token: string
  variant: 'primary' | 'outline'
  children: ReactNode
}) => (
  <form method="post" action={rafflePaths.entry}>
    <input type="hidden" name="wish" value={wish} />
    <input type="hidden" name="token" value={token} />
    <Button type="submit" variant={variant}>
      {children}
    </Button>
  </form>
)

function Claim({
  entry: { raffle, country },
  prize: { claimUntil, variants },
  token,
}: {
  entry: RaffleEntryView
  prize: NonNullable<RaffleEntryView['prize']>
  token: string
}) {
  const api = useApi()
  const queries = useQueryClient()
  const [variantId, setVariantId] = useState(String(variants[0]?.id ?? ''))
  const only = variants.length === 1 ? variants[0] : undefined
  return (
    <section aria-labelledby="claim" className="rounded-card border border-line bg-surface p-5 shadow-card sm:p-6">
      <h2 id="claim" className="text-title">
        Where should it go?
      </h2>
      <p className="mt-2 mb-5 max-w-[40em]">
        {raffle.prize.name}, free of charge. Please claim it until {momentText(claimUntil)}.
      </p>
      <CorrectAddress
        country={country}
        countries={raffle.countries}
        asksTaxNumber
        title="Claim my prize"
        plain={{
          action: rafflePaths.entry,
          fields: { wish: 'claim', token, ...(only && { variantId: String(only.id) }) },
        }}
        send={async (body) => {
          await api('POST /api/raffle-entry/claim', {
            body: { token, variantId: Number(variantId) as VariantId, ...body },
          })
          await queries.invalidateQueries(raffleEntryQuery(token))
        }}
      >
        {variants.length > 1 && (
          <Select
            label="Color and size"
            name="variantId"
            value={variantId}
            onValue={setVariantId}
            options={variants.map(({ id, name }) => ({ value: String(id), label: name }))}
          />
        )}
      </CorrectAddress>
    </section>
  )
}
