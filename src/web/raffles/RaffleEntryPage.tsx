import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { paths } from '#contract/paths.ts'
import { rafflePaths } from '#contract/raffle-paths.ts'
import type { RaffleEntryView } from '#contract/raffles.ts'
import { refusals } from '#contract/refusals.ts'
import { spokenAddress } from '#shared/language.ts'
import { sayVariant } from '#domain/catalog/variant-name.ts'
import { isOneOf } from '#shared/one-of.ts'
import type { VariantId } from '#shared/ids.ts'
import { useApi } from '#web/api/use-api.ts'
import { Link } from '#web/app/Link.tsx'
import { CorrectAddress } from '#web/orders/CorrectAddress.tsx'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'
import { Select } from '#web/ui/Select.tsx'
import { Sentence } from '#web/ui/Sentence.tsx'
import { say, sayKnown, sayMeaning } from '#words/say.ts'
import { momentText } from './moment-text.ts'
import { raffleEntryQuery } from './raffle-queries.ts'

/** `/raffle-entry`: an entry is confirmed and withdrawn, and its prize claimed. Forms, so that an email app that prefetches links does neither. */
export function RaffleEntryPage() {
  const [parameters] = useSearchParams()
  const token = parameters.get('token') ?? ''
  const said = parameters.get('said') ?? ''
  const { data: entry } = useQuery({ ...raffleEntryQuery(token), enabled: token !== '' })
  return (
    <div className="shell shell-[52rem] pt-10 pb-16 sm:pt-14">
      <PageHead title={say('Your raffle entry')} />
      {entry ? (
        <Entry entry={entry} token={token} said={said} />
      ) : (
        <>
          <h1 className="text-headline">
            {said === 'withdrawn' ? say('Your entry is withdrawn') : say('This link shows no entry')}
          </h1>
          <p className="mt-5 text-lg text-ink-soft">
            {said === 'withdrawn'
              ? say('We deleted your entry and your data.')
              : sayKnown(refusals.unknown_raffle_entry[1])}
          </p>
          <Link to={paths.products} className={buttonClass('primary', 'mt-8')}>
            {say('See all products')}
          </Link>
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
      <p className="eyebrow text-ink-soft">{say('Raffle')}</p>
      <h1 className="mt-2 text-headline">{titleOf(entry)}</h1>
      <p className="mt-5 max-w-[40em] text-lg text-ink-soft">
        <Sentence
          word="{raffle}, entered with {email}."
          parts={{
            raffle: (
              <Link to={rafflePaths.page(raffle.slug)} className="link-line">
                {raffle.title}
              </Link>
            ),
            email: <span className="wrap-anywhere">{email}</span>,
          }}
        />{' '}
        {!isConfirmed &&
          raffle.isOpen &&
          say('It counts once you confirm it, until {moment}.', { moment: momentText(raffle.endsAt) })}
        {prize?.isClaimed && say('An email has your order and how to follow it.')}
        {isConfirmed &&
          !prize &&
          raffle.winners.length > 0 &&
          say('Another entry won. The raffle’s page shows how the winner was drawn, and checks it in your browser.')}
        {isConfirmed &&
          raffle.winners.length === 0 &&
          say('The winner is drawn on {moment}.', { moment: momentText(raffle.drawAt) })}
      </p>
      {problem && (
        <div className="mt-6">
          <Notice>{sayKnown(problem)}</Notice>
        </div>
      )}
      <div className="mt-8 grid gap-8">
        {!isConfirmed && raffle.isOpen && (
          <EntryButton wish="confirm" token={token} variant="primary">
            {say('Confirm my entry')}
          </EntryButton>
        )}
        {prize && !prize.isClaimed && <Claim entry={entry} prize={prize} token={token} />}
        {code !== null && (
          <dl className="grid gap-x-8 gap-y-2 sm:grid-cols-[auto_1fr]">
            <dt className="text-ink-soft">{say('Your code')}</dt>
            <dd className="font-mono text-[0.875rem] wrap-anywhere">{code}</dd>
            {commitment !== null && (
              <>
                <dt className="text-ink-soft">{say('Your entry in the list')}</dt>
                <dd className="font-mono text-[0.875rem] wrap-anywhere">{commitment}</dd>
              </>
            )}
          </dl>
        )}
        {!prize?.isClaimed && (
          <section aria-labelledby="withdraw">
            <h2 id="withdraw" className="text-title">
              {sayMeaning('Withdraw (raffle)')}
            </h2>
            <p className="mt-2 mb-4 max-w-[40em]">
              {say('We delete your entry and your data at once.')}{' '}
              {prize && say('The prize goes to the next one in the draw’s order.')}
            </p>
            <EntryButton wish="withdraw" token={token} variant="outline">
              {say('Withdraw my entry')}
            </EntryButton>
          </section>
        )}
      </div>
    </>
  )
}

function titleOf({ raffle, isConfirmed, prize }: RaffleEntryView): string {
  if (prize?.isClaimed) return say('Your prize is on its way')
  if (prize) return say('You’ve won')
  if (!isConfirmed) return raffle.isOpen ? say('Confirm your entry') : say('This entry was not confirmed')
  return raffle.winners.length > 0 ? say('Not this time') : say('You’re in')
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
  <form method="post" action={spokenAddress(rafflePaths.entry)}>
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
        {say('Where should it go?')}
      </h2>
      <p className="mt-2 mb-5 max-w-[40em]">
        {say('{prize}, free of charge. Please claim it until {moment}.', {
          ...{ prize: raffle.prize.name, moment: momentText(claimUntil) },
        })}
      </p>
      <CorrectAddress
        country={country}
        countries={raffle.countries}
        asksTaxNumber
        title={say('Claim my prize')}
        plain={{
          action: spokenAddress(rafflePaths.entry),
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
            label={say('Color and size')}
            name="variantId"
            value={variantId}
            onValue={setVariantId}
            options={variants.map(({ id, name }) => ({ value: String(id), label: sayVariant(name) }))}
          />
        )}
      </CorrectAddress>
    </section>
  )
}
