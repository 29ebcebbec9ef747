import type { NewClaim, NewWithdrawal } from '#contract/claims.ts'
import { claimedOf, nextClaimState, type ClaimedPieces, type ShopperReason } from '#domain/claims/claim.ts'
import { claimSentence, printerDeadline } from '#domain/claims/claim-window.ts'
import { withdrawalGroupOf, withdrawalLaws } from '#domain/claims/withdrawal-law.ts'
import { maskCardNumbers } from '#domain/messages/card-numbers.ts'
import { CUSTOMER } from '#server/audit-log/audit-log.ts'
import type { Db, Tx } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import { lockOrder, type Order } from '#server/orders/orders.ts'
import { previewRefund, refundOrder } from '#server/payments/refunds.ts'
import type { Needs } from '#server/shop.ts'
import { claimObjectionTo, readClaimFacts, type ClaimFacts } from './facts.ts'
import { mailClaimReceivedLater, mailWithdrawalLater } from './mails.ts'
import {
  addMessage,
  attachPhotos,
  findSubmission,
  insertClaim,
  listClaimsOf,
  lockClaim,
  updateClaim,
  type Claim,
} from './store.ts'
import { whyNotWithdraw } from './withdrawal.ts'

type ClaimNeeds = Needs<'db' | 'clock' | 'jobs' | 'config'>

/** Each line once. */
function mergePieces(pieces: ClaimedPieces): ClaimedPieces {
  const positions = [...new Set(pieces.map(({ position }) => position))].toSorted((a, b) => a - b)
  return positions.map((position) => ({ position, quantity: claimedOf(position, pieces) }))
}

/** @throws Refusal `already_claimed` for more than is left of a line, or a line that the order does not have */
function requirePieces({ lines }: ClaimFacts, pieces: ClaimedPieces): void {
  for (const { position, quantity } of pieces) {
    const found = lines.find(({ line }) => line.position === position)
    if (!found || quantity > found.left) throw new Refusal('already_claimed')
  }
}

/** What the same submission made before, if anything. */
async function findEarlier(tx: Tx | Db, order: Order, submission: string): Promise<Claim | undefined> {
  // Erasing an order deletes what its shopper wrote, so nothing new may be written about it.
  if (order.erasedAt) throw new Refusal('order_not_shown')
  return findSubmission(tx, order.id, submission)
}

/**
 * Opens a claim about pieces of an order; the same submission again does nothing.
 * @throws Refusal `already_claimed`, `claim_refused` with the next way, `photo_missing`; nothing was stored then, and the photos stay
 */
export async function openClaim(
  shop: ClaimNeeds,
  { id }: Pick<Order, 'id'>,
  { submission, reason, pieces: typed, words: written, photos, fit }: NewClaim,
): Promise<void> {
  const pieces = mergePieces(typed)
  const words = maskCardNumbers(written)
  await shop.db.transaction(async (tx) => {
    const order = await lockOrder(tx, id)
    if (await findEarlier(tx, order, submission)) return
    const now = shop.clock.now()
    const facts = await readClaimFacts(tx, order)
    requirePieces(facts, pieces)
    requireClaimable(facts, pieces, reason, now)
    const claim = await insertClaim(tx, {
      ...{ orderId: id, kind: 'claim' as const, reason, fit, pieces, submission },
      ...{ openedAt: now, waitingSince: now, printerDeadlineAt: deadlineOf(facts, pieces) },
    })
    await addMessage(tx, { claimId: claim.id, isOwner: false, words, writtenAt: now })
    if ((await attachPhotos(tx, claim, photos)) !== new Set(photos).size) throw new Refusal('photo_missing')
    await mailClaimReceivedLater(shop, tx, order, { claim, lines: facts.lines, words }, now)
  })
}

/** @throws Refusal `claim_refused` */
function requireClaimable(facts: ClaimFacts, pieces: ClaimedPieces, reason: ShopperReason, now: Date): void {
  for (const { position } of pieces) {
    const line = facts.lines.find((candidate) => candidate.line.position === position)
    const objection = line && claimObjectionTo(line, reason, facts.site, now)
    if (objection)
      throw new Refusal('claim_refused', { reason: `${line.line.productName}: ${claimSentence(objection)}` })
  }
}

function deadlineOf({ lines }: ClaimFacts, pieces: ClaimedPieces): Date | null {
  const times = lines.flatMap(({ line, parcel }) =>
    parcel && claimedOf(line.position, pieces) > 0 ? [printerDeadline(parcel).getTime()] : [],
  )
  return times.length > 0 ? new Date(Math.min(...times)) : null
}

