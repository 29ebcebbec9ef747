import { paths } from '#contract/paths.ts'
import type { Payload } from '#web/api/client.ts'

export type RehearsedChange = Payload<'POST /api/admin/rehearsals'>['body']['change']

/** The page's address with a change. It is in the fragment: a thousand prices are too long for a request. */
export const rehearsalPath = (change: RehearsedChange): string =>
  `${paths.adminRehearsal}#${encodeURIComponent(JSON.stringify(change))}`

/** The server validates it. @returns undefined where the address has none */
export function changeIn(hash: string): RehearsedChange | undefined {
  try {
    return JSON.parse(decodeURIComponent(hash.slice(1))) as RehearsedChange
  } catch {
    return undefined
  }
}
