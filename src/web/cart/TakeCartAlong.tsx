import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CartReminder, savedCartPath, savedCartQr } from '#contract/saved-carts.ts'
import { spokenAddress } from '#shared/language.ts'
import { say, sayKnown } from '#words/say.ts'
import { query } from '#web/api/queries.ts'
import { useApi } from '#web/api/use-api.ts'
import { useRequest } from '#web/api/use-request.ts'
import { Accordion } from '#web/ui/Accordion.tsx'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { Button } from '#web/ui/Button.tsx'
import { EmailField } from '#web/ui/EmailField.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { Sentence } from '#web/ui/Sentence.tsx'

/** Folded below the cart: a QR code for the phone, and one email about it for those who tick the box. */
export function TakeCartAlong() {
  const api = useApi()
  const { run, busy, failure } = useRequest()
  const [token, setToken] = useState<string>()
  const [done, setDone] = useState('')
  const save = () => run(async () => setToken((await api('POST /api/cart/saved')).token))
  return (
    <section
      aria-label={say('For later')}
      className="mt-10 grid items-start gap-x-14 border-t border-line md:grid-cols-2"
    >
      <Accordion title={say('Take your cart along')}>
        <div className="grid justify-items-start gap-4">
          {token === undefined ? (
            <>
              <p className="text-ink-soft">{say('Pick up this cart on another device.')}</p>
              <Button variant="outline" busy={busy} onClick={() => void save()}>
                {say('Send my cart to my phone')}
              </Button>
              {failure && <Notice>{failure.sentence}</Notice>}
            </>
          ) : (
            <>
              <img
                src={savedCartQr(token)}
                width={200}
                height={200}
                alt={say('QR code of your cart')}
                className="rounded-card border border-line bg-white p-2"
              />
              <p>
                <Sentence
                  word="Point your phone’s camera at it, or {copy}. It works for 30 days. Everybody who has it sees what is in the cart, and nothing about you."
                  parts={{
                    copy: (
                      <a href={spokenAddress(savedCartPath(token))} className="link-line">
                        {say('copy this link')}
                      </a>
                    ),
                  }}
                />
              </p>
            </>
          )}
        </div>
      </Accordion>
      <Accordion title={say('Email me a reminder')}>
        {done ? (
          <Notice tone="calm">{sayKnown(done)}</Notice>
        ) : (
          <ApiForm
            schema={CartReminder}
            aria-label={say('Email about this cart')}
            className="grid content-start gap-4"
            send={async (body) => setDone((await api('POST /api/cart/reminder', { body })).done)}
          >
            <EmailField label={say('Your email')} required />
            <label className="flex min-h-11 items-start gap-3 py-2 leading-snug">
              <input
                type="checkbox"
                name="agrees"
                value="yes"
                required
                className="mt-0.5 size-5 shrink-0 accent-strong"
              />
              <span>{say('One email tomorrow, if something is still in my cart. No newsletter.')}</span>
            </label>
            <FormNotice />
            <div>
              <SubmitButton variant="outline">{say('Remind me once')}</SubmitButton>
            </div>
          </ApiForm>
        )}
      </Accordion>
    </section>
  )
}

/** Of a saved cart's link. The form works without JavaScript, and an email app that prefetches links does nothing. */
export function SavedCartOffer({ token }: { token: string }) {
  const { data, isError } = useQuery(query('GET /api/cart/saved', { query: { token } }))
  if (isError) return <Notice>{say('This link doesn’t work anymore. A saved cart can be opened for 30 days.')}</Notice>
  return (
    <form
      method="post"
      action={spokenAddress('/cart/restore')}
      className="flex flex-wrap items-center justify-between gap-4 rounded-card border border-accent bg-button-quiet p-5"
    >
      <p className="text-lg">
        {data
          ? say('{count, plural, one {A cart with one piece} other {A cart with # pieces}} waits for you here.', {
              count: data.pieces,
            })
          : say('A cart waits for you here.')}
      </p>
      <input type="hidden" name="token" value={token} />
      <Button type="submit">{say('Open this cart')}</Button>
    </form>
  )
}
