import type { Exception, Queue } from '#contract/reconciliation.ts'
import { differenceKinds } from '#domain/reconciliation/differences.ts'
import { CROWD_MIN } from '#domain/reconciliation/queue.ts'
import { ruleOf } from '#domain/reconciliation/exceptions.ts'
import { dayIn } from '#shared/time-zone.ts'
import type { Reader } from '#server/db/db.ts'
import type { Needs } from '#server/shop.ts'
import { readDays, readSums } from './book-pairs.ts'
import { listQueues } from './queues.ts'
import { countOpen, findLastRun, findReading, listCrowds, selectExceptions, type ListedException } from './store.ts'

const A_PAGE = 50
const DAYS_SHOWN = 14
const DIFFERENCES_SHOWN = 200

type ListQuery = { older?: number | undefined; healed?: '1' | undefined; kind?: string | undefined }

/** Problems a page at a time. Without `kind`, a kind of which many are open is one line. */
export async function listExceptions({ db, clock }: Needs<'db' | 'clock'>, { older, healed, kind }: ListQuery) {
  const isOpen = healed === undefined
  const crowds = isOpen && kind === undefined ? await listCrowds(db, CROWD_MIN) : []
  const rows = await selectExceptions(db, {
    isOpen,
    olderThan: older,
    limit: A_PAGE + 1,
    ...(kind === undefined ? { except: crowds.map((crowd) => crowd.kind) } : { only: [kind] }),
  })
  const { count, amount } = await countOpen(db)
  return {
    exceptions: rows.slice(0, A_PAGE).map(toException),
    crowds: crowds.map(({ since, ...crowd }) => ({
      ...crowd,
      title: ruleOf(crowd.kind).title,
      step: ruleOf(crowd.kind).step,
      since: since.toISOString(),
    })),
    queues: await showQueues(db, clock.now()),
    hasMore: rows.length > A_PAGE,
    open: count,
    atStake: amount,
  }
}

/** Where a crowd waits, on the wire. */
export const showQueues = async (db: Reader, now: Date): Promise<Queue[]> =>
  (await listQueues(db, now)).map(({ since, doneAt, ...queue }) => ({
    ...queue,
    since: since.toISOString(),
    doneAt: doneAt?.toISOString() ?? null,
  }))

function toException({
  kind,
  about,
  cause,
  amount,
  deadlineAt,
  openedAt,
  resolvedAt,
  ...row
}: ListedException): Exception {
  const { title, step, repair } = ruleOf(kind)
  return {
    id: row.id,
    kind,
    title,
    about: about.slice(about.indexOf(':') + 1),
    orderNumber: row.orderNumber,
    cause: cause ?? 'The payment came in, but made no order.',
    amount,
    step,
    canRepair: repair !== undefined && resolvedAt === null,
    deadline: deadlineAt?.toISOString() ?? null,
    openedAt: openedAt.toISOString(),
    resolvedAt: resolvedAt?.toISOString() ?? null,
  }
}

/** Our books and each provider's side by side. */
export async function readReconciliation({ db, clock, config }: Needs<'db' | 'clock' | 'config'>) {
  const zone = config.reportTimeZone
  const balances = []
  for (const sums of await readSums(db, zone)) {
    const reading = await findReading(db, sums.provider)
    balances.push({
      ...sums,
      readAt: reading?.readAt?.toISOString() ?? null,
      failingSince: reading?.failingSince?.toISOString() ?? null,
    })
  }
  const kinds: readonly string[] = differenceKinds
  const open = await selectExceptions(db, { isOpen: true, olderThan: undefined, limit: DIFFERENCES_SHOWN })
  const last = await findLastRun(db)
  return {
    balances,
    days: await readDays(db, dayIn(zone, clock.now().getTime()) - DAYS_SHOWN + 1, zone),
    differences: open.filter(({ kind }) => kinds.includes(kind)).map(toException),
    last: last?.finishedAt ? { ...last, since: last.since.toISOString(), at: last.finishedAt.toISOString() } : null,
  }
}
