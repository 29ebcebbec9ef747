import { BASIS_POINTS_PER_PERCENT } from '#site/settings.ts'
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { and, asc, desc, eq, gte, isNull, lt, lte, sql } from 'drizzle-orm'
import type { AmountDue, PartnerRates, Payout, RateChange } from '#contract/payouts.ts'
import { entriesOfCommissionPayout, reverseEntries } from '#domain/ledger/ledger.ts'
import { maskedAccount } from '#domain/partners/payout-account.ts'
import { rateAt } from '#domain/partners/rates.ts'
import { payableOf } from '#domain/partners/statement.ts'
import { assert } from '#shared/assert.ts'
import { orderNumberFrom, type UserId } from '#shared/ids.ts'
import { cents, decimalFromCents, formatUsd, ZERO, type Cents } from '#shared/money.ts'
import { dayFromIso, isoOfDay } from '#shared/calendar-day.ts'
import { dayIn, startOfDay } from '#shared/time-zone.ts'
import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { findProductNames } from '#server/catalog/catalog.ts'
import { commissionEntry, partner, partnerRate, payout, payoutAccount } from '#server/partners/schema.ts'
import { csvCell } from '#server/files/csv.ts'
import { Refusal } from '#server/http/refusal.ts'
import { post } from '#server/ledger/ledger.ts'
import type { FileAnswer } from '#server/http/serve.ts'
import { readSiteSettings } from '#server/settings/site-settings.ts'
import type { NamedDiscount } from '#domain/codes/discount.ts'
import { requireFloorOfTerms } from '#server/catalog/margin-guard.ts'
import { readMarginTerms } from '#server/catalog/margin-terms.ts'
import type { Needs } from '#server/shop.ts'
import { emailShareProposalLater } from './applications.ts'
import { findMaskedAccount, mailPayoutLater } from './payout-accounts.ts'
import { listRates } from './rates.ts'

const PAYOUTS_A_PAGE = 50
/** Before any payout. */
const FIRST_DAY = '2000-01-01'

/** What each partner is owed, largest amount first. */
async function listDue(db: Reader, now: Date) {
  const at = sql`${now.toISOString()}::timestamptz`
  const amount = (condition: ReturnType<typeof sql>) =>
    sql<Cents>`coalesce(sum(${commissionEntry.amountCents}) filter (where ${condition}), 0)`.mapWith((value) =>
      cents(Number(value)),
    )
  const rows = await db
    .select({
      partnerId: partner.id,
      displayName: partner.displayName,
      code: partner.code,
      payouts: sql<number>`(select count(*) from payout p where p.partner_id = ${partner.id})`.mapWith(Number),
      account: payoutAccount,
      pending: amount(sql`${commissionEntry.approvedFrom} > ${at}`),
      approved: amount(sql`${commissionEntry.approvedFrom} <= ${at}`),
    })
    .from(partner)
    .leftJoin(commissionEntry, and(eq(commissionEntry.partnerId, partner.id), isNull(commissionEntry.payoutId)))
    .leftJoin(payoutAccount, eq(payoutAccount.partnerId, partner.id))
    .groupBy(partner.id, payoutAccount.partnerId)
    .orderBy(asc(partner.displayName))
  return rows
    .map(({ payouts: count, ...row }) => ({
      ...row,
      payable: payableOf(row.approved),
      reference: referenceOf(row.partnerId, count + 1),
    }))
    .toSorted((a, b) => b.payable - a.payable || b.pending - a.pending)
}

/** Known before the payout is made, so the bank file and the books have the same reference. @param nth of the partner's payouts, from 1 */
const referenceOf = (partnerId: UserId, nth: number): string =>
  `P-${orderNumberFrom(createHash('sha256').update(`payout ${partnerId} ${nth}`).digest().subarray(0, 8))}`

