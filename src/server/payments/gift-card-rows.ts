import { and, eq, inArray, isNotNull, isNull, lt, lte, or, sql } from 'drizzle-orm'
import type { PaymentKey } from '#shared/ids.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { giftCardPurchase } from './gift-card-schema.ts'

export type GiftCardPurchase = typeof giftCardPurchase.$inferSelect

/** @returns the one of the same request, if it was made before */
export async function insertPurchase(tx: Tx, row: typeof giftCardPurchase.$inferInsert): Promise<GiftCardPurchase> {
  const [made] = await tx
    .insert(giftCardPurchase)
    .values(row)
    .onConflictDoUpdate({ target: giftCardPurchase.requestKey, set: { requestKey: row.requestKey } })
    .returning()
  if (!made) throw new Error('an insert without a row')
  return made
}

export const findPurchase = async (db: Reader, id: string): Promise<GiftCardPurchase | undefined> =>
  (await db.select().from(giftCardPurchase).where(eq(giftCardPurchase.id, id)))[0]

/** One after the other: what is read stays true until the transaction ends. */
export const lockPurchase = async (tx: Tx, id: string): Promise<GiftCardPurchase | undefined> =>
  (await tx.select().from(giftCardPurchase).where(eq(giftCardPurchase.id, id)).for('update'))[0]

export const findPurchaseOfPayment = async (db: Reader, key: PaymentKey): Promise<GiftCardPurchase | undefined> =>
  (await db.select().from(giftCardPurchase).where(eq(giftCardPurchase.paymentKey, key)))[0]

export const findPurchaseOfIntent = async (db: Reader, intentId: string): Promise<GiftCardPurchase | undefined> =>
  (await db.select().from(giftCardPurchase).where(eq(giftCardPurchase.intentId, intentId)))[0]

export const findPurchaseOfWallet = async (db: Reader, walletOrderId: string): Promise<GiftCardPurchase | undefined> =>
  (await db.select().from(giftCardPurchase).where(eq(giftCardPurchase.walletOrderId, walletOrderId)))[0]

export const listPurchasesOf = (db: Reader, cardIds: readonly number[]): Promise<GiftCardPurchase[]> =>
  db
    .select()
    .from(giftCardPurchase)
    .where(inArray(giftCardPurchase.giftCardId, [...cardIds]))

export const changePurchase = (tx: Tx, id: string, to: Partial<typeof giftCardPurchase.$inferInsert>) =>
  tx.update(giftCardPurchase).set(to).where(eq(giftCardPurchase.id, id))

/** @returns false when it has a payment already, is paid, closed or deleted */
export async function savePurchaseIntent(
  tx: Tx,
  id: string,
  to: { intentId: string; clientSecret: string },
): Promise<boolean> {
  const isOpen = and(
    isNull(giftCardPurchase.intentId),
    isNull(giftCardPurchase.paymentKey),
    eq(giftCardPurchase.isClosed, false),
  )
  const rows = await tx
    .update(giftCardPurchase)
    .set(to)
    .where(and(eq(giftCardPurchase.id, id), isOpen))
    .returning({ id: giftCardPurchase.id })
  return rows.length > 0
}

type WalletOfPurchase = Pick<GiftCardPurchase, 'id' | 'walletOrderId'>

/** While it is unpaid. @param seen the one that it replaces @returns false when another one came first, or nothing can be paid any more */
export async function saveWalletOrder(
  tx: Tx,
  seen: WalletOfPurchase,
  to: { walletOrderId: string; walletAttempt: number },
): Promise<boolean> {
  const isOpen = and(isNull(giftCardPurchase.paymentKey), eq(giftCardPurchase.isClosed, false))
  const rows = await tx
    .update(giftCardPurchase)
    .set({ ...to, walletRefusals: 0, isHeld: false })
    .where(and(isWith(seen), isOpen))
    .returning({ id: giftCardPurchase.id })
  return rows.length > 0
}

/** @returns whether this call changed it: it is unpaid, and still with this PayPal order and as many refusals */
export async function changeWalletOrder(
  tx: Tx,
  seen: WalletOfPurchase & Pick<GiftCardPurchase, 'walletRefusals' | 'isHeld'>,
  to: Partial<Pick<GiftCardPurchase, 'walletOrderId' | 'walletRefusals' | 'isHeld'>>,
): Promise<boolean> {
  const isAsSeen = and(
    isNull(giftCardPurchase.paymentKey),
    eq(giftCardPurchase.walletRefusals, seen.walletRefusals),
    eq(giftCardPurchase.isHeld, seen.isHeld),
  )
  const rows = await tx
    .update(giftCardPurchase)
    .set(to)
    .where(and(isWith(seen), isAsSeen))
    .returning({ id: giftCardPurchase.id })
  return rows.length > 0
}

