import { and, eq, inArray, sql } from 'drizzle-orm'
import { externalIdsUntil } from '#domain/orders/external-id.ts'
import type { Fates, PersonalData } from '#server/db/personal-data.ts'
import type * as schema from './schema.ts'
import { providerEvent } from './schema.ts'

export const personalData = {
  fates: {
    unknownProviderValue: 'about nobody: a word of a provider’s API',
    providerEvent: {
      provider: 'kept: one of three',
      eventId: 'kept: the provider’s id',
      type: 'kept: the provider’s type of event',
      // Without its free text, the only part that could name somebody.
      payload: 'erased',
      about: 'kept: the id of a payment or order',
      outcome: 'kept: what the shop did',
    },
  } satisfies Fates<typeof schema>,

  eraseOrders: async (tx, orders) => {
    await tx
      .update(providerEvent)
      .set({ payload: sql`${providerEvent.payload} || '{"reason": null}'::jsonb` })
      .where(
        and(
          eq(providerEvent.provider, 'printful'),
          inArray(
            providerEvent.about,
            orders.flatMap(({ orderNumber, externalId }) => externalIdsUntil(orderNumber, externalId)),
          ),
        ),
      )
  },
} satisfies PersonalData
