import { expect, test } from 'vitest'
import { calendarFile } from './calendar.ts'

const entry = {
  id: 'K7QM-4T2X@shop.example',
  title: 'Parcel, with a hat; a mug',
  description: 'Order K7QM-4T2X\nFollow it',
  url: 'https://shop.example/track',
  from: new Date('2026-11-16'),
  to: new Date('2026-11-23'),
  madeAt: new Date('2026-11-16T10:11:12.345Z'),
}

test('the calendar entry covers every day of the range', () => {
  const lines = calendarFile(entry).split('\r\n')
  expect(lines).toContain('DTSTART;VALUE=DATE:20261116')
  expect(lines).toContain('DTEND;VALUE=DATE:20261124')
  expect(lines).toContain('DTSTAMP:20261116T101112Z')
  expect(lines).toContain('SUMMARY:Parcel\\, with a hat\\; a mug')
  expect(lines).toContain('DESCRIPTION:Order K7QM-4T2X\\nFollow it')
})

test('no calendar line is longer than 75 octets, and unfolding restores the text', () => {
  const title = 'Sörmländische Überraschung für 山田太郎 '.repeat(6)
  const file = calendarFile({ ...entry, title })
  for (const line of file.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
  expect(file.replaceAll('\r\n ', '')).toContain(`SUMMARY:${title}`)
})
