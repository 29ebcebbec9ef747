import { useState } from 'react'
import { REVENUE_SHARE } from '#site/policies.ts'
import { Application, APPLICATION_MESSAGE_MAX, type Partnership } from '#contract/partners.ts'
import { fieldsOf, sentenceOf } from '#web/api/error-sentence.ts'
import { useApi } from '#web/api/use-api.ts'
import { Notice } from '#web/ui/Notice.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { useForm } from '#web/ui/use-form.ts'
import { formatDay } from './date-format.ts'
import type { ShowPartnership } from './use-partnership.ts'

type Props = { partnership: Partnership; show: ShowPartnership }

export function PartnerApplication({ partnership: { application }, show }: Props) {
  return (
    <section
      id="apply"
      aria-labelledby="apply-title"
      className="grid scroll-mt-24 gap-x-14 gap-y-8 lg:grid-cols-[1fr_1.35fr]"
    >
      <div>
        <h2 id="apply-title" className="text-title">
          Become a partner
        </h2>
        <p className="mt-3 max-w-[32em] text-ink-soft">
          Partners get their own links, pictures, ready-made copy and {REVENUE_SHARE.usual.percent}% of what their
          audience buys. Tell us about yours. A person reads it and replies here.
        </p>
      </div>
      <div>
        {application?.state === 'waiting' ? (
          <Notice tone="calm" title="We have your application">
            You sent it on {formatDay(application.sentAt)}. Our answer will appear here.
          </Notice>
        ) : (
          <>
            {application?.state === 'declined' && (
              <div className="mb-6">
                <Notice tone="calm" title="Not this time">
                  <span className="whitespace-pre-line">
                    {application.reply ?? 'We couldn’t accept your application.'} You’re welcome to apply again.
                  </span>
                </Notice>
              </div>
            )}
            <ApplicationForm show={show} />
          </>
        )}
      </div>
    </section>
  )
}

function ApplicationForm({ show }: { show: ShowPartnership }) {
  const api = useApi()
  const { tied, errorOf, check, refuse } = useForm(Application)
  const [isSending, setIsSending] = useState(false)
  const [failure, setFailure] = useState<string>()

  const send = async (body: Application) => {
    setIsSending(true)
    setFailure(undefined)
    try {
      show(await api('POST /api/partnership/application', { body }))
    } catch (error) {
      setFailure(sentenceOf(error))
      refuse(fieldsOf(error))
      setIsSending(false)
    }
  }

  return (
    <form
      {...tied}
      aria-labelledby="apply-title"
      className="grid gap-6"
      onSubmit={(event) => {
        event.preventDefault()
        const typed = check()
        if (typed && !isSending) void send(typed)
      }}
    >
      <div className="grid gap-6 sm:grid-cols-2">
        <Field
          label="Name"
          name="name"
          required
          maxLength={120}
          hint="Your channel’s name, or your own."
          error={errorOf('name')}
        />
        <Field
          label="Email"
          name="email"
          type="email"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          optional
          maxLength={254}
          hint="Our answer appears here either way."
          error={errorOf('email')}
        />
      </div>
      <Field
        label="Channel"
        name="channel"
        required
        maxLength={200}
        hint="A link to your channel, shop or page."
        error={errorOf('channel')}
      />
      <Field
        label="Audience"
        name="audience"
        required
        maxLength={200}
        hint="Who they are, and roughly how many."
        error={errorOf('audience')}
      />
      <TextArea
        label="Message"
        name="message"
        rows={5}
        required
        maxLength={APPLICATION_MESSAGE_MAX}
        hint="What you would feature, and where."
        error={errorOf('message')}
      />
      {failure && <Notice>{failure}</Notice>}
      <Button type="submit" busy={isSending} className="justify-self-start">
        {isSending ? 'Sending...' : 'Send application'}
      </Button>
    </form>
  )
}
