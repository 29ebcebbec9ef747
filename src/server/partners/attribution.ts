import { randomUUID } from 'node:crypto'
import { and, eq, gt, isNotNull, isNull } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import { ATTRIBUTION_DAYS, isClick, objectionToAttribution } from '#domain/partners/attribution.ts'
import type { Device } from '#domain/visits/visits.ts'
import type { CheckoutId, UserId } from '#shared/ids.ts'
import type { Language } from '#shared/language.ts'
import { after, DAY_MS } from '#shared/time.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { affiliateClick, affiliateLink, attribution, partner } from '#server/partners/schema.ts'
import { readSiteSettings } from '#server/settings/site-settings.ts'
import type { Needs } from '#server/shop.ts'
import { findPartnerIdentity } from './own-purchases.ts'

/** What is known of a buyer when a payment starts. */
export type Visitor = {
  /** The click id in the browser's cookie; trusted only if that click exists. */
  click: string | undefined
  userId: number | null
  /** Who was signed in before in this browser. */
  formerUserId: number | null
  device: Device | null
  language: Language
}

/** Whether a person opened a link: not a bot or a prefetch. */
export function isFromPerson({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): boolean {
  const text = (name: string) => headers[name]?.toString()
  return isClick({
    method,
    userAgent: text('user-agent'),
    purpose: text('sec-purpose') ?? text('purpose') ?? text('x-moz'),
    destination: text('sec-fetch-dest'),
  })
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
 * @param clicker who is, or was last, signed in in this browser
 * @returns the click id for the browser's cookie
 */
export async function recordClick(
  tx: Tx,
  link: { id: number; path: string; partnerId: UserId },
  clicker: readonly (number | null)[],
  clickedAt: Date,
): Promise<string> {
  const id = randomUUID()
  const isOwn = clicker.includes(link.partnerId)
  await tx.insert(affiliateClick).values({ id, linkId: link.id, path: link.path, clickedAt, isOwn })
  return id
}

const isClickId = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)

/** Records that something was added to a cart after a click; only the first time counts. */
export async function recordFirstAddToCart({ db, clock }: Needs<'db' | 'clock'>, click: string): Promise<void> {
  if (!isClickId(click)) return
  await db.transaction((tx) =>
    tx
      .update(affiliateClick)
      .set({ cartedAt: clock.now() })
      .where(and(eq(affiliateClick.id, click), isNull(affiliateClick.cartedAt))),
  )
}

/** A partner's code that a checkout contains. */
export type PartnerCode = { id: number; partnerId: UserId }

/**
 * Attributes an open checkout to the partner of a code that it contains, or else of the browser's last click. It is stored before
 * the payment, so it does not depend on the cookie surviving the trip to the provider.
 * @param code beats the click
 * @param lockIfOpen locks the checkout; false if it was paid meanwhile, and then nothing is stored
 */
export async function attributeCheckout(
  { db, clock }: Needs<'db' | 'clock'>,
  checkoutId: CheckoutId,
  { click, userId, formerUserId }: Visitor,
  email: string,
  code: PartnerCode | undefined,
  lockIfOpen: (tx: Tx, id: CheckoutId) => Promise<boolean>,
): Promise<void> {
  const now = clock.now()
  const isClicked = click !== undefined && isClickId(click)
  if (!code && !isClicked && !(await findAttribution(db, checkoutId))?.codeId) return
  await db.transaction(async (tx) => {
    const found = code ? byCode(code, now) : isClicked ? await byClick(tx, click, now) : undefined
    if (!found) {
      // A code that made it somebody's sale was removed since.
      if (await lockIfOpen(tx, checkoutId))
        await tx.delete(attribution).where(and(eq(attribution.checkoutId, checkoutId), isNotNull(attribution.codeId)))
      return
    }
    const { isOwnClick, ...by } = found
    // Addresses, card and wallet are checked once it is paid: see `recalculateCommission`.
    const objection = objectionToAttribution(
      { ...(await findPartnerIdentity(tx, by.partnerId)), addresses: [], payers: [] },
      { userId, formerUserId, isOwnClick, emails: [email], addresses: [], payer: null },
    )
    if (!(await lockIfOpen(tx, checkoutId))) return
    const isBeforeDiscounts = (await readSiteSettings(tx)).commissionOn === 'list'
    const row = { checkoutId, ...by, isBeforeDiscounts, objection: objection ?? null, frozenAt: now }
    await tx.insert(attribution).values(row).onConflictDoUpdate({ target: attribution.checkoutId, set: row })
  })
}

type Found = Pick<typeof attribution.$inferSelect, 'partnerId' | 'linkId' | 'codeId' | 'clickedAt'> & {
  isOwnClick: boolean
}

const byCode = ({ id, partnerId }: PartnerCode, now: Date): Found => ({
  ...{ partnerId, linkId: null, codeId: id, clickedAt: now, isOwnClick: false },
})

async function byClick(tx: Tx, click: string, now: Date): Promise<Found | undefined> {
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
  return found && { ...found, codeId: null }
}

type StoredAttribution = typeof attribution.$inferSelect

export const findAttribution = async (db: Reader, checkoutId: CheckoutId): Promise<StoredAttribution | undefined> =>
  (await db.select().from(attribution).where(eq(attribution.checkoutId, checkoutId)))[0]

/** Whose sale a checkout is, for its order: by a link, or by a code of the checkout. */
export const findPartnerOfSale = async (
  db: Reader,
  checkoutId: CheckoutId,
): Promise<{ name: string; link: string | null; codeId: number | null } | undefined> =>
  (
    await db
      .select({ name: partner.displayName, link: affiliateLink.code, codeId: attribution.codeId })
      .from(attribution)
      .innerJoin(partner, eq(partner.id, attribution.partnerId))
      .leftJoin(affiliateLink, eq(affiliateLink.id, attribution.linkId))
      .where(eq(attribution.checkoutId, checkoutId))
  )[0]
