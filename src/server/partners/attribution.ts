import { randomUUID } from 'node:crypto'
import { and, eq, gt, isNull } from 'drizzle-orm'
import { ATTRIBUTION_DAYS, objectionToAttribution, type AttributionObjection } from '#domain/partners/attribution.ts'
import type { CheckoutId, UserId } from '#shared/ids.ts'
import { after, DAY_MS } from '#shared/time.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { affiliateClick, affiliateLink, attribution, checkout } from '#server/db/schema.ts'
import type { Needs } from '#server/shop.ts'
import { findKnownPartner } from './own-purchases.ts'

/** Who wants to buy, as far as partners are concerned. */
export type Visitor = {
  /** What the browser says of its last click; believed only when there was such a click. */
  click: string | undefined
  userId: number | null
  /** Who was signed in in this browser before. */
  formerUserId: number | null
}

export const findLink = async (
  db: Reader,
  code: string,
): Promise<{ id: number; path: string; partnerId: UserId } | undefined> =>
  (
    await db
      .select({ id: affiliateLink.id, path: affiliateLink.path, partnerId: affiliateLink.partnerId })
      .from(affiliateLink)
      .where(eq(affiliateLink.code, code.toLowerCase()))
  )[0]

/**
 * @param clicker who is, or was last, signed in in the browser
 * @returns what the browser is to remember of it
 */
export async function recordClick(
  { db, clock }: Needs<'db' | 'clock'>,
  link: { id: number; path: string; partnerId: UserId },
  clicker: readonly (number | null)[],
): Promise<string> {
  const id = randomUUID()
  await db.transaction((tx) =>
    tx.insert(affiliateClick).values({
      id,
      linkId: link.id,
      path: link.path,
      clickedAt: clock.now(),
      isOwn: clicker.includes(link.partnerId),
    }),
  )
  return id
}

const isClickId = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)

/** Notes that something was put into a cart after a click; the first time counts. */
export async function noteCart({ db, clock }: Needs<'db' | 'clock'>, click: string): Promise<void> {
  if (!isClickId(click)) return
  await db.transaction((tx) =>
    tx
      .update(affiliateClick)
      .set({ cartedAt: clock.now() })
      .where(and(eq(affiliateClick.id, click), isNull(affiliateClick.cartedAt))),
  )
}

/**
 * Writes down whose an open checkout is, by the last click of the browser that pays. What is frozen by then survives the way
 * to the provider and back, whatever becomes of the cookie.
 */
export async function attributeCheckout(
  { db, clock }: Needs<'db' | 'clock'>,
  checkoutId: CheckoutId,
  { click, userId, formerUserId }: Visitor,
  email: string,
): Promise<void> {
  if (click === undefined || !isClickId(click)) return
  const now = clock.now()
  await db.transaction(async (tx) => {
    const [found] = await tx
      .select({
        partnerId: affiliateLink.partnerId,
        isOwnClick: affiliateClick.isOwn,
        linkId: affiliateLink.id,
        clickedAt: affiliateClick.clickedAt,
      })
      .from(affiliateClick)
      .innerJoin(affiliateLink, eq(affiliateLink.id, affiliateClick.linkId))
      .where(and(eq(affiliateClick.id, click), gt(affiliateClick.clickedAt, after(now, -ATTRIBUTION_DAYS * DAY_MS))))
    if (!found) return
    const { partnerId, linkId, clickedAt, isOwnClick } = found
    // Address, card and wallet are looked at once it is paid: see `restateCommission`.
    const objection = objectionToAttribution(
      { ...(await findKnownPartner(tx, partnerId)), addresses: [] },
      { userId, formerUserId, isOwnClick, emails: [email], addresses: [], payer: null },
    )
    await saveAttribution(tx, { checkoutId, partnerId, linkId, clickedAt, objection: objection ?? null, frozenAt: now })
  })
}

/** A checkout that was paid meanwhile keeps what it has. */
async function saveAttribution(tx: Tx, row: typeof attribution.$inferInsert): Promise<void> {
  const [open] = await tx
    .select({ id: checkout.id })
    .from(checkout)
    .where(and(eq(checkout.id, row.checkoutId), eq(checkout.state, 'open')))
    .for('update')
  if (open) await tx.insert(attribution).values(row).onConflictDoUpdate({ target: attribution.checkoutId, set: row })
}

type StoredAttribution = { partnerId: UserId; linkId: number; objection: AttributionObjection | null }

export const findAttribution = async (db: Reader, checkoutId: CheckoutId): Promise<StoredAttribution | undefined> =>
  (await db.select().from(attribution).where(eq(attribution.checkoutId, checkoutId)))[0]
