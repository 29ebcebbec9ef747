// cspell:ignore NAPTIME
import { seededRandom } from '#sandbox/kit/random.ts'
import type { World } from '#sandbox/world.ts'
import { DAY_MS, HOUR_MS } from '#shared/time.ts'
import { tasksOf } from '../../src/schedule.ts'
import { fail, openActs, type Order } from './acts.ts'

// A label's life, played through the shop's own calls while the clock is turned: what each day brings is decided by a seed.

/** The demo's label: it opened 90 days before its last day, on which it is two in the afternoon in New York. */
export const LIFE = {
  seed: 20_261_126,
  days: 90,
  startsAt: new Date('2026-08-28T13:00:00Z'),
  /** Of the last day, since the hour at which days begin here. */
  lastHours: 6,
  /** An hour for changes; demo reviews come at the start, dated back from then. */
  env: { CHANGE_WINDOW_S: '3600', SWEEP_INTERVAL_S: '300', DEMO_REVIEWS_FILE: '' },
} as const

/** Orders a day when the label opens, and how many more there are at the end; by weekday, from Sunday. */
const [FIRST_ORDERS, MORE_ORDERS] = [1.7, 2.8]
const weekdays = [1.35, 0.8, 0.85, 0.9, 1, 1.15, 1.3]
/** Carts that are filled for each that is paid, as `buys` decides it. */
const CARTS_PER_ORDER = 1 / 0.53
const VISITS_PER_CART = 9
/** The hours of a day, from nine in New York's summer; its last hours leave time for what the day started. */
const [SHOPPING_HOURS, CLOSING_HOUR, NIGHT_HOUR] = [11, 13.5, 14]

const letters = [
  {
    subject: 'Rudy has a shop now',
    body: 'He does not know it. He is asleep on the first box.\n\nTen percent off with WELCOME10, while he is.',
    button: 'See what he is lying on',
    path: '/products',
  },
  {
    subject: 'The mug is back',
    body: 'The bell rang, nobody moved, and we made more mugs.\n\nThank you for the pictures. He looked at none of them.',
    button: 'To the mugs',
    path: '/products',
  },
  {
    subject: 'Hats for the cold months',
    body: 'A vented hat is for people who get warm from doing very little.\n\nOrders until December 10 arrive before the holidays in the US.',
    button: 'Choose a hat',
    path: '/RudyCollection',
  },
] as const

const opinions = [
  { stars: 5, words: 'Softer than I expected, and the print is crisp. The dog approves by sleeping on it.' },
  { stars: 5, words: 'Bought one for myself and two for the office. Nobody works at that table anymore.' },
  { stars: 4, words: 'Lovely. Took a few days longer than I hoped, but it came well packed.' },
  { stars: 5, words: 'Third order. The print has survived twenty washes so far.' },
  { stars: 3, words: 'Nice design, but it is a little larger than I thought.' },
] as const

const questions = [
  {
    words: 'Could you leave the parcel with the neighbors at number 12? I am away until Monday.',
    answer:
      'We can’t instruct the carrier, sorry. The tracking link lets you choose a neighbor once the parcel is on its way.',
  },
  {
    words: 'Does the print hold up in the dryer? The label on mine is hard to read.',
    answer: 'It does, on low heat and inside out. Rudy’s own blanket has been through it forty times.',
  },
  { words: 'Will this arrive before the 5th? It is a birthday present.' },
] as const

const napCentral = {
  username: 'nap-central',
  application: {
    name: 'Nap Central',
    channel: 'https://video.example/@napcentral',
    audience: '40,000 people who nap',
    message: 'We show animals that sleep. Rudy would fit.',
  },
  shareBasisPoints: 1350,
  code: 'NAPTIME10',
  account: { method: 'wallet', holder: 'Nap Central LLC', email: 'payouts@napcentral.example' },
} as const

