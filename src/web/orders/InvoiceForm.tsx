import { useRef, useState, type ComponentProps } from 'react'
import type { InvoiceRequest } from '#contract/invoices.ts'
import { mainCountries } from '#domain/checkout/countries.ts'
import { say } from '#words/say.ts'
import { fieldsOf } from '#web/api/error-sentence.ts'
import { Field } from '#web/ui/Field.tsx'
import { CorrectAddress } from './CorrectAddress.tsx'

type Props = Pick<ComponentProps<typeof CorrectAddress>, 'start'> & {
  /** The first one offered. */
  country: string
  title: string
  send: (body: InvoiceRequest) => Promise<unknown>
}

/** Who an invoice is for. */
export function InvoiceForm({ country, start, title, send }: Props) {
  const company = useRef('')
  const number = useRef('')
  const [refused, setRefused] = useState<string>()
  return (
    <CorrectAddress
      title={title}
      country={country}
      countries={mainCountries}
      asksTaxNumber={false}
      {...(start && { start })}
      send={async ({ name, shippingAddress: address }) => {
        setRefused(undefined)
        try {
          await send({ name, company: company.current, company_number: number.current, address })
        } catch (error) {
          setRefused(fieldsOf(error)['company_number'])
          throw error
        }
      }}
    >
      <Field
        label={say('Company')}
        optional
        name="company"
        autoComplete="organization"
        maxLength={120}
        onValue={(value) => {
          company.current = value
        }}
      />
      <Field
        label={say('Tax number')}
        optional
        name="company_number"
        hint={say('Such as a VAT number, of the country below')}
        maxLength={40}
        error={refused}
        onValue={(value) => {
          number.current = value
        }}
      />
    </CorrectAddress>
  )
}
