import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fulfillmentStatusFrom, type ParcelOutcome, type PrinterStatus } from './printer-status.ts'
import { fulfillmentCanBecome, type FulfillmentStatus } from './status.ts'

const onItsWay: ParcelOutcome = { deliveredAt: null, returnedAt: null, reshipment: false }
const arrived: ParcelOutcome = { ...onItsWay, deliveredAt: new Date(0) }
const back: ParcelOutcome = { ...onItsWay, returnedAt: new Date(0) }
const again: ParcelOutcome = { ...onItsWay, reshipment: true }

test.each<[PrinterStatus, ParcelOutcome[], FulfillmentStatus]>([
  ['draft', [], 'waiting'],
  ['pending', [], 'submitted'],
  ['inprocess', [], 'in_production'],
  ['onhold', [], 'on_hold'],
  ['failed', [], 'needs_attention'],
  ['canceled', [], 'cancelled'],
  ['partial', [onItsWay], 'partially_shipped'],
  ['partial', [arrived], 'partially_shipped'], // the rest is still being made
  ['canceled', [onItsWay], 'partially_shipped'], // what has left is not unsent by trouble with the rest
  ['onhold', [arrived], 'partially_shipped'],
  ['fulfilled', [], 'shipped'],
  ['fulfilled', [onItsWay, arrived], 'shipped'],
  ['fulfilled', [arrived, arrived], 'delivered'],
  ['fulfilled', [back], 'returned'],
  ['fulfilled', [back, back], 'returned'],
  ['fulfilled', [arrived, back], 'shipped'], // somebody still waits for what came back
  ['fulfilled', [back, again], 'shipped'],
  ['fulfilled', [back, { ...again, deliveredAt: new Date(0) }], 'delivered'],
])('%s with %j is %s', (word, parcels, standing) => expect(fulfillmentStatusFrom(word, parcels)).toBe(standing))

describe('random histories', () => {
  const events = fc.array(
    fc.oneof(
      fc.record({ kind: fc.constant('word' as const), word: fc.constantFrom<PrinterStatus>(...partnerWords()) }),
      fc.record({ kind: fc.constant('ship' as const), reshipment: fc.boolean() }),
      fc.record({ kind: fc.constant('arrive' as const), parcel: fc.nat(5) }),
      fc.record({ kind: fc.constant('return' as const), parcel: fc.nat(5) }),
    ),
    { maxLength: 40 },
  )

  test('of parcels and statuses never move an order back, in any order', () =>
    fc.assert(
      fc.property(events, (history) => {
        const rank = ['partially_shipped', 'shipped', 'delivered', 'returned']
        const parcels: ParcelOutcome[] = []
        let word: PrinterStatus = 'draft'
        let at: FulfillmentStatus = 'waiting'
        for (const event of history) {
          if (event.kind === 'word') word = event.word
          if (event.kind === 'ship') parcels.push({ ...onItsWay, reshipment: event.reshipment })
          const parcel = 'parcel' in event ? parcels[event.parcel] : undefined
          if (parcel && event.kind === 'arrive') parcel.deliveredAt ??= new Date(0)
          if (parcel && event.kind === 'return') parcel.returnedAt ??= new Date(0)
          const next = fulfillmentStatusFrom(word, parcels)
          // What has left is told, whatever the partner says of the rest.
          if (parcels.length > 0) expect(rank).toContain(next)
          if (!fulfillmentCanBecome(at, next)) continue
          expect(rank.indexOf(next)).toBeGreaterThanOrEqual(rank.indexOf(at))
          at = next
        }
      }),
      { numRuns: 2000 },
    ))
})

function partnerWords(): PrinterStatus[] {
  return ['draft', 'pending', 'failed', 'canceled', 'inprocess', 'onhold', 'partial', 'fulfilled']
}