/**
 * Adds what the shopper writes to a claim that is not decided; it then waits for the owner.
 * @throws Refusal `order_not_shown` once the customer was erased; `unknown_claim`, `claim_closed`, `photo_missing`
 */
export async function answerClaim(
  shop: ClaimNeeds,
  { id: orderId }: Pick<Order, 'id'>,
  claimId: number,
  { words, photos }: { words: string; photos: readonly string[] },
): Promise<void> {
  await shop.db.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId)
    if (order.erasedAt) throw new Refusal('order_not_shown')
    const claim = await lockClaim(tx, claimId)
    if (claim?.orderId !== orderId) throw new Refusal('unknown_claim')
    const state = nextClaimState(claim.state, 'answer')
    if (!state) throw new Refusal('claim_closed')
    const now = shop.clock.now()
    await addMessage(tx, { claimId, isOwner: false, words: maskCardNumbers(words), writtenAt: now })
    if ((await attachPhotos(tx, claim, photos)) !== new Set(photos).size) throw new Refusal('photo_missing')
    await updateClaim(tx, claimId, { state, waitingSince: claim.waitingSince ?? now })
  })
}

/**
 * Declares the withdrawal from the purchase of pieces. If nothing is made yet and the pieces are all that is left, the order is refunded
 * and canceled in the same transaction; otherwise the owner decides. The receipt goes to the order's email.
 * @throws Refusal `withdrawal_refused` with the next way; `already_claimed`
 */
export async function withdraw(
  shop: ClaimNeeds & Needs<'payments' | 'log'>,
  order: Order,
  { submission, name, pieces: typed, fit }: NewWithdrawal,
): Promise<void> {
  const pieces = mergePieces(typed)
  /** @returns false if this submission was stored before */
  const declare = async (tx: Tx, locked: Order, outcome: Partial<Claim>): Promise<boolean> => {
    if (await findEarlier(tx, locked, submission)) return false
    const now = shop.clock.now()
    const facts = await readClaimFacts(tx, locked)
    const objection = await whyNotWithdraw(tx, locked, facts, now)
    if (objection) throw new Refusal('withdrawal_refused', { reason: objection })
    requirePieces(facts, pieces)
    const claim = await insertClaim(tx, {
      ...{ orderId: order.id, kind: 'withdrawal' as const, fit, pieces, submission, declaredName: name },
      ...{ openedAt: now, waitingSince: now, ...outcome },
    })
    const { law } = withdrawalLaws[withdrawalGroupOf(order.shippingAddress.country)]
    await mailWithdrawalLater(shop, tx, locked, { claim, lines: facts.lines, name, law }, now)
    return true
  }
  const cancel = async (): Promise<void> => {
    const { amount, limit } = await previewRefund(shop, order.orderNumber, { kind: 'rest' })
    const asCanceled = async (tx: Tx) => {
      const locked = await lockOrder(tx, order.id)
      // Production began in the meantime: then it is the owner's to decide.
      if (!(await cancelsOrder(tx, locked, pieces))) return false
      const now = shop.clock.now()
      const done = { state: 'resolved', outcome: 'canceled', waitingSince: null, resolvedAt: now } as const
      // With the order, earlier withdrawals of parts of it are done.
      for (const { id, state } of await listClaimsOf(tx, order.id))
        if (nextClaimState(state, 'cancel')) await updateClaim(tx, id, done)
      return declare(tx, locked, { ...done, amountCents: amount })
    }
    await refundOrder(
      shop,
      order.orderNumber,
      { kind: 'rest' },
      'Withdrawn before production',
      CUSTOMER,
      { amount, limit },
      asCanceled,
    )
  }
  if (await findEarlier(shop.db, order, submission)) return
  try {
    if (await cancelsOrder(shop.db, order, pieces)) return await cancel()
  } catch (error) {
    // Something was refunded in the meantime, also by the same submission.
    if (!(error instanceof Refusal) || (error.code !== 'refund_changed' && error.code !== 'nothing_to_refund'))
      throw error
  }
  await shop.db.transaction(async (tx) => declare(tx, await lockOrder(tx, order.id), {}))
}

/** Whether these pieces are all that is left of an order, and nothing is made yet. */
async function cancelsOrder(db: Tx | Db, order: Order, pieces: ClaimedPieces): Promise<boolean> {
  if (order.paymentStatus !== 'paid' && order.paymentStatus !== 'partially_refunded') return false
  const { canCancel, lines } = await readClaimFacts(db, order)
  return canCancel && lines.every(({ line, left }) => claimedOf(line.position, pieces) === left)
}
