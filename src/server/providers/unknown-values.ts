import { HOUR_MS } from '#shared/time.ts'
import { sql } from 'drizzle-orm'
import { autocommitWrite } from '#server/db/db.ts'
import { unknownProviderValue } from '#server/db/schema.ts'
import type { Needs } from '#server/shop.ts'

/** Is told of a word of a provider that this release does not know. Never throws, and nobody waits for it. */
export type ReportUnknownValue = (field: string, word: string) => void

type Provider = 'stripe' | 'paypal' | 'printful'

/** More than any provider has; what an answer could make grow is bounded. */
const VALUES_MAX = 500
const VALUE_LENGTH_MAX = 60

/**
 * Keeps the words that providers use and we do not know: once for each provider, field and word, not for each row that has it. The
 * list of exceptions shows them for as long as they are seen.
 */
export function createUnknownValueLog({
  db,
  clock,
  log,
}: Needs<'db' | 'clock' | 'log'>): (provider: Provider) => ReportUnknownValue {
  /** When each was written down last, in milliseconds. */
  const noted = new Map<string, number>()
  return (provider) => (field, given) => {
    const word = given.replaceAll(/[^\w .:-]/g, '?').slice(0, VALUE_LENGTH_MAX)
    const name = `${provider} ${field} ${word}`
    const now = clock.now()
    const last = noted.get(name)
    if (last === undefined ? noted.size >= VALUES_MAX : now.getTime() - last < HOUR_MS) return
    noted.set(name, now.getTime())
    if (last === undefined) log.error({ provider, field, word }, 'a provider uses a word that is not known here')
    const row = { provider, field, word, firstSeenAt: now, lastSeenAt: now }
    autocommitWrite(db, (tx) =>
      tx
        .insert(unknownProviderValue)
        .values(row)
        .onConflictDoUpdate({
          target: [unknownProviderValue.provider, unknownProviderValue.field, unknownProviderValue.word],
          set: { lastSeenAt: sql`greatest(${unknownProviderValue.lastSeenAt}, excluded.last_seen_at)` },
        }),
    ).catch((error: unknown) => {
      noted.delete(name)
      log.warn({ err: error, provider, field, word }, 'an unknown word could not be written down')
    })
  }
}

/**
 * A provider's word in ours.
 * @param otherwise what an unknown one is taken for: never an end, and never a reason to lose the row
 */
export function knownValueOrReport<Ours>(
  known: Readonly<Record<string, Ours>>,
  word: string,
  otherwise: Ours,
  note: (word: string) => void,
): Ours {
  const found = Object.hasOwn(known, word) ? known[word] : undefined
  if (found !== undefined) return found
  note(word)
  return otherwise
}
