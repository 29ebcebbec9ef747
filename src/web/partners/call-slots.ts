import { label } from '#site/label.ts'
import { after, DAY_MS, MINUTE_MS } from '#shared/time.ts'

/** When someone at the shop can take a call: New York time, Monday to Friday. */
const STARTS: ReadonlySet<string> = new Set(['09:30', '11:00', '13:30', '15:30'])
const WORKDAYS: ReadonlySet<string> = new Set(['Mon', 'Tue', 'Wed', 'Thu', 'Fri'])
const STEP_MS = 30 * MINUTE_MS
const DAYS_AHEAD = 14

const officeTimeFormat = new Intl.DateTimeFormat('en-US', {
  timeZone: label.timeZone,
  weekday: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

type Slot = { iso: string; time: string }
export type SlotDay = { day: string; slots: Slot[] }

/** Times that can be proposed, at least a day ahead, grouped by the visitor's own days. @param timeZone IANA name */
export function callSlots(now: Date, timeZone: string): SlotDay[] {
  const dayOf = new Intl.DateTimeFormat('en-US', { timeZone, weekday: 'long', month: 'long', day: 'numeric' })
  const timeOf = new Intl.DateTimeFormat('en-US', { timeZone, timeStyle: 'short' })
  const first = Math.ceil(after(now, DAY_MS).getTime() / STEP_MS) * STEP_MS
  const days: SlotDay[] = []
  for (let at = first; at < first + DAYS_AHEAD * DAY_MS; at += STEP_MS) {
    const moment = new Date(at)
    const parts = new Map(officeTimeFormat.formatToParts(moment).map(({ type, value }) => [type, value]))
    if (!WORKDAYS.has(parts.get('weekday') ?? '') || !STARTS.has(`${parts.get('hour')}:${parts.get('minute')}`))
      continue
    const slot = { iso: moment.toISOString(), time: timeOf.format(moment) }
    const day = dayOf.format(moment)
    const last = days.at(-1)
    if (last?.day === day) last.slots.push(slot)
    else days.push({ day, slots: [slot] })
  }
  return days
}
