import { HOUR_MS } from '#shared/time.ts'
import type { World } from '#sandbox/world.ts'

/** A day without the printer, in which the shop keeps trying. @param during what people do while it is away */
export async function printerAwayForADay(world: World, during: () => Promise<void>): Promise<void> {
  const { kit } = world.simulators
  kit.rules.add({
    ...{ provider: 'printful', match: { path: '/**' }, when: 'before', do: { status: 503, body: 'away' } },
    times: 100_000,
  })
  await during()
  for (let hours = 0; hours < 24; hours += 8) {
    await world.advance(8 * HOUR_MS)
    await world.sweep()
    await world.settled()
  }
  kit.rules.clear()
  await world.advance(HOUR_MS)
}

/** What the shop does within minutes once the printer is back; the queue goes by the database's clock. */
export async function catchesUp(world: World): Promise<void> {
  await world.shop.database.pool.query(
    `update pgboss.job set start_after = now() where state in ('created', 'retry') and singleton_key is not null`,
  )
  await world.sweep()
  await world.settled()
}

/** External ids of what the printer makes or has made. */
export const madeByPrinter = ({ simulators }: World): string[] =>
  (simulators.printful.ledger().partner_orders ?? [])
    .filter(({ status }) => !['draft', 'canceled', 'failed'].includes(status))
    .map(({ external_id: external }) => external)
    .toSorted()
