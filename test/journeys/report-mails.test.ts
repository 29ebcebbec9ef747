import { afterAll, beforeAll, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '#shared/time.ts'
import { openWorld, type World } from '#sandbox/world.ts'
import { mailReports } from '#server/reports/report-mails.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

async function setTo(changes: object) {
  // An owner's session is short.
  const owner = world.shopper()
  await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
  return owner.send('PUT', '/api/admin/settings', changes)
}
/** Time passes until this moment. */
const advancesTo = (moment: string) => world.advance(new Date(moment).getTime() - world.shop.clock.now().getTime())
/** The next Monday at 6:30 in New York, which may be at standard or at daylight saving time. */
function nextMondayMorning(): Date {
  const now = Temporal.Instant.from(world.shop.clock.now().toISOString()).toZonedDateTimeISO('America/New_York')
  const morning = now.add({ days: 8 - now.dayOfWeek }).with({ hour: 6, minute: 30, second: 0, millisecond: 0 })
  return new Date(morning.epochMilliseconds)
}
async function mailed() {
  // Two instances.
  await Promise.all([mailReports(world.shop), mailReports(world.shop)])
  await world.settled()
  const rows = await world.audit<{ kind: string; to: string }>('mails')
  return rows.filter(({ kind }) => kind === 'report').length
}

test('a weekly report is a link on Monday at seven, once, and opens only for the owner', async () => {
  const monday = nextMondayMorning()
  await advancesTo(monday.toISOString())
  expect((await setTo({ taxMail: { was: 'never', value: 'weekly' } })).status, 'taxes are by the month').toBe(422)
  expect(await mailed(), 'nobody asked').toBe(0)
  await world.advance(HOUR_MS)
  expect((await setTo({ salesMail: { was: 'never', value: 'weekly' } })).status).toBe(200)
  expect(await mailed()).toBe(1)
  expect(await mailed(), 'again').toBe(1)

  const [from, to] = [7, 1].map((days) => new Date(monday.getTime() - days * DAY_MS).toISOString().slice(0, 10))
  const mail = world.mailbox.list().find(({ subject }) => subject.startsWith('Business report'))
  const link = `/reports?start_date=${from}&end_date=${to}`
  expect(mail?.text).toContain(`${world.address}${link}`)
  expect(mail?.text).not.toContain('$')
  expect((await world.shopper().send('GET', `/api/reports/summary${link.slice('/reports'.length)}`)).status).toBe(401)

  // Clocks may be set in between.
  await world.advance(7 * DAY_MS - 3 * HOUR_MS)
  expect(await mailed(), 'before the next Monday').toBe(1)
  await world.advance(4 * HOUR_MS)
  expect(await mailed()).toBe(2)
})
