import type { CorrectedAddress } from '#contract/orders.ts'
import type { ParcelNotice as NoticeAnswer } from '#contract/parcel-choices.ts'
import { datesOf } from '#domain/catalog/arrival.ts'
import { claimedOf, type ClaimReason } from '#domain/claims/claim.ts'
import { PRINTER_CLAIM_DAYS } from '#domain/claims/claim-window.ts'
import { choicesOf, isDoneAtOnce, nextNoticeState, type ParcelChoice } from '#domain/claims/parcel-notice.ts'
import { asksForTaxNumber, taxNumberFrom, taxNumberObjection } from '#domain/checkout/tax-number.ts'
import { changedTaxRegion } from '#domain/orders/correction.ts'
import { isUnderWay } from '#domain/orders/progress.ts'
import { randomUUID } from 'node:crypto'
import { after, DAY_MS } from '#shared/time.ts'
import { CUSTOMER, recordAction } from '#server/audit-log/audit-log.ts'
import { addressFrom } from '#server/checkout/wire.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { requireDeliverable, type ReplacementInput } from '#server/fulfillment/free-orders.ts'
import { Refusal } from '#server/http/refusal.ts'
import { listOrderLines, lockOrder, type Order } from '#server/orders/orders.ts'
import { listShipments, type Shipment } from '#server/orders/production.ts'
import { previewRefund, refundOrder, type RefundRequest } from '#server/payments/refunds.ts'
import type { Needs } from '#server/shop.ts'
import { moveClaim, replaceClaimed } from './decisions.ts'
import { expectedAtOf, readClaimFacts, type ClaimFacts } from './facts.ts'
import { itemsOf, mailClaimReceivedLater } from './mails.ts'
import { listNotices, updateNotice, type ParcelNotice } from './parcel-store.ts'
import { addMessage, findClaim, insertClaim, type Claim } from './store.ts'

// What shoppers choose about parcels that are late, lost or came back. A refund or new parcel is a claim, decided like any other.

type ChoiceNeeds = Needs<'db' | 'clock' | 'jobs' | 'config' | 'payments' | 'log' | 'printful'>

/** Whether the notice's part is still in trouble. */
function isCurrent({ kind, shipmentId }: ParcelNotice, order: Order, parcels: readonly Shipment[]): boolean {
  const parcel = parcels.find(({ id }) => id === shipmentId)
  if (kind === 'returned') return true
  return isUnderWay(order.fulfillmentStatus) && !parcel?.deliveredAt && !parcel?.returnedAt
}

export async function showParcelNotices(db: Reader, order: Order): Promise<NoticeAnswer[]> {
  const lines = await listOrderLines(db, order.id)
  const parcels = await listShipments(db, order.id)
  const notices = (await listNotices(db, order.id)).filter(
    (notice) => notice.state === 'decided' || (notice.state !== 'over' && isCurrent(notice, order, parcels)),
  )
  const shown: NoticeAnswer[] = []
  for (const { id, kind, state, pieces, shipmentId, expectedFrom, expectedTo, choice, claimId } of notices) {
    const claim = claimId === null ? undefined : await findClaim(db, claimId)
    shown.push({
      ...{ id, kind, state, chosen: choice, outcome: claim?.outcome ?? null, refunded: claim?.amountCents ?? null },
      items: itemsOf(
        { pieces },
        lines.map((line) => ({ line })),
      ),
      expected: expectedFrom === null || expectedTo === null ? null : datesOf({ from: expectedFrom, to: expectedTo }),
      choices: choicesOf({ kind, isShipped: shipmentId !== null }, state),
    })
  }
  return shown
}

const WORDS = { refund: 'I’d like a refund.', replace: 'Please make it again.' } as const

export type Choice = { choice: ParcelChoice; recipient?: CorrectedAddress | undefined }

/**
 * Stores what a shopper chose about a parcel, and starts it or leaves it to the owner. The same choice again changes nothing.
 * @throws Refusal as the call says; nothing was changed then
 * @returns a sentence for the shopper
 */
