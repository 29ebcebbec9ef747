import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CartReminder, savedCartPath, savedCartQr } from '#contract/saved-carts.ts'
import { query } from '#web/api/queries.ts'
import { useApi } from '#web/api/use-api.ts'
import { useRequest } from '#web/api/use-request.ts'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { Button } from '#web/ui/Button.tsx'
import { EmailField } from '#web/ui/EmailField.tsx'
import { Notice } from '#web/ui/Notice.tsx'

/** Below the cart: a QR code for the phone, and one email about it for those who tick the box. */
export function TakeCartAlong() {
  const api = useApi()
  const { run, busy, failure } = useRequest()
  const [token, setToken] = useState<string>()
  const [done, setDone] = useState('')
  const save = () => run(async () => setToken((await api('POST /api/cart/saved')).token))
  return (
    <section aria-labelledby="take-along" className="mt-12 grid gap-8 border-t border-line pt-8 md:grid-cols-2">
      <div className="grid content-start justify-items-start gap-4">
        <h2 id="take-along" className="text-title">
          Take your cart along
        </h2>
        {token === undefined ? (
          <>
            <p className="text-ink-soft">Go on with this very cart on your phone, or on any other device.</p>
            <Button variant="outline" busy={busy} onClick={() => void save()}>
              Send my cart to my phone
            </Button>
            {failure && <Notice>{failure.sentence}</Notice>}
          </>
        ) : (
          <>
            <img
              src={savedCartQr(token)}
              width={200}
              height={200}
              alt="QR code of your cart"
              className="rounded-card border border-line bg-white p-2"
            />
            <p>
              Point your phone’s camera at it, or{' '}
              <a href={savedCartPath(token)} className="link-line">
                copy this link
              </a>
              . It works for 30 days. Everybody who has it sees what is in the cart, and nothing about you.
            </p>
          </>
        )}
      </div>
      {done ? (
        <Notice tone="calm">{done}</Notice>
      ) : (
        <ApiForm
          schema={CartReminder}
          aria-label="Email about this cart"
          className="grid content-start gap-4"
          send={async (body) => setDone((await api('POST /api/cart/reminder', { body })).done)}
        >
          <EmailField label="Not sure yet? Your email" required />
          <label className="flex min-h-11 items-start gap-3 py-2 leading-snug">
            <input
              type="checkbox"
              name="agrees"
              value="yes"
              required
              className="mt-0.5 size-5 shrink-0 accent-strong"
            />
            <span>Write me once, tomorrow, if something is still in my cart. Nothing else, and no newsletter.</span>
          </label>
          <FormNotice />
          <div>
            <SubmitButton variant="outline">Remind me once</SubmitButton>
          </div>
        </ApiForm>
      )}
    </section>
  )
}

/** Of a saved cart's link. The form works without JavaScript, and an email app that prefetches links does nothing. */
export function SavedCartOffer({ token }: { token: string }) {
  const { data, isError } = useQuery(query('GET /api/cart/saved', { query: { token } }))
  if (isError) return <Notice>This link doesn’t work anymore. A saved cart can be opened for 30 days.</Notice>
  return (
    <form
      method="post"
      action="/cart/restore"
      className="flex flex-wrap items-center justify-between gap-4 rounded-card border border-accent bg-button-quiet p-5"
    >
      <p className="text-lg">
        {data ? (data.pieces === 1 ? 'A cart with one piece' : `A cart with ${data.pieces} pieces`) : 'A cart'} waits
        for you here.
      </p>
      <input type="hidden" name="token" value={token} />
      <Button type="submit">Open this cart</Button>
    </form>
  )
}
