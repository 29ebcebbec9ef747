import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { PersonalDataQuery, type PersonalDataCounts } from '#contract/privacy.ts'
import { paths } from '#contract/paths.ts'
import { fieldsOf, sentenceOf } from '#web/api/error-sentence.ts'
import { useApi } from '#web/api/use-api.ts'
import { Link } from '#web/app/Link.tsx'
import { Notice } from '#web/checkout/Notice.tsx'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'
import { Spinner } from '#web/ui/Spinner.tsx'
import { useForm } from '#web/ui/use-form.ts'
import { downloadJson } from './download.ts'
import { hasPersonalData, PersonalDataSummary } from './PersonalDataSummary.tsx'

/** `/my-data`: what we have about somebody, by a link that was mailed to them. */
export function MyDataPage() {
  const [parameters] = useSearchParams()
  const token = parameters.get('token')
  return (
    <div className="shell max-w-[52rem] pt-12 lg:pt-20">
      <PageHead title="My data" description="See what we know about you, take it with you, or have it erased." />
      <h1 className="text-headline">My data</h1>
      {token ? <OwnData token={token} /> : <DataLinkForm />}
    </div>
  )
}

function DataLinkForm() {
  const api = useApi()
  const { tied, errorOf, check, refuse, isReady } = useForm(PersonalDataQuery)
  const [state, setState] = useState<'idle' | 'sending' | 'sent'>('idle')
  const [trouble, setTrouble] = useState<string>()

  const send = async (body: { email: string }) => {
    if (state === 'sending') return
    setState('sending')
    setTrouble(undefined)
    try {
      await api('POST /api/my-data', { body })
      setState('sent')
    } catch (error) {
      setState('idle')
      setTrouble(sentenceOf(error))
      refuse(fieldsOf(error))
    }
  }
  if (state === 'sent')
    return (
      <div className="mt-6 grid gap-4">
        <Notice tone="calm" title="Please look into your mailbox">
          If we have anything about this email, a link is on its way to it. It opens for 24 hours.
        </Notice>
        <p className="text-ink-soft">
          Nothing came? Then we have nothing under that address, or it lies among the spam.
        </p>
      </div>
    )
  return (
    <>
      <p className="mt-4 text-lg text-ink-soft">
        See what we know about you, take it with you as a file, or have it erased. A link by mail shows that the address
        is yours.
      </p>
      <form
        {...tied}
        aria-label="My data"
        className="mt-8 grid max-w-[30rem] gap-6"
        onSubmit={(event) => {
          event.preventDefault()
          const typed = check()
          if (typed) void send(typed)
        }}
      >
        <Field
          label="Email"
          name="email"
          type="email"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          required
          maxLength={254}
          hint="The one that you ordered or wrote with."
          error={errorOf('email')}
        />
        {trouble && <Notice>{trouble}</Notice>}
        <noscript>
          <p className="text-ink-soft">This form needs JavaScript. A mail to us does the same.</p>
        </noscript>
        <div>
          <Button type="submit" busy={state === 'sending'} disabled={!isReady}>
            Send me the link
          </Button>
        </div>
      </form>
    </>
  )
}

function OwnData({ token }: { token: string }) {
  const api = useApi()
  const known = useQuery({
    queryKey: ['my-data', token],
    queryFn: () => api('POST /api/my-data/look', { body: { token } }),
    // The link says who somebody is: nothing of it is rendered on the server.
    enabled: typeof window !== 'undefined',
  })
  if (known.data) return <OwnDataView token={token} known={known.data} />
  if (known.error)
    return (
      <div className="mt-6 grid justify-items-start gap-5">
        <Notice>{sentenceOf(known.error)}</Notice>
        <Link to={paths.myData} className={buttonClass('primary')}>
          Ask for a new link
        </Link>
      </div>
    )
  return (
    <p role="status" className="mt-6 flex items-center gap-3 text-ink-soft">
      <Spinner /> Loading...
    </p>
  )
}

function OwnDataView({ token, known }: { token: string; known: PersonalDataCounts & { email: string } }) {
  const api = useApi()
  const [doing, setDoing] = useState<'export' | 'erase'>()
  const [isSure, setSure] = useState(false)
  const [erased, setErased] = useState<string>()
  const [trouble, setTrouble] = useState<string>()

  const act = async (what: 'export' | 'erase', work: () => Promise<void>) => {
    if (doing) return
    setDoing(what)
    setTrouble(undefined)
    try {
      await work()
    } catch (error) {
      setTrouble(sentenceOf(error))
    } finally {
      setDoing(undefined)
    }
  }
  if (erased)
    return (
      <div className="mt-6">
        <Notice tone="calm" title="Done">
          {erased}
        </Notice>
      </div>
    )
  return (
    <div className="mt-4 grid gap-8">
      <p className="text-lg wrap-anywhere text-ink-soft">What we have about {known.email}:</p>
      <PersonalDataSummary known={known} />
      {trouble && <Notice>{trouble}</Notice>}
      {hasPersonalData(known) && (
        <>
          <div>
            <Button
              variant="outline"
              busy={doing === 'export'}
              onClick={() =>
                void act('export', async () =>
                  downloadJson('my-data.json', await api('POST /api/my-data/export', { body: { token } })),
                )
              }
            >
              Download it as a file
            </Button>
          </div>
          <section aria-labelledby="erase" className="grid justify-items-start gap-4 border-t border-line pt-6">
            <h2 id="erase" className="text-title">
              Have it erased
            </h2>
            <p className="text-ink-soft">
              Names, addresses, email and messages are erased for good, and an account is closed. Of orders, goods,
              amounts and tax stay, as the law asks, with the country, state and first part of the postal code that tax
              depends on. An order that is still being made is erased once it is done. You can no longer see your orders
              here, nor can we find them for you: think of returns.
            </p>
            {isSure ? (
              <div className="flex flex-wrap gap-3">
                <Button
                  busy={doing === 'erase'}
                  onClick={() =>
                    void act('erase', async () =>
                      setErased((await api('POST /api/my-data/erase', { body: { token } })).done),
                    )
                  }
                >
                  Yes, erase it for good
                </Button>
                <Button variant="quiet" onClick={() => setSure(false)}>
                  Keep it
                </Button>
              </div>
            ) : (
              <Button variant="outline" onClick={() => setSure(true)}>
                Erase...
              </Button>
            )}
          </section>
        </>
      )}
    </div>
  )
}
