import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { SignIn } from '#contract/accounts.ts'
import { sentenceOf } from '#web/api/error-sentence.ts'
import { accountQuery } from '#web/api/queries.ts'
import { useApi } from '#web/api/use-api.ts'
import { longDay } from '#web/orders/order-words.ts'
import { Button } from '#web/ui/Button.tsx'
import { Section } from './Section.tsx'
import { Problem } from './use-sending.tsx'

/** Where one is signed in, and the ends of it. */
export function SignInsSection({ signIns }: { signIns: readonly SignIn[] }) {
  const api = useApi()
  const queries = useQueryClient()
  const [ending, setEnding] = useState<string>()
  const [problem, setProblem] = useState<string>()

  /** @param which a handle, or `others` */
  const end = async (which: string) => {
    setEnding(which)
    setProblem(undefined)
    try {
      await (which === 'others'
        ? api('DELETE /api/account/sign-ins')
        : api('DELETE /api/account/sign-ins/:handle', { params: { handle: which } }))
    } catch (error) {
      setProblem(sentenceOf(error))
    }
    await queries.invalidateQueries({ queryKey: accountQuery.queryKey })
    setEnding(undefined)
  }
  return (
    <Section title="Signed in" said={<p>Is one of these not you? Sign it out, and change your password.</p>}>
      <ul className="-my-4 divide-y divide-line">
        {signIns.map(({ handle, device, signedInAt, seenAt, isThis }) => (
          <li key={handle} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 py-4">
            <div>
              <p className="font-semibold">
                {device} {isThis && <span className="font-normal text-ink-soft">(this browser)</span>}
              </p>
              <p className="text-[0.9375rem] text-ink-soft">
                Since <time dateTime={signedInAt}>{longDay(signedInAt)}</time>, last seen{' '}
                <time dateTime={seenAt}>{longDay(seenAt)}</time>
              </p>
            </div>
            {!isThis && (
              <Button
                look="outline"
                busy={ending === handle}
                aria-label={`Sign out ${device}, signed in ${longDay(signedInAt)}`}
                onClick={() => void end(handle)}
              >
                Sign out
              </Button>
            )}
          </li>
        ))}
      </ul>
      <div className="mt-6 grid justify-items-start gap-4">
        <Problem title="That did not work" said={problem} />
        {signIns.length > 2 && (
          <Button look="outline" busy={ending === 'others'} onClick={() => void end('others')}>
            Sign out everywhere else
          </Button>
        )}
      </div>
    </Section>
  )
}
