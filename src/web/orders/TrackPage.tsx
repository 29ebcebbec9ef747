import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { type PastOrderView, TrackedOrder } from '#contract/orders.ts'
import { paths } from '#contract/paths.ts'
import { spokenAddress } from '#shared/language.ts'
import { say } from '#words/say.ts'
import type { Word } from '#words/words.ts'
import { isRefusal } from '#web/api/error-sentence.ts'
import { query } from '#web/api/queries.ts'
import { useApi } from '#web/api/use-api.ts'
import { AnimalPicture } from '#web/catalog/AnimalPicture.tsx'
import { doorstep } from '#web/catalog/doorstep.ts'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { EmailField } from '#web/ui/EmailField.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { Field } from '#web/ui/Field.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'
import { PastOrder } from './PastOrder.tsx'

/** Results of the form without JavaScript. Anybody can send a link, so only these texts are shown. */
const formMessages = {
  unknown_order: 'We could not find an order with this number and email.',
  invalid: 'Please enter your order number and a valid email address.',
} as const satisfies Record<string, Word>

const isFormMessage = (code: string): code is keyof typeof formMessages => Object.hasOwn(formMessages, code)

/** `/track`: an order by its number and email. */
export function TrackPage() {
  const [parameters] = useSearchParams()
  const messageCode = parameters.get('said') ?? ''
  const api = useApi()
  const navigate = useNavigate()
  const [message, setMessage] = useState(isFormMessage(messageCode) ? formMessages[messageCode] : undefined)

  const key = parameters.get('past')
  const { data: opened } = useQuery({
    ...query('GET /api/track/past', { query: { key: key ?? '' } }),
    enabled: key !== null,
  })
  const [found, setFound] = useState<PastOrderView>()
  const pastOrder = found ?? opened

  const findOrder = async (typed: TrackedOrder) => {
    setMessage(undefined)
    setFound(undefined)
    try {
      const { orderNumber } = await api('POST /api/track', { body: typed })
      await navigate(paths.order(orderNumber))
    } catch (error) {
      if (!isRefusal(error, 'unknown_order')) throw error
      setFound(await api('POST /api/track/past', { body: typed }))
    }
  }

  return (
    <div className="shell grid gap-x-10 gap-y-10 pt-8 md:grid-cols-2 lg:gap-x-16 lg:pt-12">
      <PageHead
        title={say('Track your order')}
        description={say('Check the status of your order with its number and your email.')}
      />
      <div>
        <h1 className="text-headline">{say('Track your order')}</h1>
        <p className="mt-3 text-ink-soft lg:text-lg">
          {say('Your order number is in every email we sent you. Use the address you ordered with.')}
        </p>
        <ApiForm
          schema={TrackedOrder}
          send={findOrder}
          action={spokenAddress(paths.track)}
          aria-label={say('Track your order')}
          className="mt-8 grid gap-6"
        >
          <Field
            label={say('Order number')}
            name="orderNumber"
            required
            maxLength={40}
            autoCapitalize="characters"
            autoComplete="off"
            spellCheck={false}
            defaultValue={parameters.get('order') ?? ''}
            hint={say('Like K7QM-4T2X. Capitals, the dash and “PF” are optional.')}
          />
          <EmailField required />
          {message && <Notice>{say(message)}</Notice>}
          <FormNotice />
          <div>
            <SubmitButton className="min-w-48">{say('Find my order')}</SubmitButton>
          </div>
        </ApiForm>
        {pastOrder && <PastOrder order={pastOrder} />}
      </div>
      <aside aria-label={say('Other ways to find your order')} className="lg:self-start">
        <AnimalPicture of={doorstep()} className="mb-6 aspect-video" />
        <h2 className="text-[1.375rem] leading-tight">{say('No order number?')}</h2>
        <p className="mt-2 text-ink-soft">
          {say(
            'Find our email with “Order Confirmation” in the subject: its button opens your order without a number. No email? Write to us with the date and the name you ordered under, and we’ll look it up.',
          )}
        </p>
        <p className="mt-4">
          <a href={spokenAddress(paths.contact)} className="link-line inline-flex min-h-11 items-center font-medium">
            {say('Contact us')}
          </a>
        </p>
      </aside>
      <p className="border-t border-line pt-5 text-[0.9375rem] text-ink-soft md:col-span-2">
        {say('See what we know about you, download it, or have it erased.')}{' '}
        <a href={spokenAddress(paths.myData)} className="link-line inline-block py-1 font-medium text-ink">
          {say('My data')}
        </a>
      </p>
    </div>
  )
}
