import { calendarMoment, buildCalendar, escapedText } from '#domain/orders/calendar.ts'
import { after } from '#shared/time.ts'
import { CALL_MS } from './call-times.ts'

type Call = {
  /** Unique and stable: a later file about the same call replaces earlier entries. */
  id: string
  title: string
  description: string
  url: string
  times: readonly Date[]
  /** Null until agreed: then every proposed time is entered as tentative. */
  agreed: Date | null
  isDeclined: boolean
  madeAt: Date
}

/** A calendar file for a requested, agreed or canceled call. */
export const callCalendar = ({ id, title, description, url, times, agreed, isDeclined, madeAt }: Call): string =>
  buildCalendar(
    times.map((time, index) => {
      const isKept = agreed === null ? !isDeclined : time.getTime() === agreed.getTime()
      return [
        `UID:${escapedText(`${index + 1}.${id}`)}`,
        `SEQUENCE:${agreed || isDeclined ? 1 : 0}`,
        `DTSTAMP:${calendarMoment(madeAt)}`,
        `DTSTART:${calendarMoment(time)}`,
        `DTEND:${calendarMoment(after(time, CALL_MS))}`,
        `SUMMARY:${escapedText(agreed ? title : `${title} (proposed)`)}`,
        `DESCRIPTION:${escapedText(description)}`,
        `URL:${url}`,
        `STATUS:${isKept ? (agreed ? 'CONFIRMED' : 'TENTATIVE') : 'CANCELLED'}`,
      ]
    }),
    'call',
  )
