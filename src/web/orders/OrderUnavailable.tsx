import { paths } from '#contract/paths.ts'
import { Link } from '#web/app/Link.tsx'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'

type Props = {
  /** With which the shop refused; undefined when nothing was asked for. */
  status: number | undefined
  token: string | undefined
  isLinkSent?: boolean
}

const EXPIRED = 410

/** In place of an order: why not, and the ways that do lead to it. */
export function OrderUnavailable({ status, token, isLinkSent = false }: Props) {
  if (isLinkSent)
    return (
      <Message title="Look into your mailbox">
        <p>
          If the link belonged to an order, a new one is on its way to the email of that order. It comes to nobody else,
          and at most once an hour.
        </p>
      </Message>
    )
  if (status === EXPIRED && token !== undefined)
    return (
      <Message title="This link has expired">
        <p>Links to an order work for 90 days. We can send a new one to the email that the order was made with.</p>
        <form method="post" action={paths.orderConfirmation} className="mt-6">
          <input type="hidden" name="token" value={token} />
          <input type="hidden" name="wish" value="renew" />
          <Button type="submit" variant="primary">
            Send a new link
          </Button>
        </form>
      </Message>
    )
  if (status !== undefined && (status === 429 || status >= 500))
    return (
      <Message title="We could not look it up">
        <p>The shop is busy for a moment. Your order is safe; please load this page again in a minute.</p>
      </Message>
    )
  return (
    <Message title="This order cannot be shown here">
      <p>
        An order opens by the link in its mails, and in the browser that paid for it. Everywhere else its number and the
        email it was made with find it. Has it only just been paid? Then its mail is on the way.
      </p>
    </Message>
  )
}

const Message = ({ title, children }: { title: string; children: React.ReactNode }) => (
  <div className="shell grid min-h-[50vh] content-center justify-items-start pt-12">
    <PageHead title={title} />
    <h1 className="text-headline">{title}</h1>
    <div className="mt-5 max-w-prose text-lg text-ink-soft">{children}</div>
    <div className="mt-8 flex flex-wrap gap-3">
      <Link to={paths.track} className={buttonClass('outline')}>
        Find an order by its number
      </Link>
      <Link to={paths.contact} className={buttonClass('quiet')}>
        Write to us
      </Link>
    </div>
  </div>
)
