import { sql, type SQL } from 'drizzle-orm'
import {
  CROWD_MIN,
  endOfQueue,
  PRINTER_ORDERS_PER_MINUTE,
  standsOut,
  type QueueName,
} from '#domain/reconciliation/queue.ts'
import type { OrderId } from '#shared/ids.ts'
import { cents, sum } from '#shared/money.ts'
import { after, MINUTE_MS } from '#shared/time.ts'
import type { Reader } from '#server/db/db.ts'
import type { FoundException } from './exceptions.ts'

/** Or made without a payment. */
export const isToBeMade = sql`o.payment_status in ('paid', 'partially_refunded', 'no_charge')`

/** Over this long the pace of emails and tax records is measured. */
const PACE_MS = 5 * MINUTE_MS

const waitsForPrinter = (now: Date): SQL =>
  sql`o.fulfilment_status = 'waiting' and ${isToBeMade} and o.changeable_until <= ${now}`

/**
 * Each queue: how many wait, since when, and how many got through since a moment. Jobs go by the database's clock. A tax record that was
 * given up no longer waits: `job_dead` tells.
 */
const queries: Readonly<Record<QueueName, (now: Date, since: Date) => SQL>> = {
  printer: (now, since) => sql`
    select count(*)::int as waiting, min(o.changeable_until) as since, coalesce(sum(o.total_cents), 0)::text as amount,
      (select count(*)::int from shop_order a join order_step s on s.order_id = a.id
       where a.partner_asked_at >= ${since} and ${isAtPrinter} and s.fulfilment_status = 'submitted' and s.taken_at >= ${since}) as passed
    from shop_order o where ${waitsForPrinter(now)}`,
  emails: (_, since) => sql`
    select count(*)::int as waiting, min(created_at) as since, '0' as amount,
      (select count(*)::int from mail where sent_at >= ${since}) as passed
    from mail where state = 'queued'`,
  tax: (now, since) => sql`
    select count(*) filter (where state < 'active')::int as waiting, min(created_on) filter (where state < 'active') as since, '0' as amount,
      count(*) filter (where completed_on >= now() - make_interval(secs => ${(now.getTime() - since.getTime()) / 1000}))::int as passed
    from pgboss.job where name in ('record-tax', 'reverse-tax', 'rebook-tax', 'correct-tax') and start_after <= now()`,
}

/** An order at the printer, in the words of the index `order_with_partner`. */
const isAtPrinter = sql`a.fulfilment_status in
  ('submitted', 'in_production', 'partially_shipped', 'shipped', 'on_hold', 'needs_attention', 'delivered', 'returned')`

type QueueRow = { waiting: number; since: Date | null; amount: string; passed: number }

export type Queue = {
  name: QueueName
  waiting: number
  since: Date
  /** When the last one is through at the printer's pace, or at that of the last minutes; null while nothing moves. */
  doneAt: Date | null
}

async function readQueue(db: Reader, name: QueueName, now: Date, since: Date): Promise<QueueRow | undefined> {
  const { rows } = await db.execute<QueueRow>(queries[name](now, since))
  return rows[0]
}

async function findQueue(db: Reader, name: QueueName, now: Date): Promise<Queue | undefined> {
  const row = await readQueue(db, name, now, after(now, -PACE_MS))
  if (!row?.since || row.waiting === 0) return undefined
  const measured = (row.passed * MINUTE_MS) / PACE_MS
  const perMinute = name === 'printer' && row.passed > 0 ? PRINTER_ORDERS_PER_MINUTE : measured
  return { name, waiting: row.waiting, since: new Date(row.since), doneAt: endOfQueue(row.waiting, perMinute, now) }
}

/** The queues in which a crowd waits, for the owner. */
export async function listQueues(db: Reader, now: Date): Promise<Queue[]> {
  const queues: Queue[] = []
  for (const name of ['printer', 'emails', 'tax'] as const) {
    const queue = await findQueue(db, name, now)
    if (queue && queue.waiting > CROWD_MIN) queues.push(queue)
  }
  return queues
}

