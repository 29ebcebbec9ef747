import { readOrderNumber, type OrderNumber } from '#shared/ids.ts'
import { addresses, type World } from '#sandbox/world.ts'

const BROWSER = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0', 'sec-fetch-dest': 'document' }

/** The cookie of a click of the demo partner's link. */
export async function clicksLink(world: World): Promise<string> {
  const followed = await fetch(`${world.address}/r/bullion-all`, { redirect: 'manual', headers: BROWSER })
  return followed.headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
}

/** Two mugs, bought by the demo partner's link. */
export async function buysByLink(world: World): Promise<OrderNumber> {
  const shopper = world.shopper()
  const click = await clicksLink(world)
  await shopper.adds('mug', 2)
  shopper.usesCookie(`${shopper.cookie()}; ${click}`)
  const { body: started } = await shopper.startsPayment(addresses.newYork)
  await shopper.confirms(started)
  const { body } = await shopper.returnsToShop(started.payment_intent)
  await world.settled()
  const number = readOrderNumber(String(body.orderId))
  if (!number) throw new Error('no order')
  return number
}
