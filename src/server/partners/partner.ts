import { eq } from 'drizzle-orm'
import { paths } from '#contract/paths.ts'
import type { UserId } from '#shared/ids.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { affiliateLink, appUser, partner } from '#server/db/schema.ts'
import type { Needs } from '#server/shop.ts'

export type Partner = typeof partner.$inferSelect

export const findPartner = async (db: Reader, id: number): Promise<Partner | undefined> =>
  (
    await db
      .select()
      .from(partner)
      .where(eq(partner.id, id as UserId))
  )[0]

/** Makes a user a partner, with a link to the home page that has the partner's own code; one that is a partner stays as it is. */
export async function addPartner(
  tx: Tx,
  { joinedAt, ...wanted }: Pick<Partner, 'id' | 'displayName' | 'channelUrl' | 'code' | 'joinedAt'>,
): Promise<void> {
  const [made] = await tx
    .insert(partner)
    .values({ ...wanted, joinedAt })
    .onConflictDoNothing()
    .returning()
  if (made)
    await tx
      .insert(affiliateLink)
      .values({ partnerId: made.id, code: made.code, path: paths.home, createdAt: joinedAt })
      .onConflictDoNothing()
}

/** A partner who was configured: with a name, a code and some links. Safe to repeat. */
export async function ensurePartner(
  { db, clock }: Needs<'db' | 'clock'>,
  username: string,
  {
    links,
    ...wanted
  }: Pick<Partner, 'displayName' | 'channelUrl' | 'code'> & {
    links: readonly { code: string; path: string; campaign: string }[]
  },
): Promise<void> {
  const now = clock.now()
  await db.transaction(async (tx) => {
    const [user] = await tx.select({ id: appUser.id }).from(appUser).where(eq(appUser.username, username))
    if (!user) return
    await addPartner(tx, { id: user.id, ...wanted, joinedAt: now })
    await tx
      .insert(affiliateLink)
      .values(links.map((link) => ({ ...link, partnerId: user.id, createdAt: now })))
      .onConflictDoNothing()
  })
}
