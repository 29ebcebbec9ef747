import { eq, sql } from 'drizzle-orm'
import type { Reader } from '#server/db/db.ts'
import type { Email, Fates, PersonalData } from '#server/db/personal-data.ts'
import type * as schema from './schema.ts'
import { accountRequest, appUser, recoveryCode, secondFactor, session } from './schema.ts'

const findUser = async (db: Reader, email: Email) =>
  (await db.select().from(appUser).where(eq(appUser.email, email)))[0]

export const personalData = {
  fates: {
    appUser: { username: 'erased', shownName: 'erased', passwordHash: 'erased', email: 'erased' },
    staffRole: 'about nobody: what an owner decides about a role',
    session: 'deleted',
    secondFactor: 'deleted',
    recoveryCode: 'deleted',
    accountRequest: 'deleted',
    accountLink: 'deleted',
  } satisfies Fates<typeof schema>,

  findUser,

  async export(db: Reader, email: Email) {
    const user = await findUser(db, email)
    return { account: user && { username: user.shownName, isPartner: user.isPartner, createdAt: user.createdAt } }
  },

  /** Makes the account anonymous and unusable; its earnings stay booked. */
  async erasePerson(tx, { email, user }) {
    await tx.delete(accountRequest).where(sql`lower(${accountRequest.email}) = ${email}`)
    if (!user) return
    const { id, alias } = user
    for (const table of [session, accountRequest, secondFactor, recoveryCode])
      await tx.delete(table).where(eq(table.userId, id))
    await tx
      .update(appUser)
      .set({ username: alias, shownName: alias, email: null, passwordHash: '', isPartner: false })
      .where(eq(appUser.id, id))
  },
} satisfies PersonalData
