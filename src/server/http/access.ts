import type { Access } from '#contract/call.ts'
import type { Context } from './context.ts'
import { Refusal } from './refusal.ts'

/**
 * The only access check: 401 when not signed in, 403 for the wrong user. An owner is not a partner unless marked as one, because
 * partners' figures are private.
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
