import { EMAIL_SENTENCE } from '#contract/email-sentence.ts'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { label } from '#site/label.ts'
import { paths } from '#contract/paths.ts'
import { Link } from '#web/app/Link.tsx'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'

type PageText = { title: string; text: string }

const welcome: PageText = {
  title: 'The newsletter',
  text: 'New collections, retired designs and what the animals did. A mail asks you to confirm first, and every letter has a way out.',
}

/** What the shop answers to the page's forms. */
const messages: Readonly<Record<string, PageText>> = {
  asked: {
    title: 'Please look into your mailbox',
    text: 'If the address is right, a mail is on its way. Press its button, and you are in. Nothing is sent before that.',
  },
  confirmed: {
    title: 'You are in',
    text: 'Thank you. We write when a collection opens or an animal has news, and not otherwise.',
  },
  left: {
    title: 'You are unsubscribed',
    text: 'No newsletter is sent to you any more. If you change your mind, the form below every page takes you back.',
  },
  invalid: { title: 'That is no mail address', text: 'Please check it and try again.' },
  unknown_subscriber: {
    title: 'This link leads nowhere',
    text: 'It may have been cut off by your mail program, or its address was erased here. You can ask anew below.',
  },
}

/** `/newsletter`: where the links of its mails lead. Forms, so that a mail program that looks at links says neither yes nor no. */
export function NewsletterPage() {
  const [parameters] = useSearchParams()
  const token = parameters.get('token')
  const outcome = parameters.get('said') ?? ''
  if (token && outcome === 'leaving')
    return (
      <Page title="Leave the newsletter" text="One press, and no newsletter comes to this address any more.">
        <ConfirmButton wish="leave" token={token}>
          Unsubscribe
        </ConfirmButton>
      </Page>
    )
  if (token)
    return (
      <Page
        title="The newsletter"
        text={`You asked for the newsletter of ${label.name}. Say yes, and it comes when a collection opens or an animal has news.`}
      >
        <ConfirmButton wish="confirm" token={token}>
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

/** After these nothing is left to ask for. */
const isDone = new Set(['asked', 'confirmed', 'left'])

const SubscribeForm = ({ isWrong }: { isWrong: boolean }) => (
  <form method="post" action={paths.newsletter} className="flex w-full max-w-[30rem] flex-wrap items-start gap-3">
    <Field
      label="Your email"
      name="email"
      type="email"
      autoComplete="email"
      maxLength={254}
      required
      error={isWrong ? EMAIL_SENTENCE : undefined}
      className="min-w-48 flex-1"
    />
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
  wish,
  token,
  children,
}: {
  wish: 'confirm' | 'leave'
  token: string
  children: ReactNode
}) => (
  <form method="post" action={paths.newsletter}>
    <input type="hidden" name="wish" value={wish} />
    <input type="hidden" name="token" value={token} />
    <Button type="submit">{children}</Button>
  </form>
)
