import { createHash, timingSafeEqual } from 'node:crypto'
import * as z from 'zod/mini'
import { catalogHintOf, followCatalogEvent, type CatalogHint } from '#server/catalog/webhooks.ts'
import { centsFromDecimal } from '#shared/money.ts'
import { autocommitWrite, type Reader } from '#server/db/db.ts'
import type { App } from '#server/http/app.ts'
import { UntrustedEvent, receiveEvents } from '#server/http/events.ts'
import type { Needs } from '#server/shop.ts'
import { displayText } from '#server/providers/responses.ts'
import { meaningOf } from '#server/providers/event-types.ts'
import { insertEvent, insertEventToFollow, type StoredEvent } from '#server/providers/events.ts'
import { isEventName } from '#server/providers/verdict.ts'
import { followPrinterOrder, isKnown, type PrinterReport } from './fulfillment.ts'

const name = z.string().check(z.maxLength(100), z.refine(isEventName))

/**
 * The parts of an unsigned order event that are read: which order to check, and whether there is anything new. Nothing else in it is
 * trusted.
 */
const PrinterEvent = z.object({
  type: name,
  data: z.optional(
    z.object({
      reason: z.optional(z.nullable(z.string())),
      order: z.optional(
        z.object({
          external_id: z.optional(z.nullable(name.check(z.maxLength(64)))),
          status: z.optional(z.unknown()),
          costs: z.optional(z.unknown()),
          shipments: z.optional(z.unknown()),
        }),
      ),
    }),
  ),
})

/**
 * Receives the printer's events. They are unsigned: the path is secret, and an event is only a hint to check the printer. A retry
 * repeats the event, so its id is a hash of the body without the retry count.
 */
export const printfulWebhook = (app: App, shop: Needs<'db' | 'jobs' | 'config' | 'clock'>): void =>
  receiveEvents(app, {
    provider: 'printful',
    path: '/webhooks/printful/:secret',
    glance: ({ params }) => {
      const { secret } = params as { secret: string }
      if (!isSecret(secret, shop.config.printful.webhookSecret.reveal()))
        throw new UntrustedEvent('wrong secret', 'unknown_call')
    },
    receive: async ({ json }) => {
      const { stored, payload } = read(json())
      // The echo of an order that the shop just created needs no job.
      const isEcho = meaningOf(stored.type) === 'ordered' && (await hasNothingNew(shop.db, stored.type, payload))
      if (isEcho) await autocommitWrite(shop.db, (tx) => insertEvent(tx, stored, shop.clock.now(), NOTHING_NEW))
      else await insertEventToFollow(shop, stored)
    },
  })

function read(json: unknown) {
  const event = PrinterEvent.safeParse(json)
  if (!event.success) throw new UntrustedEvent('not an event', 'malformed_request')
  const { retries: _, ...content } = json as Record<string, unknown>
  const eventId = createHash('sha256').update(JSON.stringify(content)).digest('hex')
  const catalog = catalogHintOf(json)
  const { order, reason } = event.data.data ?? {}
  const payload: ParsedEvent = {
    externalId: order?.external_id ?? null,
    reason: toPlainReason(reason),
    ...(order && { says: toPrinterReport(order) }),
    ...(catalog && { catalog }),
  }
  return { payload, stored: { provider: 'printful', eventId, type: event.data.type, payload } }
}

const NOTHING_NEW = 'nothing new'

const hasNothingNew = async (
  db: Reader,
  type: string,
  { externalId, says }: Pick<ParsedEvent, 'externalId' | 'says'>,
): Promise<boolean> => externalId !== null && says !== undefined && isKnown(db, externalId, type, says)

type ParsedEvent = {
  externalId: string | null
  reason: string | null
  says?: PrinterReport | undefined
  catalog?: CatalogHint
}

/** Values of the wrong type become null; the order is then checked at the printer. */
function toPrinterReport({
  status,
  costs,
  shipments,
}: {
  status?: unknown
  costs?: unknown
  shipments?: unknown
}): PrinterReport {
  const { total } = (typeof costs === 'object' && costs !== null ? costs : {}) as { total?: unknown }
  return {
    status: typeof status === 'string' ? toPlainReason(status) : null,
    cost: typeof total === 'string' ? (centsFromDecimal(total) ?? null) : null,
    parcels: Array.isArray(shipments) ? shipments.length : null,
  }
}

const REASON_MAX = 300

/** One short line for the owner's screen. */
const toPlainReason = (reason: string | null | undefined): string | null =>
  displayText(reason ?? '').slice(0, REASON_MAX) || null

function isSecret(given: string, secret: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(secret))
}

/** Handles a stored event of the printer. @returns its outcome */
export async function followPrintfulEvent(
  shop: Parameters<typeof followPrinterOrder>[0] & Parameters<typeof followCatalogEvent>[0],
  { type, payload }: StoredEvent,
): Promise<string> {
  const { externalId, reason, says, catalog } = payload as ParsedEvent
  if (await hasNothingNew(shop.db, type, { externalId, says })) return NOTHING_NEW
  if (externalId) return followPrinterOrder(shop, externalId, { hint: { type, reason } })
  return catalog ? followCatalogEvent(shop, catalog) : 'nothing to do'
}
