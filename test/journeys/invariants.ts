import { expect } from 'vitest'
import type { World } from '#sandbox/world.ts'

type AuditOrder = {
  id: number
  order_number: string
  checkout_id: string | null
  payment_key: string | null
  status: string
  payment_status: string
  fulfilment_status: string
  subtotal_cents: string
  shipping_cents: string
  tax_cents: string
  vat_protection_cents: string
  total_cents: string
  gift_card_cents: string
  external_id: string
  printful_order_id: string | null
  customer_email: string
}

export const ordersOf = (world: World) => world.audit<AuditOrder>('orders')

type AuditEntry = { posting_id: string; account: string; amount_cents: string; payment_key: string | null }

/** The ledger, posting by posting. */
export const postingsOf = async (world: World): Promise<AuditEntry[][]> => [
  ...Map.groupBy(await world.audit<AuditEntry>('ledger'), ({ posting_id: id }) => id).values(),
]

/** Every posting sums to zero, the provider's account holds what the provider says it received, and gift cards what they can buy. */
export async function expectBooksAgree(world: World): Promise<void> {
  const postings = await postingsOf(world)
  for (const posting of postings)
    expect(
      posting.reduce((sum, { amount_cents: cents }) => sum + Number(cents), 0),
      `posting ${posting[0]?.posting_id}`,
    ).toBe(0)
  const entries = postings.flat()

  for (const provider of providers) {
    const received = paymentsTakenBy(world, provider).reduce(
      (sum, { amount_cents: cents, fee_cents: fee }) => sum + cents - (fee ?? 0),
      0,
    )
    const { refunds = [] } = world.simulators[provider].ledger()
    const returned = refunds.reduce(
      (sum, { amount_cents: cents, status }) => (/failed/i.test(status) ? sum : sum + cents),
      0,
    )
    const held = entries
      .filter(({ account }) => account === `provider:${provider}`)
      .reduce((sum, { amount_cents: cents }) => sum + Number(cents), 0)
    expect(held, provider).toBe(received - returned)
  }
  await expectGiftCardsAgree(world, entries)
  await expectTaxReportTies(world)
}

/** The tax report has what the ledger has of each order: net, tax, and what was collected for the printer's own tax. */
export async function expectTaxReportTies({ shop }: World): Promise<void> {
  const { rows } = await shop.database.pool.query(`
    select order_id, sum(net) as net, sum(tax) as tax, sum(vat) as vat from (
      select p.order_id, case when e.account like 'revenue:%' then -e.amount_cents else 0 end as net,
        case e.account when 'liability:tax' then -e.amount_cents else 0 end as tax,
        case e.account when 'liability:vat_protection' then -e.amount_cents else 0 end as vat
      from ledger_entry e join ledger_posting p on p.id = e.posting_id
      union all
      select order_id, -net_cents, -tax_cents, -vat_protection_cents from tax_booking) both_books
    group by order_id having sum(net) <> 0 or sum(tax) <> 0 or sum(vat) <> 0`)
  expect(rows, 'the tax report is the ledger').toEqual([])
  const { rows: parts } = await shop.database.pool.query(`
    select key, tax_cents, parts from tax_booking
    where tax_cents <> (select coalesce(sum((part->>'tax')::bigint), 0) from jsonb_array_elements(parts) part)`)
  expect(parts, 'its rates sum to the tax').toEqual([])
}

type AuditGiftCard = {
  id: number
  state: string
  issued_cents: string
  amount_cents: string
  /** Whose refund became the card. */
  issued_order_id: number | null
  balance_cents: string
  moved_cents: string
  /** Null unless it was bought. */
  payment_key: string | null
  lost_cents: string
}

export const giftCardsOf = (world: World) => world.audit<AuditGiftCard>('gift_cards')

/** What gift cards can still buy is what the ledger owes, and each balance is the sum of its movements. */
export async function expectGiftCardsAgree(
  world: World,
  entries: readonly Pick<AuditEntry, 'account' | 'amount_cents'>[],
): Promise<void> {
  const cards = await giftCardsOf(world)
  for (const card of cards) expect(card.balance_cents, `gift card ${card.id}`).toBe(card.moved_cents)
  const owed = entries.filter(({ account }) => account === 'liability:gift_cards')
  const sumOf = (amounts: readonly string[]) => amounts.reduce((sum, amount) => sum + Number(amount), 0)
  expect(sumOf(cards.map((card) => card.balance_cents))).toBe(0 - sumOf(owed.map((entry) => entry.amount_cents)))
}

const providers = ['stripe', 'paypal'] as const

/** The payments a provider has collected for the shop. */
const paymentsTakenBy = (world: World, provider: (typeof providers)[number]) =>
  (world.simulators[provider].ledger().payments ?? []).filter(({ status }) =>
    ['succeeded', 'COMPLETED', 'PARTIALLY_REFUNDED', 'REFUNDED'].includes(status),
  )

/** Each payment the provider collected has one order, gift card or exception; only orders without charge lack a payment. */
export async function expectNoPaymentLost(world: World): Promise<void> {
  const taken = providers.flatMap((provider) => paymentsTakenBy(world, provider).map(({ id }) => `${provider}:${id}`))
  const all = await ordersOf(world)
  expect(
    all.filter((order) => (order.payment_key === null) !== (order.payment_status === 'no_charge')),
    'paid, or without charge',
  ).toEqual([])
  const orders = all.flatMap((order) => order.payment_key ?? [])
  const exceptions = (await world.audit<{ payment_key: string }>('exceptions')).map(
    (exception) => exception.payment_key,
  )
  const bought = (await giftCardsOf(world)).flatMap(({ payment_key: key }) => key ?? [])
  expect([...orders, ...bought, ...exceptions].toSorted()).toEqual(taken.toSorted())
}

/** The printer has each paid order exactly once, with exactly the items that were paid for. */
export async function expectPrintedOnce(world: World): Promise<void> {
  const { partner_orders: theirs = [] } = world.simulators.printful.ledger()
  const lines = await world.audit<{ order_id: number; variant_id: string; quantity: number }>('lines')
  const orders = await ordersOf(world)
  expect(
    theirs
      .filter(({ status }) => status !== 'canceled')
      .map(({ external_id: id }) => id)
      .toSorted(),
  ).toEqual(orders.map(({ external_id: id }) => id).toSorted())
  for (const order of orders) {
    const partner = theirs.find(({ external_id: id }) => id === order.external_id)
    const pieces = (list: readonly { variant: number; quantity: number }[]) =>
      list.toSorted((a, b) => a.variant - b.variant)
    expect(
      pieces(partner?.items.map((item) => ({ variant: item.sync_variant_id, quantity: item.quantity })) ?? []),
    ).toEqual(
      pieces(
        lines
          .filter(({ order_id: id }) => id === order.id)
          .map((line) => ({ variant: Number(line.variant_id), quantity: line.quantity })),
      ),
    )
  }
}
