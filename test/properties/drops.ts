import { setTimeout as pause } from 'node:timers/promises'
import type { AdminDrop, DropInput } from '#contract/admin-drops.ts'
import { addresses, cards, openWorld, type World } from '#sandbox/world.ts'

// Drops under races: what every run has to show, for journeys and `npm run prove:drop`.

type Shopper = ReturnType<World['shopper']>
type Refused = { code?: string; message?: string }

export type DropWorld = Awaited<ReturnType<typeof openDropWorld>>

/** In the newest world. */
let people = 0
/** Months from 2030 to 2075: Stripe takes no card that is valid for more than fifty years. */
const MONTHS = 12 * 46
const NUMBERS = [cards.pays, '5555555555554444']

/** Races of two for whom a world has cards. */
export const RACES_MAX = 400

/** A world with its owner signed in, that has seen nobody's card. */
export async function openDropWorld(options: Parameters<typeof openWorld>[0] = {}) {
  const world = await openWorld(options)
  people = 0
  const owner = world.shopper()
  await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
  return { world, owner, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() }
}

/** A drop of the demo's vented hat that has begun. */
export const dropOf = (more: Partial<DropInput> = {}): DropInput => ({
  title: 'Rudy’s Midnight Hat',
  ...{ productId: null, collectionId: null, endsAt: null, pieces: 1, limitPerPerson: 1 },
  ...{ earlyMinutes: 0, earlyCodes: [], isEarlyForReaders: false, roomPerMinute: null, numberRule: 'resell' },
  startsAt: '2020-01-01T00:00:00Z',
  ...more,
})

/** Makes and schedules a drop. @returns its id */
export async function scheduleDrop(owner: Shopper, input: DropInput): Promise<number> {
  const made = await owner.send<{ id: number } & Refused>('POST', '/api/admin/drops', input)
  if (made.status !== 200) throw new Error(`a drop was refused: ${JSON.stringify(made.body)}`)
  const { body } = await owner.send<Refused>('POST', `/api/admin/drops/${made.body.id}/schedule`)
  if (body.code) throw new Error(`scheduling was refused: ${JSON.stringify(body)}`)
  return made.body.id
}

export async function readDrop(owner: Shopper, id: number): Promise<AdminDrop> {
  const { body } = await owner.send<{ drops: AdminDrop[] }>('GET', '/api/admin/drops')
  const found = body.drops.find((drop) => drop.id === id)
  if (!found) throw new Error(`no drop ${id}`)
  return found
}

/** Somebody with a home, a card and a PayPal account of their own. */
export function somebody(world: Pick<World, 'shopper'>) {
  people += 1
  const home = { ...addresses.newYork, line2: `Apt ${people}` }
  const month = people % MONTHS
  const expires = { month: String((month % 12) + 1), year: String(2030 + Math.floor(month / 12)) }
  const card = NUMBERS[Math.floor(people / MONTHS)]
  if (card === undefined) throw new Error(`Only ${MONTHS * NUMBERS.length} people have a card of their own.`)
  const account = `PAYER${people}`
  const shopper = world.shopper()
  return {
    ...{ shopper, home },
    /** Confirms a card payment that was started, and comes back to the shop. */
    async paysByCard(started: { status: number; body: object }): Promise<void> {
      if (started.status !== 200) return
      const payment = started.body as { payment_intent: string; client_secret: string }
      await shopper.confirms(payment, card, expires)
      await shopper.returnsToShop(payment.payment_intent)
    },
    async paysByWallet(order: string): Promise<void> {
      await shopper.approves(order, 'approve', account)
      await shopper.captures(order)
      await shopper.processes(order)
    },
  }
}

type AuditEdition = { drop_id: number; product_id: number; number: number; order_id: number; state: string }

/** What must hold after any trouble. @returns a sentence for each violation */
export async function violationsOf(world: Pick<World, 'audit'>, dropId: number): Promise<string[]> {
  const wrong: string[] = []
  const [drop] = (await world.audit<Record<string, number | null>>('drops')).filter((row) => row['drop_id'] === dropId)
  const editions = (await world.audit<AuditEdition>('editions')).filter((row) => row.drop_id === dropId)
  const numbers = editions.map(({ number }) => number).toSorted((a, b) => a - b)
  if (numbers.some((number, index) => number !== index + 1)) wrong.push(`numbers are not 1 to ${numbers.length}`)
  const pieces = drop?.['pieces'] ?? 0
  const sold = Number(drop?.['sold'])
  const issued = editions.filter(({ state }) => state === 'issued')
  if (pieces && numbers.length > pieces) wrong.push(`${numbers.length} numbers of ${pieces} pieces`)
  if (issued.length !== sold) wrong.push(`${sold} pieces are sold and ${issued.length} numbers issued`)
  const lines = await world.audit<{ order_id: number; product_id: number; quantity: number }>('lines')
  for (const orderId of new Set(issued.map(({ order_id: id }) => id))) {
    const numbered = issued.filter(({ order_id: id }) => id === orderId).length
    const bought = lines
      .filter(({ order_id: id, product_id: product }) => id === orderId && product === issued[0]?.product_id)
      .reduce((sum, { quantity }) => sum + quantity, 0)
    if (numbered > bought) wrong.push(`order ${orderId} has ${numbered} numbers for ${bought} pieces`)
  }
  const products = new Set(editions.map(({ product_id: id }) => id))
  const payments = await world.audit<{ order_id: number | null; payment_key: string }>('payments')
  const orders = await world.audit<{ id: number; payment_status: string }>('orders')
  for (const { order_id: id, product_id: product } of lines) {
    if (!products.has(product)) continue
    const isPaid = orders.some((order) => order.id === id && order.payment_status === 'paid')
    if (isPaid && !issued.some((edition) => edition.order_id === id)) wrong.push(`order ${id} is paid without a piece`)
  }
  const refunds = await world.audit<{ payment_key: string; status: string }>('refunds')
  for (const { order_id: id, payment_key: key } of payments)
    if (id === null && !refunds.some((refund) => refund.payment_key === key && refund.status === 'succeeded'))
      wrong.push(`${key} made no order and was not refunded`)
  return wrong
}

