import { and, count, gt, inArray } from 'drizzle-orm'
import type { Destination } from '#domain/catalog/margin.ts'
import type { Address } from '#domain/checkout/address.ts'
import { cents, type Cents } from '#shared/money.ts'
import { after, DAY_MS } from '#shared/time.ts'
import type { Db, Reader } from '#server/db/db.ts'
import { saveRows } from '#server/db/save-rows.ts'
import { ProviderRefusal, ProviderUnavailable } from '#server/providers/provider-errors.ts'
import type { Needs } from '#server/shop.ts'
import { blankShipping } from './schema.ts'

// What the printer charges for sending one piece of a blank, kept so that margins can be told without asking for each.

/** How long a rate is believed. The printer announces new ones once or twice a year. */
const FRESH_MS = 7 * DAY_MS

const to = (country: string, city: string, postalCode: string | null, state: string | null = null): Address => ({
  ...{ line1: '1 Main Street', line2: null, city, state, postalCode, country },
})

/**
 * Every country of the main checkout, by the printer's price regions (printful.com/shipping, 2026): one address gives the rate of all.
 * `usual` is taken for a blank whose rate was not read yet.
 */
const regions: readonly { address: Address; countries: readonly string[]; usual: Cents }[] = [
  { address: to('US', 'Austin', '78701', 'TX'), countries: ['US'], usual: cents(475) },
  { address: to('CA', 'Toronto', 'M5V 3L9', 'ON'), countries: ['CA'], usual: cents(475) },
  { address: to('GB', 'London', 'SW1A 1AA'), countries: ['GB'], usual: cents(499) },
  {
    address: to('DE', 'Berlin', '10117'),
    countries: [
      ...['AT', 'BE', 'CZ', 'DE', 'DK', 'ES', 'FI', 'FR'],
      ...['GR', 'HU', 'IE', 'IT', 'NL', 'PL', 'PT', 'SE'],
    ],
    usual: cents(499),
  },
  { address: to('NO', 'Oslo', '0150'), countries: ['NO', 'CH'], usual: cents(499) },
  { address: to('AU', 'Sydney', '2000', 'NSW'), countries: ['AU', 'NZ'], usual: cents(749) },
  { address: to('JP', 'Tokyo', '100-0001'), countries: ['JP'], usual: cents(799) },
  { address: to('BR', 'São Paulo', '01310-100', 'SP'), countries: ['BR'], usual: cents(899) },
  { address: to('MX', 'Mexico City', '06600'), countries: ['MX'], usual: cents(899) },
  { address: to('HK', 'Hong Kong', null), countries: ['HK', 'KR', 'SG'], usual: cents(799) },
]

export type ShippingRates = {
  destinations: Destination[]
  /** Some of them are the usual ones of the region, because the printer was not asked yet or did not answer. */
  isEstimated: boolean
}

type RateRow = typeof blankShipping.$inferSelect

const ratesFrom = (rows: readonly RateRow[]): ShippingRates => {
  const known = new Map(rows.map((row) => [row.country, row.shippingCents]))
  return {
    destinations: regions.flatMap(({ address, countries, usual }) => {
      const rate = known.get(address.country)
      const shipping = rate === undefined ? usual : rate
      // The printer does not send it there.
      return shipping === null ? [] : countries.map((country) => ({ country, shipping }))
    }),
    isEstimated: regions.some(({ address }) => !known.has(address.country)),
  }
}

/** Of a blank whose rates nobody read. */
export const USUAL_RATES: ShippingRates = ratesFrom([])

/** As last read; the printer is not asked. */
export async function listShippingRates(
  db: Reader,
  blankIds: readonly number[],
): Promise<ReadonlyMap<number, ShippingRates>> {
  const rows = blankIds.length
    ? await db
        .select()
        .from(blankShipping)
        .where(inArray(blankShipping.blankId, [...new Set(blankIds)]))
    : []
  return new Map([...Map.groupBy(rows, ({ blankId }) => blankId)].map(([id, some]) => [id, ratesFrom(some)]))
}

type RateNeeds = Needs<'db' | 'clock' | 'printful'>

/** A blank's rates, read from the printer where ours are missing or a week old. While it does not answer, older ones stay. */
export async function readShippingRates(
  { db, clock, printful }: RateNeeds,
  blankId: number,
  catalogVariantId: number,
): Promise<ShippingRates> {
  const now = clock.now()
  const stale = await listStaleRegions(db, blankId, after(now, -FRESH_MS))
  const read = await Promise.all(
    stale.map(async ({ address }) => {
      const rate = await rateTo(printful, catalogVariantId, address)
      return rate === undefined ? [] : [{ blankId, country: address.country, shippingCents: rate, readAt: now }]
    }),
  )
  const rows = read.flat()
  if (rows.length) await db.transaction((tx) => saveRows(tx, blankShipping, rows, ['blankId', 'country']))
  return (await listShippingRates(db, [blankId])).get(blankId) ?? USUAL_RATES
}

async function listStaleRegions(db: Db, blankId: number, before: Date) {
  const rows = await db
    .select()
    .from(blankShipping)
    .where(inArray(blankShipping.blankId, [blankId]))
  const fresh = new Set(rows.flatMap(({ country, readAt }) => (readAt > before ? country : [])))
  return regions.filter(({ address }) => !fresh.has(address.country))
}

/** @returns null where the printer does not send it, undefined without an answer */
async function rateTo(
  printful: RateNeeds['printful'],
  catalogVariantId: number,
  address: Address,
): Promise<Cents | null | undefined> {
  try {
    return (await printful.shippingRate([{ catalogVariantId, quantity: 1 }], address)).cost
  } catch (error) {
    if (error instanceof ProviderRefusal && error.code === 'address_refused') return null
    if (!(error instanceof ProviderRefusal) && !(error instanceof ProviderUnavailable)) throw error
    return undefined
  }
}

/** The first of these blanks with rates that are missing or a week old. @param limit each takes ten calls of the printer's 120 a minute */
export async function listStaleRates(
  { db, clock }: Needs<'db' | 'clock'>,
  blankIds: readonly number[],
  limit: number,
): Promise<number[]> {
  const rows = await db
    .select({ blankId: blankShipping.blankId, fresh: count() })
    .from(blankShipping)
    .where(and(inArray(blankShipping.blankId, [...blankIds]), gt(blankShipping.readAt, after(clock.now(), -FRESH_MS))))
    .groupBy(blankShipping.blankId)
  const whole = new Set(rows.flatMap(({ blankId, fresh }) => (fresh === regions.length ? blankId : [])))
  return blankIds.filter((id) => !whole.has(id)).slice(0, limit)
}
