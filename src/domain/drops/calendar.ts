import { buildCalendar, calendarMoment, escapedText } from '#domain/orders/calendar.ts'
import { after, HOUR_MS, MINUTE_MS } from '#shared/time.ts'
import { say } from '#words/say.ts'

type Announced = { id: number; title: string; startsAt: Date; endsAt: Date | null; createdAt: Date }

/** How long before the start the calendar reminds. */
const REMIND_MINUTES = 10

/** A calendar file of a drop's start, with a reminder. A later file replaces the entry. */
export const dropCalendar = (
  { id, title, startsAt, endsAt, createdAt }: Announced,
  { host, page }: { host: string; page: string },
): string =>
  buildCalendar(
    [
      [
        `UID:${escapedText(`drop-${id}@${host}`)}`,
        `DTSTAMP:${calendarMoment(createdAt)}`,
        `DTSTART:${calendarMoment(startsAt)}`,
        `DTEND:${calendarMoment(endsAt && endsAt < after(startsAt, HOUR_MS) ? endsAt : after(startsAt, 30 * MINUTE_MS))}`,
        `SUMMARY:${escapedText(say('{title} begins', { title }))}`,
        `DESCRIPTION:${escapedText(say('Limited. It is sold at {page}', { page }))}`,
        `URL:${page}`,
        ...['BEGIN:VALARM', 'ACTION:DISPLAY', `DESCRIPTION:${escapedText(title)}`, `TRIGGER:-PT${REMIND_MINUTES}M`],
        'END:VALARM',
      ],
    ],
    'drop',
  )
