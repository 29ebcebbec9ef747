import { paths } from '#contract/paths.ts'
import { spokenAddress } from '#shared/language.ts'
import { say } from '#words/say.ts'
import { Link } from '#web/app/Link.tsx'
import { AnimalPicture } from '#web/catalog/AnimalPicture.tsx'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'

type Props = {
  /** The HTTP status of the refusal; undefined when the address names no order. */
  status: number | undefined
  token: string | undefined
  isLinkSent?: boolean
}

const GONE = 410

/** Explains why an order cannot be shown, and how to find it. */
export function OrderUnavailable({ status, token, isLinkSent = false }: Props) {
  if (isLinkSent)
    return (
      <Message title={say('Check your email')}>
        <p>
          {say(
            'If the link belonged to an order, a new one is on its way to that order’s email address. We send it nowhere else, and at most once an hour.',
          )}
        </p>
      </Message>
    )
  if (status === GONE && token !== undefined)
    return (
      <Message title={say('This link has expired')}>
        <p>{say('Links to an order work for 90 days. We can send a new one to the email address on the order.')}</p>
        <form method="post" action={spokenAddress(paths.orderConfirmation)} className="mt-6">
          <input type="hidden" name="token" value={token} />
          <input type="hidden" name="wish" value="renew" />
          <Button type="submit" variant="primary">
            {say('Send a new link')}
          </Button>
        </form>
      </Message>
    )
  if (status !== undefined && (status === 429 || status >= 500))
    return (
      <Message title={say('We couldn’t load your order')}>
        <p>{say('The shop is busy right now. Your order is safe; please reload this page in a minute.')}</p>
      </Message>
    )
  return (
    <Message title={say('This order cannot be shown here')}>
      <p>
        {say(
          'Use the link in our emails, or the browser you paid with. Anywhere else, you need the order number and the email address you ordered with. Only just paid? Your email is on its way.',
        )}
      </p>
    </Message>
  )
}

const Message = ({ title, children }: { title: string; children: React.ReactNode }) => (
  <div className="shell grid min-h-[50vh] content-start gap-x-10 pt-8 md:grid-cols-2 md:items-start lg:items-center lg:gap-x-16 lg:pt-12">
    <PageHead title={title} />
    <div>
      <h1 className="text-headline text-balance">{title}</h1>
      <div className="mt-5 max-w-prose text-lg text-ink-soft">{children}</div>
      <div className="mt-8 flex flex-wrap gap-3">
        <Link to={paths.track} className={buttonClass('outline')}>
          {say('Find an order by its number')}
        </Link>
        <Link to={paths.contact} className={buttonClass('quiet')}>
          {say('Write to us')}
        </Link>
      </div>
    </div>
    <AnimalPicture of={1} className="max-md:hidden md:aspect-square lg:aspect-4/3" />
  </div>
)
