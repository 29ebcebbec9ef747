import type { Exception } from '#contract/reconciliation.ts'
import { differenceKinds } from '#domain/reconciliation/differences.ts'
import { ruleOf } from '#domain/reconciliation/exceptions.ts'
import { after, DAY_MS } from '#shared/time.ts'
import type { Reader } from '#server/db/db.ts'
import type { Needs } from '#server/shop.ts'
import { readDays, readSums } from './book-pairs.ts'
import { countOpen, findLastRun, findReading, selectExceptions, type ListedException } from './store.ts'

const A_PAGE = 50
const DAYS_SHOWN = 14
const DIFFERENCES_SHOWN = 200

export async function listExceptions(db: Reader, query: { older?: number | undefined; healed?: '1' | undefined }) {
  const filter = { isOpen: query.healed === undefined, olderThan: query.older }
  const rows = await selectExceptions(db, { ...filter, limit: A_PAGE + 1 })
  const { count, amount } = await countOpen(db)
  return {
    exceptions: rows.slice(0, A_PAGE).map(toException),
    hasMore: rows.length > A_PAGE,
    open: count,
    atStake: amount,
  }
}

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
  const balances = []
  for (const sums of await readSums(db)) {
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
    days: await readDays(db, after(clock.now(), -DAYS_SHOWN * DAY_MS), config.reportTimeZone),
    differences: open.filter(({ kind }) => kinds.includes(kind)).map(toException),
    last: last?.finishedAt ? { ...last, since: last.since.toISOString(), at: last.finishedAt.toISOString() } : null,
  }
}
