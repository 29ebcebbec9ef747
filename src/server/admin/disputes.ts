import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { AdminDispute } from '#contract/admin-disputes.ts'
import { hoursUntil, objectionToAnswer } from '#domain/payments/dispute-answer.ts'
import { gapsOf, paypalEvidence, stripeEvidence, type DisputePack } from '#domain/payments/dispute-pack.ts'
import type { PaymentKey } from '#shared/ids.ts'
import type { Actor } from '#server/audit-log/audit-log.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { FileAnswer } from '#server/http/serve.ts'
import { findGiftCard } from '#server/gift-cards/gift-cards.ts'
import { findOrder, listPaymentKeys } from '#server/orders/orders.ts'
import {
  fileNameOf,
  findAnswer,
  getDispute,
  queueAnswer,
  type Dispute,
  type DisputeName,
} from '#server/payments/dispute-answers.ts'
import { findPurchaseOfPayment, listPurchasesOf } from '#server/payments/gift-card-rows.ts'
import { listDisputesOf } from '#server/payments/payments.ts'
import { ProviderUnavailable } from '#server/providers/provider-errors.ts'
import { readPaperLogo } from '#server/pictures/pictures.ts'
import { readSiteSettings } from '#server/settings/site-settings.ts'
import type { Needs } from '#server/shop.ts'
import { disputePaper } from './dispute-paper.ts'
import { gatherGiftCardPack, gatherPack } from './dispute-pack.ts'
import { getOrder } from './orders.ts'

type DisputeNeeds = Needs<'db' | 'clock' | 'jobs' | 'config' | 'log' | 'payments'>

/** An order's disputes, latest first. @throws Refusal `unknown_order` */
export async function showDisputes(shop: DisputeNeeds, typed: string): Promise<AdminDispute[]> {
  const order = await getOrder(shop.db, typed)
  return shownDisputes(shop, await listPaymentKeys(shop.db, order))
}

/** Those of a gift card that was bought, latest first. @throws Refusal `unknown_gift_card` */
export async function showGiftCardDisputes(shop: DisputeNeeds, cardId: number): Promise<AdminDispute[]> {
  const [purchase] = await listPurchasesOf(shop.db, [cardId])
  if (!purchase?.paymentKey) throw new Refusal('unknown_gift_card')
  return shownDisputes(shop, [purchase.paymentKey])
}

async function shownDisputes(shop: DisputeNeeds, keys: readonly PaymentKey[]): Promise<AdminDispute[]> {
  const { db, clock } = shop
  const disputes = await listDisputesOf(db, keys)
  return Promise.all(
    disputes
      .toSorted((a, b) => b.openedAt.getTime() - a.openedAt.getTime())
      .map(async (dispute) => {
        const { provider, disputeId: id, amountCents: amount, feeCents: fee, status, reason, respondBy } = dispute
        const answer = await findAnswer(db, dispute)
        const now = clock.now()
        return {
          ...{ provider, id, amount, fee, status, reason },
          openedAt: dispute.openedAt.toISOString(),
          decidedAt: dispute.decidedAt?.toISOString() ?? null,
          respondBy: respondBy && { at: respondBy.toISOString(), hours: hoursUntil(respondBy, now) },
          answer: answer
            ? {
                ...{ kind: answer.kind, state: answer.state, failure: answer.failure },
                requestedAt: answer.requestedAt.toISOString(),
                sentAt: answer.sentAt?.toISOString() ?? null,
              }
            : null,
          objection: objectionToAnswer({ ...dispute, answer }, now) ?? null,
          gaps: gapsOf(await gather(shop, dispute, [])),
        }
      }),
  )
}

/** The PDF as it was sent, or as it would be sent now. @throws Refusal `unknown_dispute` and others */
export async function readPack(shop: DisputeNeeds, name: DisputeName): Promise<FileAnswer> {
  const answer = await findAnswer(shop.db, name)
  const sent = answer?.state === 'refused' ? null : answer?.file
  const bytes = sent ?? (await makePack(shop, await getDispute(shop.db, name))).file
  return { name: `dispute-${name.disputeId}.pdf`, type: 'application/pdf', bytes: Readable.from([bytes]) }
}

/** Gathers the evidence and queues it. @throws Refusal `unknown_dispute`, `dispute_not_answerable` and others */
export async function sendEvidence(shop: DisputeNeeds, name: DisputeName, by: Actor): Promise<void> {
  const { db, clock } = shop
  const dispute = await getDispute(db, name)
  const objection = objectionToAnswer({ ...dispute, answer: await findAnswer(db, name) }, clock.now())
  if (objection) throw new Refusal('dispute_not_answerable', { reason: objection })
  const { file, pack } = await makePack(shop, dispute)
  const reference = createHash('sha256').update(file).digest('hex').slice(0, 24)
  const fileName = fileNameOf(reference)
  const evidence = { file, fileName, reference, texts: stripeEvidence(pack), parts: paypalEvidence(pack, fileName) }
  await queueAnswer(shop, name, evidence, by)
}

export const acceptDispute = (shop: DisputeNeeds, name: DisputeName, by: Actor): Promise<void> =>
  queueAnswer(shop, name, undefined, by)

async function makePack(shop: DisputeNeeds, dispute: Dispute): Promise<{ file: Buffer; pack: DisputePack }> {
  const { db, clock } = shop
  const pack = await gather(shop, dispute, await checksOf(shop, dispute))
  const { supportEmail, logo } = await readSiteSettings(db)
  return { file: await disputePaper(pack, clock.now(), supportEmail, await readPaperLogo(db, logo)), pack }
}

/** @throws Refusal `dispute_without_order` when its payment made neither an order nor a gift card */
async function gather(shop: DisputeNeeds, dispute: Dispute, checks: DisputePack['checks']): Promise<DisputePack> {
  const { db } = shop
  const order = dispute.orderId === null ? undefined : await findOrder(db, dispute.orderId)
  if (order) return gatherPack(shop, order, dispute, checks)
  const purchase = await findPurchaseOfPayment(db, dispute.paymentKey)
  const card = purchase?.giftCardId ? await findGiftCard(db, purchase.giftCardId) : undefined
  if (!purchase || !card) throw new Refusal('dispute_without_order')
  return gatherGiftCardPack(shop, { purchase, card }, dispute, checks)
}

async function checksOf({ payments }: DisputeNeeds, { paymentKey }: Dispute): Promise<DisputePack['checks']> {
  try {
    return await payments.readChecks(paymentKey)
  } catch (error) {
    throw error instanceof ProviderUnavailable ? new Refusal('dispute_facts_missing') : error
  }
}
