import { label } from '#site/label.ts'

// In hours from 0 to 23, because browsers and servers do not agree on the blank before `PM`.
const moment = new Intl.DateTimeFormat('en-US', {
  timeZone: label.timeZone,
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

/** A moment of the wire as the admin writes it, in New York's time: `Nov 21, 2026, 14:05`. */
export const formatNewYorkTime = (at: string): string => moment.format(new Date(at))

/** How many wait in a pile, and how it is ordered. @param waiting on all of its pages together */
export function formatWaitingTime(waiting: number): string {
  if (waiting === 0) return 'Nothing waits for an answer. The newest first.'
  return waiting === 1 ? 'One waits for an answer.' : `${waiting} wait for an answer, the longest waiting first.`
}
