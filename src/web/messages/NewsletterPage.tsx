import { EMAIL_SENTENCE } from '#contract/email-sentence.ts'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { paths, stopReviewRequestsAtOnce } from '#contract/paths.ts'
import { useSite } from '#web/api/use-site.ts'
import { Link } from '#web/app/Link.tsx'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { EmailField } from '#web/ui/EmailField.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'
import { say } from '#words/say.ts'
import { spokenAddress } from '#shared/language.ts'
import type { Word } from '#words/words.ts'

type PageText = { title: Word; text: Word }

const welcome = {
  title: 'The newsletter',
  text: 'New collections, retired designs and what the animals did. You confirm by email first, and every issue has an unsubscribe link.',
} as const satisfies PageText & Record<string, Word>

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
} satisfies Record<string, Record<keyof PageText, Word>>

/** `/newsletter`: where the links in its emails lead. Forms, so that an email app that prefetches links confirms nothing. */
export function NewsletterPage() {
  const site = useSite()
  const [parameters] = useSearchParams()
  const token = parameters.get('token')
  const outcome = parameters.get('said') ?? ''
  if (token && outcome === 'leaving')
    return (
      <Page
        title={say('Unsubscribe')}
        text={say('Press the button, and this address won’t get the newsletter anymore.')}
      >
        <ConfirmButton action="leave" token={token}>
          {say('Unsubscribe')}
        </ConfirmButton>
      </Page>
    )
  if (token && outcome === 'stopping_reviews')
    return (
      <Page
        title={say('Review emails')}
        text={say('Press the button, and we won’t ask this address for reviews anymore.')}
      >
        <form method="post" action={spokenAddress(stopReviewRequestsAtOnce(token))}>
          <Button type="submit">{say('Don’t ask me again')}</Button>
        </form>
      </Page>
    )
  if (token)
    return (
      <Page
        title={say('The newsletter')}
        text={say(
          'You signed up for the {shop} newsletter. Confirm, and we’ll write when a collection opens or an animal has news.',
          { shop: site.name },
        )}
      >
        <ConfirmButton action="confirm" token={token}>
          {say('Confirm my subscription')}
        </ConfirmButton>
      </Page>
    )
  const { title, text } = messages[outcome] ?? welcome
  return (
    <Page title={say(title)} text={say(text)}>
      {isDone.has(outcome) ? (
        <Link to={paths.products} className={buttonClass('primary')}>
          {say('See all products')}
        </Link>
      ) : (
        <SubscribeForm isWrong={outcome === 'invalid'} />
      )}
    </Page>
  )
}

const isDone = new Set(['asked', 'confirmed', 'left', 'reviews_stopped'])

const SubscribeForm = ({ isWrong }: { isWrong: boolean }) => (
  <form
    method="post"
    action={spokenAddress(paths.newsletter)}
    className="flex w-full max-w-[30rem] flex-wrap items-start gap-3"
  >
    <EmailField
      label={say('Your email')}
      required
      error={isWrong ? EMAIL_SENTENCE : undefined}
      className="min-w-48 flex-1"
    />
    <Button type="submit" className="mt-[1.875rem]">
      {say('Sign up')}
    </Button>
  </form>
)

const Page = ({ title, text, children }: { title: string; text: string; children: ReactNode }) => (
  <div className="shell grid min-h-[50vh] content-center justify-items-start gap-6 py-20">
    <PageHead title={say('Newsletter')} />
    <p className="eyebrow text-ink-soft">{say('Newsletter')}</p>
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
  <form method="post" action={spokenAddress(paths.newsletter)}>
    <input type="hidden" name="wish" value={action} />
    <input type="hidden" name="token" value={token} />
    <Button type="submit">{children}</Button>
  </form>
)
