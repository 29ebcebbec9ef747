// UTC, so that server, browser and the announcement name the same moment.
const format = new Intl.DateTimeFormat('en-US', {
  timeZone: 'UTC',
  year: 'numeric',
  month: 'long',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

/** @param at ISO @returns `December 6, 2026 at 17:00 UTC` */
export const momentText = (at: string): string => `${format.format(new Date(at))} UTC`
