import type pg from 'pg'
import {
  entriesOfCommission,
  entriesOfException,
  entriesOfFee,
  entriesOfPrinterCost,
  entriesOfRefund,
  entriesOfSale,
  reverseEntries,
  type Entry,
} from '#domain/ledger/ledger.ts'
import { partsOfAmount, type RefundParts } from '#domain/payments/returns.ts'
import type { PaymentProvider } from '#shared/ids.ts'
import { cents, minus, plus, sum, times, ZERO, type Cents } from '#shared/money.ts'
import { DAY_MS } from '#shared/time.ts'

// Sales inserted directly as rows, in large numbers with everything that belongs to them, to test reports and other readers.

export type Sale = {
  at: Date
  provider: PaymentProvider
  /** Without lines it is a payment that made no order. */
  lines: readonly { product: number; quantity: number; price: Cents }[]
  shipping: Cents
  surcharge: Cents
  tax: Cents
  vatProtection: Cents
  fee: Cents
  cost: Cents
  commission: Cents
  refund: { amount: Cents; at: Date; cameBackAt: Date | null } | null
  /** How much more the provider lists than was paid; null: it does not list the payment. */
  listedMore: Cents | null
}

/** A charge the shop does not know. */
export type Stray = { at: Date; provider: PaymentProvider; amount: Cents; isOurs: boolean }

export type Goods = { product: number; variant: number; collection: string; name: string }

export const subtotalOf = ({ lines }: Sale): Cents => sum(lines.map(({ price, quantity }) => times(price, quantity)))
export const totalOf = (sale: Sale): Cents => sum([subtotalOf(sale), sale.shipping, sale.tax, sale.vatProtection])

const partsOf = (sale: Sale): RefundParts => ({
  merchandise: subtotalOf(sale),
  shipping: minus(sale.shipping, sale.surcharge),
  surcharge: sale.surcharge,
  tax: sale.tax,
  vatProtection: sale.vatProtection,
})

/** The products of the world's catalog, one variant each. */
export async function listGoods(pool: pg.Pool): Promise<Goods[]> {
  const { rows } = await pool.query<Goods>(
    `select distinct on (p.id) p.id as product, v.id::float8 as variant, p.collection, p.name
     from product p join variant v on v.product_id = p.id order by p.id, v.position`,
  )
  return rows
}

const uuidOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
const BATCH = 2000

/** Inserts sales and strays, numbered from 1, and marks both providers' lists as complete up to then. */
export async function writeSales(
  pool: pg.Pool,
  sales: readonly Sale[],
  strays: readonly Stray[],
  listedUntil: Date,
): Promise<void> {
  const goods = await listGoods(pool)
  for (let first = 0; first < sales.length; first += BATCH)
    await writeBatch(pool, sales.slice(first, first + BATCH), first + 1, goods)
  await insert(
    pool,
    'provider_transaction',
    strays.map(({ at, provider, amount, isOurs }, index) => ({
      provider,
      id: `stray_${index}`,
      kind: 'charge',
      amount_cents: amount,
      fee_cents: 0,
      currency: 'usd',
      payment_key: `${provider}:stray_${index}`,
      source_id: `ch_stray_${index}`,
      checkout_id: isOurs ? uuidOf(9e9 + index) : null,
      occurred_at: at,
      read_at: listedUntil,
    })),
  )
  await pool.query('delete from provider_reading')
  await insert(
    pool,
    'provider_reading',
    ['stripe', 'paypal'].map((provider) => ({
      provider,
      since: new Date(0),
      until: listedUntil,
      read_at: listedUntil,
    })),
  )
}

