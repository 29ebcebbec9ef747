import { timingSafeEqual } from 'node:crypto'
import { withTimeout } from '#server/limits/timeout.ts'
import type { Needs } from '#server/shop.ts'
import { SECOND_MS } from '#shared/time.ts'
import type { App } from './app.ts'
import { Refusal } from './refusal.ts'

/** In seconds: a cached page takes a millisecond, and the longest timeout is 8 s. */
const ANSWER_BOUNDS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 8]

/** What is counted in the database, by the names of its views: a figure is asked for when somebody looks, never kept. */
const COUNT_QUERIES = {
  jobs: `select name || ' ' || state as label, count(*)::int as n from audit_jobs
         where state in ('created', 'retry', 'active', 'failed') group by 1`,
  exceptions: `select kind as label, count(*)::int as n from audit_exceptions where resolved_at is null group by 1`,
  mails: `select state as label, count(*)::int as n from audit_mails where state = 'queued' group by 1
          union all select state, count(*)::int from audit_mails where state = 'bounced' group by 1`,
  events: `select provider as label, count(*)::int as n from audit_events where processed_at is null group by 1`,
}

/** Age of the oldest waiting row of each kind, in seconds. Orders wait for the printer once the shopper can't change them. */
const OLDEST = `
  select 'order' as of, extract(epoch from $1::timestamptz - min(changeable_until))::float8 as s from shop_order
    where fulfilment_status = 'waiting' and payment_status in ('paid', 'partially_refunded', 'no_charge') and changeable_until <= $1
  union all select 'mail', extract(epoch from $1::timestamptz - min(created_at))::float8 from mail where state = 'queued'
  union all select 'event', extract(epoch from $1::timestamptz - min(received_at))::float8 from audit_events where processed_at is null`

/** Should always be 0, because a trigger refuses such postings. */
const UNBALANCED = `
  select count(*)::int as n from (
    select posting_id from audit_ledger where booked_at > $1::timestamptz - interval '1 day'
    group by posting_id having sum(amount_cents) <> 0) off`

/** Shorter than the timeout of Prometheus. */
const DATABASE_ANSWERS_WITHIN_MS = 1.5 * SECOND_MS

async function countAll(pool: Needs<'database'>['database']['pool'], now: Date) {
  const open: { of: string; label: string; n: number }[] = []
  for (const [of, query] of Object.entries(COUNT_QUERIES)) {
    const { rows } = await pool.query<{ label: string; n: number }>(query)
    open.push(...rows.map((row) => ({ of, ...row })))
  }
  const { rows: oldest } = await pool.query<{ of: string; s: number | null }>(OLDEST, [now])
  const { rows: unbalanced } = await pool.query<{ n: number }>(UNBALANCED, [now])
  return { open, oldest, unbalanced: unbalanced[0]?.n ?? 0 }
}

/**
 * `GET /metrics` for Prometheus: answers by route, what waits in the database, the process itself. Without the token
 * of the configuration there is no such page. No label holds anything of a person.
 */
export async function metricsRoutes(
  { http, load }: App,
  { config, database, clock }: Needs<'config' | 'database' | 'clock'>,
): Promise<void> {
  const { metricsToken } = config
  if (!metricsToken) return
  // Loaded only when metrics are on.
  const { collectDefaultMetrics, Gauge, Histogram, Registry } = await import('prom-client')
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const answers = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to its answer, by route.',
    labelNames: ['method', 'route', 'status'],
    buckets: ANSWER_BOUNDS_S,
    registers: [registry],
  })
  http.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions } = request
    answers.observe({ method, route: routeOptions.url ?? 'none', status: reply.statusCode }, reply.elapsedTime / 1000)
  })
  registry.registerMetric(
    new Gauge({
      name: 'shop_database_connections',
      help: 'Connections of the pool: all, idle, and requests that wait for one.',
      labelNames: ['state'],
      registers: [],
      collect() {
        this.set({ state: 'all' }, database.pool.totalCount)
        this.set({ state: 'idle' }, database.pool.idleCount)
        this.set({ state: 'waiting' }, database.pool.waitingCount)
      },
    }),
  )
  registry.registerMetric(
    new Gauge({
      name: 'shop_requests',
      help: 'Active browsing and paying requests, waiting requests, and all rejected so far.',
      labelNames: ['state'],
      registers: [],
      collect() {
        for (const [state, count] of Object.entries(load())) this.set({ state }, count)
      },
    }),
  )
  const open = new Gauge({
    name: 'shop_open',
    help: 'What is open in the database: jobs by name and state, exceptions by kind, mails by state, events by provider.',
    labelNames: ['of', 'label'],
    registers: [registry],
  })
  const oldest = new Gauge({
    name: 'shop_oldest_seconds',
    help: 'How long the oldest has waited: an order for the printer, an email in the outbox, a stored event.',
    labelNames: ['of'],
    registers: [registry],
  })
  const unbalanced = new Gauge({
    name: 'shop_unbalanced_postings',
    help: 'Postings of the last day whose entries do not sum to zero.',
    registers: [registry],
  })
  /** Without an answer in time these figures are left out. The others, which tell what is wrong then, still come. */
  async function readDatabase(): Promise<void> {
    const counts = await withTimeout(
      countAll(database.pool, clock.now()),
      () => undefined,
      DATABASE_ANSWERS_WITHIN_MS,
    ).catch(() => undefined)
    open.reset()
    oldest.reset()
    unbalanced.remove()
    if (!counts) return
    for (const { of, label, n } of counts.open) open.set({ of, label }, n)
    for (const { of, s } of counts.oldest) oldest.set({ of }, Math.max(s ?? 0, 0))
    unbalanced.set(counts.unbalanced)
  }

  const expected = Buffer.from(`Bearer ${metricsToken.reveal()}`)
  http.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    const given = Buffer.from(request.headers.authorization ?? '')
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw new Refusal('unknown_call')
    await readDatabase()
    return reply
      .header('cache-control', 'no-store')
      .type(registry.contentType)
      .send(await registry.metrics())
  })
}
