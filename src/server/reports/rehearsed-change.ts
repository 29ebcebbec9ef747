import { eq, inArray } from 'drizzle-orm'
import type { RehearsedChange as RequestedChange } from '#contract/rehearsals.ts'
import { benefitText } from '#domain/codes/benefit-text.ts'
import { countriesText } from '#domain/catalog/margin-floor.ts'
import { formatRate } from '#domain/partners/rates.ts'
import type { RehearsedChange } from '#domain/reports/rehearsal.ts'
import type { ProductId } from '#shared/ids.ts'
import { formatUsd, type Cents } from '#shared/money.ts'
import { product, variant } from '#server/catalog/schema.ts'
import type { Reader } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import { partner } from '#server/partners/schema.ts'
import { readSiteSettings, whoPaysShipping } from '#server/settings/site-settings.ts'
import type { Needs } from '#server/shop.ts'
import { listRatesOf } from './rehearsal-store.ts'

/** A change as it is rehearsed, and in a few words. */
export type ReadChange = { about: string; change: RehearsedChange; limits?: CodeLimits }

/** How often a code can be used, in all and by one person; null: without a limit. */
export type CodeLimits = Pick<Extract<RequestedChange, { kind: 'code' }>, 'usesMax' | 'usesMaxPerPerson'>

/** @throws Refusal `unknown_product`, `unknown_variant`, `unknown_partner` */
export async function readChange(
  { db, config }: Needs<'db' | 'config'>,
  requested: RequestedChange,
): Promise<ReadChange> {
  switch (requested.kind) {
    case 'price':
      return readPrices(db, requested.prices)
    case 'commission':
      return readRate(db, requested)
    case 'code': {
      const { kind, usesMax, usesMaxPerPerson, ...rule } = requested
      return {
        about: `A new discount: ${benefitText(rule.benefit)}`,
        change: { kind, code: { id: NEWEST, code: 'New code', rule } },
        limits: { usesMax, usesMaxPerPerson },
      }
    }
    case 'shipping': {
      const paidBy = whoPaysShipping(config, { ...(await readSiteSettings(db)), shipping: requested.paidBy })
      return {
        about: paidBy === 'free' ? 'Free shipping' : 'Shipping at the printer’s rate, paid by the shopper',
        change: { kind: 'shipping', paidBy },
      }
    }
    case 'surcharge': {
      const { productId, surcharge } = requested
      const name = await productName(db, productId)
      return {
        about:
          surcharge?.enabled && surcharge.regions.length > 0
            ? `${name} with a surcharge of ${formatUsd(surcharge.amount)} to ${countriesText(surcharge.regions)}`
            : `${name} without a surcharge`,
        change: { kind: 'surcharge', productId, surcharge: surcharge ?? undefined },
      }
    }
  }
}

/** Codes of one kind take effect in the order they were made. */
const NEWEST = Number.MAX_SAFE_INTEGER

async function readPrices(
  db: Reader,
  prices: Extract<RequestedChange, { kind: 'price' }>['prices'],
): Promise<ReadChange> {
  const wanted = new Map(prices.map(({ variantId, to }) => [variantId, to]))
  const known = await db
    .select({ id: variant.id, product: product.name })
    .from(variant)
    .innerJoin(product, eq(product.id, variant.productId))
    .where(inArray(variant.id, [...wanted.keys()]))
  if (known.length < wanted.size) throw new Refusal('unknown_variant')
  const names = [...new Set(known.map((row) => row.product))].join(', ')
  return { about: `${names} at ${rangeOf([...wanted.values()])}`, change: { kind: 'price', prices: wanted } }
}

function rangeOf(prices: readonly Cents[]): string {
  const [lowest = 0, highest = 0] = [Math.min(...prices), Math.max(...prices)] as Cents[]
  return lowest === highest
    ? formatUsd(lowest as Cents)
    : `${formatUsd(lowest as Cents)} to ${formatUsd(highest as Cents)}`
}

async function readRate(
  db: Reader,
  { partnerId, productId, rate }: Extract<RequestedChange, { kind: 'commission' }>,
): Promise<ReadChange> {
  const [found] = await db.select({ name: partner.displayName }).from(partner).where(eq(partner.id, partnerId))
  if (!found) throw new Refusal('unknown_partner')
  const goods = productId === null ? 'everything without its own rate' : await productName(db, productId)
  const own = new Set((await listRatesOf(db, [partnerId])).flatMap((agreed) => agreed.productId ?? []))
  const isFor = (id: ProductId) => (productId === null ? !own.has(id) : id === productId)
  return {
    about: `${formatRate(rate)} for ${found.name} on ${goods}`,
    change: { kind: 'commission', partnerId, basisPoints: rate, isFor },
  }
}

async function productName(db: Reader, id: ProductId): Promise<string> {
  const [found] = await db.select({ name: product.name }).from(product).where(eq(product.id, id))
  if (!found) throw new Refusal('unknown_product')
  return found.name
}
