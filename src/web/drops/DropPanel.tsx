import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import type { DropView } from '#contract/drops.ts'
import { dropPaths } from '#contract/drop-paths.ts'
import { formatClockTime } from '#domain/orders/clock-time.ts'
import { spokenAddress, spokenLanguage, spokenLocale } from '#shared/language.ts'
import { say } from '#words/say.ts'
import type { Word } from '#words/words.ts'
import { useApi } from '#web/api/use-api.ts'
import { useShopTime } from '#web/api/use-shop-time.ts'
import { Button } from '#web/ui/Button.tsx'
import { ApiForm, FormNotice, SubmitButton } from '#web/ui/ApiForm.tsx'
import { EmailField } from '#web/ui/EmailField.tsx'
import { useHydrated } from '#web/ui/use-form.ts'
import { Sentence } from '#web/ui/Sentence.tsx'
import { dropsQuery } from './use-drop.ts'

/** What a drop says on the page of its goods: when it begins and ends, how many there are, and what somebody can do until then. */
export function DropPanel({ drop }: { drop: DropView }) {
  const { title, state, startsAt, endsAt, pieces, limitPerPerson, early } = drop
  const next = state === 'scheduled' ? startsAt : state === 'open' ? endsAt : null
  return (
    <section aria-label={title} className="grid gap-4 rounded-card border border-line bg-surface p-5 shadow-card">
      <div>
        <p className="eyebrow text-ink-soft">{sayEyebrow(state)}</p>
        <p className="mt-1 font-display text-[1.375rem] leading-snug">{title}</p>
      </div>
      {next !== null && (
        <p>
          <Sentence
            word={state === 'scheduled' ? 'Begins {time}' : 'Ends {time}'}
            parts={{ time: <LocalTime at={next} /> }}
          />
          {state === 'scheduled' && (
            <>
              {'. '}
              <a href={spokenAddress(dropPaths.calendar(drop.id))} className="link-line">
                {say('Add to calendar')}
              </a>
            </>
          )}
        </p>
      )}
      {next !== null && <Countdown key={next} at={next} />}
      <p className="text-[0.9375rem] text-ink-soft">
        {piecesText(pieces)} {say('At most {count} for each person.', { count: limitPerPerson })}
        {early && ` ${earlyText(early)}`}
      </p>
      {drop.hasRoom && (state === 'scheduled' || state === 'open') && (
        <form method="post" action={spokenAddress(dropPaths.room(drop.id))} className="grid justify-items-start gap-3">
          <p className="text-sm text-ink-soft">
            {roomText[state]()} {say('The rest of the shop goes on as always.')}
          </p>
          <Button type="submit" variant={state === 'open' ? 'primary' : 'outline'}>
            {state === 'open' ? say('Get in line') : say('To the waiting room')}
          </Button>
        </form>
      )}
      {state === 'scheduled' && <MailForm key="notice" drop={drop} call="notice" />}
      {state === 'sold_out' && <MailForm key="wait" drop={drop} call="wait" />}
    </section>
  )
}

const roomText = {
  scheduled: () =>
    say(
      'It is sold through a waiting room, which opens an hour before it begins. Who is in it then has the same chance: the order is drawn.',
    ),
  open: () => say('It is sold through a waiting room: first come, first served.'),
} as const

function piecesText(pieces: number | null): string {
  if (pieces === null) return say('Each piece is numbered.')
  return say('{count, plural, one {There is one piece.} other {# numbered pieces.}}', { count: pieces })
}

/** Above the title. */
const eyebrows = {
  scheduled: 'Limited, coming soon',
  open: 'Limited, on sale now',
  paused: 'Paused for a moment',
  sold_out: 'Sold out',
  ended: 'This sale has ended',
} as const satisfies Partial<Record<DropView['state'], Word>>

export const sayEyebrow = (state: DropView['state']): string =>
  state === 'draft' || state === 'released' ? '' : say(eyebrows[state])

function earlyText({ from, isOpen, byCode, byNewsletter }: NonNullable<DropView['early']>): string {
  const who = byCode
    ? byNewsletter
      ? say('with an early-access code in the cart, or with the email of a newsletter subscription')
      : say('with an early-access code in the cart')
    : byNewsletter
      ? say('with the email of a newsletter subscription')
      : ''
  return isOpen
    ? say('Early access is open {who}.', { who })
    : say('From {time} {who}.', { time: formatClockTime(new Date(from)), who })
}