/** Orders in line at the printer, also a few. @returns undefined without any */
export const readPrinterQueue = (db: Reader, now: Date): Promise<Queue | undefined> => findQueue(db, 'printer', now)

type WaitingOrder = {
  id: OrderId
  kind: string
  amount: string
  waited: number
  ahead: number
  passed: number
  overtaken: boolean
}

/** Orders in line at the printer that wait longer than the grace. A sort of those in line and those accepted meanwhile; no order twice. */
const inLine = (now: Date, graceMs: number): SQL => sql`
  with waiting as (
    select o.id, o.kind, o.total_cents, o.changeable_until as due from shop_order o where ${waitsForPrinter(now)}),
  passed as (
    select s.taken_at, a.changeable_until as due from shop_order a join order_step s on s.order_id = a.id
    where a.partner_asked_at >= (select min(due) from waiting) and ${isAtPrinter}
      and s.fulfilment_status = 'submitted' and s.taken_at >= (select min(due) from waiting)),
  line as (
    select id, count(id) over (order by at, id) - 1 as ahead, count(*) filter (where id is null) over (order by at desc, id nulls first) as passed
    from (select id, due as at from waiting union all select null, taken_at from passed) moments)
  select w.id, w.kind, w.total_cents::text as amount, extract(epoch from ${now}::timestamptz - w.due)::float8 * 1000 as waited,
    line.ahead::int as ahead, line.passed::int as passed,
    coalesce((select max(due) from passed) > w.due + make_interval(secs => ${graceMs / 1000}), false) as overtaken
  from waiting w join line on line.id = w.id
  where w.due < ${after(now, -graceMs)} order by w.due, w.id`

/**
 * Orders that wait for the printer longer than their place in line explains. Up to `CROWD_MIN` are told one by one. When a whole crowd
 * waits too long, the printer is the reason, and one exception is about all of them.
 */
export async function findUnsubmitted(db: Reader, now: Date, graceMs: number): Promise<FoundException[]> {
  const { rows } = await db.execute<WaitingOrder>(inLine(now, graceMs))
  const found = rows.filter(({ waited, ahead, passed, overtaken }) =>
    standsOut({ waitedMs: waited, ahead, passed, isOvertaken: overtaken }, graceMs),
  )
  if (found.length > CROWD_MIN) {
    const amount = sum(found.map((order) => cents(Number(order.amount))))
    const cause = `${found.length.toLocaleString('en-US')} paid orders wait longer than the printer’s pace explains. They are kept in order of payment, and are sent as soon as it accepts them.`
    return [{ kind: 'queue_stuck', about: 'queue:printer', orderId: null, amount, cause }]
  }
  return found.map(({ id, kind, amount, overtaken }) => ({
    kind: 'not_submitted',
    about: `order:${id}`,
    orderId: id,
    amount: cents(Number(amount)),
    cause: `${kind === 'sale' ? 'It is paid, but the printer has not accepted it yet.' : 'The printer has not accepted it yet.'}${overtaken ? ' Orders that came later are there.' : ''}`,
  }))
}

const stuckCauses = {
  emails: 'emails wait, and the mail server has taken none for a while. They are sent as soon as it does.',
  tax: 'tax records wait, and Stripe Tax has taken none for a while. They are recorded as soon as it does.',
} as const

/** Emails and tax records of which a crowd waits, and none got through within the grace. */
export async function findStuckQueues(db: Reader, now: Date, graceMs: number): Promise<FoundException[]> {
  const stuck: FoundException[] = []
  for (const name of ['emails', 'tax'] as const) {
    const row = await readQueue(db, name, now, after(now, -graceMs))
    if (!row?.since || row.waiting <= CROWD_MIN || row.passed > 0) continue
    if (new Date(row.since) > after(now, -graceMs)) continue
    const cause = `${row.waiting.toLocaleString('en-US')} ${stuckCauses[name]}`
    stuck.push({ kind: 'queue_stuck', about: `queue:${name}`, orderId: null, amount: cents(0), cause })
  }
  return stuck
}
