import type { Access } from '#contract/call.ts'
import type { Context } from './context.ts'
import { Refusal } from './refusal.ts'

/**
 * The one check of who may do what: nobody signed in is 401, the wrong person 403. The owner is a partner only where the
 * user's own row says so: the figures of a partner are that partner's.
 */
export async function requireAccess(access: Access, context: Context): Promise<void> {
  if (access === 'anyone') return
  const session = await context.session()
  const user = session?.user
  if (!user) throw new Refusal('not_signed_in')
  if ((access === 'owner' || access === 'owner_fresh') && !user.isOwner) throw new Refusal('not_allowed')
  if ((access === 'partner' || access === 'partner_fresh') && !user.isPartner) throw new Refusal('not_allowed')
  if (access.endsWith('_fresh') && !session.isFresh) throw new Refusal('password_needed')
}
