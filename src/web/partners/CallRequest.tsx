import { useId, useState } from 'react'
import * as z from 'zod/mini'
import { dateOf } from '#shared/time.ts'
import { CALL_TIMES_MAX, NewCallRequest, type RequestedCall, type Partnership } from '#contract/partners.ts'
import { useSite } from '#web/api/use-site.ts'
import { useApi } from '#web/api/use-api.ts'
import { useShopTime } from '#web/api/use-shop-time.ts'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { EmailField } from '#web/ui/EmailField.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Select } from '#web/ui/Select.tsx'
import { callSlots } from './call-slots.ts'
import { formatMoment, ownTimeZone } from './date-format.ts'
import type { ShowPartnership } from './use-partnership.ts'

type Props = { partnership: Partnership; show: ShowPartnership }

export function CallRequest({ partnership: { call }, show }: Props) {
  const site = useSite()
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  const isWaiting = call?.state === 'waiting'
  return (
    <section aria-labelledby={id} className="lg:sticky lg:top-24">
      <h2 id={id} className="text-title">
        Talk to us
      </h2>
      <p className="mt-3 max-w-[32em] text-ink-soft">
        Half an hour about your channel, a design or your numbers. Propose times that suit you, and {site.name} picks
        one.
      </p>
      {call && <RequestedCallStatus call={call} />}
      {!isWaiting && !isOpen && (
        <Button className="mt-6" aria-expanded={false} onClick={() => setIsOpen(true)}>
          Schedule a Partnership Call
        </Button>
      )}
      {!isWaiting && isOpen && (
        <CallForm
          onDone={(answer) => {
            show(answer)
            setIsOpen(false)
          }}
        />
      )}
    </section>
  )
}

const callStateSentences: Record<RequestedCall['state'], string> = {
  waiting: 'You requested a call. We’ll reply with one of these times:',
  agreed: 'Your call is confirmed:',
  declined: 'None of the times you proposed worked for us. Please choose others.',
}

function RequestedCallStatus({ call: { state, times, agreedTime, reply, calendar } }: { call: RequestedCall }) {
  const shownTimes = state === 'agreed' && agreedTime ? [agreedTime] : state === 'waiting' ? times : []
  return (
    <div role="status" className="mt-6 rounded-card border border-accent bg-button-quiet p-5">
      <p>{callStateSentences[state]}</p>
      {shownTimes.length > 0 && (
        <ul className="mt-3 grid gap-1 font-medium">
          {shownTimes.map((time) => (
            <li key={time}>
              <time dateTime={time}>{formatMoment(time)}</time>
            </li>
          ))}
        </ul>
      )}
      {reply && <p className="mt-3 whitespace-pre-line">{reply}</p>}
      {shownTimes.length > 0 && (
        <p className="mt-4">
          <a href={calendar} download className={buttonClass('outline')}>
            Calendar file (.ics)
          </a>
        </p>
      )}
    </div>
  )
}

/** The form's fields; the times are sent as a list. */
const CallFormSchema = z.object({
  topic: NewCallRequest.shape.topic,
  email: NewCallRequest.shape.email,
  time1: z.string('Please choose a time').check(z.minLength(1, 'Please choose a time')),
  time2: z.optional(z.string()),
  time3: z.optional(z.string()),
})

const choices = ['First choice', 'Second choice', 'Third choice'].slice(0, CALL_TIMES_MAX)

function CallForm({ onDone }: { onDone: (partnership: Partnership) => void }) {
  const api = useApi()
  const [timeZone] = useState(ownTimeZone)
  const shopTime = useShopTime()
  const [options] = useState(() =>
    callSlots(dateOf(shopTime()), timeZone).flatMap(({ day, slots }) =>
      slots.map(({ iso, time }) => ({ value: iso, label: `${day}, ${time}` })),
    ),
  )

  const send = async ({ topic, email, time1, time2, time3 }: z.output<typeof CallFormSchema>) => {
    const times = [...new Set([time1, time2, time3].flatMap((time) => time || []))]
    onDone(await api('POST /api/partnership/calls', { body: { topic, email, times, timeZone } }))
  }

  return (
    <ApiForm schema={CallFormSchema} send={send} aria-label="Schedule a Partnership Call" className="mt-6 grid gap-5">
      <Field label="Topic" name="topic" required maxLength={200} />
      {choices.map((choice, index) => (
        <Select
          key={choice}
          label={index === 0 ? choice : `${choice} (optional)`}
          name={`time${index + 1}`}
          required={index === 0}
          hint={index === 0 ? `In your time zone, ${timeZone.replaceAll('_', ' ')}.` : undefined}
          options={index === 0 ? options : [{ value: '', label: 'None' }, ...options]}
        />
      ))}
      <EmailField optional hint="For our reply, which also appears here." />
      <FormNotice />
      <SubmitButton busyText="Sending...">Request a call</SubmitButton>
    </ApiForm>
  )
}
