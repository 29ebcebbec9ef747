import { label } from '#site/label.ts'

const clockTime = new Intl.DateTimeFormat('en-US', {
  timeZone: label.timeZone,
  ...{ month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit', timeZoneName: 'short' },
})

/** `Nov 23, 10:32 AM EST`: the same on the page, in the email and on the server. */
export const formatClockTime = (moment: Date): string => clockTime.format(moment)