const toAmountDue = ({ account, ...due }: Awaited<ReturnType<typeof listDue>>[number]): AmountDue => ({
  ...due,
  account: account && { masked: maskedAccount(account.details), changedAt: account.changedAt.toISOString() },
})

/** What can be paid now; `details` is null for partners without a payout account. */
export const listPayable = async (db: Reader, now: Date) =>
  (await listDue(db, now))
    .filter(({ payable }) => payable > ZERO)
    .map(({ account, ...due }) => ({ ...due, details: account && account.details }))

const payouts = (db: Reader) =>
  db
    .select({
      id: payout.id,
      reference: payout.reference,
      displayName: partner.displayName,
      amount: payout.amountCents,
      destination: payout.destination,
      madeAt: payout.madeAt,
      returnedAt: payout.returnedAt,
    })
    .from(payout)
    .innerJoin(partner, eq(partner.id, payout.partnerId))

/** What can be paid now, and a page of past payouts. */
export async function readPayouts(
  { db, clock }: Needs<'db' | 'clock'>,
  older: number | undefined,
): Promise<{ due: AmountDue[]; payouts: Payout[]; hasMore: boolean }> {
  const rows = await payouts(db)
    .where(older ? lt(payout.id, older) : undefined)
    .orderBy(desc(payout.id))
    .limit(PAYOUTS_A_PAGE + 1)
  const page = rows.slice(0, PAYOUTS_A_PAGE).map(({ madeAt, returnedAt, ...row }) => ({
    ...row,
    madeAt: madeAt.toISOString(),
    returnedAt: returnedAt?.toISOString() ?? null,
  }))
  return {
    due: (await listDue(db, clock.now())).map(toAmountDue),
    payouts: page,
    hasMore: rows.length > PAYOUTS_A_PAGE,
  }
}

/**
 * Books that the owner paid a partner everything approved, less what was taken back since the last payout.
 * @param payment `amount`: what the owner saw and paid, in cents; if it is not what can be paid, nothing changes
 * @returns the reference for the bank statement
 * @throws Refusal `unknown_partner`, `nothing_to_pay`, `payout_changed`
 */
export async function recordPayout(
  shop: Needs<'db' | 'clock' | 'jobs' | 'config'>,
  by: Actor,
  { partnerId, amount }: { partnerId: UserId; amount: number },
): Promise<{ reference: string }> {
  const now = shop.clock.now()
  return shop.db.transaction(async (tx) => {
    await lockPartner(tx, partnerId)
    if (amount === 0) throw new Refusal('nothing_to_pay')
    const reference = referenceOf(partnerId, (await tx.$count(payout, eq(payout.partnerId, partnerId))) + 1)
    const destination = (await findMaskedAccount(tx, partnerId)) ?? null
    const [added] = await tx
      .insert(payout)
      .values({ partnerId, reference, amountCents: cents(amount), destination, madeAt: now })
      .returning({ id: payout.id })
    assert(added, 'an insert without a row')
    const paid = await settleEntries(tx, partnerId, added.id, now)
    if (paid <= 0) throw new Refusal('nothing_to_pay')
    if (paid !== amount) throw new Refusal('payout_changed')
    await post(tx, {
      ...{ kind: 'commission_payout' as const, key: `commission-payout:${added.id}` },
      ...{ orderId: null, paymentKey: null, partnerId, bookedAt: now },
      entries: entriesOfCommissionPayout(cents(amount)),
    })
    const after = { reference, amount_cents: amount }
    await recordAction(tx, { by, what: 'paid', about: { kind: 'partner', id: partnerId }, after, at: now })
    await mailPayoutLater(shop, tx, {
      ...{ partnerId, reference, now },
      mail: 'payout_sent',
      values: { amount: formatUsd(cents(amount)), destination: destination ? `your ${destination}` : 'you' },
    })
    return { reference }
  })
}

