import { HOUR_MS } from '#shared/time.ts'
import { sql } from 'drizzle-orm'
import { autocommitWrite } from '#server/db/db.ts'
import { unknownProviderValue } from './schema.ts'
import type { Needs } from '#server/shop.ts'

/** Reports a provider's value that this release does not know. Never throws; returns before it is stored. */
export type ReportUnknownValue = (field: string, word: string) => void

type Provider = 'stripe' | 'paypal' | 'printful'

/** Bounds memory, whatever providers send. */
const VALUES_MAX = 500
const VALUE_LENGTH_MAX = 60

/**
 * Stores provider values that the shop does not know, once per provider, field and value. The exceptions list shows them while they
 * keep appearing.
 */
export function createUnknownValueLog({
  db,
  clock,
  log,
}: Needs<'db' | 'clock' | 'log'>): (provider: Provider) => ReportUnknownValue {
  /** When each was stored last, in milliseconds. */
  const storedAt = new Map<string, number>()
  return (provider) => (field, given) => {
    const word = given.replaceAll(/[^\w .:-]/g, '?').slice(0, VALUE_LENGTH_MAX)
    const name = `${provider} ${field} ${word}`
    const now = clock.now()
    const last = storedAt.get(name)
    if (last === undefined ? storedAt.size >= VALUES_MAX : now.getTime() - last < HOUR_MS) return
    storedAt.set(name, now.getTime())
    if (last === undefined)
      log.error({ provider, field, word }, 'A provider sent a value that this release does not know.')
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
      storedAt.delete(name)
      log.warn({ err: error, provider, field, word }, 'An unknown provider value could not be stored.')
    })
  }
}

/**
 * Maps a provider's value to ours.
 * @param otherwise for unknown values: never a final state, and the row is never dropped
 */
export function knownValueOrReport<Ours>(
  known: Readonly<Record<string, Ours>>,
  word: string,
  otherwise: Ours,
  report: (word: string) => void,
): Ours {
  const found = Object.hasOwn(known, word) ? known[word] : undefined
  if (found !== undefined) return found
  report(word)
  return otherwise
}
