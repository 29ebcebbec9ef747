import { sql } from 'drizzle-orm'
import { fromDrizzle, PgBoss, type JobResult, type JobWithMetadata } from 'pg-boss'
import type pg from 'pg'
import { aheadOf } from '#server/config/clock.ts'
import type { Database, Tx } from '#server/db/db.ts'
import type { Log } from '#server/log/log.ts'
import type { OrderId, PaymentProvider, ProductId } from '#shared/ids.ts'
import { after, SECOND_MS, type Clock } from '#shared/time.ts'

/** Every job and its data: ids only, never personal data. Handlers run at least once, so they must be idempotent. */
export type Jobs = {
  /** `dueAt`: the end of the order's time for changes, in milliseconds. */
  'submit-order': { orderId: OrderId; dueAt: number }
  /** Orders that wait because the printer was down. */
  'submit-waiting': Record<string, never>
  'send-mail': { mailId: number }
  'mail-account-link': { requestId: number }
  /** Emails the link to somebody's data, if there are any; identified by a hash. */
  'mail-data-link': { tokenHash: string }
  'provider-event': { eventRowId: number }
  'refund-payment': { refundId: number }
  /** Gives the owner's answer to a dispute to the provider. */
  'answer-dispute': { provider: PaymentProvider; disputeId: string }
  'record-tax': { orderId: OrderId }
  'cancel-intent': { intentId: string }
  'reverse-tax': { refundId: number }
  'rebook-tax': { refundId: number }
  /** Records the tax of a changed order instead of the one before. */
  'correct-tax': { changeId: number }
  /** Ends a change whose difference nobody paid. */
  'lapse-change': { changeId: number }
  'cancel-at-partner': { orderId: OrderId }
  /** Syncs all products; single products are synced by `provider-event`. */
  'sync-catalog': Record<string, never>
  /** Reads the printer's catalog of blanks. */
  'read-blanks': Record<string, never>
  /** Fetches the pictures of imported products; continues with those that wait. */
  'fetch-pictures': Record<string, never>
  /** Makes the pictures of a drawing on a product; continues with those that are missing. */
  'compose-pictures': { compositionId: string }
  /** Makes the picture that a link to a drop's page shows. */
  'draw-drop-share': { dropId: number }
  /** Deletes expired data and erases people who requested it. */
  'forget-expired': Record<string, never>
  /** Emails new chat lines, several in one email. */
  'mail-conversation': { conversationId: number }
  /** Reads new emails of customers. */
  'watch-messages': Record<string, never>
  /** Tells the owner about new subscribers. */
  'tell-subscribers': Record<string, never>
  /** Sends an issue of the newsletter to all subscribers. */
  'send-issue': { issueId: number }
  /** Continues reading the providers' books and compares them with ours. */
  'watch-books': Record<string, never>
  /** Opens and closes exceptions by the shop's own data. */
  'check-exceptions': Record<string, never>
  /** The same for a longer period, when the owner requests it. */
  'reconcile-books': Record<string, never>
  /** Tells the printer the prices that the owner set; continues with those it does not have. */
  'write-prices': { productId: ProductId }
  /** Makes a new product at the printer and in the catalog. */
  'make-product': { draftId: number }
  /** Seals new postings. */
  'seal-ledger': Record<string, never>
  /** Runs the doctor. */
  'examine-setup': Record<string, never>
}

export type JobName = keyof Jobs

/** How long a failing job is retried. */
const RETRY_PERIOD_S = 50 * 3600
/** Default of the longest pause between two tries. */
const PAUSE_MAX_S = 600

const retriesWith = (pauseMaxS: number) => ({
  retryLimit: Math.ceil(RETRY_PERIOD_S / pauseMaxS),
  retryDelay: 2,
  retryBackoff: true,
  retryDelayMax: pauseMaxS,
})

/** Orders that wait for the printer are retried soon and for as long as it takes; most tries make no call. */
const retriesOf: Partial<Record<JobName, object>> = {
  'submit-waiting': { retryLimit: 300_000, retryDelay: 10, retryBackoff: false },
}

