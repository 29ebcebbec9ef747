import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { SecondFactorCode, type Account, type SecondFactorSecret } from '#contract/accounts.ts'
import { sentenceOf } from '#web/api/error-sentence.ts'
import { accountQuery } from '#web/api/queries.ts'
import { useApi } from '#web/api/use-api.ts'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { CodeField } from './CodeField.tsx'
import { Section } from './Section.tsx'
import { useFreshPassword } from './use-fresh-password.tsx'
import { SubmitError, useSubmit } from './use-submit.tsx'

/** The owner's second factor: off, being set up, or on. */
export function SecondFactorSection({ account: { secondFactor, recoveryCodesLeft } }: { account: Account }) {
  const api = useApi()
  const queries = useQueryClient()
  const { confirmed, dialog } = useFreshPassword()
  const [begun, setBegun] = useState<SecondFactorSecret>()
  const [codes, setCodes] = useState<readonly string[]>()
  const [doing, setDoing] = useState<'begin' | 'renew' | 'off'>()
  const [problem, setProblem] = useState<string>()

  const act = async (what: typeof doing, send: () => Promise<void>) => {
    setDoing(what)
    setProblem(undefined)
    try {
      await confirmed(send)
      await queries.invalidateQueries({ queryKey: accountQuery.queryKey })
    } catch (error) {
      setProblem(sentenceOf(error))
    }
    setDoing(undefined)
  }
  const begin = () => act('begin', async () => setBegun(await api('POST /api/account/second-factor')))
  const renew = () => act('renew', async () => setCodes((await api('POST /api/account/recovery-codes')).recoveryCodes))
  const switchOff = () =>
    act('off', async () => {
      await api('POST /api/account/second-factor/off')
      setCodes(undefined)
    })

  return (
    <Section
      title="Second factor"
      description={<p>A code from your phone after the password: whoever learns the one still lacks the other.</p>}
    >
      <div className="grid max-w-[34rem] gap-6">
        {codes && <RecoveryCodes codes={codes} onKept={() => setCodes(undefined)} />}
        {secondFactor === 'on' ? (
          <>
            <p>
              <span className="font-semibold">Switched on.</span>{' '}
              <span className="text-ink-soft">
                {recoveryCodesLeft} recovery {recoveryCodesLeft === 1 ? 'code is' : 'codes are'} left.
              </span>
            </p>
            <div className="flex flex-wrap gap-3">
              <Button variant="outline" busy={doing === 'renew'} onClick={() => void renew()}>
                New recovery codes
              </Button>
              <Button variant="outline" busy={doing === 'off'} onClick={() => void switchOff()}>
                Switch off
              </Button>
            </div>
          </>
        ) : begun ? (
          <SetUp
            begun={begun}
            confirmed={confirmed}
            onDone={(made) => {
              setBegun(undefined)
              setCodes(made)
              void queries.invalidateQueries({ queryKey: accountQuery.queryKey })
            }}
          />
        ) : (
          <>
            <p>Switched off.</p>
            <div>
              <Button variant="outline" busy={doing === 'begin'} onClick={() => void begin()}>
                Set it up
              </Button>
            </div>
          </>
        )}
        <SubmitError title="That did not work" said={problem} />
      </div>
      {dialog}
    </Section>
  )
}

type SetUpProps = {
  begun: SecondFactorSecret
  confirmed: <Answer>(act: () => Promise<Answer>) => Promise<Answer>
  onDone: (recoveryCodes: readonly string[]) => void
}

function SetUp({ begun: { secret, address, picture }, confirmed, onDone }: SetUpProps) {
  const api = useApi()
  const { form, submit, isSending, problem } = useSubmit(SecondFactorCode, async ({ code }) => {
    const { recoveryCodes } = await confirmed(() => api('POST /api/account/second-factor/on', { body: { code } }))
    onDone(recoveryCodes)
  })
  return (
    <form {...form.tied} aria-label="Second factor" className="grid gap-6" onSubmit={submit}>
      <ol className="grid list-decimal gap-4 pl-5">
        <li>
          Open an authenticator app and scan this code
          <img
            src={picture}
            width={208}
            height={208}
            alt="QR code with the key below"
            className="mt-3 mb-4 rounded-card border border-line"
          />
          Or on this phone{' '}
          <a href={address} className="link-line font-medium">
            add the account to the app
          </a>
          , or choose “enter a key” and type
          <code className="mt-2 block rounded-card border border-line bg-surface p-3 text-[1.0625rem] tracking-[0.08em] wrap-anywhere">
            {secret.match(/.{4}/g)?.join(' ')}
          </code>
        </li>
        <li>Type the code that the app shows. Nothing is asked for at login before you do.</li>
      </ol>
      <CodeField error={form.errorOf('code')} hint="Six digits from the app." />
      <SubmitError title="Not switched on" said={problem} />
      <div>
        <Button type="submit" busy={isSending}>
          Switch on
        </Button>
      </div>
    </form>
  )
}

const RecoveryCodes = ({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) => (
  <div role="status" className="rounded-card border border-accent bg-button-quiet p-5 sm:p-6">
    <h3 className="font-text! text-base font-semibold tracking-normal">Keep these recovery codes</h3>
    <p className="mt-1">
      Each opens your account once when the phone is lost. They are shown this one time; the shop cannot show them
      again.
    </p>
    <ul className="mt-4 grid gap-x-8 gap-y-1 font-medium tracking-[0.04em] tabular-nums sm:grid-cols-2">
      {codes.map((code) => (
        <li key={code}>
          <code>{code}</code>
        </li>
      ))}
    </ul>
    <div className="mt-5 flex flex-wrap gap-3">
      <a
        href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${codes.join('\n')}\n`)}`}
        download="recovery-codes.txt"
        className={buttonClass('outline')}
      >
        Save as a file
      </a>
      <Button variant="plain" onClick={onKept}>
        I have kept them
      </Button>
    </div>
  </div>
)
