import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { SignIn } from '#contract/accounts.ts'
import { sayDevice } from '#domain/accounts/device.ts'
import { accountQuery } from '#web/api/queries.ts'
import { useApi } from '#web/api/use-api.ts'
import { useRequest } from '#web/api/use-request.ts'
import { longDay } from '#web/orders/order-labels.ts'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { say } from '#words/say.ts'
import { Sentence } from '#web/ui/Sentence.tsx'
import { Section } from './Section.tsx'

/** Including this browser. */
const ROWS_SHOWN = 4

/** Where the user is signed in: this browser first, then the latest few; the rest is folded. */
export function SignInsSection({ signIns }: { signIns: readonly SignIn[] }) {
  const api = useApi()
  const queries = useQueryClient()
  const [ending, setEnding] = useState<string>()
  const { run, busy, failure } = useRequest()

  /** @param which a handle, or `others` */
  const signOut = (which: string) =>
    run(async () => {
      setEnding(which)
      try {
        await (which === 'others'
          ? api('DELETE /api/account/sign-ins')
          : api('DELETE /api/account/sign-ins/:handle', { params: { handle: which } }))
      } finally {
        await queries.invalidateQueries({ queryKey: accountQuery.queryKey })
      }
    })
  const sorted = [...signIns.filter(({ isThis }) => isThis), ...signIns.filter(({ isThis }) => !isThis)]
  const rest = sorted.slice(ROWS_SHOWN)
  const rows = (items: readonly SignIn[]) => (
    <ul className="divide-y divide-line">
      {items.map((signIn) => (
        <SignInRow
          key={signIn.handle}
          signIn={signIn}
          isEnding={busy && ending === signIn.handle}
          onEnd={() => void signOut(signIn.handle)}
        />
      ))}
    </ul>
  )
  return (
    <Section
      title={say('Signed in')}
      description={<p>{say('Don’t recognize one? Sign it out and change your password.')}</p>}
    >
      <div className="-my-4">
        {rows(sorted.slice(0, ROWS_SHOWN))}
        {rest.length > 0 && (
          <details className="border-t border-line">
            <summary className="inline-flex min-h-14 items-center">
              <span className="link-line">
                {say('{count, plural, one {# older sign-in} other {# older sign-ins}}', { count: rest.length })}
              </span>
            </summary>
            {rows(rest)}
          </details>
        )}
      </div>
      <div className="mt-6 grid justify-items-start gap-4">
        {failure && <Notice title={say('That did not work')}>{failure.sentence}</Notice>}
        {signIns.length > 2 && (
          <Button variant="outline" busy={busy && ending === 'others'} onClick={() => void signOut('others')}>
            {say('Sign out everywhere else')}
          </Button>
        )}
      </div>
    </Section>
  )
}

type SignInRowProps = { signIn: SignIn; isEnding: boolean; onEnd: () => void }

const SignInRow = ({ signIn: { device, signedInAt, seenAt, isThis }, isEnding, onEnd }: SignInRowProps) => (
  <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 py-4">
    <div>
      <p className="font-semibold">
        {sayDevice(device)} {isThis && <span className="font-normal text-ink-soft">{say('(this browser)')}</span>}
      </p>
      <p className="text-[0.9375rem] text-ink-soft">
        <span className="inline-block">
          <Sentence word="Since {day}," parts={{ day: <time dateTime={signedInAt}>{longDay(signedInAt)}</time> }} />
        </span>{' '}
        <span className="inline-block">
          <Sentence word="last seen {day}" parts={{ day: <time dateTime={seenAt}>{longDay(seenAt)}</time> }} />
        </span>
      </p>
    </div>
    {!isThis && (
      <Button
        variant="outline"
        busy={isEnding}
        aria-label={say('Sign out {device}, signed in {day}', {
          device: sayDevice(device),
          day: longDay(signedInAt),
        })}
        onClick={onEnd}
      >
        {say('Sign out')}
      </Button>
    )}
  </li>
)
