import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { PersonalDataQuery, type PersonalDataCounts } from '#contract/privacy.ts'
import { paths } from '#contract/paths.ts'
import { download } from '#web/api/download.ts'
import { sentenceOf } from '#web/api/error-sentence.ts'
import { useApi } from '#web/api/use-api.ts'
import { useRequest } from '#web/api/use-request.ts'
import { Link } from '#web/app/Link.tsx'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { EmailField } from '#web/ui/EmailField.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'
import { Spinner } from '#web/ui/Spinner.tsx'
import { say, sayKnown } from '#words/say.ts'
import { hasPersonalData, PersonalDataSummary } from './PersonalDataSummary.tsx'

/** `/my-data`: a person's own data, opened through an emailed link. */
export function MyDataPage() {
  const [parameters] = useSearchParams()
  const token = parameters.get('token')
  return (
    <div className="shell shell-[52rem] pt-12 lg:pt-20">
      <PageHead
        title={say('My data')}
        description={say('See what we know about you, download it, or have it erased.')}
      />
      <h1 className="text-headline">{say('My data')}</h1>
      {token ? <OwnData token={token} /> : <DataLinkForm />}
    </div>
  )
}

function DataLinkForm() {
  const api = useApi()
  const [isSent, setIsSent] = useState(false)

  const send = async (body: { email: string }) => {
    await api('POST /api/my-data', { body })
    setIsSent(true)
  }
  if (isSent)
    return (
      <div className="mt-6 grid gap-4">
        <Notice tone="calm" title={say('Check your email')}>
          {say('If we have data about this email, we just sent a link to it. The link works for 24 hours.')}
        </Notice>
        <p className="text-ink-soft">
          {say('No email? Check your spam folder. Otherwise we have no data under that address.')}
        </p>
      </div>
    )
  return (
    <>
      <p className="mt-4 text-lg text-ink-soft">
        {say(
          'See what we know about you, download it as a file, or have it erased. We’ll email you a link to confirm the address is yours.',
        )}
      </p>
      <ApiForm
        schema={PersonalDataQuery}
        send={send}
        aria-label={say('My data')}
        className="mt-8 grid max-w-[30rem] gap-6"
      >
        <EmailField required hint={say('The one you used to order or write to us.')} />
        <FormNotice />
        <noscript>
          <p className="text-ink-soft">{say('This form needs JavaScript. You can also email us.')}</p>
        </noscript>
        <div>
          <SubmitButton>{say('Send me the link')}</SubmitButton>
        </div>
      </ApiForm>
    </>
  )
}

function OwnData({ token }: { token: string }) {
  const api = useApi()
  const known = useQuery({
    queryKey: ['my-data', token],
    queryFn: () => api('POST /api/my-data/look', { body: { token } }),
    // The link identifies a person, so nothing is rendered on the server.
    enabled: typeof window !== 'undefined',
  })
  if (known.data) return <OwnDataView token={token} known={known.data} />
  if (known.error)
    return (
      <div className="mt-6 grid justify-items-start gap-5">
        <Notice>{sentenceOf(known.error)}</Notice>
        <Link to={paths.myData} className={buttonClass('primary')}>
          {say('Request a new link')}
        </Link>
      </div>
    )
  return (
    <p role="status" className="mt-6 flex items-center gap-3 text-ink-soft">
      <Spinner /> {say('Loading...')}
    </p>
  )
}

function OwnDataView({ token, known }: { token: string; known: PersonalDataCounts & { email: string } }) {
  const api = useApi()
  const [doing, setDoing] = useState<'export' | 'erase'>()
  const [isSure, setSure] = useState(false)
  const [erased, setErased] = useState<string>()
  const { run, busy, failure } = useRequest()

  const act = (action: 'export' | 'erase', work: () => Promise<void>) =>
    run(() => {
      setDoing(action)
      return work()
    })
  if (erased)
    return (
      <div className="mt-6">
        <Notice tone="calm" title={say('Done')}>
          {sayKnown(erased)}
        </Notice>
      </div>
    )
  return (
    <div className="mt-4 grid gap-8">
      <p className="text-lg wrap-anywhere text-ink-soft">
        {say('What we know about {email}:', { email: known.email })}
      </p>
      <PersonalDataSummary known={known} />
      {failure && <Notice>{failure.sentence}</Notice>}
      {hasPersonalData(known) && (
        <>
          <div>
            <Button
              variant="outline"
              busy={busy && doing === 'export'}
              onClick={() => void act('export', () => download('/api/my-data/export', { token }))}
            >
              {say('Download as a file')}
            </Button>
          </div>
          <section aria-labelledby="erase" className="grid justify-items-start gap-4 border-t border-line pt-6">
            <h2 id="erase" className="text-title">
              {say('Erase your data')}
            </h2>
            <p className="text-ink-soft">
              {say(
                'This erases names, addresses, email and messages for good, and closes your account. The law requires us to keep each order’s items, amounts and tax, and the country, state and first part of the postal code that tax depends on. Orders still in progress are erased once they are done. Afterward neither you nor we can look up your orders, for example for a return.',
              )}
            </p>
            {isSure ? (
              <div className="flex flex-wrap gap-3">
                <Button
                  busy={busy && doing === 'erase'}
                  onClick={() =>
                    void act('erase', async () =>
                      setErased((await api('POST /api/my-data/erase', { body: { token } })).done),
                    )
                  }
                >
                  {say('Erase for good')}
                </Button>
                <Button variant="quiet" onClick={() => setSure(false)}>
                  {say('Keep my data')}
                </Button>
              </div>
            ) : (
              <Button variant="outline" onClick={() => setSure(true)}>
                {say('Erase...')}
              </Button>
            )}
          </section>
        </>
      )}
    </div>
  )
}
