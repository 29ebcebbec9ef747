import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { TrackedOrder } from '#contract/orders.ts'
import { paths } from '#contract/paths.ts'
import { fieldsOf, sentenceOf } from '#web/api/error-sentence.ts'
import { useApi } from '#web/api/use-api.ts'
import { Notice } from '#web/checkout/Notice.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'
import { useForm } from '#web/ui/use-form.ts'

/** What the form without script came to; an address can be sent by anybody, so only these words are shown. */
const formMessages: Readonly<Record<string, string>> = {
  unknown_order: 'We could not find an order with this number and email.',
  invalid: 'Please enter your order number and a valid email address.',
}

/** `/track`: an order by its number and email. */
export function TrackPage() {
  const [parameters] = useSearchParams()
  const messageCode = parameters.get('said') ?? ''
  const api = useApi()
  const navigate = useNavigate()
  const { tied, errorOf, check, refuse } = useForm(TrackedOrder)
  const [isLooking, setIsLooking] = useState(false)
  const [trouble, setTrouble] = useState(
    Object.hasOwn(formMessages, messageCode) ? formMessages[messageCode] : undefined,
  )

  const look = async (typed: TrackedOrder) => {
    setIsLooking(true)
    setTrouble(undefined)
    try {
      const { orderNumber } = await api('POST /api/track', { body: typed })
      await navigate(paths.order(orderNumber))
    } catch (error) {
      setTrouble(sentenceOf(error))
      refuse(fieldsOf(error))
      setIsLooking(false)
    }
  }

  return (
    <div className="shell grid gap-x-20 gap-y-12 pt-12 lg:grid-cols-[minmax(0,34rem)_minmax(0,22rem)] lg:pt-20">
      <PageHead title="Track your order" description="See how your order stands, by its number and your email." />
      <div>
        <h1 className="text-headline">Track your order</h1>
        <p className="mt-4 text-lg text-ink-soft">
          Its number stands in every mail that we sent you, and the email is the one that you ordered with.
        </p>
        <form
          {...tied}
          action={paths.track}
          aria-label="Track your order"
          className="mt-8 grid gap-6"
          onSubmit={(event) => {
            event.preventDefault()
            const typed = check()
            if (typed && !isLooking) void look(typed)
          }}
        >
          <Field
            label="Order number"
            name="orderNumber"
            required
            maxLength={40}
            autoCapitalize="characters"
            autoComplete="off"
            spellCheck={false}
            defaultValue={parameters.get('order') ?? ''}
            hint="Such as K7QM-4T2X. With or without PF and the dash, in any case."
            error={errorOf('orderNumber')}
          />
          <Field
            label="Email"
            name="email"
            type="email"
            inputMode="email"
            autoComplete="email"
            autoCapitalize="none"
            spellCheck={false}
            required
            maxLength={254}
            error={errorOf('email')}
          />
          {trouble && <Notice>{trouble}</Notice>}
          <div>
            <Button type="submit" busy={isLooking} className="min-w-48">
              Find my order
            </Button>
          </div>
        </form>
      </div>
      <aside aria-label="Without a number" className="border-t border-ink/25 pt-5 lg:mt-24 lg:self-start">
        <h2 className="text-[1.375rem] leading-tight">No number at hand?</h2>
        <p className="mt-2 text-ink-soft">
          Look for a mail with “Order Confirmation” in its subject: its button opens your order without a number. Did
          none come? Write to us with the day and the name that you ordered under, and we look it up.
        </p>
        <p className="mt-4">
          <a href={paths.contact} className="link-line inline-flex min-h-11 items-center font-medium">
            Contact us
          </a>
        </p>
        <p>
          <a href={paths.myData} className="link-line inline-flex min-h-11 items-center font-medium">
            My data
          </a>
        </p>
      </aside>
    </div>
  )
}