async function writeBatch(
  pool: pg.Pool,
  sales: readonly Sale[],
  first: number,
  goods: readonly Goods[],
): Promise<void> {
  const numbered = sales.map((sale, index) => ({ sale, id: first + index, key: `${sale.provider}:p_${first + index}` }))
  const orders = numbered.filter(({ sale }) => sale.lines.length > 0)
  const others = numbered.filter(({ sale }) => sale.lines.length === 0)
  const amounts = (sale: Sale) => ({
    subtotal_cents: subtotalOf(sale),
    shipping_cents: sale.shipping,
    tax_cents: sale.tax,
    vat_protection_cents: sale.vatProtection,
    total_cents: totalOf(sale),
  })
  const number = (id: number) => `N${String(id).padStart(8, '0')}`
  await insert(
    pool,
    'checkout',
    numbered.map(({ sale, id }) => ({
      id: uuidOf(id),
      session_id: `s${id}`,
      state: sale.lines.length > 0 ? 'paid' : 'exception',
      order_number: number(id),
      quote_hash: '',
      country: 'US',
      surcharge_cents: sale.surcharge,
      created_at: sale.at,
      updated_at: sale.at,
      ...amounts(sale),
    })),
  )
  await insert(
    pool,
    'payment',
    numbered.map(({ sale, id, key }) => ({
      payment_key: key,
      provider: sale.provider,
      payment_id: `p_${id}`,
      status: 'captured',
      amount_cents: totalOf(sale),
      currency: 'usd',
      live: false,
      checkout_id: uuidOf(id),
      captured_at: sale.at,
      fee_cents: sale.fee,
    })),
  )
  await insert(
    pool,
    'payment_exception',
    others.map(({ sale, key }) => ({
      kind: 'amount_differs',
      payment_key: key,
      amount_cents: totalOf(sale),
      opened_at: sale.at,
    })),
  )
  await insert(
    pool,
    'shop_order',
    orders.map(({ sale, id, key }) => ({
      id,
      order_number: number(id),
      checkout_id: uuidOf(id),
      payment_key: key,
      session_id: `s${id}`,
      payment_status: 'paid',
      fulfilment_status: 'delivered',
      customer_email: `fan-${id}@mail.example`,
      customer_name: `Ada Fan ${id}`,
      shipping_address: { line1: '350 5th Avenue', city: 'New York', state: 'NY', postalCode: '10118', country: 'US' },
      collection: 'rudy',
      external_id: number(id),
      tax_report: 'reported',
      partner_cost_cents: sale.cost,
      created_at: sale.at,
      updated_at: sale.at,
      ...amounts(sale),
    })),
  )
  await insert(
    pool,
    'order_line',
    orders.flatMap(({ sale, id }) =>
      sale.lines.map(({ product, quantity, price }, position) => {
        const sold = goods[product % goods.length]
        return {
          order_id: id,
          position,
          product_id: sold?.product,
          variant_id: sold?.variant,
          product_name: sold?.name,
          collection: sold?.collection,
          quantity,
          unit_price_cents: price,
        }
      }),
    ),
  )
  await insert(
    pool,
    'refund',
    numbered.flatMap(({ sale: { refund, lines }, id, key }) =>
      refund
        ? [
            {
              payment_key: key,
              order_id: lines.length > 0 ? id : null,
              provider_refund_id: `re_${id}`,
              amount_cents: refund.amount,
              status: refund.cameBackAt ? 'failed' : 'succeeded',
              reason: 'a stain',
              created_at: refund.at,
              booked_at: refund.at,
              reversed_at: refund.cameBackAt,
            },
          ]
        : [],
    ),
  )
  await insert(
    pool,
    'provider_transaction',
    numbered.flatMap(({ sale, id, key }) =>
      sale.listedMore === null
        ? []
        : [
            {
              provider: sale.provider,
              id: `txn_${id}`,
              kind: 'charge',
              amount_cents: plus(totalOf(sale), sale.listedMore),
              fee_cents: sale.fee,
              currency: 'usd',
              payment_key: key,
              source_id: `ch_${id}`,
              checkout_id: uuidOf(id),
              // The provider's time is a little earlier than the shop's.
              occurred_at: new Date(sale.at.getTime() - 90_000),
              read_at: sale.at,
            },
          ],
    ),
  )
  await insertPostings(pool, numbered.flatMap(postingsOf))
}