/**
 * Two buyers want the last piece, again and again; a third of the losers pay for it all the same, by a PayPal window that they had open
 * since before.
 * @returns how it ended, with a sentence for each violation
 */
export async function raceForLastPiece(
  { world, owner }: DropWorld,
  races: number,
  onRace: (done: number) => void = () => {},
): Promise<{ told: number; refunded: number; wrong: string[] }> {
  const wrong: string[] = []
  let [told, refunded] = [0, 0]
  const product = await world.shopper().find('vented hat')
  const input = dropOf({ productId: product.id as DropInput['productId'], pieces: 1 })
  const id = await scheduleDrop(owner, input)
  for (let race = 1; race <= races; race += 1) {
    const [one, other] = [somebody(world), somebody(world)]
    await Promise.all([one, other].map(({ shopper }) => shopper.adds('vented hat')))
    if (race % 3 === 0) {
      if (await paysForWhatIsGone(world, one, other)) refunded += 1
      else wrong.push(`race ${race}: who paid for a piece that was gone was not refunded and told`)
    } else {
      const isWallet = race % 3 === 1
      const starts = await Promise.all([
        one.shopper.startsPayment(one.home),
        isWallet ? other.shopper.startsWallet(other.home) : other.shopper.startsPayment(other.home),
      ])
      const refusals = starts.filter(({ status }) => status !== 200)
      const [refusal] = refusals
      if (refusals.length !== 1 || (refusal?.body as Refused | undefined)?.code !== 'drop_taken')
        wrong.push(`race ${race}: ${starts.map(({ status }) => status).join(' and ')}`)
      else told += 1
      await one.paysByCard(starts[0])
      const [, second] = starts
      if (!isWallet) await other.paysByCard(second)
      else if (second.status === 200) await other.paysByWallet((second.body as { id: string }).id)
    }
    const { counts } = await readDrop(owner, id)
    if (counts.sold !== race) wrong.push(`race ${race}: ${counts.sold} pieces are sold`)
    await owner.send('PUT', `/api/admin/drops/${id}`, { ...input, pieces: race + 1 })
    onRace(race)
  }
  await world.settled()
  wrong.push(...(await violationsOf(world, id)))
  return { told, refunded, wrong }
}

/** Somebody opens PayPal's window for the last piece, changes the cart in another tab, and pays in the window when another has it. */
async function paysForWhatIsGone(
  world: World,
  late: ReturnType<typeof somebody>,
  quick: ReturnType<typeof somebody>,
): Promise<boolean> {
  const window = await late.shopper.startsWallet(late.home)
  const [line] = await late.shopper.cart()
  await late.shopper.send('DELETE', `/api/cart/${line?.id}`)
  await late.shopper.adds('mug')
  await late.shopper.startsWallet(late.home)
  await quick.paysByCard(await quick.shopper.startsPayment(quick.home))
  await late.paysByWallet(window.body.id)
  const key = `paypal:${window.body.id}`
  for (const giveUpAt = Date.now() + 60_000; Date.now() < giveUpAt;) {
    const refunds = await world.audit<{ payment_key: string; status: string }>('refunds')
    const mails = world.mailbox.list().filter(({ to }) => to.includes(late.shopper.customer.email))
    if (
      refunds.some((refund) => refund.payment_key === key && refund.status === 'succeeded') &&
      mails.some(({ subject }) => subject.includes('is on its way back'))
    )
      return true
    await pause(50)
  }
  return false
}

/**
 * A crowd wants a drop's pieces at once, one each.
 * @param atOnce how many buy at the same time
 * @returns how it ended, with a sentence for each violation
 */
export async function crowdForPieces(
  { world, owner }: DropWorld,
  { crowd, pieces, atOnce }: { crowd: number; pieces: number; atOnce: number },
): Promise<{ sold: number; told: number; seconds: number; wrong: string[] }> {
  const wrong: string[] = []
  const product = await world.shopper().find('vented hat')
  const id = await scheduleDrop(owner, dropOf({ productId: product.id as DropInput['productId'], pieces }))
  const start = Date.now()
  let [next, told] = [0, 0]
  const buyer = async () => {
    for (; next < crowd;) {
      next += 1
      const one = somebody(world)
      await one.shopper.adds('vented hat')
      const started = await one.shopper.startsPayment(one.home)
      if (started.status === 200) await one.paysByCard(started)
      else if ((started.body as Refused).code === 'drop_taken') told += 1
      else wrong.push(`somebody got ${started.status} ${JSON.stringify(started.body)}`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, buyer))
  await world.settled()
  const { counts } = await readDrop(owner, id)
  if (counts.sold !== Math.min(crowd, pieces)) wrong.push(`${counts.sold} pieces are sold instead of ${pieces}`)
  if (counts.sold + told !== crowd) wrong.push(`${crowd - counts.sold - told} people were neither served nor told`)
  wrong.push(...(await violationsOf(world, id)))
  return { sold: counts.sold, told, seconds: Math.round((Date.now() - start) / 1000), wrong }
}
