import type { Rehearsal, RehearsedChange as RequestedChange, RehearsedOrder } from '#contract/rehearsals.ts'
import { paymentFees, type PaymentFee } from '#domain/catalog/margin.ts'
import { countryName } from '#domain/checkout/countries.ts'
import { subtotalOf } from '#domain/checkout/quote.ts'
import type { UsableCode } from '#domain/codes/discount.ts'
import { estimateBill, shippingOf } from '#domain/orders/profit-estimate.ts'
import { rateAt } from '#domain/partners/rates.ts'
import {
  addRehearsed,
  asItWas,
  NO_SALES_REHEARSED,
  rehearse,
  rehearseCart,
  type Rehearsed,
  type RehearsalSums,
  type StoredSale,
} from '#domain/reports/rehearsal.ts'
import { timeRangeOf, type TimeRange } from '#domain/reports/time-range.ts'
import { isoOfDay } from '#shared/calendar-day.ts'
import { readPaymentKey, type ProductId } from '#shared/ids.ts'
import { cents, minus, plus, share, sum, ZERO, type Cents } from '#shared/money.ts'
import { dayIn } from '#shared/time-zone.ts'
import { findTypesOfProducts } from '#server/catalog/catalog.ts'
import { listCostsToSend } from '#server/catalog/costs-to-send.ts'
import { readSiteSettings } from '#server/settings/site-settings.ts'
import type { Needs } from '#server/shop.ts'
import { readChange, type CodeLimits, type ReadChange } from './rehearsed-change.ts'
import {
  cartPages,
  commissionRatesOf,
  findCodes,
  listCarts,
  listFirstOrders,
  listRatesOf,
  salePages,
  unpaidPages,
  type SoldOrder,
  type UnpaidCheckout,
} from './rehearsal-store.ts'
import { listLinesOf, type ReportedLine } from './workbook-store.ts'

// What the last 90 days would have been under another rule: stored sales are quoted again. Only reads.

export type RehearsalNeeds = Needs<'db' | 'clock' | 'config'>

const DAYS = 90
const ROWS_A_PAGE = 50

/** A change and the days that it is tried on. */
export type Rehearsing = ReadChange & {
  days: { from: string; to: string }
  range: TimeRange
  zone: string
  floor: Cents
}

/** @throws Refusal `unknown_product`, `unknown_variant`, `unknown_partner` */
export async function beginRehearsal(shop: RehearsalNeeds, requested: RequestedChange): Promise<Rehearsing> {
  const read = await readChange(shop, requested)
  const zone = shop.config.reportTimeZone
  const now = shop.clock.now().getTime()
  const to = dayIn(zone, now)
  const from = to - DAYS + 1
  return {
    ...{ ...read, zone },
    days: { from: isoOfDay(from), to: isoOfDay(to) },
    range: { since: timeRangeOf(zone, { from, to }).since, until: now + 1 },
    floor: (await readSiteSettings(shop.db)).marginFloor,
  }
}

/** The sums of a change, and a page of the orders that it concerns. @throws as `beginRehearsal` */
export async function rehearseSales(
  shop: RehearsalNeeds,
  { change: requested, page }: { change: RequestedChange; page: number },
): Promise<Rehearsal> {
  const rehearsing = await beginRehearsal(shop, requested)
  const { about, days, floor } = rehearsing
  const first = (page - 1) * ROWS_A_PAGE
  const rows: RehearsedOrder[] = []
  let orders = NO_SALES_REHEARSED
  for await (const some of rehearsedOrders(shop, rehearsing))
    for (const { order, rehearsed } of some) {
      const isShown = rehearsed.isChanged && orders.changed >= first && rows.length < ROWS_A_PAGE
      if (isShown) rows.push(rowOf(order, rehearsed))
      orders = addRehearsed(orders, rehearsed, floor)
    }
  return {
    ...{ about, ...days, floor, orders, rows },
    ...(await rehearseUnpaid(shop, rehearsing)),
    hasMore: orders.changed > first + rows.length,
  }
}

const rowOf = ({ orderNumber, createdAt, country }: SoldOrder, { before, after }: Rehearsed): RehearsedOrder => ({
  ...{ orderNumber, placedAt: createdAt.toISOString(), country: countryName(country) },
  ...{ before, after },
})

