/** An address as redirects compare it: without its host, query and last slash. */
export type ParsedAddress = { host: string | null; path: string }

const PATH_MAX = 500

/**
 * A path such as `/products/cap`, or a whole address. Escapes are decoded where they name ordinary characters, so `/caf%C3%A9` and
 * `/café` are one path. @returns undefined for anything else
 */
export function parseAddress(text: string): ParsedAddress | undefined {
  const [, host, rest = ''] = /^(?:https?:\/\/([^/?#\s]+))?([^?#]*)/i.exec(text.trim()) ?? []
  const path = decodedPath(rest === '' && host !== undefined ? '/' : rest)
  if (path === undefined || !path.startsWith('/') || path.length > PATH_MAX) return undefined
  // `//host` and `/\host` lead to other hosts; blanks and controls are no part of a path.
  if (/^\/[/\\]/.test(path) || /[\s\p{Cc}\\]/u.test(path)) return undefined
  return { host: host?.toLowerCase() ?? null, path: path.length > 1 ? path.replace(/\/+$/, '') : path }
}

function decodedPath(path: string): string | undefined {
  try {
    return decodeURIComponent(path).normalize('NFC')
  } catch {
    return undefined
  }
}

/** As a `Location` header takes it. */
export const encodePath = (path: string): string => encodeURI(path).replace(/[?#]/g, encodeURIComponent)

/** Redirects to follow from an old address to one of our pages. */
const HOPS_MAX = 10

/**
 * Where an address leads in the end.
 * @returns undefined for an address that leads nowhere, or around in a circle
 */
export async function followRedirects(
  path: string,
  next: (path: string) => Promise<string | undefined>,
): Promise<string | undefined> {
  const passed = new Set([path])
  let at = await next(path)
  while (at !== undefined) {
    if (passed.has(at) || passed.size > HOPS_MAX) return undefined
    passed.add(at)
    const further = await next(at)
    if (further === undefined) return at
    at = further
  }
  return undefined
}