/** Payouts of the same partner run one at a time. */
async function lockPartner(tx: Tx, partnerId: UserId): Promise<void> {
  const [found] = await tx.select({ id: partner.id }).from(partner).where(eq(partner.id, partnerId)).for('update')
  if (!found) throw new Refusal('unknown_partner')
}

/** Counted while they are marked, so that what is booked meanwhile waits for the next payout. @returns what they come to */
async function settleEntries(tx: Tx, partnerId: UserId, payoutId: number, now: Date): Promise<Cents> {
  const settled = tx.$with('settled').as(
    tx
      .update(commissionEntry)
      .set({ payoutId })
      .where(
        and(
          eq(commissionEntry.partnerId, partnerId),
          isNull(commissionEntry.payoutId),
          lte(commissionEntry.approvedFrom, now),
        ),
      )
      .returning({ amount: commissionEntry.amountCents }),
  )
  const [row] = await tx
    .with(settled)
    .select({ total: sql<string>`coalesce(sum(${settled.amount}), 0)` })
    .from(settled)
  return cents(Number(row?.total ?? 0))
}

/**
 * Books that the bank returned a payout: its amount is owed again and goes into the next payout.
 * @throws Refusal `unknown_payout`; `payout_changed` when it was already returned
 */
export async function recordReturnedPayout(
  shop: Needs<'db' | 'clock' | 'jobs' | 'config'>,
  by: Actor,
  id: number,
): Promise<void> {
  const now = shop.clock.now()
  await shop.db.transaction(async (tx) => {
    const [found] = await tx.select().from(payout).where(eq(payout.id, id)).for('update')
    if (!found) throw new Refusal('unknown_payout')
    if (found.returnedAt) throw new Refusal('payout_changed')
    const { partnerId, reference, amountCents } = found
    await tx.update(payout).set({ returnedAt: now }).where(eq(payout.id, id))
    await tx.update(commissionEntry).set({ payoutId: null }).where(eq(commissionEntry.payoutId, id))
    await post(tx, {
      ...{ kind: 'commission_payout' as const, key: `commission-payout-returned:${id}` },
      ...{ orderId: null, paymentKey: null, partnerId, bookedAt: now },
      entries: reverseEntries(entriesOfCommissionPayout(amountCents)),
    })
    const after = { reference, amount_cents: amountCents }
    await recordAction(tx, {
      by,
      what: 'recorded a returned payout to',
      about: { kind: 'partner', id: partnerId },
      after,
      at: now,
    })
    await mailPayoutLater(shop, tx, {
      ...{ partnerId, reference, now },
      mail: 'payout_returned',
      values: { amount: formatUsd(amountCents) },
    })
  })
}

/** All rates of all partners. */
export async function readRates({ db, clock }: Needs<'db' | 'clock'>): Promise<PartnerRates[]> {
  const now = clock.now()
  const partners = await db.select().from(partner).orderBy(asc(partner.displayName))
  const agreed = await db.select().from(partnerRate).orderBy(desc(partnerRate.startsAt), desc(partnerRate.id))
  const productNames = await findProductNames(
    db,
    agreed.flatMap(({ productId }) => productId ?? []),
  )
  return partners.map(({ id, displayName }) => {
    const rates = agreed.filter(({ partnerId }) => partnerId === id)
    return {
      partnerId: id,
      displayName,
      // No product has id 0, so this is the general rate.
      rate: rateAt(rates, 0, now),
      agreed: rates.map((rate) => ({
        id: rate.id,
        productName: productNames.get(rate.productId ?? 0) ?? null,
        rate: rate.basisPoints,
        startsAt: rate.startsAt.toISOString(),
        hasBegun: rate.startsAt <= now,
      })),
    }
  })
}

/** Codes and automatic discounts, which the margin guard counts too. */
export type ListDiscounts = (tx: Tx) => Promise<readonly NamedDiscount[]>

/**
 * Sets a rate from a given day on. Earlier sales keep the rate they were made at.
 * @throws Refusal `unknown_partner`, `unknown_product`, `below_floor`; `invalid` for an invalid or past day
 */
