import { randomBytes } from 'node:crypto'
import { and, asc, eq, exists, gt, inArray, isNull, lt, ne, not, or, sql } from 'drizzle-orm'
import { externalIdsUntil } from '#domain/orders/external-id.ts'
import { evidenceWithoutPerson, frozenWithoutPerson, addressWithoutPerson } from '#domain/privacy/anonymize.ts'
import type { OrderId, PaymentKey, UserId } from '#shared/ids.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { accountRequest, appUser, recoveryCode, secondFactor, session } from '#server/accounts/schema.ts'
import { orderNote } from '#server/admin/schema.ts'
import { checkout, checkoutVersion } from '#server/checkout/schema.ts'
import { mail } from '#server/mail/schema.ts'
import { chat, chatMessage, contactAnswer, contactMessage, subscriber } from '#server/messages/schema.ts'
import { orderAccess, orderCorrection, orderLine, orderViewer, refund, shopOrder } from '#server/orders/schema.ts'
import {
  affiliateClick,
  callRequest,
  partner,
  partnerApplication,
  partnerProposal,
  payout,
  payoutAccount,
} from '#server/partners/schema.ts'
import { paymentException } from '#server/payments/outcome-schema.ts'
import { payment } from '#server/payments/schema.ts'
import { dataRequest, erasure } from '#server/privacy/schema.ts'
import { providerEvent } from '#server/providers/schema.ts'
import { shopException } from '#server/reconciliation/schema.ts'
import { setting } from '#server/settings/schema.ts'

// Every table with personal data is handled here. If you add one, add it here.

export type Email = string & { readonly lowerCase: unique symbol }
export const emailOf = (typed: string): Email => typed.trim().toLowerCase() as Email

const isOf = (
  column: typeof shopOrder.customerEmail | typeof mail.recipient | typeof contactMessage.email,
  email: Email,
) => sql`lower(${column}) = ${email}`

export type StoredOrder = typeof shopOrder.$inferSelect

export const listOrdersOf = (db: Reader, email: Email): Promise<StoredOrder[]> =>
  db.select().from(shopOrder).where(isOf(shopOrder.customerEmail, email)).orderBy(asc(shopOrder.id))

export const listLinesOf = (db: Reader, ids: readonly OrderId[]) =>
  db
    .select()
    .from(orderLine)
    .where(inArray(orderLine.orderId, [...ids]))
    .orderBy(asc(orderLine.orderId), asc(orderLine.position))

export const listPayersOf = async (
  db: Reader,
  keys: readonly PaymentKey[],
): Promise<Map<PaymentKey, string | null>> => {
  const rows = keys.length
    ? await db
        .select({ key: payment.paymentKey, payerHash: payment.payerHash })
        .from(payment)
        .where(inArray(payment.paymentKey, [...keys]))
    : []
  return new Map(rows.map(({ key, payerHash }) => [key, payerHash]))
}

/** A payment without an order waits for the owner, who may have to contact the payer. */
const hasOpenException = (db: Reader) =>
  exists(
    db
      .select({ one: sql`1` })
      .from(payment)
      .innerJoin(paymentException, eq(paymentException.paymentKey, payment.paymentKey))
      .where(and(eq(payment.checkoutId, checkout.id), isNull(paymentException.resolvedAt))),
  )

/** The frozen versions of an email's checkouts, with the checkouts' state. */
export const listVersionsOf = (db: Reader, email: Email) =>
  db
    .select({
      checkoutId: checkoutVersion.checkoutId,
      quoteHash: checkoutVersion.quoteHash,
      frozen: checkoutVersion.frozen,
      frozenAt: checkoutVersion.frozenAt,
      state: checkout.state,
      isDisputed: hasOpenException(db).mapWith(Boolean),
    })
    .from(checkoutVersion)
    .innerJoin(checkout, eq(checkout.id, checkoutVersion.checkoutId))
    .where(sql`lower(${checkoutVersion.frozen}->'customer'->>'email') = ${email}`)
    .orderBy(asc(checkoutVersion.frozenAt))

