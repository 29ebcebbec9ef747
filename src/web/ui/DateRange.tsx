import { formatDates, spokenDates, type Dates } from '#shared/calendar-day.ts'
import { say } from '#words/say.ts'

/** `Dec 3–9`, which screen readers say as 'Dec 3 to 9'. */
export const DateRange = ({ dates }: { dates: Dates }) => (
  <span className="whitespace-nowrap">
    <span aria-hidden="true">{formatDates(dates)}</span>
    <span className="sr-only">{spokenDates(dates, say(' to '))}</span>
  </span>
)