const isWith = ({ id, walletOrderId }: WalletOfPurchase) =>
  and(
    eq(giftCardPurchase.id, id),
    walletOrderId === null ? isNull(giftCardPurchase.walletOrderId) : eq(giftCardPurchase.walletOrderId, walletOrderId),
  )

/** Unpaid ones with a PayPal order, oldest first. */
export const listPurchasesByWallet = (db: Reader): Promise<GiftCardPurchase[]> =>
  db
    .select()
    .from(giftCardPurchase)
    .where(and(isNull(giftCardPurchase.paymentKey), isNotNull(giftCardPurchase.walletOrderId)))
    .orderBy(giftCardPurchase.createdAt)

/** Paid ones whose card is to be sent by now. */
export async function listPurchasesToSend(db: Reader, now: Date): Promise<PaymentKey[]> {
  const rows = await db
    .select({ key: giftCardPurchase.paymentKey })
    .from(giftCardPurchase)
    .where(and(lte(giftCardPurchase.sendAt, now), isNotNull(giftCardPurchase.paymentKey)))
    .orderBy(giftCardPurchase.sendAt)
  return rows.flatMap(({ key }) => key ?? [])
}

export const countPurchaseAttempt = (tx: Tx, id: string) =>
  tx
    .update(giftCardPurchase)
    .set({ attempt: sql`${giftCardPurchase.attempt} + 1` })
    .where(eq(giftCardPurchase.id, id))

/** Without those that PayPal reviews. */
export const listUnpaidPurchases = (db: Reader, before: Date, limit: number): Promise<GiftCardPurchase[]> =>
  db
    .select()
    .from(giftCardPurchase)
    .where(
      and(
        isNull(giftCardPurchase.paymentKey),
        eq(giftCardPurchase.isHeld, false),
        lt(giftCardPurchase.createdAt, before),
      ),
    )
    .orderBy(giftCardPurchase.createdAt)
    .limit(limit)

/** @param seen whose payment was canceled: one that was paid or started meanwhile stays */
export const deleteUnpaidPurchase = (
  tx: Tx,
  { intentId, ...seen }: WalletOfPurchase & Pick<GiftCardPurchase, 'intentId'>,
) =>
  tx
    .delete(giftCardPurchase)
    .where(
      and(
        isWith(seen),
        eq(giftCardPurchase.isHeld, false),
        isNull(giftCardPurchase.paymentKey),
        intentId === null ? isNull(giftCardPurchase.intentId) : eq(giftCardPurchase.intentId, intentId),
      ),
    )

// ---- a person's

const isBuyer = (email: string) => sql`lower(${giftCardPurchase.buyerEmail}) = ${email}`

export const listPurchasesOfBuyer = (db: Reader, email: string): Promise<GiftCardPurchase[]> =>
  db.select().from(giftCardPurchase).where(isBuyer(email)).orderBy(giftCardPurchase.createdAt)

/**
 * Unpaid ones are deleted: their payment, if it comes, waits for the owner. Cards of theirs that are not sent yet are never sent, or without
 * greeting.
 * @param cardIds for this person
 */
export async function erasePurchases(
  tx: Tx,
  email: string,
  { erased, cardIds }: { erased: string; cardIds: readonly number[] },
): Promise<PaymentKey[]> {
  const greeting = { senderName: null, message: null }
  await tx
    .update(giftCardPurchase)
    .set({ ...greeting, sendAt: null })
    .where(inArray(giftCardPurchase.giftCardId, [...cardIds]))
  await tx
    .delete(giftCardPurchase)
    .where(
      and(
        isNull(giftCardPurchase.paymentKey),
        or(isBuyer(email), sql`lower(${giftCardPurchase.recipientEmail}) = ${email}`),
      ),
    )
  const rows = await tx
    .update(giftCardPurchase)
    .set({ ...greeting, buyerEmail: erased, clientSecret: null })
    .where(isBuyer(email))
    .returning({ key: giftCardPurchase.paymentKey })
  return rows.flatMap(({ key }) => key ?? [])
}
