import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState, type ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { payPaths } from '#contract/pay-paths.ts'
import { paths } from '#contract/paths.ts'
import type { PurchaseState } from '#domain/gift-cards/gift-card.ts'
import { centsFromDecimal, formatUsd, type Cents } from '#shared/money.ts'
import type { Answer } from '#web/api/client.ts'
import { sentenceOf } from '#web/api/error-sentence.ts'
import { useApi } from '#web/api/use-api.ts'
import { useRequest } from '#web/api/use-request.ts'
import { Link } from '#web/app/Link.tsx'
import { CardForm, useReturnedPayment, type StartedCard } from '#web/orders/CardForm.tsx'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { say, sayKnown } from '#words/say.ts'
import { Sentence } from '#web/ui/Sentence.tsx'
import { spokenAddress, dateFormat, spokenLocale } from '#shared/language.ts'
import type { Word } from '#words/words.ts'
import { giftCardQuery } from './pay-loader.ts'
import { WalletButton } from './WalletButton.tsx'

type Purchase = Answer<'GET /api/gift-card'>

/** `/gift-card`: buys a gift card; with `?token=`, pays it and shows what became of it. */
export function GiftCardPage() {
  const [parameters] = useSearchParams()
  const token = parameters.get('token') ?? ''
  const { data: purchase, error } = useQuery({ ...giftCardQuery(token), enabled: token !== '' })
  return (
    <div className="shell shell-[52rem] pt-10 pb-12 sm:pt-14">
      <PageHead title={say('Gift card')} />
      <h1 className="text-headline">{purchase ? say(titles[purchase.state]) : say('Give a gift card')}</h1>
      {token === '' ? (
        <BuyForm />
      ) : purchase ? (
        <Bought purchase={purchase} token={token} />
      ) : (
        error && (
          <div className="mt-6 grid justify-items-start gap-5">
            <Notice>{sentenceOf(error)}</Notice>
            <a href={spokenAddress(payPaths.giftCard)} className={buttonClass('outline')}>
              {say('Start over')}
            </a>
          </div>
        )
      )}
    </div>
  )
}

const titles = {
  unpaid: 'Pay for your gift card',
  processing: 'We are confirming your payment.',
  paid: 'Thank you. Your gift card is paid.',
  refunded: 'This gift card was refunded.',
  closed: 'This gift card can’t be paid any more.',
} as const satisfies Record<PurchaseState, Word>

const Lead = ({ children }: { children: ReactNode }) => (
  <p className="mt-4 max-w-[44em] text-lg text-ink-soft">{children}</p>
)

/** US dollars, a press away. */
const AMOUNTS = ['25', '50', '100'] as const

const wholeDollars = (dollars: string): string =>
  new Intl.NumberFormat(spokenLocale(), { style: 'currency', currency: 'USD', maximumFractionDigits: 0 }).format(
    Number(dollars),
  )

function BuyForm() {
  const api = useApi()
  const [amount, setAmount] = useState<string>(AMOUNTS[1])
  // The same form again is the same purchase.
  const request = useRef({ of: '', key: '' })
  return (
    <>
      <Lead>
        {say(
          'It can be spent on anything in our shop, in one order or several, and it doesn’t expire. We email the code as soon as it is paid, or in the morning of the day you choose.',
        )}
      </Lead>
      <ApiForm
        aria-label={say('Gift card')}
        className="mt-8 grid gap-5 sm:grid-cols-2"
        send={async (typed) => {
          const { email = '', recipientEmail = '', from = '', message = '', sendOn = '' } = typed
          const of = JSON.stringify(typed)
          if (request.current.of !== of) request.current = { of, key: crypto.randomUUID() }
          const cents = (centsFromDecimal(amount.trim().replace(/^\$/, '').replace(',', '.')) ?? Number.NaN) as Cents
          const body = { requestKey: request.current.key, amount: cents, email, recipientEmail, from, message, sendOn }
          const { token } = await api('POST /api/gift-card', { body })
          // A document of its own, whose policy allows the provider's script.
          location.assign(spokenAddress(`${payPaths.giftCard}?${new URLSearchParams({ token })}`))
        }}
      >
        <div className="grid content-start gap-3">
          <div role="group" aria-label={say('Amount')} className="flex gap-2">
            {AMOUNTS.map((dollars) => (
              <button
                key={dollars}
                type="button"
                aria-pressed={amount.trim() === dollars}
                onClick={() => setAmount(dollars)}
                className="min-h-11 flex-1 rounded-card border border-line-strong px-3 font-semibold hover:border-ink aria-pressed:border-ink aria-pressed:ring-1 aria-pressed:ring-ink"
              >
                {wholeDollars(dollars)}
              </button>
            ))}
          </div>
          <Field
            label={say('US dollars')}
            name="amount"
            required
            inputMode="decimal"
            value={amount}
            onValue={setAmount}
            hint={say('Or your own amount, from 10 to 500')}
          />
        </div>
        <Field
          label={say('Your email')}
          name="email"
          type="email"
          required
          autoComplete="email"
          hint={say('Gets the receipt')}
        />
        <Field
          label={say('Recipient’s email')}
          name="recipientEmail"
          type="email"
          required
          autoComplete="off"
          hint={say('Gets the code. Can be your own')}
        />
        <Field label={say('From')} name="from" maxLength={60} hint={say('How the recipient knows you. Optional')} />
        <Field
          label={say('Day of sending')}
          name="sendOn"
          type="date"
          hint={say('The code arrives that morning. Empty: right after the payment')}
        />
        <div className="sm:col-span-2">
          <TextArea
            label={say('Message')}
            name="message"
            rows={3}
            maxLength={300}
            hint={say('For the recipient. Optional')}
          />
        </div>
        <div className="grid justify-items-start gap-4 sm:col-span-2">
          <FormNotice />
          <SubmitButton>{say('Continue to payment')}</SubmitButton>
        </div>
      </ApiForm>
    </>
  )
}

