import { and, asc, eq, inArray, lt, notInArray, or, sql } from 'drizzle-orm'
import { frozenWithoutPerson } from '#domain/privacy/anonymize.ts'
import type { CheckoutId } from '#shared/ids.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import type { Email, Fates, PersonalData } from '#server/db/personal-data.ts'
import { deleteClosed } from './phone-order-rows.ts'
import type * as schema from './schema.ts'
import { checkout, checkoutVersion, phoneOrder, savedCart } from './schema.ts'

const versionColumns = {
  checkoutId: checkoutVersion.checkoutId,
  quoteHash: checkoutVersion.quoteHash,
  frozen: checkoutVersion.frozen,
}
type Version = Pick<typeof checkoutVersion.$inferSelect, keyof typeof versionColumns>

/** The frozen versions of an email's checkouts, with the checkouts' state. */
const listVersions = (db: Reader, email: Email) =>
  db
    .select({ ...versionColumns, frozenAt: checkoutVersion.frozenAt, state: checkout.state })
    .from(checkoutVersion)
    .innerJoin(checkout, eq(checkout.id, checkoutVersion.checkoutId))
    .where(sql`lower(${checkoutVersion.frozen}->'customer'->>'email') = ${email}`)
    .orderBy(asc(checkoutVersion.frozenAt))

async function eraseVersions(tx: Tx, versions: readonly Version[]): Promise<void> {
  for (const { checkoutId, quoteHash, frozen } of versions)
    await tx
      .update(checkoutVersion)
      .set({ frozen: frozenWithoutPerson(frozen) })
      .where(and(eq(checkoutVersion.checkoutId, checkoutId), eq(checkoutVersion.quoteHash, quoteHash)))
}

/** Orders taken by phone. */
const isOf = (email: Email) => sql`lower(${phoneOrder.customer}->>'email') = ${email}`

export const personalData = {
  fates: {
    checkout: {
      quoteHash: 'kept: names the version that was paid',
      intentQuoteHash: 'kept: names the version that was paid',
      currency: 'kept: always usd',
      country: 'kept: the basis of tax',
      providerPaymentId: 'kept: the provider’s id',
      clientSecret: 'kept: random',
      termsVersion: 'kept: what was agreed to',
    },
    // Deleted after a week, for everybody.
    paymentStart: {},
    cardDecline: { id: 'kept: the provider’s id' },
    checkoutVersion: { quoteHash: 'kept: names the version', wishHash: 'kept: a hash', frozen: 'erased' },
    phoneOrder: 'deleted',
    code: {
      code: 'kept: printed and shared, and part of what orders paid',
      rule: 'kept: numbers and goods of the shop',
    },
    savedCart: 'deleted',
    sessionCode: {},
    codeUse: {},
    sessionGiftCard: {},
    giftCardHold: {},
    walletOrder: {
      id: 'kept: the provider’s id',
      quoteHash: 'kept: names the version',
      refusal: 'kept: the provider’s reason, the same for everybody',
    },
  } satisfies Fates<typeof schema>,

  /**
   * The checkouts of an email.
   * @param disputed those whose payment waits for the owner, who may have to contact the payer
   */
  async find(db: Reader, email: Email, disputed: readonly CheckoutId[]) {
    const versions = await listVersions(db, email)
    const isActive = ({ checkoutId, state }: (typeof versions)[number]) =>
      state === 'open' || state === 'held' || disputed.includes(checkoutId)
    return {
      all: new Set(versions.map(({ checkoutId }) => checkoutId)),
      active: new Set(versions.filter(isActive).map(({ checkoutId }) => checkoutId)),
    }
  },

  async export(db: Reader, email: Email) {
    const phoneOrders = await db.select().from(phoneOrder).where(isOf(email))
    const savedCarts = await db.select().from(savedCart).where(eq(savedCart.email, email))
    const checkouts = (await listVersions(db, email)).map(({ frozen, frozenAt, state }) => ({
      ...{ state, frozenAt },
      customer: frozen.customer,
      shippingAddress: frozen.shippingAddress,
      billingAddress: frozen.billingAddress,
    }))
    return {
      checkouts,
      cartReminders: savedCarts.map(({ lines, codes, remindAt, remindedAt }) => ({
        lines,
        codes,
        remindAt,
        remindedAt,
      })),
      phoneOrders: phoneOrders.map(({ customer, pieces, createdAt }) => ({ customer, pieces, createdAt })),
    }
  },

  async eraseOrders(tx, orders) {
    const ids = orders.flatMap(({ checkoutId }) => checkoutId ?? [])
    await eraseVersions(
      tx,
      await tx.select(versionColumns).from(checkoutVersion).where(inArray(checkoutVersion.checkoutId, ids)),
    )
  },

  async erasePerson(tx, { email, except: { checkouts } }) {
    await tx.delete(savedCart).where(eq(savedCart.email, email))
    await tx.delete(phoneOrder).where(isOf(email))
    const versions = await listVersions(tx, email)
    await eraseVersions(
      tx,
      versions.filter(({ checkoutId }) => !checkouts.has(checkoutId)),
    )
  },

  /** Orders taken by phone whose link ended before `before`; a paid one has become an order. */
  deletePhoneOrders: (tx: Tx, before: Date) => deleteClosed(tx, before),

  /** Erases versions no longer needed: never paid, or copied to their order. @returns how many */
  async eraseBefore(tx: Tx, before: Date, limit: number, disputed: readonly CheckoutId[]): Promise<number> {
    const old = await tx
      .select(versionColumns)
      .from(checkoutVersion)
      .innerJoin(checkout, eq(checkout.id, checkoutVersion.checkoutId))
      .where(
        and(
          lt(checkoutVersion.frozenAt, before),
          sql`frozen->'customer'->>'email' <> ''`,
          or(
            inArray(checkout.state, ['released', 'paid']),
            and(eq(checkout.state, 'exception'), notInArray(checkout.id, [...disputed])),
          ),
        ),
      )
      .orderBy(asc(checkoutVersion.frozenAt))
      .limit(limit)
    await eraseVersions(tx, old)
    return old.length
  },
} satisfies PersonalData