/** Matches the whole email only: not `ann@mail.example` in `joann@mail.example`. */
const appearsIn = (column: typeof mail.textPart | typeof mail.subject, email: Email) => {
  const escaped = email.replace(/[\\^$.|?*+()[\]{}]/g, String.raw`\$&`)
  return sql`lower(${column}) ~ ${String.raw`(?<![[:alnum:]._%+-])${escaped}(?![[:alnum:]-]|\.[[:alnum:]])`}`
}

/** Emails to the owner about somebody. They may mention others, so they are erased but never exported. */
const notesAbout = (email: Email) =>
  and(isNull(mail.orderId), ne(mail.textPart, ''), or(appearsIn(mail.textPart, email), appearsIn(mail.subject, email)))

/** Emails sent to somebody. */
export const listMailsOf = (db: Reader, email: Email) =>
  db
    .select({
      id: mail.id,
      recipient: mail.recipient,
      subject: mail.subject,
      textPart: mail.textPart,
      createdAt: mail.createdAt,
      sentAt: mail.sentAt,
    })
    .from(mail)
    .where(isOf(mail.recipient, email))
    .orderBy(asc(mail.id))

export const listMessagesOf = (db: Reader, email: Email) =>
  db
    .select({ message: contactMessage, answer: contactAnswer })
    .from(contactMessage)
    .leftJoin(contactAnswer, eq(contactAnswer.messageId, contactMessage.id))
    .where(isOf(contactMessage.email, email))
    .orderBy(asc(contactMessage.id))

export const listChatsOf = (db: Reader, email: Email) =>
  db
    .select({ id: chat.id, author: chatMessage.author, message: chatMessage.message, timestamp: chatMessage.timestamp })
    .from(chat)
    .innerJoin(chatMessage, eq(chatMessage.chatId, chat.id))
    .where(sql`lower(${chat.email}) = ${email}`)
    .orderBy(asc(chatMessage.id))

export const findSubscription = async (db: Reader, email: Email) =>
  (await db.select().from(subscriber).where(eq(subscriber.email, email)))[0]

export const findUserOf = async (db: Reader, email: Email) =>
  (await db.select().from(appUser).where(eq(appUser.email, email)))[0]

export const findPayoutAccount = async (db: Reader, id: UserId) =>
  (await db.select().from(payoutAccount).where(eq(payoutAccount.partnerId, id)))[0]

// ---- erasing

/** Clears all personal data of these orders. */
export async function eraseOrders(tx: Tx, orders: readonly StoredOrder[], now: Date): Promise<void> {
  const keys = orders.map(({ paymentKey }) => paymentKey)
  if (keys.length) await tx.update(payment).set({ payerHash: null }).where(inArray(payment.paymentKey, keys))
  for (const { id, checkoutId, externalId, orderNumber, shippingAddress, taxEvidence, collection } of orders) {
    await tx
      .update(shopOrder)
      .set({
        customerEmail: '',
        customerName: '',
        customerPhone: null,
        taxNumber: null,
        attentionReason: null,
        shippingAddress: addressWithoutPerson(shippingAddress),
        billingAddress: null,
        taxEvidence: taxEvidence && evidenceWithoutPerson(taxEvidence),
        collection,
        erasedAt: now,
        updatedAt: now,
      })
      .where(eq(shopOrder.id, id))
    await eraseVersions(tx, await tx.select().from(checkoutVersion).where(eq(checkoutVersion.checkoutId, checkoutId)))
    // Free text can contain personal data.
    await tx.delete(orderNote).where(eq(orderNote.orderId, id))
    await tx.delete(orderCorrection).where(eq(orderCorrection.orderId, id))
    await tx.update(refund).set({ reason: ERASED }).where(eq(refund.orderId, id))
    await tx.update(shopException).set({ cause: ERASED, facts: null }).where(eq(shopException.orderId, id))
    await tx.delete(orderAccess).where(eq(orderAccess.orderId, id))
    await tx.delete(orderViewer).where(eq(orderViewer.orderId, id))
    await emptyMails(tx, eq(mail.orderId, id))
    await tx
      .update(providerEvent)
      .set({ payload: sql`${providerEvent.payload} || '{"reason": null}'::jsonb` })
      .where(
        and(
          eq(providerEvent.provider, 'printful'),
          inArray(providerEvent.about, externalIdsUntil(orderNumber, externalId)),
        ),
      )
  }
}

