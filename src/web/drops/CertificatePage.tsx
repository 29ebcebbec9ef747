import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import type { Certificate } from '#contract/drops.ts'
import { paths } from '#contract/paths.ts'
import { spokenName } from '#domain/catalog/product-name.ts'
import { editionLabel } from '#domain/drops/drop.ts'
import { sayVariant } from '#domain/catalog/variant-name.ts'
import { dateFormat } from '#shared/language.ts'
import { say } from '#words/say.ts'
import type { Word } from '#words/words.ts'
import { useApi } from '#web/api/use-api.ts'
import { useSite } from '#web/api/use-site.ts'
import { Link } from '#web/app/Link.tsx'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { buttonClass } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'
import { useToast } from '#web/ui/toast.tsx'
import { sayMade } from '#words/say-made.ts'
import { certificateQuery } from './drop-loader.ts'

/** `/edition`: the certificate of a numbered piece, for the holder of its link; it prints on one sheet. */
export function CertificatePage() {
  const [parameters] = useSearchParams()
  const token = parameters.get('token') ?? ''
  const { data } = useQuery(certificateQuery(token))
  return (
    <div className="shell shell-[54rem] pt-10 pb-16 sm:pt-14">
      <PageHead title={data ? `${data.title}, ${editionLabel(data.number, data.pieces)}` : say('Certificate')} />
      {data ? <Shown certificate={data} token={token} /> : <NoCertificate />}
    </div>
  )
}

const NoCertificate = () => (
  <div className="grid justify-items-start gap-5">
    <h1 className="text-headline">{say('This link opens no certificate.')}</h1>
    <p className="max-w-[36em] text-lg text-ink-soft">
      {say(
        'The address may not be complete. Or the piece has a new holder: then only the link in their email opens it.',
      )}
    </p>
    <Link to={paths.contact} className={buttonClass('outline')}>
      {say('Contact us')}
    </Link>
  </div>
)

const steps = {
  sold: 'Sold and numbered',
  given: 'Passed on to a new holder',
  returned: 'Refunded; the number went back to be sold again',
  retired: 'Refunded; the number is retired',
} as const satisfies Record<Certificate['steps'][number]['kind'], Word>

const states: Readonly<Record<Certificate['state'], () => string>> = {
  issued: () => say('This number belongs to the holder of this page.'),
  returned: () => say('This piece was refunded. Its number goes to the next buyer.'),
  retired: () => say('This piece was refunded. Its number is retired: nobody gets it again.'),
}

function Shown({ certificate, token }: { certificate: Certificate; token: string }) {
  const { title, number, pieces, productName, variantName, imageUrl, state } = certificate
  const { name } = useSite()
  return (
    <>
      <article
        aria-labelledby="certificate"
        className="rounded-card border border-line bg-surface p-2 shadow-card print:border-0 print:shadow-none"
      >
        <div className="grid gap-8 rounded-card border-2 border-accent px-6 py-9 text-center sm:px-12 sm:py-12">
          <p className="eyebrow text-ink-soft">
            {name} · {say('Certificate of edition')}
          </p>
          <h1 id="certificate" className="text-headline">
            {title}
          </h1>
          {imageUrl && (
            <img
              src={imageUrl}
              alt={productName}
              width={240}
              height={240}
              className="mx-auto size-60 rounded-card object-cover"
            />
          )}
          <p>
            <span className="block font-display text-display">
              <span className="sr-only">{`${say('Number')} `}</span>
              {number}
            </span>
            <span className="block text-lg text-ink-soft">
              {pieces === null ? say('in this edition') : say('of {count}', { count: pieces })}
            </span>
          </p>
          <p className="text-ink-soft">
            {spokenName(productName)}
            {variantName && `, ${sayVariant(variantName)}`}
          </p>
          <p className="mx-auto max-w-[30em] font-medium">{states[state]()}</p>
          <ol className="mx-auto grid gap-1 text-left text-[0.9375rem] text-ink-soft">
            {certificate.steps.map(({ kind, at }) => (
              <li key={`${kind} ${at}`}>
                <time dateTime={at}>
                  {dateFormat({ dateStyle: 'long', timeZone: 'America/New_York' }).format(new Date(at))}
                </time>
                : {say(steps[kind])}
              </li>
            ))}
          </ol>
        </div>
      </article>
      <p className="mt-5 text-ink-soft print:hidden">
        {say(
          'Keep the address of this page: it is what makes you the holder of {number}. Print it for the piece, if you like.',
          { number: editionLabel(number, pieces) },
        )}
      </p>
      {state === 'issued' && <GiveForm isOffered={certificate.isOffered} token={token} />}
    </>
  )
}

function GiveForm({ token, isOffered }: { token: string; isOffered: boolean }) {
  const api = useApi()
  const { toast } = useToast()
  return (
    <section aria-labelledby="give" className="mt-12 max-w-[36em] print:hidden">
      <h2 id="give" className="text-title">
        {say('Pass it on')}
      </h2>
      <p className="mt-3 mb-5 text-ink-soft">
        {isOffered
          ? say('Somebody was asked and has not accepted yet. Asking somebody else takes that back.')
          : say(
              'We ask the new holder by email. Once they accept, this link opens nothing any more, and they get their own.',
            )}
      </p>
      <ApiForm
        aria-labelledby="give"
        className="grid justify-items-start gap-4"
        clears
        send={async ({ email = '' }) => {
          const { done } = await api('POST /api/edition/give', { body: { token, email } })
          toast({ title: sayMade(done) })
        }}
      >
        <Field
          label={say('The new holder’s email')}
          name="email"
          type="email"
          required
          autoComplete="off"
          className="w-full"
        />
        <FormNotice />
        <SubmitButton>{say('Ask them')}</SubmitButton>
      </ApiForm>
    </section>
  )
}
