import { expect, test } from 'vitest'
import { callSlots } from './call-slots.ts'

const friday = new Date('2026-11-20T18:00:00Z')

test('call times are on the shop’s working days, at least a day ahead', () => {
  const days = callSlots(friday, 'America/New_York')
  expect(days[0]).toEqual({
    day: 'Monday, November 23',
    slots: ['14:30', '16:00', '18:30', '20:30'].map((utc) => ({
      iso: `2026-11-23T${utc}:00.000Z`,
      time: expect.stringMatching(/^(?:9:30|11:00|1:30|3:30)\s[AP]M$/),
    })),
  })
  expect(days).toHaveLength(10)
})

test('a partner far away sees call times in their own days and hours', () => {
  const [first] = callSlots(friday, 'Asia/Tokyo')
  expect(first?.day).toBe('Monday, November 23')
  expect(first?.slots.map(({ time }) => time.replace(/\s/, ' '))).toEqual(['11:30 PM'])
})

test('call times keep their New York hour when daylight saving starts', () => {
  const days = callSlots(new Date('2027-03-10T12:00:00Z'), 'America/New_York')
  const first = days.find(({ day }) => day === 'Friday, March 12')?.slots[0]
  const later = days.find(({ day }) => day === 'Monday, March 15')?.slots[0]
  expect(first?.time).toBe(later?.time)
  expect([first?.iso, later?.iso]).toEqual(['2027-03-12T14:30:00.000Z', '2027-03-15T13:30:00.000Z'])
})
