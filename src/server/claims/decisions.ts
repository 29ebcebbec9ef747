import { randomUUID } from 'node:crypto'
import type { RefundRequest } from '#contract/admin-orders.ts'
import { nextClaimState, outcomeOf, type ClaimStep } from '#domain/claims/claim.ts'
import type { OrderNumber } from '#shared/ids.ts'
import type { Cents } from '#shared/money.ts'
import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import type { Tx } from '#server/db/db.ts'
import { placeReplacement, type ReplacementInput } from '#server/fulfillment/free-orders.ts'
import { Refusal } from '#server/http/refusal.ts'
import { findOrder, lockOrder, type Order } from '#server/orders/orders.ts'
import { refundOrder } from '#server/payments/refunds.ts'
import type { Needs } from '#server/shop.ts'
import { mailClaimWordsLater } from './mails.ts'
import { addMessage, findClaim, lockClaim, updateClaim, type Claim } from './store.ts'

/*
 * The owner's decisions about claims. Each locks the order first, as refunds do, so two decisions cannot deadlock, and throws Refusal
 * `unknown_claim` or, once it is decided, `claim_closed`.
 */

type DecisionNeeds = Needs<'db' | 'clock' | 'jobs' | 'config'>

export async function moveClaim(
  tx: Tx,
  { id, step, amount }: { id: number; step: ClaimStep; amount?: Cents },
  by: Actor,
  at: Date,
): Promise<Claim> {
  const claim = await lockClaim(tx, id)
  if (!claim) throw new Refusal('unknown_claim')
  const state = nextClaimState(claim.state, step)
  if (!state) throw new Refusal('claim_closed')
  const outcome = outcomeOf[step] ?? null
  await updateClaim(tx, id, {
    ...{ state, outcome, waitingSince: state === 'open' ? (claim.waitingSince ?? at) : null },
    ...{ resolvedAt: state === 'resolved' ? at : null, ...(amount !== undefined && { amountCents: amount }) },
  })
  await recordAction(tx, {
    ...{ by, what: step === 'ask' ? 'asked about' : 'decided', about: { kind: claim.kind, id }, at },
    before: { state: claim.state },
    after: { state, ...(outcome && { outcome }) },
  })
  return claim
}

async function orderOf({ db }: Needs<'db'>, id: number): Promise<Order> {
  const claim = await findClaim(db, id)
  const order = claim && (await findOrder(db, claim.orderId))
  if (!order) throw new Refusal('unknown_claim')
  return order
}

const mailOf = { ask: 'claim_question', refuse: 'claim_refused', settle: 'claim_settled' } as const

/** Asks the shopper, refuses, or says how it was settled another way: each with words that the shopper gets by email. */
export async function writeToClaimant(
  shop: DecisionNeeds,
  id: number,
  { step, words }: { step: keyof typeof mailOf; words: string },
  by: Actor,
): Promise<void> {
  const { id: orderId } = await orderOf(shop, id)
  await shop.db.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId)
    const now = shop.clock.now()
    await moveClaim(tx, { id, step }, by, now)
    const message = await addMessage(tx, { claimId: id, isOwner: true, words, writtenAt: now })
    await mailClaimWordsLater(shop, tx, order, { kind: mailOf[step], about: String(message), words }, now)
  })
}

/**
 * Resolves a claim by a refund of its order, or by store credit for it, in one transaction.
 * @param seen the preview that the owner confirmed
 * @throws Refusal like `refundOrder`; the claim is unchanged then
 */
export async function refundClaim(
  shop: DecisionNeeds & Needs<'payments' | 'log'>,
  id: number,
  { wanted, amount, limit, asCredit }: { wanted: RefundRequest; amount: Cents; limit: Cents; asCredit: boolean },
  by: Actor,
): Promise<void> {
  const { orderNumber } = await orderOf(shop, id)
  const resolve = async (tx: Tx) => {
    // An amount that differs from the one seen takes this back.
    await moveClaim(tx, { id, step: 'refund', amount }, by, shop.clock.now())
    return true
  }
  await refundOrder(shop, orderNumber, wanted, `Claim ${id}`, by, { amount, limit }, resolve, asCredit)
}

/**
 * Resolves a claim by an order of the same pieces without a payment, in one transaction.
 * @throws Refusal `cannot_replace`; the claim is unchanged then
 */
export async function replaceClaim(shop: DecisionNeeds, id: number, by: Actor): Promise<OrderNumber> {
  const { id: orderId } = await orderOf(shop, id)
  return shop.db.transaction(async (tx) => replaceClaimed(tx, shop, await lockOrder(tx, orderId), { id, by }))
}

/** The same in a transaction that has locked the order. @param to unless it goes where the order went */
export async function replaceClaimed(
  tx: Tx,
  shop: DecisionNeeds,
  order: Order,
  { id, by, to }: { id: number; by: Actor; to?: ReplacementInput['to'] },
): Promise<OrderNumber> {
  const { pieces } = await moveClaim(tx, { id, step: 'replace' }, by, shop.clock.now())
  // The claim is decided once. The shopper's browser chose `submission`, which may be another order's.
  const replacement = { pieces: [...pieces], requestKey: randomUUID(), reason: `Claim ${id}`, by, ...(to && { to }) }
  return (await placeReplacement(tx, shop, order, replacement)).orderNumber
}

/** Records that the printer was told, with its cost of the order then: its credit is what the cost falls by. */
export const markPrinterTold = (shop: Needs<'db' | 'clock'>, id: number, by: Actor): Promise<void> =>
  changePrinterPart(shop, id, by, (claim, order, at) =>
    claim.printerToldAt
      ? undefined
      : { what: 'told the printer about', to: { printerToldAt: at, printerCostCents: order.partnerCostCents } },
  )

/** Records that the printer gives no credit: it refused, or made the pieces again itself. */
export const expectNoCredit = (shop: Needs<'db' | 'clock'>, id: number, by: Actor): Promise<void> =>
  changePrinterPart(shop, id, by, (claim, _, at) =>
    claim.printerToldAt && claim.printerCostCents === null
      ? undefined
      : {
          what: 'expects no credit for',
          to: { printerToldAt: claim.printerToldAt ?? at, printerCostCents: null },
        },
  )

async function changePrinterPart(
  shop: Needs<'db' | 'clock'>,
  id: number,
  by: Actor,
  changeOf: (claim: Claim, order: Order, at: Date) => { what: string; to: Partial<Claim> } | undefined,
): Promise<void> {
  const { id: orderId } = await orderOf(shop, id)
  await shop.db.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId)
    const claim = await lockClaim(tx, id)
    const at = shop.clock.now()
    const change = claim && changeOf(claim, order, at)
    if (!change) return
    await updateClaim(tx, id, change.to)
    await recordAction(tx, { by, what: change.what, about: { kind: claim.kind, id }, at })
  })
}
