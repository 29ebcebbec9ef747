import { sql, type SQL } from 'drizzle-orm'
import type { SiteSettings } from '#site/shop-rules.ts'
import { transitTo, type DeliveryDays } from '#domain/catalog/arrival.ts'
import { mainCountries } from '#domain/checkout/countries.ts'
import { providerNames, localExceptionKinds, type LocalExceptionKind } from '#domain/reconciliation/exceptions.ts'
import { PRINTER_CLAIM_DAYS } from '#domain/claims/claim-window.ts'
import { REIMBURSE_DAYS } from '#domain/claims/withdrawal-law.ts'
import type { OrderId } from '#shared/ids.ts'
import { cents, ZERO } from '#shared/money.ts'
import { isOneOf } from '#shared/one-of.ts'
import { after, DAY_MS, HOUR_MS } from '#shared/time.ts'
import type { Db } from '#server/db/db.ts'
import { readSiteSettings } from '#server/settings/site-settings.ts'
import type { Needs } from '#server/shop.ts'
import { findMissingDeposits } from './bank.ts'
import { saveExceptions, type FoundException } from './exceptions.ts'
import { findStuckQueues, findUnsubmitted, isToBeMade } from './queues.ts'
import type { Book } from './store.ts'

// Exceptions visible in the shop's own data. Each check is one indexed query; an exception that it no longer finds is resolved.

/** A check finds at most this many. If it finds that many, others of its kind are not resolved for being missing. */
const FOUND_MAX = 500

/** How long before the printer's deadline an undecided claim stands out. */
const CLAIM_NOTICE_DAYS = 3

/** How long before its deadline a dispute without an answer stands out. */
const ANSWER_NOTICE_DAYS = 3

/** The deadline of dispute `d`: a week for those without one, which are inquiries. */
const answerBy = sql`coalesce(d.respond_by, d.opened_at + interval '7 days')`

/** Where the owner answers dispute `d` when no order has it. */
const paidForGiftCard = sql`case when exists (select from gift_card_purchase p where p.payment_key = d.payment_key)
  then ' The payment bought a gift card: answer it in the list of gift cards.' else '' end`

/** How long the printer may take for a credit before we ask. */
const CREDIT_DAYS = 14

type Row = {
  about: string
  order_id: number | null
  amount: string | null
  cause: string | null
  deadline: Date | null
}

/** What waits in a line is judged together. */
const queueKinds = ['not_submitted', 'queue_stuck'] as const
type QueueKind = (typeof queueKinds)[number]
type CheckedKind = Exclude<LocalExceptionKind, QueueKind | 'deposit_missing'>

type Facts = {
  now: Date
  graceMs: number
  /** They decide when an order is late. */
  promises: DeliveryDays & Pick<SiteSettings, 'responsePromise'>
}

/** Business days as calendar days, plus a weekend. */
const calendarDays = (business: number) => Math.ceil((business * 7) / 5) + 2

const ofOrders = (where: SQL, cause: SQL, deadline: SQL = sql`null::timestamptz`): SQL => sql`
  select 'order:' || o.id as about, o.id as order_id, o.total_cents::text as amount, ${cause} as cause, ${deadline} as deadline
  from shop_order o where ${where}`

const isOurMoney = sql`o.payment_status in ('paid', 'partially_refunded')`

/** Whether the goods of parcel `s` of order `o` were replaced or refunded since it shipped. */
const isSettled = sql`(exists (
    select 1 from claim c cross join lateral jsonb_to_recordset(c.pieces) as p(position int)
    join order_line l on l.order_id = c.order_id and l.position = p.position
    where c.order_id = o.id and c.outcome in ('replaced', 'refunded', 'settled') and c.resolved_at > s.shipped_at
      and s.items @> jsonb_build_array(jsonb_build_object('variantId', l.variant_id)))
  or exists (
    select 1 from shop_order n join order_line l on l.order_id = n.id
    where n.replaces_id = o.id and n.fulfilment_status <> 'cancelled' and n.created_at > s.shipped_at
      and s.items @> jsonb_build_array(jsonb_build_object('variantId', l.variant_id)))
  or exists (
    select 1 from refund f cross join lateral jsonb_to_recordset(f.pieces) as p(position int)
    join order_line l on l.order_id = f.order_id and l.position = p.position
    where f.order_id = o.id and f.status <> 'failed' and f.created_at > s.shipped_at
      and s.items @> jsonb_build_array(jsonb_build_object('variantId', l.variant_id))))`