/** What did not become orders. */
export async function rehearseUnpaid(
  shop: RehearsalNeeds,
  rehearsing: Rehearsing,
): Promise<Pick<Rehearsal, 'unpaid' | 'carts'>> {
  const { range, floor } = rehearsing
  let unpaid: RehearsalSums = NO_SALES_REHEARSED
  for await (const page of unpaidPages(shop.db, range))
    for (const rehearsed of await rehearseCheckouts(shop, rehearsing, page))
      unpaid = addRehearsed(unpaid, rehearsed, floor)
  return { unpaid, carts: await rehearseCarts(shop, rehearsing) }
}

/** Every paid order of the days, oldest first, in batches. */
export async function* rehearsedOrders(
  { db }: RehearsalNeeds,
  { change, range, limits }: Rehearsing,
): AsyncGenerator<{ order: SoldOrder; rehearsed: Rehearsed }[]> {
  const uses = countUses(limits)
  const isForFirst = change.kind === 'code' && change.code.rule.isFirstOrderOnly
  for await (const page of salePages(db, range)) {
    const firsts = isForFirst ? await listFirstOrders(db, page) : undefined
    const lines = Map.groupBy(await listLinesOf(db, page), ({ orderId }) => orderId)
    const all = [...lines.values()].flat()
    const facts = {
      lines,
      rates: await commissionRatesOf(db, page),
      ...(await readFacts(
        db,
        all,
        page.flatMap(({ discounts }) => discounts),
      )),
    }
    yield page.map((order) => {
      const sale = saleOf(order, facts)
      const canBeUsed = uses.areLeft(order) && (firsts?.has(order.id) ?? true)
      const rehearsed = canBeUsed ? rehearse(sale, change, facts.types) : asItWas(sale)
      if (rehearsed.isChanged) uses.add(order)
      return { order, rehearsed }
    })
  }
}

/** The uses of a code by orders so far. People who were erased are different people. */
function countUses({ usesMax, usesMaxPerPerson }: CodeLimits = { usesMax: null, usesMaxPerPerson: null }) {
  let all = 0
  const byPerson = new Map<string, number>()
  const personOf = ({ email, id }: SoldOrder) => email || String(id)
  return {
    areLeft: (order: SoldOrder) =>
      (usesMax === null || all < usesMax) &&
      (usesMaxPerPerson === null || (byPerson.get(personOf(order)) ?? 0) < usesMaxPerPerson),
    add(order: SoldOrder) {
      all += 1
      if (usesMaxPerPerson !== null) byPerson.set(personOf(order), (byPerson.get(personOf(order)) ?? 0) + 1)
    },
  }
}

type CodesOf = (discounts: readonly { id: number }[]) => UsableCode[]
type Facts = { costs: Awaited<ReturnType<typeof listCostsToSend>>; types: Map<ProductId, string>; codesOf: CodesOf }

async function readFacts(
  db: RehearsalNeeds['db'],
  lines: readonly Pick<ReportedLine, 'variantId' | 'productId'>[],
  discounts: readonly { id: number }[],
): Promise<Facts> {
  const codes = await findCodes(
    db,
    discounts.map(({ id }) => id),
  )
  return {
    costs: await listCostsToSend(db, [...new Set(lines.map(({ variantId }) => variantId))]),
    types: await findTypesOfProducts(db, [...new Set(lines.map(({ productId }) => productId))]),
    codesOf: (some) => some.flatMap(({ id }) => codes.get(id) ?? []),
  }
}

type OrderFacts = Facts & {
  lines: ReadonlyMap<SoldOrder['id'], ReportedLine[]>
  rates: Awaited<ReturnType<typeof commissionRatesOf>>
}

function saleOf(order: SoldOrder, { lines, rates, costs, codesOf }: OrderFacts): StoredSale {
  const { id, country, discounts, tax, taxShares, vatProtection, surcharges, shipping } = order
  const own = lines.get(id) ?? []
  const partner = rates.get(id)
  const surcharge = sum(surcharges.map(({ amount }) => amount))
  const pieces = own.map(({ variantId, quantity }) => ({ quantity, ...costs(variantId, country) }))
  const subtotal = subtotalOf(own)
  return {
    ...{ country, tax, taxShares: taxShares ?? [], vatProtection, surcharge },
    lines: own.map((line) => ({
      ...line,
      metadata: surchargedAs(order, own, line.productName),
      basisPoints: partner?.rates.get(line.productId) ?? 0,
    })),
    codes: codesOf(discounts),
    shippingCharged: minus(shipping, surcharge),
    bill: order.bill ?? estimateBill(pieces, { subtotal, shipping, surcharge, tax, vatProtection })?.total ?? null,
    shippingRate: shippingOf(pieces),
    fee: feeOf(order),
    partnerId: partner?.partnerId ?? null,
    isCommissionOnList: order.isCommissionOnList ?? false,
  }
}

