import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '#shared/time.ts'
import { cents, negate, ZERO } from '#shared/money.ts'
import { paymentKey, type CheckoutId, type PaymentKey } from '#shared/ids.ts'
import { dayIn } from '#shared/time-zone.ts'
import type { Account } from '#domain/ledger/ledger.ts'
import { savePrinterOrders } from '#server/fulfillment/printer-orders.ts'
import { listResultsByDay, sumSealedDays } from '#server/ledger/day-sums.ts'
import { post } from '#server/ledger/ledger.ts'
import { sealPostings } from '#server/ledger/seals.ts'
import { listCommissionLines } from '#server/partners/sealed-lines.ts'
import { readDays, readSums } from '#server/reconciliation/book-pairs.ts'
import { upsertMovements } from '#server/reconciliation/store.ts'
import { openWorld } from '#sandbox/world.ts'

// The owner's first pages read stored sums. Whatever was booked, read, changed, sealed and summed in whatever order, they are what
// adding up every row gives.

const STEPS = 100

const CHECKOUT = '00000000-0000-4000-8000-000000000001' as CheckoutId

/** The payment of a provider's line; several lines may be of one. */
const keyOf = (line: number): PaymentKey => paymentKey(line % 2 ? 'stripe' : 'paypal', `pi_${line % 5}`)

/** The same numbers each time. */
function randomOf(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

test.each(['America/New_York', 'Asia/Kathmandu'])('in %s, stored sums are the sums of the rows', async (zone) => {
  await using world = await openWorld({ env: { REPORT_TIME_ZONE: zone } })
  const { shop } = world
  const { db, clock } = shop
  const random = randomOf(7)
  let booked = 0
  const ours = new Set<PaymentKey>()
  const accounts: readonly Account[] = ['revenue:merchandise', 'expense:fulfillment', 'print_partner', 'liability:tax']
  const momentAgo = () => new Date(clock.now().getTime() - random(3 * DAY_MS))

  const acts: readonly (() => Promise<unknown>)[] = [
    () =>
      db.transaction((tx) => {
        booked += 1
        const amount = cents(1 + random(5000))
        const from: Account = random(2) ? 'provider:stripe' : 'provider:paypal'
        const to = accounts[random(accounts.length)] ?? 'bank'
        const entries = [
          { account: from, amount },
          { account: to, amount: negate(amount) },
        ]
        return post(tx, {
          ...{ kind: 'correction', key: `random:${booked}`, orderId: null, paymentKey: null },
          ...{ bookedAt: clock.now(), entries },
        })
      }),
    // Read again, a line may have another amount, fee or day, and its payment may turn out to be the shop's; it stays that.
    () => {
      const n = random(12)
      const key = keyOf(n)
      if (random(4) === 0) ours.add(key)
      return db.transaction((tx) =>
        upsertMovements(
          tx,
          [
            {
              ...{ provider: n % 2 ? 'stripe' : 'paypal', id: `line_${n}`, kind: 'charge', sourceId: null },
              ...{ amount: cents(100 + random(900)), fee: random(2) ? cents(random(30)) : ZERO },
              ...{ currency: random(5) ? 'usd' : 'eur', occurredAt: momentAgo() },
              paymentKey: n === 0 ? null : key,
              checkoutId: ours.has(key) ? CHECKOUT : null,
            },
          ],
          clock.now(),
        ),
      )
    },
    () => {
      const id = 1 + random(8)
      const status = ['draft', 'failed', 'pending', 'fulfilled'][random(4)] ?? ''
      const cost = random(4) ? cents(500 + random(900)) : null
      const head = { id, externalId: `X${id}`, status, cost, createdAt: momentAgo() }
      return db.transaction((tx) => savePrinterOrders(tx, [head], clock.now()))
    },
    () => sealPostings(shop, listCommissionLines),
    () => sumSealedDays(shop),
    () => world.advance(random(20) * HOUR_MS),
    () => {
      const n = random(12)
      return ours.has(keyOf(n))
        ? Promise.resolve()
        : db.execute(`delete from provider_transaction where id = 'line_${n}'`)
    },
    () => db.execute(`delete from partner_order where id = ${1 + random(8)}`),
  ]
  const often = [...Array(6).fill(acts[0]), ...Array(5).fill(acts[1]), ...Array(3).fill(acts[2]), ...acts.slice(3)]

  for (let step = 0; step < STEPS; step += 1) {
    await often[random(often.length)]()
    if (step % 5) continue
    const since = dayIn(zone, clock.now().getTime()) - 2
    const { sums, days, results } = await addUp(zone, since)
    expect(await readSums(db, zone), `step ${step}`).toEqual(sums)
    // A day whose lines cancel out may be listed or not.
    expect((await readDays(db, since, zone)).filter(isNotEmpty), `step ${step}`).toEqual(days.filter(isNotEmpty))
    expect(new Set(await listResultsByDay(db, zone, since)), `step ${step}`).toEqual(new Set(results))
  }
  expect(booked).toBeGreaterThan(STEPS / 6)
  expect(await world.audit('seals')).not.toHaveLength(0)

  async function addUp(of: string, since: number) {
    const first = new Date(since * DAY_MS).toISOString().slice(0, 10)
    const { rows } = await shop.database.pool.query<{ provider: string; day: string; theirs: string; ours: string }>(
      `select provider, day::text as day, sum(theirs)::text as theirs, sum(ours)::text as ours from (
         select t.provider, (t.occurred_at at time zone $1)::date as day, t.amount_cents - t.fee_cents as theirs, 0 as ours
         from provider_transaction t where t.currency = 'usd' and (t.payment_key is null or exists (select from provider_transaction c
           where c.payment_key = t.payment_key and c.kind = 'charge' and c.checkout_id is not null))
         union all select 'printful', (created_at at time zone $1)::date, -cost_cents, 0 from partner_order
         where status not in ('draft', 'failed') and cost_cents is not null
         union all select case account when 'print_partner' then 'printful' else substr(account, 10) end,
           (p.booked_at at time zone $1)::date, 0, amount_cents
         from ledger_entry e join ledger_posting p on p.id = e.posting_id
         where account in ('provider:stripe', 'provider:paypal', 'print_partner')) moved
       group by 1, 2 order by 2 desc, 1`,
      [of],
    )
    const { rows: results } = await shop.database.pool.query<{ day: string; net: string; profit: string }>(
      `select (p.booked_at at time zone $1)::date::text as day,
         coalesce(-sum(amount_cents) filter (where account like 'revenue:%'), 0)::text as net, (-sum(amount_cents))::text as profit
       from ledger_entry e join ledger_posting p on p.id = e.posting_id
       where account ~ '^(revenue|expense):' and (p.booked_at at time zone $1)::date >= $2::date group by 1`,
      [of, first],
    )
    const add = (provider: string, name: 'theirs' | 'ours') =>
      rows.filter((row) => row.provider === provider).reduce((sum, row) => sum + Number(row[name]), 0)
    return {
      sums: ['stripe', 'paypal', 'printful'].map((provider) => ({
        ...{ provider, theirs: add(provider, 'theirs'), ours: add(provider, 'ours') },
      })),
      days: rows
        .filter(({ day }) => day >= first)
        .map(({ theirs, ours, ...row }) => ({ ...row, theirs: Number(theirs), ours: Number(ours) })),
      results,
    }
  }
})

const isNotEmpty = ({ theirs, ours }: { theirs: number; ours: number }): boolean => theirs !== 0 || ours !== 0