const jobNames: readonly JobName[] = [
  'submit-order',
  'submit-waiting',
  'send-mail',
  'mail-account-link',
  'mail-data-link',
  'provider-event',
  'refund-payment',
  'answer-dispute',
  'record-tax',
  'cancel-intent',
  'reverse-tax',
  'rebook-tax',
  'correct-tax',
  'lapse-change',
  'cancel-at-partner',
  'sync-catalog',
  'read-blanks',
  'compose-pictures',
  'fetch-pictures',
  'draw-drop-share',
  'forget-expired',
  'watch-books',
  'check-exceptions',
  'reconcile-books',
  'examine-setup',
  'make-product',
  'write-prices',
  'mail-conversation',
  'watch-messages',
  'tell-subscribers',
  'send-issue',
  'seal-ledger',
]

/** Jobs that may take longer than pg-boss's 15 minutes: rate limits slow down reading thousands of products or payments. */
const expiryS: Partial<Record<JobName, number>> = {
  'submit-waiting': 7200,
  'sync-catalog': 7200,
  'read-blanks': 7200,
  'compose-pictures': 7200,
  'fetch-pictures': 7200,
  'watch-books': 7200,
  'reconcile-books': 7200,
}

/** One query for all queues. Each worker asking for its own took a tenth of a core in an idle shop on the embedded database. */
const POLL_MS = 500
const DUE = `select distinct name from pgboss.job where state < 'active' and start_after <= now()`
/**
 * Leases, retries and pg-boss's own upkeep follow the machine's time; when a job may start at the earliest follows the shop's. Jobs keep that
 * moment as `dueAt`, in milliseconds, so that this can be repeated by any instance after the shop's clock was turned.
 */
const FOLLOW_CLOCK = `update pgboss.job set start_after = now() + ((data ->> 'dueAt')::float8 - $1) * interval '1 millisecond'
  where state = 'created' and data ? 'dueAt'`
/** A machine's clock is adjusted by less than that. */
const TURNED_MS = SECOND_MS
/** A worker's own question, between those that `POLL_MS` leads to. */
const WORKER_POLL_S = 60
const BATCH = 8
/** A lost worker's job is noticed at most this long after its lease; it must be retried within lease + 5 s. */
const SUPERVISE_S = 3
const STOP_TIMEOUT_MS = 10_000

type Options = { database: Database; leaseS: number; log: Log }

function boss({ database: { pool, embedded }, log }: Options, migrating: boolean): PgBoss {
  const executeSql = async (text: string, values: unknown[] = []) => {
    const result = (await pool.query(text, values)) as pg.QueryResult | pg.QueryResult[]
    return Array.isArray(result) ? { rows: result.flatMap(({ rows }) => rows as unknown[]) } : result
  }
  const instance = new PgBoss({
    db: { executeSql },
    backend: embedded ? 'pglite' : 'postgres',
    migrate: migrating,
    createSchema: migrating,
    supervise: !migrating,
    schedule: false,
    superviseIntervalSeconds: SUPERVISE_S,
    // The default is a minute between two checks of a queue by any instance.
    monitorIntervalSeconds: SUPERVISE_S,
    reindex: false,
    monitorVacuum: false,
  })
  instance.on('error', (error) => log.error({ err: error }, 'job queue'))
  return instance
}

/**
 * Creates pg-boss's tables and our queues. Separate from `startJobs`, which reads the list of queues at start: read later, inside a
 * transaction, it would wait for the embedded database's only connection.
 */
export async function migrateJobs(options: Options & { pauseMaxS?: number }): Promise<void> {
  const queue = boss(options, true)
  await queue.start()
  for (const name of jobNames) {
    const longest = expiryS[name]
    const retries = retriesOf[name] ?? retriesWith(options.pauseMaxS ?? PAUSE_MAX_S)
    const settings = { ...retries, heartbeatSeconds: options.leaseS, ...(longest && { expireInSeconds: longest }) }
    if (await queue.getQueue(name)) await queue.updateQueue(name, settings)
    // At most one job per name and data is queued or running; enqueuing it again does nothing.
    else await queue.createQueue(name, { ...settings, policy: 'exclusive' })
  }
  await queue.stop({ graceful: false })
  // The auditor's view needs pg-boss's table, so no migration can create it.
  await options.database.pool.query(`
    CREATE OR REPLACE VIEW audit_jobs AS
      SELECT id, name, state::text AS state, retry_count AS attempts, created_on AS created_at, completed_on AS finished_at
      FROM pgboss.job`)
}