/** The surcharge that a product had when it was sold, so that it is charged again. */
function surchargedAs({ surcharges, country }: SoldOrder, lines: readonly ReportedLine[], productName: string) {
  const charged = sum(surcharges.flatMap((one) => (one.productName === productName ? one.amount : [])))
  const pieces = lines.reduce((count, line) => count + (line.productName === productName ? line.quantity : 0), 0)
  if (charged === ZERO || pieces === 0) return {}
  const amount = cents(Math.round(charged / pieces))
  return { shippingSurcharge: { amount, regions: [country], description: '', enabled: true } }
}

/** The provider's percentage, and so much besides that it kept what it kept. */
function feeOf({ paymentKey, fee, total }: Pick<SoldOrder, 'paymentKey' | 'fee' | 'total'>): PaymentFee {
  const provider = paymentKey === null ? undefined : readPaymentKey(paymentKey)?.provider
  const listed = paymentFees[provider ?? 'stripe']
  return fee === null ? listed : { ...listed, fixed: minus(fee, share(total, listed.basisPoints)) }
}

async function rehearseCheckouts(
  { db }: RehearsalNeeds,
  { change }: Rehearsing,
  page: readonly UnpaidCheckout[],
): Promise<Rehearsed[]> {
  const facts = await readFacts(
    db,
    page.flatMap(({ frozen }) => frozen.lines),
    page.flatMap(({ frozen }) => frozen.quote.discounts ?? []),
  )
  const rates = await listRatesOf(
    db,
    page.flatMap(({ partnerId }) => partnerId ?? []),
  )
  return page.map((checkout) => {
    const { partnerId, createdAt } = checkout
    const agreed = rates.filter((rate) => rate.partnerId === partnerId)
    const rateOf = (productId: ProductId) => (partnerId === null ? 0 : rateAt(agreed, productId, createdAt))
    return rehearse(offeredSaleOf(checkout, facts, rateOf), change, facts.types)
  })
}

function offeredSaleOf(
  { frozen, provider, partnerId, isCommissionOnList }: UnpaidCheckout,
  { costs, codesOf }: Facts,
  rateOf: (productId: ProductId) => number,
): StoredSale {
  const { quote, shippingAddress, lines } = frozen
  const { country } = shippingAddress
  const pieces = lines.map(({ variantId, quantity }) => ({ quantity, ...costs(variantId, country) }))
  const { surcharge, tax, vatProtection, taxBreakdown, shipping } = quote
  return {
    ...{ country, surcharge, tax, vatProtection, taxShares: taxBreakdown, partnerId },
    isCommissionOnList: isCommissionOnList ?? false,
    lines: lines.map((line) => ({ ...line, basisPoints: rateOf(line.productId) })),
    codes: codesOf(quote.discounts ?? []),
    shippingCharged: minus(shipping, surcharge),
    bill: estimateBill(pieces, quote)?.total ?? null,
    shippingRate: shippingOf(pieces),
    fee: paymentFees[provider ?? 'stripe'],
  }
}

async function rehearseCarts({ db }: RehearsalNeeds, { change, range }: Rehearsing): Promise<Rehearsal['carts']> {
  let sums = { carts: 0, before: ZERO, after: ZERO }
  for await (const page of cartPages(db, range)) {
    const carts = [...(await listCarts(db, page)).values()]
    const { types, codesOf } = await readFacts(
      db,
      carts.flatMap(({ lines }) => lines),
      carts.flatMap(({ codeIds }) => codeIds.map((id) => ({ id }))),
    )
    for (const { lines, codeIds } of carts) {
      const codes = codesOf(codeIds.map((id) => ({ id })))
      const { before, after } = rehearseCart({ lines, codes }, change, types)
      sums = { carts: sums.carts + 1, before: plus(sums.before, before), after: plus(sums.after, after) }
    }
  }
  return sums
}
