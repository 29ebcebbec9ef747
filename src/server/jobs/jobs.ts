import { sql, type SQL } from 'drizzle-orm'
import { fromDrizzle, PgBoss, type JobResult, type JobWithMetadata } from 'pg-boss'
import type pg from 'pg'
import { assert } from '#shared/assert.ts'
import type { Database, Tx } from '#server/db/db.ts'
import type { Log } from '#server/log/log.ts'

/** Every job and what it carries: ids only, never personal data. Handlers run at least once, so they are idempotent. */
export type Jobs = {
  'submit-order': { orderId: number }
  /** All that wait, when the partner was away. */
  'submit-waiting': Record<string, never>
  'send-mail': { mailId: number }
  'mail-account-link': { requestId: number }
  /** The link to somebody's data, to be mailed if there are any; named by a hash. */
  'mail-data-link': { wish: string }
  'provider-event': { eventRowId: number }
  'refund-payment': { refundId: number }
  'record-tax': { orderId: number }
  'cancel-intent': { intentId: string }
  'reverse-tax': { refundId: number }
  'rebook-tax': { refundId: number }
  'cancel-at-partner': { orderId: number }
  /** All products; an event's are looked at by `provider-event`. */
  'sync-catalog': Record<string, never>
  /** What its time has come for, and people who asked to be erased. */
  'forget-expired': Record<string, never>
  /** Lines of a chat that were not mailed yet; several become one mail. */
  'mail-chat': { chatId: number }
  /** New subscribers that the owner has not heard of. */
  'tell-subscribers': Record<string, never>
  /** An issue of the newsletter, to all who are subscribed. */
  'send-issue': { issueId: number }
  /** Reads on in the providers' books and compares them with ours. */
  'watch-books': Record<string, never>
  /** The same for a longer time, at the owner's wish. */
  'reconcile-books': Record<string, never>
  /** Keys, addresses, clock, mail, disk: what the shop is given and cannot mend. */
  'examine-setup': Record<string, never>
}

export type JobName = keyof Jobs

/** How long a job is tried again; after that somebody has to look. */
const RETRIED_FOR_S = 50 * 3600
/** Longest pause between two tries, unless less is asked for. */
const PAUSE_MAX_S = 600

const retriesWith = (pauseMaxS: number) => ({
  retryLimit: Math.ceil(RETRIED_FOR_S / pauseMaxS),
  retryDelay: 2,
  retryBackoff: true,
  retryDelayMax: pauseMaxS,
})

/** What waits for the partner asks again soon and for as long as it takes; most of those tries make no call. */
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
  'record-tax',
  'cancel-intent',
  'reverse-tax',
  'rebook-tax',
  'cancel-at-partner',
  'sync-catalog',
  'forget-expired',
  'watch-books',
  'reconcile-books',
  'examine-setup',
  'mail-chat',
  'tell-subscribers',
  'send-issue',
]

/** How long a job may take where a quarter of an hour is too short: a thousand products, or ten thousand payments, are read at the providers' pace. */
const expiryS: Partial<Record<JobName, number>> = {
  'submit-waiting': 7200,
  'sync-catalog': 7200,
  'watch-books': 7200,
  'reconcile-books': 7200,
}

const POLL_S = 0.5
const BATCH = 8
/** A lost worker's job is noticed this long after its lease at most; together with the lease it must stay under lease + 5 s. */
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
    // A queue is looked through only so long after the last look, whoever looked: a minute, unless it is said.
    monitorIntervalSeconds: SUPERVISE_S,
    reindex: false,
    monitorVacuum: false,
  })
  instance.on('error', (error) => log.error({ err: error }, 'job queue'))
  return instance
}

/**
 * Makes the queue's tables and our queues. Apart from `startJobs`, because the queue list is read at start: read
 * later, inside a transaction, it would wait for the embedded database's only connection.
 */
