import { Application, APPLICATION_MESSAGE_MAX, type Partnership } from '#contract/partners.ts'
import { useSite } from '#web/api/use-site.ts'
import { useApi } from '#web/api/use-api.ts'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { EmailField } from '#web/ui/EmailField.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { Field } from '#web/ui/Field.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { formatDay } from './date-format.ts'
import type { ShowPartnership } from './use-partnership.ts'

type Props = { partnership: Partnership; show: ShowPartnership }

export function PartnerApplication({ partnership: { application }, show }: Props) {
  const site = useSite()
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
          Partners get their own links, pictures, ready-made copy and {site.commission.usual}% of what their audience
          buys. Tell us about yours. A person reads it and replies here.
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
  const send = async (body: Application) => show(await api('POST /api/partnership/application', { body }))
  return (
    <ApiForm schema={Application} send={send} aria-labelledby="apply-title" className="grid gap-6">
      <div className="grid gap-6 sm:grid-cols-2">
        <Field label="Name" name="name" required maxLength={120} hint="Your channel’s name, or your own." />
        <EmailField optional hint="Our answer appears here either way." />
      </div>
      <Field label="Channel" name="channel" required maxLength={200} hint="A link to your channel, shop or page." />
      <Field label="Audience" name="audience" required maxLength={200} hint="Who they are, and roughly how many." />
      <TextArea
        label="Message"
        name="message"
        rows={5}
        required
        maxLength={APPLICATION_MESSAGE_MAX}
        hint="What you would feature, and where."
      />
      <FormNotice />
      <SubmitButton busyText="Sending..." className="justify-self-start">
        Send application
      </SubmitButton>
    </ApiForm>
  )
}
