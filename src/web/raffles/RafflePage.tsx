import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams, useSearchParams } from 'react-router'
import { paths } from '#contract/paths.ts'
import { rafflePaths } from '#contract/raffle-paths.ts'
import { RaffleEntryForm, type RaffleView } from '#contract/raffles.ts'
import { countryName } from '#domain/checkout/countries.ts'
import { formatList, spokenAddress } from '#shared/language.ts'
import { useApi } from '#web/api/use-api.ts'
import { Link } from '#web/app/Link.tsx'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { EmailField } from '#web/ui/EmailField.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'
import { Select } from '#web/ui/Select.tsx'
import { Sentence } from '#web/ui/Sentence.tsx'
import { say, sayKnown } from '#words/say.ts'
import { momentText } from './moment-text.ts'
import { RaffleDraw } from './RaffleDraw.tsx'
import { raffleQuery } from './raffle-queries.ts'

/** `/raffle/{name}`: what can be won, the form, and the draw that anybody can check. The form works without JavaScript. */
export function RafflePage() {
  const { slug = '' } = useParams()
  const { data: raffle } = useQuery(raffleQuery(slug))
  return raffle ? <Raffle raffle={raffle} /> : null
}

function Raffle({ raffle }: { raffle: RaffleView }) {
  const { title, words, prize, startsAt, endsAt, drawAt, isOpen, state } = raffle
  return (
    <div className="shell shell-[68rem] pt-10 pb-16 sm:pt-14">
      <PageHead title={title} description={say('A raffle: {prize}. No purchase necessary.', { prize: prize.name })} />
      <p className="eyebrow text-ink-soft">{say('Raffle')}</p>
      <h1 className="mt-2 max-w-[18em] text-headline">{title}</h1>
      <div className="mt-8 grid gap-10 md:grid-cols-[minmax(0,1fr)_minmax(0,24rem)] lg:grid-cols-[minmax(0,1fr)_minmax(0,26rem)] lg:gap-14">
        <div className="grid content-start gap-6">
          {prize.image && (
            <img
              src={prize.image}
              alt=""
              width={640}
              height={640}
              className="aspect-square w-full max-w-[30rem] rounded-card border border-line bg-surface object-cover"
            />
          )}
          <p className="max-w-[44em] text-lg whitespace-pre-line">{words}</p>
          <dl className="grid max-w-[36rem] grid-cols-[auto_1fr] gap-x-6 gap-y-2">
            <dt className="text-ink-soft">{say('Prize')}</dt>
            <dd>
              <Sentence
                word="{prize}, sent to you for free"
                parts={{
                  prize: (
                    <Link to={paths.product(prize.productId)} className="link-line">
                      {prize.name}
                    </Link>
                  ),
                }}
              />
            </dd>
            <Moment title={say('Begins')} at={startsAt} />
            <Moment title={say('Ends')} at={endsAt} />
            <Moment title={say('Draw')} at={drawAt} />
          </dl>
        </div>
        <div className="grid content-start gap-6">
          {isOpen ? <EntryForm raffle={raffle} /> : <Notice tone="calm">{sentenceOf(raffle)}</Notice>}
          <Rules raffle={raffle} />
        </div>
      </div>
      {state !== 'closed' && <RaffleDraw raffle={raffle} />}
    </div>
  )
}

const Moment = ({ title, at }: { title: string; at: string }) => (
  <>
    <dt className="text-ink-soft">{title}</dt>
    <dd>
      <time dateTime={at}>{momentText(at)}</time>
    </dd>
  </>
)

function sentenceOf({ state, startsAt, drawAt, winners }: RaffleView): string {
  if (state === 'open' || state === 'draft')
    return say('This raffle begins on {moment}.', { moment: momentText(startsAt) })
  if (state === 'frozen')
    return say('This raffle has ended. The winner is drawn on {moment}.', { moment: momentText(drawAt) })
  if (state === 'closed') return say('This raffle is over, and nobody has the prize.')
  return winners.at(-1)?.isClaimed
    ? say('The winner has claimed the prize.')
    : say('The winner is drawn, and has an email.')
}

function EntryForm({ raffle: { slug, ageMin, countries } }: { raffle: RaffleView }) {
  const api = useApi()
  const [parameters] = useSearchParams()
  const [done, setDone] = useState('')
  if (done || parameters.get('said') === 'asked')
    return (
      <div id="enter" className="scroll-mt-24">
        <Notice tone="calm" title={say('Check your email')}>
          {done
            ? sayKnown(done)
            : say('If you haven’t entered yet, we just sent you an email. Press its button, and you’re in.')}
        </Notice>
      </div>
    )
  return (
    <section aria-labelledby="enter" className="rounded-card border border-line bg-surface p-5 shadow-card sm:p-6">
      <h2 id="enter" className="text-title">
        {say('Enter for free')}
      </h2>
      <ApiForm
        schema={RaffleEntryForm}
        method="post"
        action={spokenAddress(rafflePaths.page(slug))}
        aria-labelledby="enter"
        className="mt-5 grid gap-5"
        send={async (body) => setDone((await api('POST /api/raffles/:slug/entries', { params: { slug }, body })).done)}
      >
        <EmailField required />
        <Select
          label={say('Country')}
          name="country"
          required
          autoComplete="country"
          options={countries.map((value) => ({ value, label: countryName(value) }))}
        />
        <Field
          label={say('Date of birth')}
          name="bornOn"
          type="date"
          required
          autoComplete="bday"
          hint={say('You need to be {age} or older. We check it and don’t store it.', { age: ageMin })}
        />
        <label className="flex min-h-11 items-start gap-3 py-2 leading-snug">
          <input type="checkbox" name="agrees" value="yes" required className="mt-0.5 size-5 shrink-0 accent-strong" />
          <span>
            {say(
              'I agree to the rules, and neither I nor anybody in my household works for the shop or the channel that announces the raffle.',
            )}
          </span>
        </label>
        <FormNotice />
        <div>
          <SubmitButton>{say('Enter the raffle')}</SubmitButton>
        </div>
      </ApiForm>
    </section>
  )
}

const Rules = ({ raffle: { ageMin, claimDays, countries } }: { raffle: RaffleView }) => (
  <section aria-labelledby="rules">
    <h2 id="rules" className="text-title">
      {say('Rules in short')}
    </h2>
    <ul className="mt-3 grid list-disc gap-1.5 pl-5">
      <li>{say('No purchase necessary. One entry a person, from {age} years.', { age: ageMin })}</li>
      <li>
        {countries.length > 6
          ? say('Open to people in {count} countries, as listed in the form.', { count: countries.length })
          : say('Open to people in {countries}.', { countries: formatList(countries.map(countryName)) })}
      </li>
      <li>{say('You confirm your entry by email, and can withdraw it at any time.')}</li>
      <li>
        {say(
          'The winner gets an email and has {days} days to claim the prize. After that, the next one in the draw’s order wins.',
          { days: claimDays },
        )}
      </li>
      <li>{say('We delete what you send us when the prize has been delivered. We publish nobody’s name.')}</li>
    </ul>
    <p className="mt-3">
      <Link to={`${paths.termsOfService}#promotional-raffle-rules`} className="link-line">
        {say('All rules')}
      </Link>
    </p>
  </section>
)
