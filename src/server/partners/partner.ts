import { asc, eq } from 'drizzle-orm'
import { paths } from '#contract/paths.ts'
import type { PartnerState } from '#domain/partners/attribution.ts'
import type { UserId } from '#shared/ids.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { findUserId } from '#server/accounts/users.ts'
import { affiliateLink, partner } from '#server/partners/schema.ts'
import type { Needs } from '#server/shop.ts'

export type Partner = typeof partner.$inferSelect

export const findPartner = async (db: Reader, id: UserId): Promise<Partner | undefined> =>
  (await db.select().from(partner).where(eq(partner.id, id)))[0]

/** Locks the partner, so that concurrent requests neither exceed a limit nor make the same thing twice. */
export const lockPartner = async (tx: Tx, id: UserId): Promise<Partner | undefined> =>
  (await tx.select().from(partner).where(eq(partner.id, id)).for('update'))[0]

export const listPartnerNames = (db: Reader): Promise<{ id: UserId; name: string; state: PartnerState }[]> =>
  db
    .select({ id: partner.id, name: partner.displayName, state: partner.state })
    .from(partner)
    .orderBy(asc(partner.displayName))

/** Makes a user a partner, with a link to the home page under the partner's code. Existing partners stay unchanged. */
export async function addPartner(
  tx: Tx,
  { joinedAt, ...details }: Pick<Partner, 'id' | 'displayName' | 'channelUrl' | 'code' | 'joinedAt'>,
): Promise<void> {
  const [added] = await tx
    .insert(partner)
    .values({ ...details, joinedAt })
    .onConflictDoNothing()
    .returning()
  if (added)
    await tx
      .insert(affiliateLink)
      .values({ partnerId: added.id, code: added.code, path: paths.home, createdAt: joinedAt })
      .onConflictDoNothing()
}

/** Creates a configured partner with a name, a code and links. Safe to repeat. */
export async function ensurePartner(
  { db, clock }: Needs<'db' | 'clock'>,
  username: string,
  {
    links,
    ...details
  }: Pick<Partner, 'displayName' | 'channelUrl' | 'code'> & {
    links: readonly { code: string; path: string; campaign: string }[]
  },
): Promise<void> {
  const now = clock.now()
  await db.transaction(async (tx) => {
    const id = await findUserId(tx, username)
    if (id === undefined) return
    await addPartner(tx, { id, ...details, joinedAt: now })
    await tx
      .insert(affiliateLink)
      .values(links.map((link) => ({ ...link, partnerId: id, createdAt: now })))
      .onConflictDoNothing()
  })
}
