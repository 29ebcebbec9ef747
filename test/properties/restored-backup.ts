import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DAY_MS, HOUR_MS } from '#shared/time.ts'
import { openWorld, waitUntilSettled, type World } from '#sandbox/world.ts'
import { checkoutsByOwner } from '#server/checkout/owner-checkouts.ts'
import { readAudit } from '#server/db/audit.ts'
import { openDatabase } from '#server/db/db.ts'
import { openEmbedded } from '#server/db/embedded.ts'
import { backupByOwner, restoreByOwner } from '#server/db/owner-backup.ts'
import { createLog } from '#server/log/log.ts'
import { reconcile } from '#server/reconciliation/reconciliation.ts'
import { sweep } from '#server/payments/sweep.ts'
import { createShop } from '../../src/shop.ts'
import { freePort } from '../../tools/free-port.ts'
import { retryWhileBusy } from './retry-while-busy.ts'

/**
 * The database is lost, and a backup is restored from before the last payments, taken while others were in progress; the
 * providers keep their records. Half of the purchases started before the backup, so only their payment is unknown; the other
 * half are completely unknown. Every third of each is by wallet.
 */
export type RestoredBackup = {
  /** Payments made after the backup, by key, with their amounts. */
  lost: ReadonlyMap<string, number>
  /** The payments the restored shop turned into orders, and into exceptions. */
  orders: ReadonlySet<string>
  exceptions: ReadonlySet<string>
  /** Payments that became neither, both, or another amount; and wrong postings or printer orders. */
  violations: string[]
}

type Row = Record<string, unknown>

const number = (value: unknown) => Number(value)

