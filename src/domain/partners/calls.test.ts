import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '#shared/time.ts'
import { callCalendar } from './call-calendar.ts'
import { objectionToTimes } from './call-times.ts'

const now = Date.UTC(2026, 10, 21, 12)
const tomorrow = now + DAY_MS

test('a call can be requested from half a day to two months ahead', () => {
  expect(objectionToTimes([tomorrow, tomorrow + HOUR_MS], now)).toBeUndefined()
})

test.each([
  ['twice the same', [tomorrow, tomorrow], 'Please choose different times'],
  ['an odd minute', [tomorrow + 60_000], 'Please choose times on the quarter hour'],
  ['in an hour', [now + HOUR_MS], 'Please choose times at least half a day from now'],
  ['yesterday', [now - DAY_MS], 'Please choose times at least half a day from now'],
  ['next year', [now + 365 * DAY_MS], 'Please choose times within the next two months'],
])('%s is refused', (_, times, objection) => expect(objectionToTimes(times, now)).toBe(objection))

const aCall = {
  id: 'call-1@shop.example',
  title: 'Call with us',
  description: 'Hats, and\nmore; hats',
  url: 'https://shop.example/partnership',
  times: [new Date(tomorrow), new Date(tomorrow + HOUR_MS)],
  agreed: null,
  isDeclined: false,
  madeAt: new Date(now),
}

const statuses = (file: string) => [...file.matchAll(/STATUS:(\w+)/g)].map(([, status]) => status)

test('every proposed time is a tentative half hour in the calendar', () => {
  const file = callCalendar(aCall)
  expect(statuses(file)).toEqual(['TENTATIVE', 'TENTATIVE'])
  expect(file).toContain('DTSTART:20261122T120000Z\r\nDTEND:20261122T123000Z')
  expect(file).toContain('DESCRIPTION:Hats\\, and\\nmore\\; hats')
  expect(file.startsWith('BEGIN:VCALENDAR\r\nVERSION:2.0\r\n')).toBe(true)
})

test('the agreed time replaces its entry and removes the others', () => {
  const file = callCalendar({ ...aCall, agreed: new Date(tomorrow + HOUR_MS) })
  expect(statuses(file)).toEqual(['CANCELLED', 'CONFIRMED'])
  expect([...file.matchAll(/UID:(\S+)/g)].map(([, id]) => id)).toEqual(
    [...callCalendar(aCall).matchAll(/UID:(\S+)/g)].map(([, id]) => id),
  )
  expect(file).toContain('SEQUENCE:1')
})

test('a canceled call removes all its entries', () => {
  expect(statuses(callCalendar({ ...aCall, isDeclined: true }))).toEqual(['CANCELLED', 'CANCELLED'])
})
