import type { SessionUser } from '#contract/accounts.ts'
import { paths } from '#contract/paths.ts'

const PARAMETER = 'returnTo'

/** The sign-in page that leads back to `from`. @param from path and query */
export const signInPath = (from: string): string => `${paths.auth}?${PARAMETER}=${encodeURIComponent(from)}`

/** Where signing in leads: to the requested page, else the admin for people who work here and the partner portal for everyone else. @param search of the sign-in page */
export function returnPath(search: string, { role }: Pick<SessionUser, 'role'>): string {
  const requested = new URLSearchParams(search).get(PARAMETER)
  if (requested !== null && isOwnPage(requested)) return requested
  return role ? paths.admin : paths.partnership
}

/** A path of this shop that every browser resolves the same way, except the sign-in page itself. */
function isOwnPage(address: string): boolean {
  const [path = ''] = address.split(/[?#]/)
  const names = path.split('/').slice(1)
  return (
    path.startsWith('/') &&
    // `//host`, `/\host` and `/.//host` lead to other hosts in one browser or another.
    (path === '/' || names.every((name) => name !== '' && name !== '.' && name !== '..')) &&
    !/[\\\p{C}]/u.test(address) &&
    path !== paths.auth
  )
}