const localTime = () =>
  new Intl.DateTimeFormat(spokenLanguage() === 'en' ? undefined : spokenLocale(), {
    ...{ weekday: 'short', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit', timeZoneName: 'short' },
  })

/** The shop's time on the server and without JavaScript; the shopper's own once the page is alive. Both name their zone. */
export function LocalTime({ at }: { at: string }) {
  const isAlive = useHydrated()
  const moment = new Date(at)
  return (
    <time dateTime={at} className="font-semibold">
      {isAlive ? localTime().format(moment) : formatClockTime(moment)}
    </time>
  )
}

/** A random part, so that a crowd does not ask at once. */
const JITTER_MS = 2000
const SECOND = 1000

/** Days, hours, minutes, seconds; reserved from the start, so that nothing moves. At the end, the shop is asked what is true now. */
export function Countdown({ at }: { at: string }) {
  const queries = useQueryClient()
  const shopTime = useEffectEvent(useShopTime())
  const [left, setLeft] = useState<number>()
  useEffect(() => {
    const tick = () => setLeft(Math.max(0, Date.parse(at) - shopTime()))
    const first = setTimeout(tick)
    const timer = setInterval(tick, SECOND)
    return () => {
      clearTimeout(first)
      clearInterval(timer)
    }
  }, [at])
  const isOver = left === 0
  useEffect(() => {
    if (!isOver) return
    const ask = () => void queries.invalidateQueries({ queryKey: dropsQuery.queryKey })
    const soon = setTimeout(ask, SECOND + Math.random() * JITTER_MS)
    const again = setInterval(ask, 5 * SECOND)
    return () => {
      clearTimeout(soon)
      clearInterval(again)
    }
  }, [isOver, queries])
  const seconds = left === undefined ? undefined : Math.ceil(left / SECOND)
  const parts = [
    ['days', 86_400, Number.POSITIVE_INFINITY],
    ['hours', 3600, 24],
    ['minutes', 60, 60],
    ['seconds', 1, 60],
  ] as const
  return (
    <ol aria-hidden="true" className="grid max-w-[20rem] grid-cols-4 gap-2 text-center noscript:hidden">
      {parts.map(([name, length, wrap]) => (
        <li key={name} className="rounded-card bg-ground py-2">
          <span className="block text-[1.375rem] font-semibold">
            {seconds === undefined ? '–' : String(Math.floor(seconds / length) % wrap).padStart(2, '0')}
          </span>
          <span className="block text-sm text-ink-soft">{say(name)}</span>
        </li>
      ))}
    </ol>
  )
}

const words = {
  notice: () => ({
    text: say('We email you once, when it begins, and then delete your address from this list.'),
    button: say('Tell me'),
  }),
  wait: () => ({
    text: say(
      'When a payment fails or is refunded, the piece goes to the waiting list in order. We email you a link that keeps it for two hours.',
    ),
    button: say('Join the waiting list'),
  }),
} as const

function MailForm({ drop: { id }, call }: { drop: DropView; call: 'notice' | 'wait' }) {
  const api = useApi()
  const [done, setDone] = useState<string>()
  const { text, button } = words[call]()
  if (done !== undefined)
    return (
      <p role="status" className="font-medium">
        {done}
      </p>
    )
  const send = async ({ email = '' }: { email?: string }) => {
    const payload = { params: { id }, body: { email } }
    const answer = await (call === 'notice'
      ? api('POST /api/drops/:id/notice', payload)
      : api('POST /api/drops/:id/waiting-list', payload))
    const { sayMade } = await import('#words/say-made.ts')
    setDone(sayMade(answer.done))
  }
  return (
    <ApiForm
      method="post"
      action={spokenAddress(dropPaths[call](id))}
      aria-label={button}
      className="grid justify-items-start gap-3"
      send={send}
    >
      <EmailField required className="w-full" />
      <p className="text-sm text-ink-soft">{text}</p>
      <FormNotice />
      <SubmitButton>{button}</SubmitButton>
    </ApiForm>
  )
}
