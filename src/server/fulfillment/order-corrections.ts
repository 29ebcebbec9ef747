import type { CorrectedAddress } from '#contract/orders.ts'
import { normalizeAddress, validateAddress, type Address } from '#domain/checkout/address.ts'
import { asksForTaxNumber, taxNumberFrom, taxNumberObjection } from '#domain/checkout/tax-number.ts'
import { canCorrectAddress, canCorrectEmail, changedTaxRegion, type Corrector } from '#domain/orders/correction.ts'
import { nextExternalId } from '#domain/orders/external-id.ts'
import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import type { Tx } from '#server/db/db.ts'
import type { CorrectedFacts } from '#server/orders/schema.ts'
import { Refusal } from '#server/http/refusal.ts'
import { maskEmail } from '#server/log/log.ts'
import { hasRefusedMail, mailCorrectedLater, redirectMails } from '#server/orders/mails.ts'
import {
  addCorrection,
  restartFulfillment,
  correctEmailOf,
  correctRecipient,
  findOrder,
  lockOrder,
  replaceExternalId,
  type Order,
} from '#server/orders/orders.ts'
import { correctableOf } from '#server/orders/order-view.ts'
import type { Needs } from '#server/shop.ts'
import { revokeOrderAccess } from '#server/orders/access.ts'
import { recordCancellation, cancelDraftOrOrder } from './cancellation.ts'
import { submitOrderLater } from './fulfillment.ts'

type CorrectionNeeds = Needs<'db' | 'clock' | 'jobs' | 'config' | 'log' | 'printful'>

/** Who corrects; the audit log calls every customer just `customer`. */
export type CorrectionAuthor = { kind: 'shopper' } | { kind: 'owner'; actor: Actor }

const CUSTOMER: Actor = { userId: null, name: 'customer', address: '' }
const actorOf = (by: CorrectionAuthor): Actor => (by.kind === 'owner' ? by.actor : CUSTOMER)

const adviceFor: Record<Corrector, string> = {
  shopper: 'Please write to us, and we’ll find a way.',
  owner: 'Refund this order and ask the customer to order again for the new address.',
}

/** Tries for an order that keeps changing at the same time. */
const TRIES = 3

/**
 * Corrects an order's recipient and address, and queues its submission in the same transaction. An order that the printer may already
 * have is canceled there first and continues under the next external id, which stops any worker about to confirm the old one
 * (`claimForConfirmation`). An order on hold stays on hold.
 * @throws Refusal `invalid` with a sentence for each field, `correction_elsewhere` if the price could change,
 * `correction_too_late` once in production or finished, `correction_under_way` if it keeps changing
 * @throws ProviderUnavailable when it is unknown whether the printer canceled; nothing was changed here
 */
export async function correctAddress(
  shop: CorrectionNeeds,
  { id }: Pick<Order, 'id'>,
  typed: CorrectedAddress,
  by: CorrectionAuthor,
): Promise<Order> {
  const { db, clock } = shop
  const address = addressIn(typed)
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const seen = await findOrder(db, id)
    if (!seen || !canCorrectAddress(correctableOf(seen), by.kind)) throw new Refusal('correction_too_late')
    const taxNumber = taxNumberIn(typed, seen)
    const part = changedTaxRegion(seen.shippingAddress, address)
    if (part)
      throw new Refusal(
        'correction_elsewhere',
        { part, advice: adviceFor[by.kind] },
        { [`shippingAddress.${part}`]: `The ${part} can’t be changed after payment` },
      )
    // Never submitted means that there is nothing to cancel.
    const stopped = seen.partnerTriedAt ? await cancelDraftOrOrder(shop, seen) : undefined
    if (stopped && !stopped.isStopped) throw new Refusal('correction_too_late')

    const corrected = await db.transaction(async (tx) => {
      const order = await lockOrder(tx, id)
      if (order.externalId !== seen.externalId || order.erasedAt) return undefined
      // What was canceled at the printer stays canceled, even if our copy has changed in the meantime.
      if (!stopped?.theirs && !isAsSeen(order, seen)) return undefined
      const now = clock.now()
      if (stopped) await recordCancellation(tx, order, stopped, now)
      await correctRecipient(tx, order, { name: typed.name, address, taxNumber }, now)
      const externalId = stopped ? nextExternalId(order.orderNumber, order.externalId) : order.externalId
      const isHeldHere = order.fulfillmentStatus === 'on_hold' && order.heldAt !== null
      if (isHeldHere) {
        if (stopped) await replaceExternalId(tx, order, externalId, now)
      } else {
        if (order.fulfillmentStatus !== 'waiting' || stopped) await restartFulfillment(tx, order, externalId, now)
        await submitOrderLater(shop, tx, order)
      }
      const change = changedFacts(
        { name: order.customerName, address: order.shippingAddress },
        { name: typed.name, address },
      )
      await recordCorrection(tx, order, change, by, now)
      await mailCorrectedLater(shop, tx, order, { what: 'address', about: externalId }, now)
      return await findOrder(tx, id)
    })
    if (corrected) return corrected
  }
  throw new Refusal('correction_under_way')
}

