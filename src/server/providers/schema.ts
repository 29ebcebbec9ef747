import { sql } from 'drizzle-orm'
import { bigserial, index, jsonb, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core'
import { moment } from '#server/db/columns.ts'

/** Providers' values that the shop does not know, each once. */
export const unknownProviderValue = pgTable(
  'provider_word',
  {
    provider: text().notNull().$type<'stripe' | 'paypal' | 'printful'>(),
    /** The field with the value, such as `order status`. */
    field: text().notNull(),
    word: text().notNull(),
    firstSeenAt: moment().notNull(),
    lastSeenAt: moment().notNull(),
  },
  (t) => [primaryKey({ columns: [t.provider, t.field, t.word] })],
)

/** Verified webhook events, stored before they are acknowledged. */
export const providerEvent = pgTable(
  'provider_event',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    provider: text().notNull(),
    eventId: text().notNull(),
    type: text().notNull(),
    payload: jsonb().notNull(),
    /** The payment, or the order at the printer, that it is about. */
    about: text().generatedAlwaysAs(
      sql`coalesce(payload->>'paymentIntent', payload->>'paymentId', payload->>'externalId')`,
    ),
    receivedAt: moment().notNull(),
    processedAt: moment(),
    outcome: text(),
  },
  (t) => [unique().on(t.provider, t.eventId), index().on(t.about)],
)
