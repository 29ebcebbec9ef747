import { label } from '#site/label.ts'
import { dateFormat } from '#shared/language.ts'

/** `Nov 23, 10:32 AM EST`: the same on the page, in the email and on the server. */
export const formatClockTime = (moment: Date): string =>
  dateFormat({
    timeZone: label.timeZone,
    ...{ month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit', timeZoneName: 'short' },
  }).format(moment)