export async function chooseForParcel(
  shop: ChoiceNeeds,
  { id: orderId, orderNumber }: Pick<Order, 'id' | 'orderNumber'>,
  noticeId: number,
  { choice, recipient }: Choice,
): Promise<string> {
  const { db, clock } = shop
  const current = await readChoice(db, await lockFree(db, orderId), noticeId, choice)
  if (current === 'repeated') return REPEATED
  const { order, notice, facts } = current
  if (choice === 'wait') {
    await db.transaction(async (tx) => {
      const found = await readChoice(tx, await lockOrder(tx, orderId), noticeId, choice)
      if (found !== 'repeated') await moveNotice(tx, found.notice, { choice, claimId: null }, clock.now())
    })
    return 'Good, we’ll keep at it. You can still choose something else here.'
  }

  const to =
    choice === 'replace' && notice.kind === 'returned' ? await readRecipient(shop, order, notice, recipient) : undefined
  const atOnce = isAtOnce(current, choice)
  if (atOnce && choice === 'refund') {
    const wanted = refundFor(notice, facts)
    const { amount, limit } = await previewRefund(shop, orderNumber, wanted)
    await refundOrder(shop, orderNumber, wanted, 'Chosen by the customer', CUSTOMER, { amount, limit }, async (tx) => {
      const found = await readChoice(tx, await lockOrder(tx, orderId), noticeId, choice)
      // Production may have begun meanwhile: then it is the owner's to decide.
      if (found === 'repeated' || !isAtOnce(found, choice)) return false
      const claim = await openChosen(tx, shop, found, choice)
      await moveClaim(tx, { id: claim.id, step: 'refund', amount }, CUSTOMER, clock.now())
      return true
    })
    return 'Your refund is on its way. We’ll email you once it is sent.'
  }
  await db.transaction(async (tx) => {
    const locked = await lockOrder(tx, orderId)
    const found = await readChoice(tx, locked, noticeId, choice)
    if (found === 'repeated') return
    const claim = await openChosen(tx, shop, found, choice)
    if (atOnce) return void (await replaceClaimed(tx, shop, locked, { id: claim.id, by: CUSTOMER, ...(to && { to }) }))
    const { lines } = await readClaimFacts(tx, locked)
    await mailClaimReceivedLater(shop, tx, locked, { claim, lines, words: WORDS[choice] }, clock.now())
  })
  return atOnce
    ? 'A new parcel is on its way to the printer. We’ll email you about it.'
    : 'Thank you. We’ve got your choice and will email you.'
}

const isAtOnce = ({ notice, facts }: FoundChoice, choice: DecidedChoice): boolean =>
  isDoneAtOnce(
    { kind: notice.kind, choice, canCancel: facts.canCancel && notice.shipmentId === null },
    facts.site.parcelDecision,
  )

const REPEATED = 'You chose this already. We’re on it.'

const lockFree = (db: Needs<'db'>['db'], orderId: Order['id']): Promise<Order> =>
  db.transaction((tx) => lockOrder(tx, orderId))

type FoundChoice = { order: Order; notice: ParcelNotice; facts: ClaimFacts }
type DecidedChoice = Exclude<ParcelChoice, 'wait'>

/** @throws Refusal when it can't be chosen @returns `repeated` if it was chosen before */
async function readChoice(
  db: Reader,
  order: Order,
  noticeId: number,
  choice: ParcelChoice,
): Promise<'repeated' | FoundChoice> {
  if (order.erasedAt) throw new Refusal('order_not_shown')
  const notice = (await listNotices(db, order.id)).find(({ id }) => id === noticeId)
  if (!notice) throw new Refusal('unknown_notice')
  if (notice.choice === choice && notice.state !== 'over') return 'repeated'
  if (notice.state === 'over' || !isCurrent(notice, order, await listShipments(db, order.id)))
    throw new Refusal('parcel_arrived')
  if (!choicesOf({ kind: notice.kind, isShipped: notice.shipmentId !== null }, notice.state).includes(choice))
    throw new Refusal('parcel_decided')
  const facts = await readClaimFacts(db, order)
  if (choice !== 'wait') {
    if (order.paymentStatus === 'disputed') throw new Refusal('change_disputed')
    for (const { position, quantity } of notice.pieces) {
      const line = facts.lines.find((one) => one.line.position === position)
      if (!line || line.left < quantity) throw new Refusal('already_claimed')
    }
  }
  return { order, notice, facts }
}

