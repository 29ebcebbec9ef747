import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { heroes } from '#site/collections/heroes.ts'
import { formatRange } from '#site/text-format.ts'
import type { ContactMessage } from '#contract/messages.ts'
import { paths } from '#contract/paths.ts'
import { MESSAGE_MAX } from '#domain/messages/lengths.ts'
import { say, sayKnown } from '#words/say.ts'
import { useSite } from '#web/api/use-site.ts'
import { SupportEmail } from '#web/app/SupportEmail.tsx'
import { AnimalPicture } from '#web/catalog/AnimalPicture.tsx'
import { useApi } from '#web/api/use-api.ts'
import { ApiForm, FormNotice, FormSuccess, SubmitButton } from '#web/ui/ApiForm.tsx'
import { EmailField } from '#web/ui/EmailField.tsx'
import { Link } from '#web/app/Link.tsx'
import { Field } from '#web/ui/Field.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { useToast } from '#web/ui/toast.tsx'
import { Sentence } from '#web/ui/Sentence.tsx'
import { useArrival } from './use-arrival.tsx'

export function ContactPage() {
  const site = useSite()
  const isOneAddress = site.businessEmail === site.supportEmail
  const [arrival, place] = useArrival()
  return (
    <>
      <PageHead
        title={say('Contact & Partnership')}
        description={say(
          'Write to the people at {name}: about an order, wholesale, or an animal that ought to have a collection.',
          { name: site.name },
        )}
      />
      <header className="on-dark bg-charcoal pattern text-ivory">
        {/* On a phone the picture stands beside the title: the form is what people came for. */}
        <div className="shell grid grid-cols-[1fr_9rem] items-center gap-x-6 gap-y-4 py-6 md:grid-cols-[1.3fr_1fr] md:grid-rows-[1fr_auto_auto_1fr] md:gap-x-16 md:py-8 lg:py-10">
          <h1 className="text-headline md:row-start-2 lg:text-[3.75rem]">{say('Contact Us')}</h1>
          <p className="row-start-2 max-md:col-span-2 max-w-[34em] text-ivory/85 md:row-start-3 lg:text-lg">
            {say(
              'A parcel that dawdles, a size in doubt, an animal that ought to have a collection of its own: tell us. A person reads it. The pets only sit on the printouts.',
            )}
          </p>
          <AnimalPicture
            of={{ ...heroes.letters, alt: say('Pip on a stack of printouts, with a sealed envelope in her paws') }}
            first
            className="max-md:aspect-4/3 md:col-start-2 md:row-span-full md:aspect-2/1 md:object-[50%_35%]"
          />
        </div>
      </header>
      <div className="shell grid gap-x-16 gap-y-9 pt-8 lg:grid-cols-[1.3fr_1fr] lg:grid-rows-[auto_1fr] lg:pt-12">
        {/* Above the form where nothing fits beside it: it is longer than a phone's screen. */}
        <section className="text-ink-soft lg:col-start-2 lg:pt-1.5">
          <div className="flex flex-wrap items-baseline gap-x-6 lg:block">
            <h2 className="text-[1.375rem] leading-tight text-ink">{say('Customer care')}</h2>
            <EmailAddress email={site.supportEmail} />
          </div>
          <p>{say('Orders, sizes, returns and everything else.')}</p>
          {isOneAddress && <p>{say('Also for business inquiries about wholesale and partnerships.')}</p>}
          {site.imprint && <p className="mt-3">{site.imprint}</p>}
        </section>
        <div className="max-lg:border-t max-lg:border-ink/25 max-lg:pt-5 lg:col-start-1 lg:row-span-2 lg:row-start-1">
          <h2 id="write" className="text-title">
            {say('Send us a message')}
          </h2>
          <ContactForm />
        </div>
        <div className="grid content-start gap-x-10 gap-y-9 max-lg:pt-3 md:max-lg:grid-cols-[repeat(auto-fit,minmax(13rem,1fr))]">
          {!isOneAddress && (
            <InfoBlock title={say('Business inquiries')}>
              <p>{say('Wholesale and partnerships:')}</p>
              <EmailAddress email={site.businessEmail} />
            </InfoBlock>
          )}
          <InfoBlock title={say('Support hours')}>
            <dl>
              {site.supportHours.map(({ days, hours }) => (
                <InfoRow key={days} name={sayKnown(days)} value={sayKnown(hours)} />
              ))}
            </dl>
          </InfoBlock>
          <InfoBlock title={say('Shipping info')}>
            <p className="mb-3">
              <span className="block text-lg font-medium text-ink">{arrival}</span>
              {place}
            </p>
            <p className="text-sm">{say('On the way, once it is made:')}</p>
            <dl>
              <InfoRow
                name={say('Domestic')}
                value={say('{days} business days', { days: formatRange(site.contactDomesticDays) })}
              />
              <InfoRow
                name={say('International')}
                value={say('{days} business days', { days: formatRange(site.contactInternationalDays) })}
              />
            </dl>
            <p className="mt-3">
              <Sentence
                word="Full details: {page}"
                parts={{
                  page: (
                    <Link to={paths.shippingReturns} className="link-line">
                      {say('Shipping & Returns')}
                    </Link>
                  ),
                }}
              />
            </p>
          </InfoBlock>
        </div>
      </div>
    </>
  )
}