const secondCoffee = {
  username: 'second-coffee',
  application: {
    name: 'Second Coffee Club',
    channel: 'https://second-coffee.example',
    audience: 'A newsletter of 9,000 office workers',
    message: 'Our readers need a dog that understands Mondays.',
  },
  shareBasisPoints: 1200,
  account: {
    method: 'account',
    holder: 'Second Coffee Club',
    routingNumber: '021000021',
    accountNumber: '000123456789',
  },
} as const

const bullionAccount = { method: 'iban', holder: 'Bullion Media', iban: 'DE89370400440532013000', bic: '' } as const
const GRANDPA = 'walter.brandt@mail.example'

type Checkpoint = (day: number) => Promise<void>

/**
 * Plays a label's first days, in a world without orders.
 * @param days shorter lives see less: the first month is closed once it is over
 * @param checkpoint called at the end of each whole day
 */
export async function playLife(
  world: World,
  { seed, days }: { seed: number; days: number },
  checkpoint: Checkpoint = () => Promise.resolve(),
): Promise<void> {
  const random = seededRandom(seed)
  const acts = openActs(world, random)
  const startsAt = world.shop.clock.now().getTime()
  const orders: Order[] = []
  /** Orders with which something else than a delivery happens. */
  const special = new Set<Order>()
  let readGiftCard = () => ''
  let [disputed, lost]: [string, Order | undefined] = ['', undefined]

  const advanceTo = (day: number, hour: number) =>
    world.advance(Math.max(0, startsAt + day * DAY_MS + hour * HOUR_MS - world.shop.clock.now().getTime()))

  /** The newest order of at least so many days with which nothing else happens. */
  function orderOf(day: number, age: number, how?: Order['how']): Order {
    const found = orders.findLast(
      (order) => order.day <= day - age && !special.has(order) && (how === undefined || order.how === how),
    )
    if (!found) return fail(`No order is ${age} days old on day ${day}.`)
    special.add(found)
    return found
  }

  const stripe = (wish: Record<string, unknown>) => world.simulators.stripe.change(wish) as Promise<{ id: string }>
  const onePiece = { kind: 'pieces', pieces: [{ position: 0, quantity: 1 }] } as const

  /** What happens beside sales, in the morning of a day. */
  const events: Readonly<Record<number, () => Promise<unknown>>> = {
    0: () => acts.makesCode('WELCOME10', 1000),
    2: acts.allowsPartnerCodes,
    3: () => acts.entersAccount('partner', 'partner-demo', bullionAccount),
    4: () => acts.sendsLetter(letters[0]),
    6: () => acts.partnerJoins(napCentral),
    9: () => acts.asks(orderOf(9, 1), questions[0]),
    // August had four days; it is closed first.
    10: acts.closesMonth,
    12: () => acts.refunds(orderOf(12, 3, 'card'), { kind: 'rest' }, 'Ordered by mistake'),
    17: () => acts.claims(orderOf(17, 8), 'It came out of the box like this. Picture attached.', 'refund'),
    19: () => acts.partnerJoins(secondCoffee),
    24: () => acts.refunds(orderOf(24, 4, 'wallet'), onePiece, 'Too late for a present'),
    27: async () => {
      disputed = (await stripe({ change: 'dispute', payment_intent: orderOf(27, 7, 'card').payment })).id
    },
    31: () => acts.claims(orderOf(31, 8), 'A stain on the front, and I have not even worn it.', 'replace'),
    34: () => acts.sendsLetter(letters[1]),
    37: async () => {
      lost = orderOf(37, 4)
      await world.simulators.printful.change({ change: 'strand', external_id: lost.number })
    },
    39: acts.closesMonth,
    41: acts.paysPartners,
    44: () => acts.makesCode('NAP10', 1000),
    46: () => stripe({ change: 'win_dispute', dispute: disputed }),
    50: async () => {
      readGiftCard = await acts.buysGiftCard(5000, GRANDPA)
    },
    52: () => acts.asks(orderOf(52, 1), questions[1]),
    53: () => acts.buys(53, { giftCard: readGiftCard() }).then(keeps),
    55: () => acts.refunds(orderOf(55, 2, 'wallet'), { kind: 'rest' }, 'Ordered by mistake'),
    61: () => acts.refunds(orderOf(61, 6, 'card'), onePiece, 'Gave it away, twice'),
    66: () => acts.wantsNewParcel(lost ?? fail('No parcel is lost.')),
    68: () => acts.refunds(orderOf(68, 3, 'card'), { kind: 'rest' }, 'Moved, and the parcel would not have'),
    70: acts.closesMonth,
    71: () => acts.sendsLetter(letters[2]),
    72: acts.paysPartners,
    78: () => acts.refunds(orderOf(78, 2, 'wallet'), { kind: 'rest' }, 'Ordered twice'),
    84: () => acts.refunds(orderOf(84, 9, 'card'), onePiece, 'The other size was right'),
    87: () => acts.claims(orderOf(87, 8), 'The print has a smear on the left side.', 'wait'),
    89: () => acts.asks(orderOf(89, 1), questions[2]),
  }
  /** Days on which the first order is changed within its first hour. */
  const changes = new Set([20, 58, 81])

  function keeps(order: Order | undefined): void {
    if (order) orders.push(order)
  }

  function linkOf(day: number): string | undefined {
    const chance = random()
    if (chance < 0.15) return 'bullion-rudy'
    if (chance < 0.22) return 'bullion-all'
    if (chance < 0.3 && day > 6) return 'nap-central'
    return chance < 0.34 && day > 19 ? 'second-coffee-club' : undefined
  }

  function codeOf(day: number): string | undefined {
    const chance = random()
    if (chance < 0.1) return day < 45 ? 'WELCOME10' : 'NAP10'
    return chance < 0.14 && day > 6 ? 'NAPTIME10' : undefined
  }

  async function trades(day: number, hours: number): Promise<void> {
    await advanceTo(day, 0)
    await events[day]?.()
    await world.settled()
    const weekday = new Date(startsAt + day * DAY_MS).getUTCDay()
    const expected = (FIRST_ORDERS + (day / LIFE.days) * MORE_ORDERS) * (weekdays[weekday] ?? 1) * CARTS_PER_ORDER
    // Between three and five quarters of what is expected.
    const carts = Math.floor(expected * (0.75 + random() / 2) + random())
    const times = Array.from({ length: carts }, () => 0.5 + random() * (SHOPPING_HOURS - 0.5)).toSorted((a, b) => a - b)
    for (let visit = Math.floor(carts * VISITS_PER_CART * (0.8 + random() * 0.4)); visit > 0; visit -= 1)
      await acts.visits(random() < 0.5 ? undefined : linkOf(day))
    for (const time of times.filter((hour) => hour < hours)) {
      await advanceTo(day, time)
      const order = await acts.buys(day, { link: linkOf(day), code: codeOf(day) })
      keeps(order)
      if (!order || !changes.delete(day)) continue
      special.add(order)
      await acts.changesQuantity(order, 1)
    }
    if (random() < 0.6) await acts.subscribes()
  }

  for (let day = 0; day < days; day += 1) {
    await trades(day, SHOPPING_HOURS)
    await advanceTo(day, CLOSING_HOUR)
    await passes(world)
    for (const order of orders.filter((each) => each.day === day)) acts.opensConfirmation(order)
    // The owner has read earlier ones: what is left to read are the last weeks'.
    for (const order of orders) {
      const opinion = order.day === day - 14 && random() < 0.12 ? acts.pick(opinions) : undefined
      if (opinion && day > 74 && !special.has(order)) await acts.reviews(order, opinion)
    }
    // What production and carriers do each evening happens today, on every machine.
    await advanceTo(day, NIGHT_HOUR)
    await world.settled()
    await checkpoint(day)
  }
  await trades(days, LIFE.lastHours)
  await advanceTo(days, LIFE.lastHours)
  await passes(world)
}

/** What the shop does by itself, once; and what follows from it. */
async function passes(world: World): Promise<void> {
  await world.settled()
  for (const { run } of tasksOf(world.shop)) await run()
  await world.settled()
}
