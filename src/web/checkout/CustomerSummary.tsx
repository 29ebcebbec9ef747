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

export function CustomerSummary({ form, phone, edit }: Props) {
  const { line1, line2, city, state, postal_code, country } = wireAddress(form.shippingAddress)
  const region = [state, postal_code].filter(Boolean).join(' ')
  const recipient = valueOf(form, 'texts.recipient').trim() || form.name.trim()
  const lines = [recipient, line1, line2, [city, region].filter(Boolean).join(', '), countryName(country)].filter(
    Boolean,
  )
  return (
    <section aria-labelledby="customer-title" className="rounded-card border border-line bg-surface p-5 sm:p-6">
      <div className="flex items-start justify-between gap-4">
        <h2 id="customer-title" className="font-text! text-base font-semibold tracking-normal">
          {say('Customer Info')}
        </h2>
        {edit && (
          <button type="button" onClick={edit.onEdit} className="link-line -m-2.5 min-h-11 p-2.5 font-semibold">
            {edit.label === 'Edit' ? (
              <Sentence word="Edit {what}" parts={{ what: <span className="sr-only">{say('customer info')}</span> }} />
            ) : (
              say(edit.label)
            )}
          </button>
        )}
      </div>
      <dl className="mt-2 grid gap-1 text-[0.9375rem] text-ink-soft [overflow-wrap:anywhere]">
        <div>
          <dt className="sr-only">{say('Email')}</dt>
          <dd>{form.email.trim()}</dd>
        </div>
        {phone && (
          <div>
            <dt className="sr-only">{say('Phone')}</dt>
            <dd>{phone}</dd>
          </div>
        )}
        <div>
          <dt className="sr-only">{say('Ships to')}</dt>
          {lines.map((line) => (
            <dd key={line}>{line}</dd>
          ))}
        </div>
      </dl>
    </section>
  )
}