const ERASED = 'erased'

type Version = Pick<typeof checkoutVersion.$inferSelect, 'checkoutId' | 'quoteHash' | 'frozen'>

export async function eraseVersions(tx: Tx, versions: readonly Version[]): Promise<void> {
  for (const { checkoutId, quoteHash, frozen } of versions)
    await tx
      .update(checkoutVersion)
      .set({ frozen: frozenWithoutPerson(frozen) })
      .where(and(eq(checkoutVersion.checkoutId, checkoutId), eq(checkoutVersion.quoteHash, quoteHash)))
}

/** Deletes queued emails and empties sent ones, keeping the fact that they were sent. */
async function emptyMails(tx: Tx, which: ReturnType<typeof and>): Promise<void> {
  await tx.delete(mail).where(and(eq(mail.state, 'queued'), which))
  await tx
    .update(mail)
    .set({
      recipient: '',
      recipientName: null,
      subject: ERASED,
      textPart: '',
      htmlPart: '',
      headers: null,
      attachment: null,
      about: sql`case when ${mail.orderId} is null then '' else ${mail.about} end`,
    })
    .where(which)
}

/** @param except orders that still need their customer */
export const eraseMailsOf = (tx: Tx, email: Email, except: readonly OrderId[]) =>
  emptyMails(
    tx,
    and(
      or(isOf(mail.recipient, email), notesAbout(email)),
      except.length ? or(isNull(mail.orderId), sql`${mail.orderId} not in ${[...except]}`) : undefined,
    ),
  )

/** Corrections of orders that are or were an email's. */
export const listCorrectionsOf = (db: Reader, email: Email, ids: readonly OrderId[]) =>
  db
    .select()
    .from(orderCorrection)
    .where(or(sql`lower(${orderCorrection.before}->>'email') = ${email}`, inArray(orderCorrection.orderId, [...ids])))
    .orderBy(asc(orderCorrection.id))

export async function deleteMessagesOf(tx: Tx, email: Email): Promise<void> {
  // An order may have had this email before a correction.
  await tx.delete(orderCorrection).where(sql`lower(${orderCorrection.before}->>'email') = ${email}`)
  await tx.delete(contactMessage).where(isOf(contactMessage.email, email))
  await tx.delete(chat).where(sql`lower(${chat.email}) = ${email}`)
  await tx.delete(subscriber).where(eq(subscriber.email, email))
  await tx.delete(dataRequest).where(eq(dataRequest.email, email))
  await tx.delete(accountRequest).where(sql`lower(${accountRequest.email}) = ${email}`)
  await tx
    .update(partnerApplication)
    .set({ email: null })
    .where(sql`lower(${partnerApplication.email}) = ${email}`)
  await tx
    .update(callRequest)
    .set({ email: null })
    .where(sql`lower(${callRequest.email}) = ${email}`)
}

/** Makes the account anonymous and unusable; its earnings stay booked. */
export async function eraseUser(tx: Tx, id: UserId): Promise<void> {
  // Random, so the name cannot be taken.
  const name = `erased-${randomBytes(8).toString('hex')}`
  await tx.delete(session).where(eq(session.userId, id))
  for (const table of [accountRequest, secondFactor, recoveryCode, partnerApplication, partnerProposal, callRequest])
    await tx.delete(table).where(eq(table.userId, id))
  await tx.delete(payoutAccount).where(eq(payoutAccount.partnerId, id))
  await tx.update(payout).set({ destination: null }).where(eq(payout.partnerId, id))
  await tx.update(partner).set({ displayName: name, channelUrl: null, code: name }).where(eq(partner.id, id))
  await tx
    .update(appUser)
    .set({ username: name, shownName: name, email: null, passwordHash: '', isPartner: false })
    .where(eq(appUser.id, id))
}

// ---- requests, links and settings

export const saveErasure = (tx: Tx, email: Email, now: Date) =>
  tx.insert(erasure).values({ email, askedAt: now }).onConflictDoNothing()