async function moveNotice(
  tx: Tx,
  { id, state }: ParcelNotice,
  { choice, claimId }: { choice: ParcelChoice; claimId: number | null },
  now: Date,
): Promise<void> {
  const next = nextNoticeState(state, choice)
  if (!next) throw new Refusal('parcel_decided')
  await updateNotice(tx, id, { state: next, choice, claimId, chosenAt: now })
}

/** The claim of a choice, still open. */
async function openChosen(
  tx: Tx,
  shop: ChoiceNeeds,
  { order, notice, facts }: FoundChoice,
  choice: DecidedChoice,
): Promise<Claim> {
  const now = shop.clock.now()
  const parcel = (await listShipments(tx, order.id)).find(({ id }) => id === notice.shipmentId)
  const claim = await insertClaim(tx, {
    ...{ orderId: order.id, kind: 'claim' as const, reason: notice.kind satisfies ClaimReason, pieces: notice.pieces },
    ...{ submission: randomUUID(), openedAt: now, waitingSince: now },
    // The printer replaces or credits what was lost on the way; not what is only late, or had a wrong address.
    printerDeadlineAt:
      parcel && notice.kind === 'lost'
        ? after(expectedAtOf(parcel, order, facts.site), PRINTER_CLAIM_DAYS * DAY_MS)
        : null,
  })
  await addMessage(tx, { claimId: claim.id, isOwner: false, words: WORDS[choice], writtenAt: now })
  await moveNotice(tx, notice, { choice, claimId: claim.id }, now)
  await recordAction(tx, {
    ...{ by: CUSTOMER, what: 'chose about a parcel', about: { kind: 'order', id: order.orderNumber }, at: now },
    after: { parcel: notice.shipmentId ?? 'not shipped', was: notice.kind, choice },
  })
  return claim
}

/** Everything that is left, if the parcel has all of it; otherwise its pieces. */
function refundFor({ pieces }: ParcelNotice, { lines }: ClaimFacts): RefundRequest {
  const isAll = lines.every(({ line, left }) => claimedOf(line.position, pieces) === left)
  return isAll ? { kind: 'rest' } : { kind: 'pieces', pieces: [...pieces] }
}

const FIELD = 'recipient.shippingAddress'

/**
 * Where a returned parcel goes now.
 * @throws Refusal `invalid`, `correction_elsewhere` for another country or state, `address_refused` when the printer can't ship there
 */
async function readRecipient(
  shop: ChoiceNeeds,
  order: Order,
  { pieces }: ParcelNotice,
  typed: CorrectedAddress | undefined,
): Promise<NonNullable<ReplacementInput['to']>> {
  if (!typed) throw new Refusal('invalid', {}, { recipient: 'Please enter the address for the new parcel' })
  const address = addressFrom(typed.shippingAddress, FIELD)
  const part = changedTaxRegion(order.shippingAddress, address)
  if (part) throw new Refusal('correction_elsewhere', { part, advice: 'Please write to us, and we’ll sort it out.' })
  const taxNumber = taxNumberOf(order, address.country, typed.tax_number)
  const lines = (await listOrderLines(shop.db, order.id)).flatMap(({ position, variantId }) => {
    const quantity = claimedOf(position, pieces)
    return quantity > 0 ? [{ variantId, quantity }] : []
  })
  await requireDeliverable(shop, lines, address, FIELD)
  return { name: typed.name, address, taxNumber }
}

function taxNumberOf(order: Order, country: string, typed: string | null | undefined): string | null {
  if (!typed || !asksForTaxNumber(country)) return order.taxNumber
  const objection = taxNumberObjection(typed)
  if (objection) throw new Refusal('invalid', {}, { 'recipient.tax_number': objection })
  return taxNumberFrom(typed) ?? null
}
