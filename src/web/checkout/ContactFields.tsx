import { orderTexts } from '#domain/orders/order-texts.ts'
import { Field } from '#web/ui/Field.tsx'
import { valueOf } from './customer-form.ts'
import type { CustomerFormState } from './use-customer-form.ts'

type Props = { state: CustomerFormState; onLeave: () => void }

export function ContactFields({ state: { form, errorOf, change }, onLeave }: Props) {
  const fieldProps = (name: 'email' | 'name' | `texts.${string}`) => ({
    id: name,
    name,
    value: valueOf(form, name),
    error: errorOf(name),
    onValue: (value: string) => change({ kind: 'typed', name, value }),
    onLeave: () => {
      change({ kind: 'left', name })
      onLeave()
    },
  })
  return (
    <>
      <Field
        label="Email"
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        required
        maxLength={254}
        hint="Your confirmation and tracking go here."
        {...fieldProps('email')}
      />
      <Field label="Full name" autoComplete="name" required maxLength={120} {...fieldProps('name')} />
      {Object.entries(orderTexts).map(([name, text]) => (
        <Field key={name} optional autoComplete="off" {...text} {...fieldProps(`texts.${name}`)} />
      ))}
    </>
  )
}
