// In hours from 0 to 23, because browsers and servers do not agree on the blank before `PM`.
const moment = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/New_York',
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

/** A moment of the wire as the desk writes it, in New York's time: `Nov 21, 2026, 14:05`. */
export const inNewYork = (at: string): string => moment.format(new Date(at))