export type JobQueue = Awaited<ReturnType<typeof startJobs>>

export async function startJobs(options: Options & { clock: Clock }) {
  const { database, clock } = options
  let followedAheadMs = 0
  const queue = boss(options, false)
  await queue.start()
  const workers = new Map<string, string>()
  let timer: NodeJS.Timeout | undefined
  let polling: Promise<void> | undefined

  function pollNow(name: string): void {
    const worker = workers.get(name)
    if (worker !== undefined) queue.notifyWorker(worker)
  }

  async function followClock(): Promise<void> {
    const aheadMs = aheadOf(clock)
    if (Math.abs(aheadMs - followedAheadMs) < TURNED_MS) return
    await database.pool.query(FOLLOW_CLOCK, [clock.now().getTime()])
    followedAheadMs = aheadMs
  }

  async function pollDue(): Promise<void> {
    try {
      await followClock()
      const { rows } = await database.pool.query<{ name: string }>(DUE)
      for (const { name } of rows) pollNow(name)
    } catch (error) {
      options.log.error({ err: error }, 'job queue')
    } finally {
      polling = undefined
    }
  }

  async function runJob<N extends JobName>(
    name: N,
    job: JobWithMetadata<Jobs[N]>,
    handler: (data: Jobs[N]) => Promise<void>,
  ): Promise<JobResult> {
    try {
      await handler(job.data)
      return { id: job.id, status: 'completed' }
    } catch (error) {
      options.log.warn(
        { err: error, job: name, jobId: job.id, attempt: job.retryCount },
        'job failed and will be retried',
      )
      return { id: job.id, status: 'failed', output: { message: error instanceof Error ? error.name : 'failed' } }
    }
  }
  return {
    /** Adds a job, if and only if the transaction commits. @param dueAt the earliest start, by the shop's clock */
    async enqueue<N extends JobName>(tx: Tx, name: N, data: Jobs[N], dueAt?: Date): Promise<void> {
      const options = { db: fromDrizzle(tx, sql), singletonKey: Object.values(data).join(':') }
      if (!dueAt) return void (await queue.send(name, data, options))
      const startAfter = after(dueAt, -aheadOf(clock))
      await queue.send(name, { ...data, dueAt: dueAt.getTime() }, { ...options, startAfter })
    },
    /** Runs `handler` for each job of a name; if it throws, the job is retried later. */
    async work<N extends JobName>(name: N, handler: (data: Jobs[N]) => Promise<void>): Promise<void> {
      const worker = await queue.work(
        name,
        {
          includeMetadata: true,
          pollingIntervalSeconds: WORKER_POLL_S,
          batchSize: BATCH,
          // After a full batch, fetch the next one immediately.
          burstWhenBatchFull: true,
          // Jobs of a batch run in parallel and finish separately: a failing one never holds up the others.
          perJobResults: true,
        },
        (jobs: JobWithMetadata<Jobs[N]>[]): Promise<JobResult[]> =>
          Promise.all(jobs.map((job) => runJob(name, job, handler))),
      )
      workers.set(name, worker)
      timer ??= setInterval(() => (polling ??= pollDue()), POLL_MS)
    },
    /** Polls for jobs of a name immediately (tests). */
    pollNow,
    /** Lets waiting jobs start when they are due by the shop's clock, after it was turned; polling begins with that. */
    followClock,
    async stop(): Promise<void> {
      clearInterval(timer)
      await polling
      await queue.stop({ graceful: true, timeout: STOP_TIMEOUT_MS })
    },
  }
}
