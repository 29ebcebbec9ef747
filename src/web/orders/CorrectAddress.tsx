import { useRef, type FormEvent, type ReactNode } from 'react'
import type { WireAddress } from '#contract/checkout.ts'
import type { CorrectedAddress } from '#contract/orders.ts'
import { say } from '#words/say.ts'
import { fieldsOf } from '#web/api/error-sentence.ts'
import { useRequest } from '#web/api/use-request.ts'
import { AddressFields } from '#web/checkout/AddressFields.tsx'
import { emptyForm, refusedFields, wireCustomer, type CustomerForm } from '#web/checkout/customer-form.ts'
import { Notice } from '#web/ui/Notice.tsx'
import { useCustomerForm } from '#web/checkout/use-customer-form.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'

type Props = {
  /** The country that the order goes to. */
  country: string
  /** Other countries that can be chosen; without, a correction stays in its own. */
  countries?: readonly string[]
  /** Initial values; left out for a customer, because a link can be passed on. */
  start?: { name: string; address: WireAddress }
  /** Whether a tax number must be entered again. */
  asksTaxNumber: boolean
  /** Of the form and its button. */
  title?: string
  /** Further fields, after the name. */
  children?: ReactNode
  /** Where it is posted to without JavaScript, and with what else; left out where the page has no such form. */
  plain?: { action: string; fields: Readonly<Record<string, string>> }
  send: (body: CorrectedAddress) => Promise<unknown>
}

/** Corrects recipient and address with the fields and rules of the checkout. */
export function CorrectAddress({
  country,
  countries = [country],
  start,
  asksTaxNumber,
  title = say('Correct the address'),
  children,
  plain,
  send,
}: Props) {
  const { run, busy, failure } = useRequest()
  const formRef = useRef<HTMLFormElement>(null)
  const state = useCustomerForm(countries, startOf(country, start))
  const { form, change, errorOf } = state

  const mistakes = [...state.mistakes.keys()].filter(
    (name) => name !== 'email' && (name !== 'tax_number' || asksTaxNumber || form.tax_number !== ''),
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const [first] = mistakes
    if (first === undefined) {
      const { name, shippingAddress, tax_number } = { tax_number: '', ...wireCustomer(form) }
      return void run(async () => {
        try {
          await send({ name, shippingAddress, ...(tax_number && { tax_number }) })
        } catch (error) {
          change({ kind: 'refused', fields: refusedFields(fieldsOf(error)) })
          throw error
        }
      })
    }
    change({ kind: 'submitted' })
    const field = formRef.current?.elements.namedItem(first)
    if (field instanceof HTMLElement) field.focus()
  }
  return (
    <form
      ref={formRef}
      noValidate
      aria-label={title}
      className="grid gap-5"
      {...(plain && { method: 'post', action: plain.action })}
      onSubmit={submit}
    >
      {Object.entries(plain?.fields ?? {}).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Field
        label={say('Full name')}
        id="recipient"
        name="name"
        autoComplete="name"
        required
        maxLength={120}
        value={form.name}
        error={errorOf('name')}
        onValue={(value) => change({ kind: 'typed', name: 'name', value })}
        onLeave={() => change({ kind: 'left', name: 'name' })}
      />
      {children}
      <AddressFields
        name="shippingAddress"
        section="shipping"
        state={state}
        showsAll={plain !== undefined}
        onLeave={() => undefined}
      />
      {failure && <Notice>{failure.sentence}</Notice>}
      <div>
        <Button type="submit" busy={busy}>
          {title}
        </Button>
      </div>
    </form>
  )
}

const startOf = (country: string, start: Props['start']): CustomerForm => {
  const { line1 = '', line2, city = '', state, postal_code } = start?.address ?? {}
  return {
    ...emptyForm,
    name: start?.name ?? '',
    shippingAddress: { country, line1, line2: line2 ?? '', city, state: state ?? '', postal_code: postal_code ?? '' },
  }
}