export async function migrateJobs(options: Options & { pauseMaxS?: number }): Promise<void> {
  const queue = boss(options, true)
  await queue.start()
  for (const name of jobNames) {
    const longest = expiryS[name]
    const retries = retriesOf[name] ?? retriesWith(options.pauseMaxS ?? PAUSE_MAX_S)
    const settings = { ...retries, heartbeatSeconds: options.leaseS, ...(longest && { expireInSeconds: longest }) }
    if (await queue.getQueue(name)) await queue.updateQueue(name, settings)
    // Of one kind about one thing there is one job, queued or running: asking again for what is under way adds nothing.
    else await queue.createQueue(name, { ...settings, policy: 'exclusive' })
  }
  await queue.stop({ graceful: false })
  // The auditor's view of the queue can only be made once its table is there.
  await options.database.pool.query(`
    CREATE OR REPLACE VIEW audit_jobs AS
      SELECT id, name, state::text AS state, retry_count AS attempts, created_on AS created_at, completed_on AS finished_at
      FROM pgboss.job`)
}

/** Stands for a row's id in what is enqueued together with the row. */
const ROW = '{row}'

export type JobQueue = Awaited<ReturnType<typeof startJobs>>

export async function startJobs(options: Options) {
  const queue = boss(options, false)
  await queue.start()
  const workers = new Map<string, string>()

  async function tried<N extends JobName>(
    name: N,
    job: JobWithMetadata<Jobs[N]>,
    handler: (data: Jobs[N]) => Promise<void>,
  ): Promise<JobResult> {
    try {
      await handler(job.data)
      return { id: job.id, status: 'completed' }
    } catch (error) {
      options.log.warn({ err: error, job: name, jobId: job.id, attempt: job.retryCount }, 'job will be tried again')
      return { id: job.id, status: 'failed', output: { message: error instanceof Error ? error.name : 'failed' } }
    }
  }
  return {
    /** The job exists if and only if the transaction commits. @param startAfter a moment before which it is not begun */
    async enqueue<N extends JobName>(tx: Tx, name: N, data: Jobs[N], startAfter?: Date): Promise<void> {
      const singletonKey = Object.values(data).join(':')
      await queue.send(name, data, { db: fromDrizzle(tx, sql), singletonKey, ...(startAfter && { startAfter }) })
    },
    /**
     * The same for a job about a row that one statement makes together with it; where it makes no row there is no job.
     * @param field what the job calls the row's id
     * @param row the name by which the statement has the row, in its `with`
     * @returns the statement's last part
     */
    async enqueueing<N extends JobName>(name: N, field: keyof Jobs[N] & string, row: string): Promise<SQL> {
      let asked: { text: string; values: readonly unknown[] } | undefined
      const executeSql = async (text: string, values: unknown[] = []) => {
        asked = { text, values }
        return { rows: [{ id: ROW }] }
      }
      await queue.send(name, { [field]: ROW }, { db: { executeSql }, singletonKey: ROW })
      const [before, after, ...more] = asked?.text.split('$1') ?? []
      assert(before && after && more.length === 0, 'a job is no longer enqueued by one statement with one value')
      const job = sql`(select replace(${asked?.values[0]}, ${JSON.stringify(ROW)}, id::text) from ${sql.identifier(row)})`
      return sql`${sql.raw(before)}${job}${sql.raw(after)}`
    },
    /** Runs `handler` for each job of a kind; a throw means: later again. */
    async work<N extends JobName>(name: N, handler: (data: Jobs[N]) => Promise<void>): Promise<void> {
      const worker = await queue.work(
        name,
        {
          includeMetadata: true,
          pollingIntervalSeconds: POLL_S,
          batchSize: BATCH,
          // A full batch means that there is more: the next one is fetched at once.
          burstWhenBatchFull: true,
          // Jobs of a batch run side by side and end each for itself: a bad one never holds up the others.
          perJobResults: true,
        },
        (jobs: JobWithMetadata<Jobs[N]>[]): Promise<JobResult[]> =>
          Promise.all(jobs.map((job) => tried(name, job, handler))),
      )
      workers.set(name, worker)
    },
    /** Has the jobs of a kind looked for at once, not up to half a second later (tests). */
    lookNow(name: string): void {
      const worker = workers.get(name)
      if (worker !== undefined) queue.notifyWorker(worker)
    },
    stop: () => queue.stop({ graceful: true, timeout: STOP_TIMEOUT_MS }),
  }
}