type NumberedSale = { sale: Sale; id: number; key: string }
type PostingRow = {
  kind: string
  key: string
  order_id: number | null
  payment_key: string
  booked_at: Date
  entries: Entry[]
}

function postingsOf({ sale, id, key }: NumberedSale): PostingRow[] {
  const { provider, at, refund } = sale
  const isOrder = sale.lines.length > 0
  const about = { order_id: isOrder ? id : null, payment_key: key }
  const total = totalOf(sale)
  const posted = (kind: string, name: string, when: Date, entries: Entry[]) =>
    entries.length > 0 ? [{ kind, key: `${name}:${key}`, booked_at: when, entries, ...about }] : []
  const quote = { ...sale, subtotal: subtotalOf(sale), total }
  const back = refund && entriesOfRefund(provider, partsOfAmount(partsOf(sale), refund.amount))
  return [
    ...(isOrder
      ? posted('sale', 'sale', at, entriesOfSale(provider, quote))
      : posted('exception', 'exception', at, entriesOfException(provider, total))),
    ...posted('fee', 'fee', at, entriesOfFee(provider, sale.fee)),
    ...posted('partner_cost', 'cost', at, isOrder ? entriesOfPrinterCost(sale.cost, true) : []),
    ...posted('commission', 'commission', at, isOrder ? entriesOfCommission(sale.commission) : []),
    ...(refund && back ? posted('refund', 'refund', refund.at, back) : []),
    ...(refund?.cameBackAt && back ? posted('refund', 'refund-failed', refund.cameBackAt, reverseEntries(back)) : []),
  ]
}

async function insertPostings(pool: pg.Pool, posted: readonly PostingRow[]): Promise<void> {
  const ids = await insert(
    pool,
    'ledger_posting',
    posted.map(({ kind, key, order_id, payment_key, booked_at }) => ({ kind, key, order_id, payment_key, booked_at })),
    'id',
  )
  await insert(
    pool,
    'ledger_entry',
    posted.flatMap(({ entries }, index) =>
      entries.map(({ account, amount }) => ({ posting_id: ids[index], account, amount_cents: amount })),
    ),
  )
}

/** @returns the values of a column of the new rows, in their order */
async function insert(
  pool: pg.Pool,
  table: string,
  rows: readonly Record<string, unknown>[],
  returning?: string,
): Promise<unknown[]> {
  const [first] = rows
  if (!first) return []
  const columns = Object.keys(first).join(', ')
  const { rows: made } = await pool.query<Record<string, unknown>>(
    `insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, $1::jsonb)
     ${returning ? `returning ${returning}` : ''}`,
    [JSON.stringify(rows)],
  )
  return returning ? made.map((row) => row[returning]) : []
}

/** This many different sales of the last two years, the same each time. */
export function salesOf(count: number): Sale[] {
  const now = Date.now()
  return Array.from({ length: count }, (_, index): Sale => {
    // Spread by a number without a common divisor, so amounts and days are independent.
    const luck = (index * 7919) % 10_007
    return {
      at: new Date(now - Math.floor(((index * 104_729) % count) * ((730 * DAY_MS) / count))),
      provider: luck % 4 === 0 ? 'paypal' : 'stripe',
      lines: Array.from({ length: 1 + (luck % 3) }, (__, line) => ({
        product: luck + line,
        quantity: 1 + (luck % 2),
        price: cents(1500 + (luck % 4000)),
      })),
      shipping: ZERO,
      surcharge: ZERO,
      tax: cents(luck % 400),
      vatProtection: ZERO,
      fee: cents(100 + (luck % 200)),
      cost: cents(900 + (luck % 500)),
      commission: cents(luck % 3 === 0 ? 200 : 0),
      refund:
        luck % 50 === 0 ? { amount: cents(500), at: new Date(now - (luck % 700) * DAY_MS), cameBackAt: null } : null,
      listedMore: ZERO,
    }
  })
}
