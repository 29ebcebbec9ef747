import { after, DAY_MS } from '#shared/time.ts'

type Entry = {
  /** Unique and stable: a new entry for the same order replaces the old one. */
  id: string
  title: string
  description: string
  url: string
  /** Midnight UTC of whole days, both inclusive. */
  from: Date
  to: Date
  madeAt: Date
}

const day = (moment: Date): string => moment.toISOString().slice(0, 10).replaceAll('-', '')
export const escapedText = (text: string): string => text.replace(/[\\;,]/g, '\\$&').replace(/\r?\n/g, '\\n')

const LINE_MAX = 74 // RFC 5545, 3.1: 75 octets; what is written here is ASCII but for names

/** Folds a long line: a line break and a space. */
function foldLine(line: string): string {
  const parts: string[] = []
  let part = ''
  for (const letter of line) {
    if (lengthInBytes(part + letter) > LINE_MAX) {
      parts.push(part)
      part = ''
    }
    part += letter
  }
  return [...parts, part].join('\r\n ')
}

const lengthInBytes = (text: string): number => encodeURIComponent(text).replace(/%[0-9A-F]{2}/g, '.').length

/** `20261121T140500Z`. */
export const calendarMoment = (moment: Date): string =>
  moment
    .toISOString()
    .replace(/[-:]/g, '')
    .replace(/\.\d+Z$/, 'Z')

/** A calendar file (RFC 5545) around entries given line by line. */
export const buildCalendar = (entries: readonly (readonly string[])[], product = 'order'): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//shop//${product}//EN`,
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    ...entries.flatMap((lines) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT']),
    'END:VCALENDAR',
    '',
  ]
    .map(foldLine)
    .join('\r\n')

/** A calendar file with one all-day entry. */
export const calendarFile = ({ id, title, description, url, from, to, madeAt }: Entry): string =>
  buildCalendar([
    [
      `UID:${escapedText(id)}`,
      `DTSTAMP:${calendarMoment(madeAt)}`,
      `DTSTART;VALUE=DATE:${day(from)}`,
      // The end date is exclusive.
      `DTEND;VALUE=DATE:${day(after(to, DAY_MS))}`,
      `SUMMARY:${escapedText(title)}`,
      `DESCRIPTION:${escapedText(description)}`,
      `URL:${url}`,
      'TRANSP:TRANSPARENT',
    ],
  ])
