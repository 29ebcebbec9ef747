import type { CorrectedAddress } from '#contract/orders.ts'
import { normalizeAddress, validateAddress, type Address } from '#domain/checkout/address.ts'
import { asksForTaxNumber, taxNumberFrom, taxNumberObjection } from '#domain/checkout/tax-number.ts'
import { canCorrectAddress, canCorrectEmail, changedTaxPlace, type Corrector } from '#domain/orders/correction.ts'
import { nextExternalId } from '#domain/orders/external-id.ts'
import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import type { Tx } from '#server/db/db.ts'
import type { CorrectedFacts } from '#server/db/schema.ts'
import { Refusal } from '#server/http/refusal.ts'
import { maskEmail } from '#server/log/log.ts'
import { hasRefusedMail, mailCorrectedLater, redirectMails } from '#server/orders/mails.ts'
import {
  addCorrection,
  restartFulfillment,
  correctEmailOf,
  correctRecipient,
  dropLinks,
  findOrder,
  lockOrder,
  renameAtPartner,
  type Order,
} from '#server/orders/orders.ts'
import { correctableOf } from '#server/orders/order-view.ts'
import type { Needs } from '#server/shop.ts'
import { recordCancellation, cancelDraftOrOrder } from './cancellation.ts'
import { submitOrderLater } from './fulfillment.ts'

type CorrectionNeeds = Needs<'db' | 'clock' | 'jobs' | 'config' | 'log' | 'printful'>

/** Who corrects; the log of actions names the customer by that word alone. */
export type CorrectionAuthor = { kind: 'shopper' } | { kind: 'owner'; actor: Actor }

const CUSTOMER: Actor = { userId: null, name: 'customer', address: '' }
const actorOf = (by: CorrectionAuthor): Actor => (by.kind === 'owner' ? by.actor : CUSTOMER)

const adviceFor: Record<Corrector, string> = {
  shopper: 'Please write to us, and we find a way.',
  owner: 'Refund this order and have it placed again for the new address.',
}

/** How often an order that moves on meanwhile is looked at once more. */
const TRIES = 3

/**
 * Corrects who gets an order and where, and has it sent to the printer in the same transaction. What the printer may know under
 * the old address is stopped there first, and the order goes on under the next external id: whoever is still about to confirm
 * the old one finds that it is another one now (`claimConfirming`). One that the owner holds stays held.
 * @throws Refusal `invalid` with a sentence for each field, `correction_elsewhere` where the price would be another one,
 * `correction_too_late` once it is being made or over, `correction_under_way` while it moves on
 * @throws ProviderUnavailable whether the printer has stopped is unknown; nothing was changed here
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
    const part = changedTaxPlace(seen.shippingAddress, address)
    if (part)
      throw new Refusal(
        'correction_elsewhere',
        { part, advice: adviceFor[by.kind] },
        { [`shippingAddress.${part}`]: `Please stay in the ${part} that you ordered to` },
      )
    // What the printer was never asked for is not there.
    const stopped = seen.partnerTriedAt ? await cancelDraftOrOrder(shop, seen) : undefined
    if (stopped && !stopped.isStopped) throw new Refusal('correction_too_late')

    const corrected = await db.transaction(async (tx) => {
      const order = await lockOrder(tx, id)
      if (order.externalId !== seen.externalId || order.erasedAt) return undefined
      // What was stopped under this name is never made, wherever our own news of it has moved the order meanwhile.
      if (!stopped?.theirs && !isAsSeen(order, seen)) return undefined
      const now = clock.now()
      if (stopped) await recordCancellation(tx, order, stopped, now)
      await correctRecipient(tx, order, { name: typed.name, address, taxNumber }, now)
      const externalId = stopped ? nextExternalId(order.orderNumber, order.externalId) : order.externalId
      const isHeldHere = order.fulfillmentStatus === 'on_hold' && order.heldAt !== null
      if (isHeldHere) {
        if (stopped) await renameAtPartner(tx, order, externalId, now)
      } else {
        if (order.fulfillmentStatus !== 'waiting' || stopped) await restartFulfillment(tx, order, externalId, now)
        await submitOrderLater(shop, tx, id)
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

/** The printer was asked nothing about it since, and it waits where it waited. */
const isAsSeen = (order: Order, seen: Order): boolean =>
  order.fulfillmentStatus === seen.fulfillmentStatus &&
  order.paymentStatus === seen.paymentStatus &&
  order.partnerTriedAt?.getTime() === seen.partnerTriedAt?.getTime() &&
  order.partnerAskedAt?.getTime() === seen.partnerAskedAt?.getTime()

/** By the rules of the checkout. @throws Refusal `invalid` */
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
 * Corrects where an order's mails go. The refused ones go to the new email, or else the confirmation; links that were mailed
 * before open nothing any more, since somebody else may read the old inbox.
 * @throws Refusal `correction_too_late` once nothing is left to write about
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
    // An inbox that does not take our mails is told nothing.
    if (!(await hasRefusedMail(tx, order)))
      await mailCorrectedLater(shop, tx, order, { what: 'email', about: String(now.getTime()) }, now)
    await correctEmailOf(tx, order, email, now)
    await dropLinks(tx, id)
    await redirectMails(shop, tx, order, email, now)
    await recordCorrection(tx, order, changedFacts({ email: order.customerEmail }, { email }), by, now)
  })
}

type CorrectionChange = { before: CorrectedFacts; after: CorrectedFacts }

/** Only what differs. */
function changedFacts(before: CorrectedFacts, after: CorrectedFacts): CorrectionChange {
  const differs = (name: keyof CorrectedFacts) => JSON.stringify(before[name]) !== JSON.stringify(after[name])
  const only = (facts: CorrectedFacts): CorrectedFacts => ({
    ...(facts.name !== undefined && differs('name') && { name: facts.name }),
    ...(facts.email !== undefined && differs('email') && { email: facts.email }),
    ...(facts.address && differs('address') && { address: facts.address }),
  })
  return { before: only(before), after: only(after) }
}

/** In full where it is erased with its person; the log of actions stays for good, and is told what changed and no more. */
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

/** `A***`, `10118` as `1****`: enough to see that something changed. */
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