/** @param keepsPurchases the lost database can still be read, and the purchases that began since are taken from it */
export async function restoreOldBackup(payments: number, keepsPurchases = false): Promise<RestoredBackup> {
  const folder = mkdtempSync(join(tmpdir(), 'amnesia-'))
  const file = join(folder, 'shop.backup.gz')
  const purchases = keepsPurchases ? join(folder, 'purchases.json') : undefined
  const world = await openWorld({ database: 'embedded', env: { SWEEP_INTERVAL_S: '300' } })
  try {
    await (await world.shopper().paysByCard({ buying: 'mug' })).returnsToShop()
    await world.settled()
    const checkouts = await Promise.all(
      Array.from({ length: Math.floor(payments / 2) }, (_, at) => startCheckout(world, at)),
    )
    const meanwhile = Array.from({ length: Math.ceil(payments / 5) }, async () =>
      retryWhileBusy(async () => (await world.shopper().paysByCard({ buying: 'mug' })).returnsToShop()),
    )
    const since = world.shop.clock.now().toISOString()
    await backupByOwner(world.shop.database, [file])
    await Promise.all(meanwhile)
    const known = new Set(paidIn(world).keys())
    for (const pays of checkouts) await pays()
    for (let at = checkouts.length; at < payments; at += 1) await (await startCheckout(world, at))()
    await world.settled()
    const lost = new Map([...paidIn(world)].filter(([key]) => !known.has(key)))
    if (purchases) await checkoutsByOwner(world.shop.database, ['save', purchases, '--since', since])
    return await openRestoredShop(world, { file, purchases }, lost)
  } finally {
    await world[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  }
}

type Payment = { provider: string; id: string; status: string; amount_cents: number }

const isPaid = ({ status }: Payment) => status === 'succeeded' || status === 'COMPLETED'
const nameOf = ({ provider, id }: Payment) => `${provider}:${id}`

/** The payments the providers collected, with their amounts. */
export const paidIn = ({ simulators }: Pick<World, 'simulators'>): Map<string, number> =>
  new Map(
    [simulators.stripe, simulators.paypal]
      .flatMap((provider) => provider.ledger().payments ?? [])
      .filter(isPaid)
      .map((payment) => [nameOf(payment), payment.amount_cents]),
  )

/** A shopper about to pay. @returns the step that pays, and reports to the shop that will be lost */
async function startCheckout(world: World, at: number): Promise<() => Promise<unknown>> {
  const shopper = world.shopper()
  const start = async <Started>(ask: () => Promise<{ status: number; body: Started }>): Promise<Started> =>
    retryWhileBusy(async () => {
      if ((await shopper.cart()).length === 0) await shopper.adds('mug')
      const { status, body } = await ask()
      if (status !== 200) throw new Error(`payment start answered ${status}`)
      return body
    })
  if (at % 3 === 2) {
    const { id } = await start(() => shopper.startsWallet())
    return async () => {
      // After an approval the shop captures automatically, even if nobody requests it.
      await shopper.approves(id)
      await retryWhileBusy(async () => {
        const { status, body } = await shopper.captures(id)
        if (body.status !== 'COMPLETED') throw new Error(`taking the money answered ${status}`)
      })
    }
  }
  const payment = await start(() => shopper.startsPayment())
  return async () => {
    await shopper.confirms(payment)
    await shopper.returnsToShop(payment.payment_intent)
  }
}

/** A shop restored from the backup, with the same keys at another address. */
async function openRestoredShop(
  world: World,
  { file, purchases }: { file: string; purchases: string | undefined },
  lost: ReadonlyMap<string, number>,
): Promise<RestoredBackup> {
  const embedded = await openEmbedded('memory://')
  const empty = await openDatabase(undefined, 'memory://', { embedded })
  await restoreByOwner(empty, [file])
  if (purchases) await checkoutsByOwner(empty, ['add', purchases])
  await empty.close()
  const { config, clock } = world.shop
  const running = await createShop({
    config: { ...config, port: await freePort(), catalogFile: undefined },
    clock,
    log: createLog(config.mode, 'fatal'),
    embedded,
  })
  try {
    world.simulators.announceShop(await running.listen())
    await sweep(running.shop)
    // The wallet's history is three hours late, and recent movements may be in progress.
    for (const later of [4 * HOUR_MS, DAY_MS]) {
      await world.advance(later)
      await sweep(running.shop)
      await reconcile(running.shop, 'owner')
    }
    await waitUntilSettled(running.shop, world.simulators)
    const { rows } = await running.shop.database.pool.query<{ left: number }>(
      `select count(*)::int as left from pgboss.job where state in ('created', 'retry', 'active') and name = 'submit-order'`,
    )
    const restored = await readAudit(running.shop.database.pool)
    const found = findViolations(world, restored, lost, rows[0]?.left ?? 0)
    if (!purchases) return found
    const numbers = new Map(restored.audit_orders.map((row) => [row['payment_key'], row['order_number']]))
    for (const row of (await readAudit(world.shop.database.pool)).audit_orders)
      if (numbers.get(row['payment_key']) !== row['order_number'])
        found.violations.push(`${String(row['order_number'])} has another number now`)
    return found
  } finally {
    await running.close()
    await embedded.close()
  }
}

/** Uses only the audit views and the providers' own records. */
export function findViolations(
  world: Pick<World, 'simulators'>,
  audit: Awaited<ReturnType<typeof readAudit>>,
  lost: ReadonlyMap<string, number>,
  left: number,
): RestoredBackup {
  const violations: string[] = left ? [`${left} orders still wait for the printer`] : []
  const orders = Map.groupBy(audit.audit_orders as Row[], (row) => String(row['payment_key']))
  const open = (audit.audit_exceptions as Row[]).filter((row) => row['resolved_at'] === null)
  const exceptions = Map.groupBy(open, (row) => String(row['payment_key']))
  // Includes payments made during the backup, whether it contains them or not.
  for (const [key, amount] of paidIn(world)) {
    const [made, exceptionList] = [orders.get(key) ?? [], exceptions.get(key) ?? []]
    if (made.length + exceptionList.length !== 1)
      violations.push(`${key}: ${made.length} orders and ${exceptionList.length} exceptions`)
    const cents = number(made[0]?.['total_cents'] ?? exceptionList[0]?.['amount_cents'])
    if (cents !== amount) violations.push(`${key}: ${amount} were paid, and ${cents} are known`)
  }
  const postings = Map.groupBy(audit.audit_ledger as Row[], (row) => String(row['posting_id']))
  for (const [id, entries] of postings) {
    const sum = entries.reduce((total, row) => total + number(row['amount_cents']), 0)
    if (sum !== 0) violations.push(`posting ${id} sums to ${sum}`)
  }
  const atPartner = Map.groupBy(
    (world.simulators.printful.ledger().partner_orders ?? []).filter(({ status }) => status !== 'canceled'),
    ({ external_id: id }) => id,
  )
  for (const [id, all] of atPartner) if (all.length > 1) violations.push(`${id} is made ${all.length} times`)
  const among = (groups: ReadonlyMap<string, unknown>) => new Set([...lost.keys()].filter((key) => groups.has(key)))
  return { lost, orders: among(orders), exceptions: among(exceptions), violations }
}