export async function agreeOnRate(
  shop: Needs<'db' | 'clock' | 'config' | 'jobs'>,
  by: Actor,
  { partnerId, productId, rate, startsOn, accepted }: RateChange & { accepted: boolean },
  listDiscounts: ListDiscounts,
): Promise<void> {
  const { db, clock, config } = shop
  const now = clock.now()
  const today = dayIn(config.reportTimeZone, now.getTime())
  const day = dayFromIso(startsOn)
  if (day === undefined || day < today)
    throw new Refusal('invalid', {}, { startsOn: 'Please choose today or a later day' })
  await db.transaction(async (tx) => {
    await lockPartner(tx, partnerId)
    const { most } = (await readSiteSettings(tx)).commission
    if (rate > most * BASIS_POINTS_PER_PERCENT)
      throw new Refusal('invalid', {}, { rate: `Please enter at most ${most}%` })
    if (productId !== null && !(await findProductNames(tx, [productId])).size) throw new Refusal('unknown_product')
    const before = rateAt(await listRates(tx, partnerId), productId ?? 0, now)
    // A rate set for today starts now: sales earlier today keep theirs.
    const startsAt = day === today ? now : new Date(startOfDay(config.reportTimeZone, day))
    const terms = await readMarginTerms(tx, shop)
    const agreed = [...terms.agreed, { productId, basisPoints: rate }]
    await requireFloorOfTerms(
      tx,
      { before: terms, after: { ...terms, agreed }, discounts: await listDiscounts(tx) },
      { by, accepted, about: { kind: 'partner', id: partnerId }, at: now },
      productId === null ? undefined : [productId],
    )
    await tx.insert(partnerRate).values({ partnerId, productId, basisPoints: rate, startsAt, createdAt: now })
    await recordAction(tx, {
      ...{ by, what: 'changed the rate of', about: { kind: 'partner', id: partnerId }, at: now },
      before: { basis_points: before },
      after: { basis_points: rate, product: productId, from: isoOfDay(day) },
    })
    if (productId === null)
      await emailShareProposalLater(shop, tx, partnerId, { shareBasisPoints: rate, validFrom: startsAt, now })
  })
}

/**
 * The payouts of a range of days as CSV, earliest first. Names are escaped so that spreadsheets do not read them as formulas.
 * @throws Refusal `invalid` for an invalid day
 */
export function payoutList(
  { db, clock, config }: Needs<'db' | 'clock' | 'config'>,
  { from = FIRST_DAY, to }: { from?: string | undefined; to?: string | undefined },
): FileAnswer {
  const zone = config.reportTimeZone
  const first = dayFromIso(from)
  const last = to === undefined ? dayIn(zone, clock.now().getTime()) : dayFromIso(to)
  if (first === undefined || last === undefined) throw new Refusal('invalid')
  const span = { from: new Date(startOfDay(zone, first)), until: new Date(startOfDay(zone, last + 1)) }
  return { name: 'payouts.csv', type: 'text/csv; charset=utf-8', bytes: Readable.from(linesOf(db, span)) }
}

async function* linesOf(db: Reader, span: { from: Date; until: Date }): AsyncGenerator<string> {
  yield 'Reference,Partner,Amount,Currency,Paid at,Returned at\r\n'
  let after = 0
  for (;;) {
    const rows = await payouts(db)
      .where(and(gte(payout.madeAt, span.from), lt(payout.madeAt, span.until), sql`${payout.id} > ${after}`))
      .orderBy(asc(payout.id))
      .limit(500)
    for (const { reference, displayName, amount, madeAt, returnedAt } of rows)
      yield `${[reference, csvCell(displayName), decimalFromCents(amount), 'USD', madeAt.toISOString(), returnedAt?.toISOString() ?? ''].join(',')}\r\n`
    after = rows.at(-1)?.id ?? after
    if (rows.length < 500) return
  }
}
