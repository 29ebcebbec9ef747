import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { SecondFactorCode, type Account, type SecondFactorSecret } from '#contract/accounts.ts'
import { accountQuery } from '#web/api/queries.ts'
import { useApi } from '#web/api/use-api.ts'
import { useRequest } from '#web/api/use-request.ts'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { say } from '#words/say.ts'
import { Sentence } from '#web/ui/Sentence.tsx'
import { CodeField } from './CodeField.tsx'
import { Section } from './Section.tsx'
import { useFreshPassword } from './use-fresh-password.tsx'

/** The owner's two-factor authentication: off, being set up, or on. */
export function SecondFactorSection({ account: { secondFactor, recoveryCodesLeft } }: { account: Account }) {
  const api = useApi()
  const queries = useQueryClient()
  const { confirmed, dialog } = useFreshPassword()
  const [setup, setSetup] = useState<SecondFactorSecret>()
  const [codes, setCodes] = useState<readonly string[]>()
  const [doing, setDoing] = useState<'begin' | 'renew' | 'off'>()
  const { run, busy, failure } = useRequest()

  const act = (action: typeof doing, send: () => Promise<void>) =>
    run(async () => {
      setDoing(action)
      await confirmed(send)
      await queries.invalidateQueries({ queryKey: accountQuery.queryKey })
    })
  const begin = () => act('begin', async () => setSetup(await api('POST /api/account/second-factor')))
  const renew = () => act('renew', async () => setCodes((await api('POST /api/account/recovery-codes')).recoveryCodes))
  const disableSecondFactor = () =>
    act('off', async () => {
      await api('POST /api/account/second-factor/off')
      setCodes(undefined)
    })

  return (
    <Section
      title={say('Two-factor authentication')}
      description={<p>{say('A code from your phone after your password. A stolen password alone isn’t enough.')}</p>}
    >
      <div className="grid max-w-[34rem] gap-6">
        {codes && <RecoveryCodes codes={codes} onClose={() => setCodes(undefined)} />}
        {secondFactor === 'on' ? (
          <>
            <p>
              <span className="font-semibold">{say('On.')}</span>{' '}
              <span className="text-ink-soft">
                {say('{count, plural, one {# recovery code is} other {# recovery codes are}} left.', {
                  count: recoveryCodesLeft,
                })}
              </span>
            </p>
            <div className="flex flex-wrap gap-3">
              <Button variant="outline" busy={busy && doing === 'renew'} onClick={() => void renew()}>
                {say('New recovery codes')}
              </Button>
              <Button variant="outline" busy={busy && doing === 'off'} onClick={() => void disableSecondFactor()}>
                {say('Turn off')}
              </Button>
            </div>
          </>
        ) : setup ? (
          <SetUp
            setup={setup}
            confirmed={confirmed}
            onDone={(recoveryCodes) => {
              setSetup(undefined)
              setCodes(recoveryCodes)
              void queries.invalidateQueries({ queryKey: accountQuery.queryKey })
            }}
          />
        ) : (
          <>
            <p>{say('Off.')}</p>
            <div>
              <Button variant="outline" busy={busy && doing === 'begin'} onClick={() => void begin()}>
                {say('Set it up')}
              </Button>
            </div>
          </>
        )}
        {failure && <Notice title={say('That did not work')}>{failure.sentence}</Notice>}
      </div>
      {dialog}
    </Section>
  )
}

type SetUpProps = {
  setup: SecondFactorSecret
  confirmed: <Answer>(act: () => Promise<Answer>) => Promise<Answer>
  onDone: (recoveryCodes: readonly string[]) => void
}

function SetUp({ setup: { secret, address, picture }, confirmed, onDone }: SetUpProps) {
  const api = useApi()
  const turnOn = async ({ code }: { code: string }) => {
    const { recoveryCodes } = await confirmed(() => api('POST /api/account/second-factor/on', { body: { code } }))
    onDone(recoveryCodes)
  }
  return (
    <ApiForm
      schema={SecondFactorCode}
      send={turnOn}
      aria-label={say('Two-factor authentication')}
      className="grid gap-6"
    >
      <ol className="grid list-decimal gap-4 pl-5">
        <li>
          {say('Open an authenticator app and scan this code')}
          <img
            src={picture}
            width={208}
            height={208}
            alt={say('QR code with the key below')}
            className="mt-3 mb-4 rounded-card border border-line"
          />
          <Sentence
            word="On this phone, {link}, or choose “enter a key” and type:"
            parts={{
              link: (
                <a href={address} className="link-line font-medium">
                  {say('add the account to the app')}
                </a>
              ),
            }}
          />
          <code className="mt-2 block rounded-card border border-line bg-surface p-3 text-[1.0625rem] tracking-[0.08em] wrap-anywhere">
            {secret.match(/.{4}/g)?.join(' ')}
          </code>
        </li>
        <li>{say('Enter the code the app shows. Login stays as it is until you do.')}</li>
      </ol>
      <CodeField hint={say('Six digits from the app.')} />
      <FormNotice title={say('Not turned on')} />
      <div>
        <SubmitButton>{say('Turn on')}</SubmitButton>
      </div>
    </ApiForm>
  )
}

const RecoveryCodes = ({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) => (
  <div role="status" className="rounded-card border border-accent bg-button-quiet p-5 sm:p-6">
    <h3 className="font-text! text-base font-semibold tracking-normal">{say('Save these recovery codes')}</h3>
    <p className="mt-1">
      {say('Each signs you in once if you lose your phone. They are shown only now; the shop can’t show them again.')}
    </p>
    <ul className="mt-4 grid gap-x-8 gap-y-1 font-medium tracking-[0.04em] sm:grid-cols-2">
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
        {say('Save as a file')}
      </a>
      <Button variant="plain" onClick={onClose}>
        {say('I’ve saved them')}
      </Button>
    </div>
  </div>
)
