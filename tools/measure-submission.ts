import { submitWaiting } from '#server/fulfillment/fulfillment.ts'
import { openWorld } from '#sandbox/world.ts'
import { copyOrder } from '../test/journeys/orders-to-send.ts'

// How long a day's orders take to reach a printer that allows 120 calls a minute, and whether it ever had to refuse one:
// `node tools/measure-submission.ts [orders]`. It takes minutes: the limit follows the real clock.

const orders = Number(process.argv[2] ?? 200)
await using world = await openWorld({ database: 'embedded', fromScratch: true })
await (await world.shopper().paysByCard({ buying: 'mug' })).returnsToShop()
await world.settled()
await copyOrder(world, orders)
await world.advance(orders * 1000)

const startedAtMs = performance.now()
const callsBefore = world.simulators.kit.log.since(0).length
await submitWaiting(world.shop)
const tookS = (performance.now() - startedAtMs) / 1000
await world.settled()
const calls = world.simulators.kit.log
  .since(0)
  .slice(callsBefore)
  .filter(({ provider }) => provider === 'printful')
const sentOrders = (world.simulators.printful.ledger().partner_orders ?? []).filter(
  ({ status }) => status === 'pending',
)
console.log(
  `${sentOrders.length - 1} of ${orders} orders sent in ${tookS.toFixed(0)} s with ${calls.length} calls, ` +
    `${calls.filter(({ status }) => status === 429).length} of them answered 429`,
)