/** Whether the order is unchanged and the printer was not called about it since. */
const isAsSeen = (order: Order, seen: Order): boolean =>
  order.fulfillmentStatus === seen.fulfillmentStatus &&
  order.paymentStatus === seen.paymentStatus &&
  order.partnerTriedAt?.getTime() === seen.partnerTriedAt?.getTime() &&
  order.partnerAskedAt?.getTime() === seen.partnerAskedAt?.getTime()

/** Applies the checkout's rules. @throws Refusal `invalid` */
function addressIn({ shippingAddress }: CorrectedAddress): Address {
  const objections = validateAddress(shippingAddress)
  if (objections.length === 0) return normalizeAddress(shippingAddress)
  throw new Refusal(
    'invalid',
    {},
    Object.fromEntries(objections.map(({ field, sentence }) => [`shippingAddress.${field}`, sentence])),
  )
}

/** @throws Refusal `invalid` */
function taxNumberIn({ shippingAddress, tax_number: typed }: CorrectedAddress, order: Order): string | null {
  if (!asksForTaxNumber(shippingAddress.country)) return null
  if (!typed) return order.taxNumber
  const objection = taxNumberObjection(typed)
  if (objection) throw new Refusal('invalid', {}, { tax_number: objection })
  return taxNumberFrom(typed) ?? null
}

/**
 * Corrects an order's email. Bounced emails, or otherwise the confirmation, go to the new address. Links that were emailed before stop
 * working, because somebody else may read the old inbox.
 * @throws Refusal `correction_too_late` once no further emails are due
 */
export async function correctEmail(
  shop: CorrectionNeeds,
  { id }: Pick<Order, 'id'>,
  email: string,
  by: CorrectionAuthor,
): Promise<void> {
  const { db, clock } = shop
  await db.transaction(async (tx) => {
    const order = await lockOrder(tx, id)
    if (!canCorrectEmail(correctableOf(order), by.kind)) throw new Refusal('correction_too_late')
    if (order.customerEmail === email) return
    const now = clock.now()
    // No notice to an address that bounces.
    if (!(await hasRefusedMail(tx, order)))
      await mailCorrectedLater(shop, tx, order, { what: 'email', about: String(now.getTime()) }, now)
    await correctEmailOf(tx, order, email, now)
    await revokeOrderAccess(tx, id)
    await redirectMails(shop, tx, order, email, now)
    await recordCorrection(tx, order, changedFacts({ email: order.customerEmail }, { email }), by, now)
  })
}

type CorrectionChange = { before: CorrectedFacts; after: CorrectedFacts }

function changedFacts(before: CorrectedFacts, after: CorrectedFacts): CorrectionChange {
  const differs = (name: keyof CorrectedFacts) => JSON.stringify(before[name]) !== JSON.stringify(after[name])
  const only = (facts: CorrectedFacts): CorrectedFacts => ({
    ...(facts.name !== undefined && differs('name') && { name: facts.name }),
    ...(facts.email !== undefined && differs('email') && { email: facts.email }),
    ...(facts.address && differs('address') && { address: facts.address }),
  })
  return { before: only(before), after: only(after) }
}

/** Stores the full values with the order, where erasure deletes them; the permanent audit log gets only masked ones. */
async function recordCorrection(
  tx: Tx,
  order: Order,
  change: CorrectionChange,
  by: CorrectionAuthor,
  at: Date,
): Promise<void> {
  const { before, after } = change
  await addCorrection(tx, { orderId: order.id, madeBy: by.kind, before, after, correctedAt: at })
  const isEmail = after.email !== undefined
  await recordAction(tx, {
    by: actorOf(by),
    what: isEmail ? 'corrected the email' : 'corrected the address',
    about: { kind: 'order', id: order.orderNumber },
    before: maskFacts(before),
    after: maskFacts(after),
    at,
  })
}

/** `A***`: enough to see that something changed. */
const maskText = (text: string | null): string | null => text && `${text.slice(0, 1)}***`

const maskFacts = ({ name, email, address }: CorrectedFacts) => ({
  ...(name !== undefined && { name: maskText(name) }),
  ...(email !== undefined && { email: maskEmail(email) }),
  ...(address && {
    street: maskText(address.line1),
    city: maskText(address.city),
    'postal code': maskText(address.postalCode),
  }),
})
