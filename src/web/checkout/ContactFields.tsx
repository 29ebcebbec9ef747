import { lazy, Suspense, useState } from 'react'
import { orderTexts } from '#domain/orders/order-texts.ts'
import { Field } from '#web/ui/Field.tsx'
import { FoldIcon } from '#web/ui/FoldIcon.tsx'
import { say, sayKnown } from '#words/say.ts'
import { valueOf } from './customer-form.ts'
import type { CustomerFormState } from './use-customer-form.ts'

const texts = Object.keys(orderTexts).map((name) => `texts.${name}` as const)

// Nothing to ask before the field was left.
const EmailQuestion = lazy(async () => ({ default: (await import('./EmailQuestion.tsx')).EmailQuestion }))

type Props = { state: CustomerFormState; onLeave: () => void }

export function ContactFields({ state: { form, isEmailLeft, errorOf, change }, onLeave }: Props) {
  const [isGift, setIsGift] = useState(false)
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
      <div className="grid items-start gap-4 sm:grid-cols-2 md:max-lg:grid-cols-1">
        <Field
          label={say('Email')}
          type="email"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          required
          maxLength={254}
          {...fieldProps('email')}
        />
        <Field label={say('Full name')} autoComplete="name" required maxLength={120} {...fieldProps('name')} />
        <div role="status" className="col-span-full text-[0.9375rem] empty:hidden">
          {isEmailLeft && form.email && (
            <Suspense>
              <EmailQuestion
                email={form.email}
                onChoose={(value) => {
                  change({ kind: 'typed', name: 'email', value })
                  document.getElementById('email')?.focus()
                }}
              />
            </Suspense>
          )}
        </div>
      </div>
      <details
        // What is tapped is taller than its words.
        className="group -my-1.5"
        open={isGift || texts.some((name) => valueOf(form, name) || errorOf(name))}
        onToggle={({ currentTarget }) => setIsGift(currentTarget.open)}
      >
        <summary className="inline-flex cursor-pointer list-none items-center gap-1.5 py-1.5 font-medium">
          <FoldIcon className="size-4" />
          {say('Is this a gift?')}
        </summary>
        <p className="text-[0.9375rem] text-ink-soft">
          {say('Enter where it goes below. The packing slip has no prices in the US; abroad, customs needs them.')}
        </p>
        <div className="mt-4 grid gap-5">
          {Object.entries(orderTexts).map(([name, { label, hint, maxLength }]) => (
            <Field
              key={name}
              optional
              autoComplete="off"
              label={sayKnown(label)}
              hint={sayKnown(hint)}
              maxLength={maxLength}
              {...fieldProps(`texts.${name}`)}
            />
          ))}
        </div>
      </details>
    </>
  )
}
