import type { Access } from '#contract/call.ts'
import { explainNeed, roleMay, type StaffNeed } from '#domain/accounts/roles.ts'
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
  if (access === 'signed_in') return
  const need = access.replace(/_fresh$/, '') as StaffNeed | 'partner' | 'staff'
  if (need === 'partner') {
    if (!user.isPartner) throw new Refusal('not_allowed', { who: 'This is for partners.' })
  } else if (need === 'staff') {
    if (user.role === null) throw new Refusal('not_allowed', { who: 'This is for people who work here.' })
  } else {
    if (!roleMay(user.role, need)) throw new Refusal('not_allowed', { who: explainNeed(need) })
    if (user.needsSecondFactor) throw new Refusal('second_factor_needed')
  }
  if (access.endsWith('_fresh') && !session.isFresh) throw new Refusal('password_needed')
}
