import { Fragment } from 'react'
import { countryName } from '#domain/checkout/countries.ts'
import { say } from '#words/say.ts'
import { Sentence } from '#web/ui/Sentence.tsx'
import { valueOf, wireAddress, type CustomerForm } from './customer-form.ts'

type Props = {
  form: CustomerForm
  phone?: string
  /** Undefined while nothing may be changed. */
  edit?: { label: 'Edit' | 'Edit Information'; onEdit: () => void } | undefined
}

/** Who gets it and where, in two lines. */
export function CustomerSummary({ form, phone, edit }: Props) {
  const { line1, line2, city, state, postal_code, country } = wireAddress(form.shippingAddress)
  const region = [state, postal_code].filter(Boolean).join(' ')
  const recipient = valueOf(form, 'texts.recipient').trim() || form.name.trim()
  const lines = [recipient, line1, line2, [city, region].filter(Boolean).join(', '), countryName(country)].filter(
    Boolean,
  )
  return (
    <section aria-labelledby="customer-title" className="flex items-start gap-4 border-y border-line py-4">
      <h2 id="customer-title" className="sr-only">
        {say('Customer Info')}
      </h2>
      <dl className="grid min-w-0 flex-1 gap-x-4 gap-y-1 text-[0.9375rem] [overflow-wrap:anywhere] sm:grid-cols-[auto_minmax(0,1fr)]">
        <dt className={fact}>{say('Email')}</dt>
        <dd>{form.email.trim()}</dd>
        {phone && (
          <>
            <dt className={fact}>{say('Phone')}</dt>
            <dd>{phone}</dd>
          </>
        )}
        <dt className={fact}>{say('Ships to')}</dt>
        <dd>
          {lines.map((line, index) => (
            <Fragment key={line}>
              {index > 0 && ', '}
              <span>{line}</span>
            </Fragment>
          ))}
        </dd>
      </dl>
      {edit && (
        <button
          type="button"
          onClick={edit.onEdit}
          className="link-line -m-2.5 min-h-11 p-2.5 text-[0.9375rem] font-medium"
        >
          {edit.label === 'Edit' ? (
            <Sentence word="Edit {what}" parts={{ what: <span className="sr-only">{say('customer info')}</span> }} />
          ) : (
            say(edit.label)
          )}
        </button>
      )}
    </section>
  )
}

/** A phone has no room for it beside the value. */
const fact = 'text-ink-soft max-sm:sr-only'
