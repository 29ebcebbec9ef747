import { paths } from '#contract/paths.ts'

const PARAMETER = 'returnTo'

/** The sign-in page, which leads back to the page that asked. @param from its path and query */
export const signInPath = (from: string): string => `${paths.auth}?${PARAMETER}=${encodeURIComponent(from)}`

/**
 * Where somebody who has signed in goes: the page that asked, else the owner to the admin and everybody else to the partner
 * portal.
 * @param search of the sign-in page
 */
export function returnPath(search: string, { isOwner }: { isOwner: boolean }): string {
  const wanted = new URLSearchParams(search).get(PARAMETER)
  if (wanted !== null && isOwnPage(wanted)) return wanted
  return isOwner ? paths.admin : paths.partnership
}

/** A path of this shop that every browser reads alike, and not the sign-in page itself. */
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
