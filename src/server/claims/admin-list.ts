import type { AdminClaim } from '#contract/admin-claims.ts'
import type { QueuePosition } from '#contract/queue-page.ts'
import type { ClaimKind, ClaimState } from '#domain/claims/claim.ts'
import { printerMessage } from '#domain/claims/printer-message.ts'
import { REIMBURSE_DAYS } from '#domain/claims/withdrawal-law.ts'
import { statusOf } from '#domain/orders/status.ts'
import { assert } from '#shared/assert.ts'
import { cents, ZERO } from '#shared/money.ts'
import { after, DAY_MS } from '#shared/time.ts'
import type { Needs } from '#server/shop.ts'
import { findOrder, type Order } from '#server/orders/orders.ts'
import { refundedOrRequestedOf } from '#server/orders/refunds.ts'
import { toMessage } from './claim-view.ts'
import { readClaimFacts } from './facts.ts'
import { itemsOf } from './mails.ts'
import { photoLink } from './photos.ts'
import {
  countClaimsOfAddress,
  countClaimsOfBlanks,
  countClaimsOfProducts,
  listClaimsPage,
  listMessages,
  listPhotos,
  type Claim,
} from './store.ts'

const PAGE = 10

type ClaimQuery = {
  kind?: ClaimKind | '' | undefined
  state?: ClaimState | '' | undefined
  after?: QueuePosition | undefined
}

/** A page of the owner's list. */
export async function listAdminClaims(
  shop: Needs<'db' | 'clock' | 'config'>,
  { kind, state, after: position }: ClaimQuery,
) {
  const { rows, next, waiting } = await listClaimsPage(
    shop.db,
    { kind: kind || undefined, state: state || undefined, after: position },
    PAGE,
  )
  const claims: AdminClaim[] = []
  for (const row of rows) claims.push(await toAdminClaim(shop, row))
  return { claims, next, waiting }
}

async function toAdminClaim(shop: Needs<'db' | 'clock' | 'config'>, claim: Claim): Promise<AdminClaim> {
  const { db, clock } = shop
  const now = clock.now()
  const order = await findOrder(db, claim.orderId)
  assert(order, `claim ${claim.id} has no order`)
  const { lines, receivedAt } = await readClaimFacts(db, order)
  const messages = await listMessages(db, [claim.id])
  const photos = (await listPhotos(db, [claim.id])).map(({ id }) => id)
  const byProduct = await countClaimsOfProducts(db, order.id, now)
  const byBlank = await countClaimsOfBlanks(db, order.id, now)
  const { id, kind, reason, fit, state, outcome, amountCents, openedAt, resolvedAt } = claim
  return {
    ...{ id, kind, reason, fit, state, outcome, orderNumber: order.orderNumber, amount: amountCents },
    openedAt: openedAt.toISOString(),
    resolvedAt: resolvedAt && resolvedAt.toISOString(),
    customer: { name: order.customerName, email: order.customerEmail, country: order.shippingAddress.country },
    order: {
      placedAt: order.createdAt.toISOString(),
      status: statusOf(order.paymentStatus, order.fulfillmentStatus),
      deliveredAt: receivedAt && receivedAt.toISOString(),
      total: order.totalCents,
      refunded: await refundedOrRequestedOf(db, order),
    },
    items: lines.flatMap(({ line: { position, productId, productName, variantName, imageUrl } }) => {
      const quantity = claim.pieces.find((piece) => piece.position === position)?.quantity
      if (quantity === undefined) return []
      const counts = { claims: byProduct.get(productId) ?? 0, ofBlank: byBlank.get(position) ?? null }
      return [{ position, productName, variantName, imageUrl, quantity, ...counts }]
    }),
    messages: messages.map(toMessage),
    photos,
    claimsOfAddress: await countClaimsOfAddress(db, id),
    refundBy:
      kind === 'withdrawal' && state !== 'resolved' ? after(openedAt, REIMBURSE_DAYS * DAY_MS).toISOString() : null,
    printer: printerPart(shop, claim, order, { items: itemsOf(claim, lines), words: messages[0]?.words ?? '', photos }),
  }
}

function printerPart(
  shop: Needs<'clock' | 'config'>,
  { reason, printerDeadlineAt: deadline, printerToldAt, printerCostCents }: Claim,
  { orderNumber, externalId, printfulOrderId, partnerCostCents }: Order,
  { photos, ...written }: { items: ReturnType<typeof itemsOf>; words: string; photos: readonly string[] },
): AdminClaim['printer'] {
  if (!reason || !deadline) return null
  const now = shop.clock.now()
  const links = photos.map((photo) => photoLink(shop, photo, now))
  return {
    ...printerMessage({
      ...written,
      printerOrder: printfulOrderId,
      externalId,
      orderNumber,
      reason,
      deadline,
      photos: links,
    }),
    deadline: deadline.toISOString(),
    isPast: now > deadline,
    toldAt: printerToldAt && printerToldAt.toISOString(),
    credited: cents(Math.max(0, (printerCostCents ?? ZERO) - (partnerCostCents ?? ZERO))),
    isCreditExpected: printerToldAt === null || printerCostCents !== null,
  }
}