export const deleteErasure = (tx: Tx, email: Email) => tx.delete(erasure).where(eq(erasure.email, email))

export const listErasures = (db: Reader): Promise<{ email: string }[]> =>
  db.select({ email: erasure.email }).from(erasure).orderBy(asc(erasure.askedAt))

export const addDataLink = (tx: Tx, row: typeof dataRequest.$inferInsert) => tx.insert(dataRequest).values(row)

export const findDataLink = async (db: Reader, tokenHash: string, now: Date) =>
  (
    await db
      .select()
      .from(dataRequest)
      .where(and(eq(dataRequest.tokenHash, tokenHash), gt(dataRequest.expiresAt, now)))
  )[0]

export const deleteDataLink = (tx: Tx, tokenHash: string) =>
  tx.delete(dataRequest).where(eq(dataRequest.tokenHash, tokenHash))

export const findSetting = async (db: Reader, name: string): Promise<string | undefined> =>
  (await db.select().from(setting).where(eq(setting.name, name)))[0]?.value

export const saveSetting = (tx: Tx, name: string, value: string) =>
  tx.insert(setting).values({ name, value }).onConflictDoUpdate({ target: setting.name, set: { value } })

// ---- retention

export const listOrdersBefore = (db: Reader, before: Date, limit: number): Promise<StoredOrder[]> =>
  db
    .select()
    .from(shopOrder)
    .where(and(lt(shopOrder.createdAt, before), isNull(shopOrder.erasedAt)))
    .orderBy(asc(shopOrder.createdAt))
    .limit(limit)

/** Checkout versions no longer needed: never paid, or copied to their order. */
export const listOldVersions = (db: Reader, before: Date, limit: number): Promise<Version[]> =>
  db
    .select({
      checkoutId: checkoutVersion.checkoutId,
      quoteHash: checkoutVersion.quoteHash,
      frozen: checkoutVersion.frozen,
    })
    .from(checkoutVersion)
    .innerJoin(checkout, eq(checkout.id, checkoutVersion.checkoutId))
    .where(
      and(
        lt(checkoutVersion.frozenAt, before),
        sql`frozen->'customer'->>'email' <> ''`,
        or(
          inArray(checkout.state, ['released', 'paid']),
          and(eq(checkout.state, 'exception'), not(hasOpenException(db))),
        ),
      ),
    )
    .orderBy(asc(checkoutVersion.frozenAt))
    .limit(limit)

/** @returns how many */
export async function eraseMailsBefore(tx: Tx, before: Date, limit: number): Promise<number> {
  const old = await tx
    .select({ id: mail.id })
    .from(mail)
    .where(and(lt(mail.createdAt, before), ne(mail.textPart, '')))
    .orderBy(asc(mail.createdAt))
    .limit(limit)
  const ids = old.map(({ id }) => id)
  if (ids.length) await emptyMails(tx, inArray(mail.id, ids))
  return ids.length
}

/** Oldest first. @returns how many */
export async function deleteClicks(tx: Tx, before: Date, limit: number): Promise<number> {
  const old = tx
    .select({ id: affiliateClick.id })
    .from(affiliateClick)
    .where(lt(affiliateClick.clickedAt, before))
    .orderBy(asc(affiliateClick.clickedAt))
    .limit(limit)
  return (await tx.delete(affiliateClick).where(inArray(affiliateClick.id, old)).returning({ id: affiliateClick.id }))
    .length
}

/** Closed messages, chats and call requests, and expired links. */
export async function deleteClosedMessages(tx: Tx, before: Date, now: Date): Promise<void> {
  await tx.delete(contactMessage).where(lt(contactMessage.closedAt, before))
  await tx
    .delete(chat)
    .where(
      and(
        isNull(chat.waitingSince),
        lt(chat.startedAt, before),
        sql`not exists (select 1 from chat_message m where m.chat_id = ${chat.id} and m."timestamp" >= ${before})`,
      ),
    )
  await tx.delete(callRequest).where(lt(callRequest.answeredAt, before))
  await tx.delete(dataRequest).where(lt(dataRequest.expiresAt, now))
}
