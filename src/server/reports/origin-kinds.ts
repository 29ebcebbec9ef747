import { sql, type SQL } from 'drizzle-orm'
import type { OriginKind } from '#contract/report-figures.ts'
import { findCollection } from '#domain/catalog/collections.ts'
import { countryName } from '#domain/checkout/countries.ts'
import { listCollections } from '#server/catalog/collections.ts'
import type { Reader } from '#server/db/db.ts'

type Origin = {
  /** What tells groups apart, of order `o`, or of its line `l`; empty for orders without it. */
  key: SQL
  /** Of the order's or checkout's checkout. */
  joins?: (checkoutId: SQL) => SQL
  /** An order's lines can be of several groups, which then share it. */
  isOfLines?: true
  /** The same of a checkout `c` whose frozen version is `v`; left out where it is not known before a payment. */
  checkoutKey?: SQL
  /** Of a frozen line: `checkoutKey` reads `line`. */
  without: string
}

const attributed = (checkoutId: SQL) => sql`left join attribution a on a.checkout_id = ${checkoutId}`
const linked = (checkoutId: SQL) => sql`${attributed(checkoutId)} left join affiliate_link li on li.id = a.link_id`
const codesIn = (discounts: SQL) =>
  sql`coalesce((select string_agg(d ->> 'code', ' + ' order by place) from jsonb_array_elements(${discounts}) with ordinality as ds(d, place)), '')`

const providerNames: Readonly<Record<string, string>> = { stripe: 'Card (Stripe)', paypal: 'PayPal' }
const deviceNames: Readonly<Record<string, string>> = { phone: 'Phone', tablet: 'Tablet', computer: 'Computer' }

/** Whether the codes of frozen versions are read: they are large. */
export const readsVersions = (by: OriginKind): boolean => by === 'code' || by === 'product' || by === 'collection'

/** @param zone of the days */
export function originOf(by: OriginKind, zone: string): Origin {
  const dayOf = (moment: SQL) => sql`to_char(${moment} at time zone ${zone}, 'YYYY-MM-DD')`
  switch (by) {
    case 'partner':
      return {
        ...same(sql`coalesce(pa.code, '')`),
        joins: (id) => sql`${attributed(id)} left join partner pa on pa.id = a.partner_id`,
        without: 'Nobody’s link or code',
      }
    case 'link':
      return { ...same(sql`coalesce(li.code, '')`), joins: linked, without: 'No link' }
    case 'campaign':
      return { ...same(sql`coalesce(li.campaign, '')`), joins: linked, without: 'No campaign' }
    case 'code':
      return {
        key: codesIn(sql`o.discounts`),
        checkoutKey: codesIn(sql`coalesce(v.frozen -> 'quote' -> 'discounts', '[]')`),
        without: 'No discount',
      }
    case 'product':
      return {
        key: sql`l.product_id::text`,
        checkoutKey: sql`line ->> 'productId'`,
        isOfLines: true,
        without: 'No product',
      }
    case 'collection':
      return {
        key: sql`l.collection`,
        checkoutKey: sql`line ->> 'collection'`,
        isOfLines: true,
        without: 'No product',
      }
    case 'country':
      return {
        key: sql`coalesce(o.shipping_address ->> 'country', '')`,
        checkoutKey: sql`c.country`,
        without: 'Erased',
      }
    case 'device':
      return {
        key: sql`coalesce(oc.device, '')`,
        checkoutKey: sql`coalesce(c.device, '')`,
        joins: (id) => sql`left join checkout oc on oc.id = ${id}`,
        without: 'Not known',
      }
    case 'payment':
      return { key: sql`coalesce(split_part(o.payment_key, ':', 1), '')`, without: 'Gift card alone' }
    case 'day':
      return { key: dayOf(sql`o.created_at`), checkoutKey: dayOf(sql`c.created_at`), without: '' }
  }
}

/** A key that needs nothing but the checkout's joins. */
const same = (key: SQL) => ({ key, checkoutKey: key })

/** What groups are called, by their keys. A day is its ISO date. */
export async function namesOf(db: Reader, by: OriginKind, keys: readonly string[]): Promise<(key: string) => string> {
  const { without } = originOf(by, 'UTC')
  const named = (name: (key: string) => string) => (key: string) => (key === '' ? without : name(key))
  switch (by) {
    case 'partner':
    case 'campaign':
    case 'code':
    case 'day':
      return named((key) => key)
    case 'link':
      return named((key) => `/r/${key}`)
    case 'country':
      return named(countryName)
    case 'device':
      return named((key) => deviceNames[key] ?? key)
    case 'payment':
      return named((key) => providerNames[key] ?? key)
    case 'collection': {
      const collections = await listCollections(db)
      return named((key) => findCollection(collections, key)?.name ?? key)
    }
    case 'product': {
      const ids = keys.flatMap((key) => (/^\d{1,9}$/.test(key) ? [Number(key)] : []))
      const { rows } = await db.execute<{ id: string; name: string }>(
        sql`select id::text as id, name from product where id = any(${sql.param(ids)}::int[])`,
      )
      const names = new Map(rows.map(({ id, name }) => [id, name]))
      return named((key) => names.get(key) ?? `Product ${key}`)
    }
  }
}
