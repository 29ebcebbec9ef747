import { addressLines } from '#domain/checkout/address.ts'
import { recipientNameOf } from '#domain/orders/gift.ts'
import { canCorrectEmail } from '#domain/orders/correction.ts'
import { ZERO } from '#shared/money.ts'
import { CUSTOMER, recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import type { CorrectedFacts } from '#server/orders/schema.ts'
import { Refusal } from '#server/http/refusal.ts'
import { maskEmail } from '#server/log/log.ts'
import { insertChange } from '#server/orders/changes.ts'
import { hasRefusedMail, mailCorrectedLater, redirectMails } from '#server/orders/mails.ts'
import { addCorrection, correctEmailOf, countCorrections, lockOrder, type Order } from '#server/orders/orders.ts'
import { correctableOf } from '#server/orders/order-view.ts'
import type { Needs } from '#server/shop.ts'
import { revokeOrderAccess } from '#server/orders/access.ts'

type CorrectionNeeds = Needs<'db' | 'clock' | 'jobs' | 'config'>

/** Who corrects; the audit log calls every customer just `customer`. */
export type CorrectionAuthor = { kind: 'shopper' } | { kind: 'owner'; actor: Actor }

const actorOf = (by: CorrectionAuthor): Actor => (by.kind === 'owner' ? by.actor : CUSTOMER)

/**
 * @param version `countCorrections` of the order that somebody looked at
 * @throws Refusal `order_changed` if it was corrected or changed since
 */
export async function requireVersion(db: Reader, order: Order, version: number): Promise<void> {
  if (version === (await countCorrections(db, order))) return
  const recipient = addressLines(recipientNameOf(order), order.shippingAddress).join(', ')
  throw new Refusal('order_changed', { recipient, email: order.customerEmail })
}

/**
 * Corrects an order's email. Bounced emails, or otherwise the confirmation, go to the new address. Links that were emailed before stop
 * working, because somebody else may read the old inbox.
 * @param version as for `requireVersion`, if the author may overwrite what others corrected
 * @throws Refusal `correction_too_late` once no further emails are due; `order_changed`
 */
export async function correctEmail(
  shop: CorrectionNeeds,
  { id }: Pick<Order, 'id'>,
  email: string,
  by: CorrectionAuthor,
  version?: number,
): Promise<void> {
  const { db, clock } = shop
  await db.transaction(async (tx) => {
    const order = await lockOrder(tx, id)
    if (!canCorrectEmail(correctableOf(order), by.kind)) throw new Refusal('correction_too_late')
    if (order.customerEmail === email) return
    if (version !== undefined) await requireVersion(tx, order, version)
    const now = clock.now()
    // No notice to an address that bounces.
    if (!(await hasRefusedMail(tx, order)))
      await mailCorrectedLater(shop, tx, order, { what: 'email', about: String(now.getTime()) }, now)
    await correctEmailOf(tx, order, email, now)
    await revokeOrderAccess(tx, id)
    await redirectMails(shop, tx, order, email, now)
    await recordCorrection(tx, order, changedFacts({ email: order.customerEmail }, { email }), by, now)
    const row = { orderId: id, madeBy: by.kind, kind: 'email', state: 'done', createdAt: now } as const
    await insertChange(tx, { ...row, amountCents: ZERO })
  })
}

export const lineText = ({
  quantity,
  productName,
  variantName,
}: NonNullable<CorrectedFacts['lines']>[number]): string =>
  `${quantity} × ${productName}${variantName ? ` (${variantName})` : ''}`

type CorrectionChange = { before: CorrectedFacts; after: CorrectedFacts }

/** What differs, on both sides. */
export function changedFacts(before: CorrectedFacts, after: CorrectedFacts): CorrectionChange {
  const differs = (name: keyof CorrectedFacts) => JSON.stringify(before[name]) !== JSON.stringify(after[name])
  const only = (facts: CorrectedFacts): CorrectedFacts => ({
    ...(facts.name !== undefined && differs('name') && { name: facts.name }),
    ...(facts.email !== undefined && differs('email') && { email: facts.email }),
    ...(facts.phone !== undefined && differs('phone') && { phone: facts.phone }),
    ...(facts.address && differs('address') && { address: facts.address }),
    ...(facts.lines && differs('lines') && { lines: facts.lines.map(lineFacts) }),
  })
  return { before: only(before), after: only(after) }
}

const lineFacts = ({
  productName,
  variantName,
  quantity,
  unitPrice,
}: NonNullable<CorrectedFacts['lines']>[number]) => ({
  ...{ productName, variantName, quantity, unitPrice },
})

/** Stores the full values with the order, where erasure deletes them; the permanent audit log gets only masked ones. */
export async function recordCorrection(
  tx: Tx,
  order: Order,
  change: CorrectionChange,
  by: CorrectionAuthor,
  at: Date,
): Promise<void> {
  const { before, after } = change
  await addCorrection(tx, { orderId: order.id, madeBy: by.kind, before, after, correctedAt: at })
  await recordAction(tx, {
    by: actorOf(by),
    what: actionOf(after),
    about: { kind: 'order', id: order.orderNumber },
    before: maskFacts(before),
    after: maskFacts(after),
    at,
  })
}

function actionOf({ email, lines, address, name }: CorrectedFacts): string {
  if (lines) return 'changed the items'
  if (email !== undefined) return 'corrected the email'
  return address || name !== undefined ? 'corrected the address' : 'corrected the phone number'
}

/** `A***`: enough to see that something changed. */
/** Half of a character that takes two code units is no text, and the database refuses it. */
const maskText = (text: string | null): string | null => text && text.replace(/^(.).*$/su, '$1***')

const maskFacts = ({ name, email, phone, address, lines }: CorrectedFacts) => ({
  ...(name !== undefined && { name: maskText(name) }),
  ...(phone !== undefined && { phone: maskText(phone) }),
  ...(lines && { items: lines.map(lineText).join(', ') }),
  ...(email !== undefined && { email: maskEmail(email) }),
  ...(address && {
    street: maskText(address.line1),
    city: maskText(address.city),
    'postal code': maskText(address.postalCode),
  }),
})
