import type { OrderClaims } from '#contract/claims.ts'
import { withdrawalGroupOf, withdrawalLaws } from '#domain/claims/withdrawal-law.ts'
import { findWorn } from '#server/catalog/catalog.ts'
import type { Db } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import { shownEmail } from '#server/orders/order-view.ts'
import type { OrderAccess } from '#server/orders/access.ts'
import { claimObjectionsTo, readClaimFacts } from './facts.ts'
import { itemsOf } from './mails.ts'
import { listMessages, listPhotos, type ClaimMessageRow } from './store.ts'
import { whyNotWithdraw, withdrawalDay } from './withdrawal.ts'

export const toMessage = ({ isOwner, words, writtenAt }: ClaimMessageRow) => ({
  author: isOwner ? ('owner' as const) : ('shopper' as const),
  words,
  at: writtenAt.toISOString(),
})

/** What the shopper's pages about claims and withdrawal show. @throws Refusal `order_not_shown` once the customer was erased */
export async function showOrderClaims(db: Db, { order, isPayer }: OrderAccess, now: Date): Promise<OrderClaims> {
  if (order.erasedAt) throw new Refusal('order_not_shown')
  const facts = await readClaimFacts(db, order)
  const ids = facts.claims.map(({ id }) => id)
  const messages = await listMessages(db, ids)
  const photos = await listPhotos(db, ids)
  const objection = await whyNotWithdraw(db, order, facts, now)
  const worn = await findWorn(
    db,
    facts.lines.map(({ line }) => line.productId),
  )
  return {
    orderNumber: order.orderNumber,
    collection: order.collection,
    email: shownEmail(order, isPayer),
    lines: facts.lines.map((line) => ({
      position: line.line.position,
      productName: line.line.productName,
      variantName: line.line.variantName,
      imageUrl: line.line.imageUrl,
      isWorn: worn.has(line.line.productId),
      left: line.left,
      objections: claimObjectionsTo(line, facts.site, now),
    })),
    claims: facts.claims.map((claim) => ({
      id: claim.id,
      kind: claim.kind,
      reason: claim.reason,
      state: claim.state,
      outcome: claim.outcome,
      openedAt: claim.openedAt.toISOString(),
      amount: claim.amountCents,
      items: itemsOf(claim, facts.lines),
      messages: messages.filter(({ claimId }) => claimId === claim.id).map(toMessage),
      photos: photos.filter(({ claimId }) => claimId === claim.id).map(({ id }) => id),
    })),
    withdrawal: {
      objection,
      basis: objection ? '' : withdrawalLaws[withdrawalGroupOf(order.shippingAddress.country)].law,
      until: withdrawalDay(order, facts),
      cancels: facts.canCancel,
    },
  }
}