type InfoBlockProps = { title: string; children: ReactNode }

const InfoBlock = ({ title, children }: InfoBlockProps) => (
  <section className="border-t border-ink/25 pt-5">
    <h2 className="text-[1.375rem] leading-tight">{title}</h2>
    <div className="mt-2 text-ink-soft">{children}</div>
  </section>
)

const EmailAddress = ({ email }: { email: string }) => (
  <a href={`mailto:${email}`} className="link-line inline-flex min-h-11 items-center text-lg font-medium text-ink">
    {email}
  </a>
)

/** In a tablet's narrow columns the value stands below, also where it would fit beside: rows are alike. */
const InfoRow = ({ name, value }: { name: string; value: string }) => (
  <div className="flex flex-wrap justify-between gap-x-6 py-1">
    <dt>{name}</dt>
    <dd className="font-medium text-ink">{value}</dd>
  </div>
)

/** Only an order or payment number may prefill the subject: anybody can write a link. */
const subjectIn = (parameters: URLSearchParams): string =>
  /^(?:Order|Payment) [\w-]{1,128}$/.exec(parameters.get('about') ?? '')?.[0] ?? ''

/** Most visitors only read, so the form's rules load when somebody starts to write. */
const loadRules = async () => (await import('#contract/messages.ts')).ContactMessage

function ContactForm() {
  const success = {
    title: say('Message sent!'),
    sentence: say("Thank you for your message. We'll get back to you shortly."),
  }
  const failure = say('Failed to send message')
  const api = useApi()
  const { responsePromise } = useSite()
  const { toast } = useToast()
  const [parameters] = useSearchParams()

  const send = async (message: ContactMessage) => {
    await api('POST /api/contact', { body: message })
    toast({ title: success.title, description: success.sentence })
  }

  return (
    <ApiForm
      schema={loadRules}
      send={send}
      clears
      onFailure={(sentence) => toast({ title: failure, description: sentence, destructive: true })}
      aria-labelledby="write"
      className="mt-7 grid gap-6"
    >
      <div className="grid gap-6 sm:grid-cols-2">
        <Field label={say('Name')} name="name" autoComplete="name" required maxLength={120} />
        <EmailField required />
      </div>
      <Field label={say('Subject')} name="subject" required maxLength={200} defaultValue={subjectIn(parameters)} />
      <TextArea
        label={say('Message')}
        name="message"
        rows={5}
        required
        maxLength={MESSAGE_MAX}
        hint={say('Writing about an order? Include its number. Never send card numbers.')}
      />
      <FormSuccess title={success.title}>{success.sentence}</FormSuccess>
      <FormNotice title={failure} />
      <noscript>
        <p className="text-ink-soft">
          <Sentence
            word="This form needs JavaScript. Email does not: write to {email}."
            parts={{ email: <SupportEmail /> }}
          />
        </p>
      </noscript>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <SubmitButton busyText={say('Sending...')} className="min-w-48 max-sm:w-full">
          {say('Send Message')}
        </SubmitButton>
        <p className="max-w-[26em] text-sm text-ink-soft">
          <span className="block font-medium text-ink">
            {say('We answer within {hours} hours, {days}.', {
              hours: responsePromise.withinHours,
              days: sayKnown(responsePromise.days),
            })}
          </span>
          <Sentence
            word="We use what you write to answer you. More in the {policy}."
            parts={{
              policy: (
                <Link to={paths.privacyPolicy} className="link-line">
                  {say('Privacy Policy')}
                </Link>
              ),
            }}
          />
        </p>
      </div>
    </ApiForm>
  )
}
