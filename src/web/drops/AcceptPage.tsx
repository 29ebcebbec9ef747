import { useNavigate, useSearchParams } from 'react-router'
import { dropPaths } from '#contract/drop-paths.ts'
import { say } from '#words/say.ts'
import { useApi } from '#web/api/use-api.ts'
import { useRequest } from '#web/api/use-request.ts'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'

/** `/edition/accept`: somebody becomes the holder of a numbered piece. */
export function AcceptPage() {
  const [parameters] = useSearchParams()
  const api = useApi()
  const navigate = useNavigate()
  const { run, busy, failure } = useRequest()
  const accept = async () => {
    const { token } = await api('POST /api/edition/accept', { body: { token: parameters.get('token') ?? '' } })
    await navigate(dropPaths.certificateOf(token))
  }
  return (
    <div className="shell shell-[44rem] grid justify-items-start gap-5 pt-10 pb-16 sm:pt-14">
      <PageHead title={say('Accept a certificate')} />
      <h1 className="text-headline">{say('A numbered piece is to be yours.')}</h1>
      <p className="text-lg text-ink-soft">
        {say(
          'Its holder passes its certificate on to you. Once you accept, their link opens nothing any more, and you get your own by email.',
        )}
      </p>
      {failure && <Notice>{failure.sentence}</Notice>}
      <Button busy={busy} onClick={() => void run(accept)}>
        {say('Accept it')}
      </Button>
    </div>
  )
}
