import { and, eq, inArray, isNotNull, isNull } from 'drizzle-orm'
import type { CheckoutId, PaymentKey } from '#shared/ids.ts'
import type { Reader } from '#server/db/db.ts'
import { listChangePayments } from '#server/orders/changes.ts'
import { ERASED, type Email, type Fates, type PersonalData } from '#server/db/personal-data.ts'
import { listOfEmail } from '#server/gift-cards/gift-cards.ts'
import type * as giftCards from './gift-card-schema.ts'
import { eraseAnswers } from './dispute-answers.ts'
import { erasePurchases, listPurchasesOfBuyer } from './gift-card-rows.ts'
import type * as outcomes from './outcome-schema.ts'
import type * as schema from './schema.ts'
import type * as staffRefunds from './staff-refund-schema.ts'
import { paymentException } from './outcome-schema.ts'
import { payment } from './schema.ts'

export const personalData = {
  fates: {
    payment: {
      paymentId: 'kept: the provider’s id',
      status: 'kept: the provider’s status',
      currency: 'kept: always usd',
      payerHash: 'erased',
    },
    paymentProcessingLog: {
      paymentId: 'kept: the provider’s id',
      status: 'kept: how far it is processed',
      metadata: 'kept: ids and amounts',
    },
    staffRefund: {},
    paymentException: { kind: 'kept: why there is no order' },
    dispute: { disputeId: 'kept: the provider’s id', reason: 'kept: one of the provider’s reasons' },
    disputeAnswer: {
      disputeId: 'kept: the provider’s id',
      reference: 'kept: of the file',
      file: 'erased',
      content: 'erased',
      failure: 'kept: the provider’s sentence',
    },
    giftCardPurchase: {
      buyerEmail: 'erased',
      recipientEmail: 'erased',
      senderName: 'erased',
      message: 'erased',
      intentId: 'kept: the provider’s id',
      clientSecret: 'erased',
      walletOrderId: 'kept: the provider’s id',
    },
    providerPayout: { payoutId: 'kept: the provider’s id' },
  } satisfies Fates<typeof schema & typeof outcomes & typeof giftCards & typeof staffRefunds>,

  export: async (db: Reader, email: Email) => ({
    giftCardsBought: (await listPurchasesOfBuyer(db, email)).map(
      ({ amountCents, recipientEmail, senderName, message, createdAt }) => ({
        ...{ amountCents, recipientEmail, senderName, message, createdAt },
      }),
    ),
  }),

  async erasePerson(tx, { email }) {
    const cardIds = (await listOfEmail(tx, email)).map(({ id }) => id)
    const keys = await erasePurchases(tx, email, { erased: ERASED, cardIds })
    await tx.update(payment).set({ payerHash: null }).where(inArray(payment.paymentKey, keys))
  },

  /** Hashes that recognize later purchases with the same card or wallet. */
  async findPayers(db: Reader, keys: readonly PaymentKey[]): Promise<Map<PaymentKey, string | null>> {
    const rows = await db
      .select({ key: payment.paymentKey, payerHash: payment.payerHash })
      .from(payment)
      .where(inArray(payment.paymentKey, [...keys]))
    return new Map(rows.map(({ key, payerHash }) => [key, payerHash]))
  },

  /** Checkouts whose payment has no order and waits for the owner, who may have to contact the payer. */
  async listDisputedCheckouts(db: Reader): Promise<CheckoutId[]> {
    const rows = await db
      .select({ id: payment.checkoutId })
      .from(payment)
      .innerJoin(paymentException, eq(paymentException.paymentKey, payment.paymentKey))
      .where(and(isNotNull(payment.checkoutId), isNull(paymentException.resolvedAt)))
    return rows.flatMap(({ id }) => id ?? [])
  },

  eraseOrders: async (tx, orders) => {
    const keys = [
      ...orders.flatMap(({ paymentKey }) => paymentKey ?? []),
      ...(await listChangePayments(
        tx,
        orders.map(({ id }) => id),
      )),
    ]
    await tx.update(payment).set({ payerHash: null }).where(inArray(payment.paymentKey, keys))
    await eraseAnswers(
      tx,
      orders.map(({ id }) => id),
    )
  },
} satisfies PersonalData