/** The longest transit of order `o`, as calendar days. @param more days after it */
function transitOf(promises: DeliveryDays, more = 0): SQL {
  const longest = mainCountries.map((country) => [country, calendarDays(transitTo(country, promises).to) + more])
  const others = calendarDays(promises.internationalDays.to) + more
  return sql`make_interval(days => coalesce((${JSON.stringify(Object.fromEntries(longest))}::jsonb ->> (o.shipping_address->>'country'))::int, ${others}::int))`
}

const checks: Readonly<Record<CheckedKind, (facts: Facts) => SQL>> = {
  on_hold: () => ofOrders(sql`o.fulfilment_status = 'on_hold' and ${isToBeMade}`, sql`o.attention_reason`),
  needs_attention: () =>
    ofOrders(sql`o.fulfilment_status = 'needs_attention' and ${isToBeMade}`, sql`o.attention_reason`),
  // Orders that the printer canceled show up in its books.
  cancelled_not_refunded: ({ now, graceMs }) => sql`
    select 'order:' || o.id as about, o.id as order_id, (o.total_cents - coalesce(sum(r.amount_cents), 0))::text as amount,
           'It was canceled, but the customer has not been refunded.' as cause, null::timestamptz as deadline
    from shop_order o left join refund r on r.order_id = o.id and r.change_id is null and r.status <> 'failed'
    where o.fulfilment_status = 'cancelled' and ${isOurMoney} and o.updated_at < ${after(now, -graceMs)} and not exists (
      select 1 from partner_order p where p.external_id = o.external_id and p.status = 'canceled')
    group by o.id having o.total_cents > coalesce(sum(r.amount_cents), 0)`,
  // An order that the owner refunds while it is made ships, as the refund's form says: only a refund that came first is one.
  stopped_too_late: ({ now }) => sql`
    select 'order:' || o.id as about, o.id as order_id, o.total_cents::text as amount,
           'All of it was refunded, but the printer had already begun.' as cause, null::timestamptz as deadline
    from shop_order o join refund r on r.order_id = o.id and r.change_id is null and r.status <> 'failed'
    where o.fulfilment_status in ('in_production', 'on_hold', 'partially_shipped')
    group by o.id having sum(r.amount_cents) >= o.total_cents and exists (
      select 1 from order_step s
      where s.order_id = o.id and s.fulfilment_status = 'in_production' and s.taken_at >= max(r.created_at))
    union all ${ofOrders(
      sql`o.fulfilment_status = 'cancelled' and o.created_at > ${after(now, -90 * DAY_MS)} and exists (
        select 1 from partner_order p where p.external_id = o.external_id and p.status = 'inprocess')`,
      sql`'It was canceled here, but the printer had already begun.'`,
    )}`,
  late: ({ now, promises }) => {
    const { processingDays } = promises
    const made = after(now, -calendarDays(processingDays.to) * DAY_MS)
    const traveling = transitOf(promises)
    // Without any delivery reports, every order would look late.
    return sql`
      ${ofOrders(
        sql`o.fulfilment_status in ('submitted', 'in_production') and ${isToBeMade} and o.created_at < ${made}`,
        sql`'It should have shipped by now.'`,
        sql`o.created_at + ${`${calendarDays(processingDays.to)} days`}::interval`,
      )}
      union all
      select 'order:' || o.id, o.id, o.total_cents::text, 'It should have arrived by now.',
             min(s.shipped_at) + ${traveling}
      from shop_order o join shipment s on s.order_id = o.id
      where o.fulfilment_status in ('shipped', 'partially_shipped') and ${isToBeMade}
        and s.delivered_at is null and s.returned_at is null and s.lost_at is null and not ${isSettled}
        and s.shipped_at < ${now}::timestamptz - ${traveling}
        and exists (select 1 from shipment where delivered_at is not null)
      group by o.id`
  },
  returned: () =>
    ofOrders(
      sql`${isToBeMade} and exists (
        select 1 from shipment s where s.order_id = o.id and s.returned_at is not null and not exists (
          select 1 from shipment r where r.order_id = o.id and r.reshipment and r.shipped_at > s.returned_at)
          and not ${isSettled})`,
      sql`coalesce(o.attention_reason, 'A parcel was returned to the printer.')`,
    ),
  // The printer replaces or credits what was lost until a month after its last day.
  lost: ({ promises }) => sql`
    select 'order:' || o.id as about, o.id as order_id, o.total_cents::text as amount,
           'A parcel was given up as lost, and its goods are neither replaced nor refunded.' as cause,
           min(s.shipped_at) + ${transitOf(promises, PRINTER_CLAIM_DAYS)} as deadline
    from shop_order o join shipment s on s.order_id = o.id
    where s.lost_at is not null and s.delivered_at is null and s.returned_at is null and ${isToBeMade} and not ${isSettled}
      and not exists (select 1 from shipment r where r.order_id = o.id and r.reshipment and r.shipped_at > s.shipped_at)
    group by o.id`,
  disputed: () => sql`
    select 'dispute:' || d.provider || ':' || d.dispute_id as about, d.order_id, d.amount_cents::text as amount,
           case d.status when 'inquiry' then 'The customer’s bank has a question about a payment. No money has moved.'
             else 'The customer’s bank took the money for now.' end
             || case when a.state = 'sent' then ' The evidence was sent; the bank decides.' else '' end
             || ${paidForGiftCard} as cause,
           case when a.state = 'sent' then null else ${answerBy} end as deadline
    from dispute d left join dispute_answer a on a.provider = d.provider and a.dispute_id = d.dispute_id
    where d.status in ('inquiry', 'open')`,
  dispute_unanswered: ({ now }) => sql`
    select 'dispute:' || d.provider || ':' || d.dispute_id as about, d.order_id, d.amount_cents::text as amount,
           case when a.state = 'refused' then 'The payment provider did not take our answer: ' || a.failure
             when ${answerBy} < ${now} then 'The deadline for evidence has passed.'
             when a.state = 'queued' then 'The evidence is still on its way to the payment provider.'
             else 'No evidence was sent, and the deadline is near.' end || ${paidForGiftCard} as cause, ${answerBy} as deadline
    from dispute d left join dispute_answer a on a.provider = d.provider and a.dispute_id = d.dispute_id
    where d.status in ('inquiry', 'open') and a.state is distinct from 'sent'
      and (a.state = 'refused' or ${answerBy} < ${after(now, ANSWER_NOTICE_DAYS * DAY_MS)})`,
  negative_margin: ({ now }) => sql`
    select 'order:' || o.id as about, o.id as order_id, sum(e.amount_cents)::text as amount,
           'It cost more than it earned.' as cause, null::timestamptz as deadline
    from shop_order o join ledger_posting p on p.order_id = o.id join ledger_entry e on e.posting_id = p.id
    where o.created_at > ${after(now, -7 * DAY_MS)} and o.payment_status = 'paid'
      and (e.account like 'revenue:%' or e.account in ('expense:fulfillment', 'expense:provider_fees', 'expense:commission', 'liability:vat_protection'))
    group by o.id having sum(e.amount_cents) > 0`,
  refund_failed: ({ now }) => sql`
    select 'refund:' || r.id as about, r.order_id, r.amount_cents::text as amount,
           'The customer did not get the money: the payment provider refused the refund, or the bank returned it.' as cause, null::timestamptz as deadline
    from refund r
    where r.status = 'failed' and r.created_at > ${after(now, -90 * DAY_MS)} and not exists (
      select 1 from refund l where l.payment_key = r.payment_key and l.id > r.id and l.status <> 'failed' and l.gift_card_id is null
        and coalesce(l.pays_refund_id, r.id) = r.id)`,
  webhook_silent: ({ now, graceMs }) => sql`
    select 'webhook:' || p.provider as about, null::int as order_id, sum(p.amount_cents)::text as amount,
           'Payments came in without a webhook. The shop found them anyway.' as cause, null::timestamptz as deadline
    from payment p
    where p.captured_at > ${after(now, -DAY_MS)} and p.captured_at < ${after(now, -graceMs)} and p.captured_at > coalesce(
      (select max(e.received_at) from provider_event e where e.provider = p.provider and e.received_at > ${after(now, -2 * DAY_MS)}),
      '-infinity')
    group by p.provider having count(*) >= 3`,
  provider_down: ({ now, graceMs }) => sql`
    select 'provider:' || r.provider as about, null::int as order_id, '0' as amount, r.provider as cause, null::timestamptz as deadline
    from provider_reading r where r.failing_since < ${after(now, -graceMs)}`,
  provider_word: ({ now }) => sql`
    select 'word:' || w.provider || ' ' || w.field || ' ' || w.word as about, null::int as order_id, '0' as amount,
           initcap(w.provider) || ' sent ‘' || w.word || '’ as ' || w.field || ', which this release does not know. The shop ignores it.' as cause,
           null::timestamptz as deadline
    from provider_word w where w.last_seen_at > ${after(now, -7 * DAY_MS)}`,
  mail_bounced: ({ now }) => sql`
    select 'mail:' || m.id as about, m.order_id, coalesce(o.total_cents, 0)::text as amount,
           'The email ‘' || m.kind || '’ bounced.' as cause, null::timestamptz as deadline
    from mail m left join shop_order o on o.id = m.order_id
    where m.state = 'bounced' and m.created_at > ${after(now, -30 * DAY_MS)} and not exists (
      select 1 from mail l where l.order_id = m.order_id and l.kind = m.kind and l.id > m.id and l.state = 'sent')`,
  job_dead: ({ now }) => sql`
    select 'job:' || f.name as about, null::int as order_id, '0' as amount,
           count(*) || ' ‘' || f.name || '’ jobs failed for days and were given up.' as cause, null::timestamptz as deadline
    from pgboss.job f
    where f.state = 'failed' and f.created_on > ${after(now, -7 * DAY_MS)} and not exists (
      select 1 from pgboss.job l where l.name = f.name and l.singleton_key is not distinct from f.singleton_key
        and l.created_on > f.created_on and l.state <> 'failed')
    group by f.name`,
  // A claim that waits for the shopper can still miss the printer's deadline, or the law's for the money; one that we paid for, the printer's.
  claim_waiting: ({ now, promises: { responsePromise } }) => {
    const isUnanswered = sql`c.waiting_since < ${after(now, -responsePromise.withinHours * HOUR_MS)}`
    const isMoneyDue = sql`(c.kind = 'withdrawal' and c.state <> 'resolved'
      and c.opened_at < ${after(now, (CLAIM_NOTICE_DAYS - REIMBURSE_DAYS) * DAY_MS)})`
    return sql`
    select 'claim:' || c.id as about, c.order_id, coalesce(c.amount_cents, 0)::text as amount,
           case when ${isUnanswered}
             then 'A customer has waited for an answer since ' || to_char(c.waiting_since at time zone 'UTC', 'YYYY-MM-DD HH24:MI') || ' UTC.'
             when ${isMoneyDue} then 'The money of a withdrawal must be back soon.'
             else 'The printer’s deadline for this claim ends soon, and the printer has not been told.' end as cause,
           case when c.kind = 'withdrawal' then c.opened_at + ${`${REIMBURSE_DAYS} days`}::interval else c.printer_deadline_at end as deadline
    from claim c
    where ${isUnanswered} or ${isMoneyDue}
      or (c.printer_told_at is null and c.printer_deadline_at < ${after(now, CLAIM_NOTICE_DAYS * DAY_MS)}
        and (c.state <> 'resolved' or (c.outcome in ('replaced', 'refunded') and c.printer_deadline_at > ${now})))`
  },
  credit_missing: ({ now }) => sql`
    select 'claim:' || c.id as about, c.order_id, c.printer_cost_cents::text as amount,
           'The printer was told of this claim on ' || to_char(c.printer_told_at at time zone 'UTC', 'YYYY-MM-DD')
             || ', and has not credited anything.' as cause, null::timestamptz as deadline
    from claim c join shop_order o on o.id = c.order_id
    where c.printer_told_at < ${after(now, -CREDIT_DAYS * DAY_MS)} and c.outcome is distinct from 'refused'
      and o.partner_cost_cents >= c.printer_cost_cents`,
  gift_cards: () => sql`
    select 'gift-card:' || c.id as about, null::int as order_id, (c.balance_cents - coalesce(sum(m.amount_cents), 0))::text as amount,
           'The balance of gift card ' || c.id || ' is not the sum of its movements.' as cause, null::timestamptz as deadline
    from gift_card c left join gift_card_movement m on m.gift_card_id = c.id
    group by c.id having c.balance_cents <> coalesce(sum(m.amount_cents), 0)
    union all
    select 'gift-cards', null, (b.balance + b.owed)::text, 'All gift cards together have another balance than the ledger owes.', null
    from (select (select coalesce(sum(balance_cents), 0) from gift_card) as balance,
                 (select coalesce(sum(amount_cents), 0) from ledger_entry where account = 'liability:gift_cards') as owed) b
    where b.balance + b.owed <> 0`,
  message_waiting: ({ now, promises: { responsePromise } }) => sql`
    select 'conversation:' || c.id as about, c.order_id, '0' as amount,
           'A customer has waited for an answer since ' || to_char(c.waiting_since at time zone 'UTC', 'YYYY-MM-DD HH24:MI') || ' UTC.' as cause,
           null::timestamptz as deadline
    from conversation c where c.waiting_since < ${after(now, -responsePromise.withinHours * HOUR_MS)}`,
}

