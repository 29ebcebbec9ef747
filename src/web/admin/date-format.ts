import { label } from '#site/label.ts'

// Hours from 0 to 23, because browsers and servers disagree on the space before `PM`.
const moment = new Intl.DateTimeFormat('en-US', {
  timeZone: label.timeZone,
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

/** @param at ISO @returns New York time: `Nov 21, 2026, 14:05` */
export const formatNewYorkTime = (at: string): string => moment.format(new Date(at))

/** How many wait for a reply, and how the list is sorted. @param waiting on all pages */
export function waitingSummary(waiting: number): string {
  if (waiting === 0) return 'All answered. Newest first.'
  return waiting === 1 ? '1 waiting for a reply.' : `${waiting} waiting for a reply, longest wait first.`
}
