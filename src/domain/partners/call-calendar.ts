import { calendarMoment, buildCalendar, escapedText } from '#domain/orders/calendar.ts'
import { after } from '#shared/time.ts'
import { CALL_MS } from './call-times.ts'

type Call = {
  /** Unique and lasting: a later file about the same call replaces what an earlier one entered. */
  id: string
  title: string
  description: string
  url: string
  times: readonly Date[]
  /** Null while nothing is agreed: then every time is entered, as tentative. */
  agreed: Date | null
  isDeclined: boolean
  madeAt: Date
}

/** A calendar file for a call that was asked for, was agreed, or will not be. */
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
