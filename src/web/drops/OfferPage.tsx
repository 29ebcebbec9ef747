import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearchParams } from 'react-router'
import { paths } from '#contract/paths.ts'
import { formatClockTime } from '#domain/orders/clock-time.ts'
import { say } from '#words/say.ts'
import { useApi } from '#web/api/use-api.ts'
import { useRequest } from '#web/api/use-request.ts'
import { Link } from '#web/app/Link.tsx'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'
import { offerQuery } from './drop-loader.ts'

/** `/drop/offer`: a piece that is set aside for somebody on the waiting list. */
export function OfferPage() {
  const [parameters] = useSearchParams()
  const token = parameters.get('token') ?? ''
  const { data: offer } = useQuery(offerQuery(token))
  const api = useApi()
  const navigate = useNavigate()
  const { run, busy, failure } = useRequest()
  const takeUp = async () => {
    const { page } = await api('POST /api/drops/offer', { body: { token } })
    await navigate(page)
  }
  return (
    <div className="shell shell-[44rem] grid justify-items-start gap-5 pt-10 pb-16 sm:pt-14">
      <PageHead title={say('A piece for you')} />
      {offer?.state === 'open' && offer.until !== null ? (
        <>
          <h1 className="text-headline">{say('A piece of {title} is set aside for you.', { title: offer.title })}</h1>
          <p className="text-lg text-ink-soft">
            {say(
              'It is yours until {time}. Go on in this browser, choose color and size, and pay as usual. After that it goes to the next person in line.',
              { time: formatClockTime(new Date(offer.until)) },
            )}
          </p>
          {failure && <Notice>{failure.sentence}</Notice>}
          <Button busy={busy} onClick={() => void run(takeUp)}>
            {say('Get your piece')}
          </Button>
        </>
      ) : (
        <>
          <h1 className="text-headline">
            {offer?.state === 'bought' ? say('You have bought this piece.') : say('This offer has ended.')}
          </h1>
          <p className="text-lg text-ink-soft">
            {offer?.state === 'bought'
              ? say('The confirmation of your order has everything about it.')
              : say('The piece went to the next person in line. You can join the waiting list again on its page.')}
          </p>
          <Link to={offer?.page ?? paths.products} className={buttonClass('outline')}>
            {offer ? say('To its page') : say('All products')}
          </Link>
        </>
      )}
    </div>
  )
}
