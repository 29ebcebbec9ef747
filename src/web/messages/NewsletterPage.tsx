import { EMAIL_SENTENCE } from '#contract/email-sentence.ts'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { paths, stopReviewRequestsAtOnce } from '#contract/paths.ts'
import { useSite } from '#web/api/use-site.ts'
import { Link } from '#web/app/Link.tsx'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { EmailField } from '#web/ui/EmailField.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'

type PageText = { title: string; text: string }

const welcome: PageText = {
  title: 'The newsletter',
  text: 'New collections, retired designs and what the animals did. You confirm by email first, and every issue has an unsubscribe link.',
}

/** By the outcome that the form's redirect names. */
const messages: Readonly<Record<string, PageText>> = {
  asked: {
    title: 'Check your email',
    text: 'If the address is right, we just sent you an email. Press its button and you’re in. We send nothing before that.',
  },
  confirmed: {
    title: 'You’re in',
    text: 'Thank you. We write only when a collection opens or an animal has news.',
  },
  left: {
    title: 'You’re unsubscribed',
    text: 'You won’t get the newsletter anymore. If you change your mind, sign up again at the bottom of any page.',
  },
  reviews_stopped: {
    title: 'We won’t ask again',
    text: 'You won’t get emails that ask for a review. Emails about your orders still arrive.',
  },
  invalid: { title: 'That isn’t a valid email', text: 'Please check it and try again.' },
  unknown_subscriber: {
    title: 'This link doesn’t work',
    text: 'Your email app may have cut it off, or we erased the address. You can sign up again below.',
  },
}

/** `/newsletter`: where the links in its emails lead. Forms, so that an email app that prefetches links confirms nothing. */
export function NewsletterPage() {
  const site = useSite()
  const [parameters] = useSearchParams()
  const token = parameters.get('token')
  const outcome = parameters.get('said') ?? ''
  if (token && outcome === 'leaving')
    return (
      <Page title="Unsubscribe" text="Press the button, and this address won’t get the newsletter anymore.">
        <ConfirmButton action="leave" token={token}>
          Unsubscribe
        </ConfirmButton>
      </Page>
    )
  if (token && outcome === 'stopping_reviews')
    return (
      <Page title="Review emails" text="Press the button, and we won’t ask this address for reviews anymore.">
        <form method="post" action={stopReviewRequestsAtOnce(token)}>
          <Button type="submit">Don’t ask me again</Button>
        </form>
      </Page>
    )
  if (token)
    return (
      <Page
        title="The newsletter"
        text={`You signed up for the ${site.name} newsletter. Confirm, and we’ll write when a collection opens or an animal has news.`}
      >
        <ConfirmButton action="confirm" token={token}>
          Confirm my subscription
        </ConfirmButton>
      </Page>
    )
  return (
    <Page {...(messages[outcome] ?? welcome)}>
      {isDone.has(outcome) ? (
        <Link to={paths.products} className={buttonClass('primary')}>
          See all products
        </Link>
      ) : (
        <SubscribeForm isWrong={outcome === 'invalid'} />
      )}
    </Page>
  )
}

const isDone = new Set(['asked', 'confirmed', 'left', 'reviews_stopped'])

const SubscribeForm = ({ isWrong }: { isWrong: boolean }) => (
  <form method="post" action={paths.newsletter} className="flex w-full max-w-[30rem] flex-wrap items-start gap-3">
    <EmailField label="Your email" required error={isWrong ? EMAIL_SENTENCE : undefined} className="min-w-48 flex-1" />
    <Button type="submit" className="mt-[1.875rem]">
      Sign up
    </Button>
  </form>
)

const Page = ({ title, text, children }: PageText & { children: ReactNode }) => (
  <div className="shell grid min-h-[50vh] content-center justify-items-start gap-6 py-20">
    <PageHead title="Newsletter" />
    <p className="eyebrow text-ink-soft">Newsletter</p>
    <h1 className="max-w-full text-headline">{title}</h1>
    <p className="max-w-[36em] text-lg text-ink-soft">{text}</p>
    {children}
  </div>
)

const ConfirmButton = ({
  action,
  token,
  children,
}: {
  action: 'confirm' | 'leave'
  token: string
  children: ReactNode
}) => (
  <form method="post" action={paths.newsletter}>
    <input type="hidden" name="wish" value={action} />
    <input type="hidden" name="token" value={token} />
    <Button type="submit">{children}</Button>
  </form>
)