const Address = ({ children }: { children: string }) => <span className="wrap-anywhere">{children}</span>

type Props = { purchase: Purchase; token: string }

function Bought({ purchase: { state, amount, buyer, recipient, sendsOn }, token }: Props) {
  const queries = useQueryClient()
  const reload = () => queries.invalidateQueries(giftCardQuery(token))
  useReturnedPayment(reload)
  const shop = (
    <div className="mt-6">
      <Link to={paths.products} className={buttonClass('outline')}>
        {say('Go to the shop')}
      </Link>
    </div>
  )
  switch (state) {
    case 'unpaid':
      return (
        <>
          <Lead>
            <Sentence
              word={
                sendsOn
                  ? '{amount} for {recipient}, sent in the morning of {day}. The receipt goes to {buyer}. There is no tax on a gift card: it comes with what is bought with it.'
                  : '{amount} for {recipient}. The receipt goes to {buyer}. There is no tax on a gift card: it comes with what is bought with it.'
              }
              parts={{
                amount: formatUsd(amount),
                recipient: <Address>{recipient}</Address>,
                buyer: <Address>{buyer}</Address>,
                day: sendsOn && dayName(sendsOn),
              }}
            />
          </Lead>
          <RecipientForm token={token} onDone={reload} />
          <Payment amount={amount} token={token} onPaid={reload} />
        </>
      )
    case 'processing':
      return (
        <Lead>{say('You don’t need to pay again. We’ll email {email} as soon as it is done.', { email: buyer })}</Lead>
      )
    case 'paid':
      return (
        <>
          <Lead>
            {sendsOn
              ? say(
                  'The code for {amount} goes to {recipient} in the morning of {day}. The receipt is on its way to {buyer}.',
                  { amount: formatUsd(amount), recipient, day: dayName(sendsOn), buyer },
                )
              : say('The code for {amount} is on its way to {recipient}, and the receipt to {buyer}.', {
                  amount: formatUsd(amount),
                  recipient,
                  buyer,
                })}
          </Lead>
          {sendsOn && <RecipientForm token={token} onDone={reload} />}
          {shop}
        </>
      )
    case 'refunded':
      return (
        <>
          <Lead>{say('What was left of it went back to who paid for it. It can’t be used any more.')}</Lead>
          {shop}
        </>
      )
    case 'closed':
      return (
        <>
          <Lead>{say('Several cards were declined. Nothing was charged. You can start over, or write to us.')}</Lead>
          {shop}
        </>
      )
  }
}

const dayName = (day: string): string => dateFormat({ dateStyle: 'long', timeZone: 'UTC' }).format(new Date(day))

/** Until the code is sent. */
function RecipientForm({ token, onDone }: { token: string; onDone: () => Promise<unknown> }) {
  const api = useApi()
  const [done, setDone] = useState<string>()
  return (
    <details className="mt-5 max-w-[34em]">
      <summary className="cursor-pointer font-medium underline">{say('Correct the recipient’s email')}</summary>
      <ApiForm
        clears
        aria-label={say('Recipient')}
        className="mt-4 grid gap-4"
        send={async ({ email = '' }) => {
          setDone(undefined)
          const answer = await api('POST /api/gift-card/recipient', { body: { token, email } })
          await onDone()
          setDone(answer.done)
        }}
      >
        <Field label={say('Recipient’s email')} name="email" type="email" required autoComplete="off" />
        <FormNotice />
        <div>
          <SubmitButton variant="outline">{say('Correct it')}</SubmitButton>
        </div>
      </ApiForm>
      {done && (
        <p role="status" className="mt-4">
          {sayKnown(done)}
        </p>
      )}
    </details>
  )
}

function Payment({ amount, token, onPaid }: { amount: Cents; token: string; onPaid: () => Promise<unknown> }) {
  const api = useApi()
  const { run, busy, failure } = useRequest()
  const [started, setStarted] = useState<StartedCard>()
  const start = () =>
    void run(async () => {
      try {
        setStarted(await api('POST /api/gift-card/pay', { body: { token } }))
      } catch (error) {
        // It may be paid in another tab.
        await onPaid()
        throw error
      }
    })
  return (
    <section aria-labelledby="pay" className="mt-8 grid gap-5">
      <h2 id="pay" className="text-title">
        {say('Payment')}
      </h2>
      <p className="text-[0.9375rem] text-ink-soft">
        <Sentence
          word="By paying you agree to our {terms}. We refund what is still on the card; please write to us."
          parts={{
            terms: (
              <a href={spokenAddress(paths.termsOfService)} className="underline">
                {say('Terms of Service')}
              </a>
            ),
          }}
        />
      </p>
      {failure && <Notice>{failure.sentence}</Notice>}
      {started ? (
        <CardForm started={started} label={say('Pay by card')} onPaid={async () => void (await onPaid())} />
      ) : (
        <div>
          <Button busy={busy} onClick={start}>
            {say('Pay {amount} by card', { amount: formatUsd(amount) })}
          </Button>
        </div>
      )}
      <WalletButton
        start={() => api('POST /api/gift-card/wallet', { body: { token } })}
        capture={(id) => api('POST /api/gift-card/wallet/:id/capture', { params: { id }, body: { token } })}
        onPaid={onPaid}
        onRefused={onPaid}
      />
    </section>
  )
}