/** Opens and resolves exceptions by the shop's own data. @param graceMs how long work may still be in progress */
export async function checkForExceptions(shop: Needs<'db' | 'clock' | 'config'>, graceMs: number): Promise<void> {
  const { db } = shop
  const now = shop.clock.now()
  const promises = await readSiteSettings(db)
  const found = [...(await findUnsubmitted(db, now, graceMs)), ...(await findStuckQueues(db, now, graceMs))]
  const whole: LocalExceptionKind[] = [...queueKinds]
  const cut = new Map<LocalExceptionKind, FoundException[]>()
  for (const kind of localExceptionKinds) {
    if (isOneOf(queueKinds, kind)) continue
    const ofKind =
      kind === 'deposit_missing'
        ? await findMissingDeposits(shop)
        : await runCheck(db, kind, { now, graceMs, promises })
    if (ofKind.length === FOUND_MAX) cut.set(kind, ofKind)
    else {
      whole.push(kind)
      found.push(...ofKind)
    }
  }
  // Once for all kinds: a check that finds nothing new, as nearly all do, is one statement then.
  await db.transaction(async (tx) => {
    await saveExceptions(tx, { kinds: whole }, found, now)
    for (const [kind, ofKind] of cut)
      await saveExceptions(tx, { kinds: [kind], abouts: ofKind.map(({ about }) => about) }, ofKind, now)
  })
}

async function runCheck(db: Db, kind: keyof typeof checks, facts: Facts): Promise<FoundException[]> {
  const { rows } = await db.execute<Row>(sql`${checks[kind](facts)} order by 1 limit ${FOUND_MAX}`)
  return rows.map(({ about, order_id: orderId, amount, cause, deadline }) => ({
    kind,
    about,
    orderId: orderId as OrderId | null,
    amount: amount === null ? ZERO : cents(Math.abs(Number(amount))),
    cause: kind === 'provider_down' ? downSince(cause as Book) : (cause ?? 'No reason given.'),
    deadlineAt: deadline === null ? null : new Date(deadline),
  }))
}

const downSince = (book: Book): string =>
  `${providerNames[book]}’s records cannot be read. Reports show its figures as of the last successful reading.`

/** How long jobs and webhooks may take before something counts as wrong: two sweeps, at most six hours. */
export const gracePeriodOf = ({ config }: Needs<'config'>): number => Math.min(2 * config.sweepIntervalMs, 6 * HOUR_MS)
