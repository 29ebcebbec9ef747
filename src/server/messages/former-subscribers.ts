import { inArray, sql } from 'drizzle-orm'
import type { FormerSubscriber } from '#domain/imports/former-shop.ts'
import type { Tx } from '#server/db/db.ts'
import { subscriber } from './schema.ts'

/**
 * Subscribes people of a former shop who agreed there. Somebody who has unsubscribed here stays unsubscribed. They get no email about it,
 * and neither does the owner.
 * @returns for each what became of it
 */
export async function addFormerSubscribers(
  tx: Tx,
  people: readonly FormerSubscriber[],
  now: Date,
): Promise<('added' | 'unchanged' | { objection: string })[]> {
  const emails = people.map(({ email }) => email)
  const known = new Map(
    (await tx.select().from(subscriber).where(inArray(subscriber.email, emails)).for('update')).map((row) => [
      row.email,
      row,
    ]),
  )
  const outcomes = people.map(({ email, consentAt }) => {
    const before = known.get(email)
    if (before && before.leftAt !== null) return { objection: 'This person has unsubscribed here.' }
    if (before && before.confirmedAt !== null) return 'unchanged' as const
    return new Date(consentAt) > now ? { objection: 'This date is in the future.' } : ('added' as const)
  })
  const rows = people
    .filter((_, index) => outcomes[index] === 'added')
    .map(({ email, name, consentAt, consentSource }) => {
      const agreedAt = new Date(consentAt)
      return { email, name, askedAt: agreedAt, confirmedAt: agreedAt, toldAt: now, consentSource }
    })
  if (rows.length > 0)
    await tx
      .insert(subscriber)
      .values(rows)
      .onConflictDoUpdate({
        target: subscriber.email,
        set: {
          confirmedAt: sql`excluded.confirmed_at`,
          toldAt: sql`excluded.told_at`,
          consentSource: sql`excluded.consent_source`,
        },
        setWhere: sql`${subscriber.leftAt} is null and ${subscriber.confirmedAt} is null`,
      })
  return outcomes
}
