import type { AdminOrder } from '#contract/admin-orders.ts'
import { accountLabel, postingLabel } from '#domain/ledger/account-labels.ts'
import { providerNames } from '#domain/reconciliation/exceptions.ts'
import { outcomeLabel } from '#domain/payments/event-outcomes.ts'
import { formatUsd, type Cents } from '#shared/money.ts'
import type { listActions } from '#server/audit-log/audit-log.ts'
import { addressLines } from '#domain/checkout/address.ts'
import { lineText } from '#server/fulfillment/order-corrections.ts'
import type { Order } from '#server/orders/orders.ts'
import { eventLabel } from '#server/providers/event-types.ts'
import type { readOrderRecords } from './order-records.ts'

type Records = Awaited<ReturnType<typeof readOrderRecords>>
type Actions = Awaited<ReturnType<typeof listActions>>
type Moment = AdminOrder['timeline'][number]
type TimelineEntry = Omit<Moment, 'at'> & { at: Date | null }

/** Everything recorded about an order, earliest first. */
export function timelineOf(order: Order, records: Records, actions: Actions): Moment[] {
  const entries: TimelineEntry[] = [
    order.kind === 'sale'
      ? { at: order.createdAt, kind: 'order', title: 'Paid', detail: formatUsd(order.totalCents) }
      : { at: order.createdAt, kind: 'order', title: 'Ordered without a payment', detail: null },
    ...records.steps.map(({ takenAt: at, fulfillmentStatus }) => ({
      ...{ at, kind: 'order' as const, detail: null },
      title: `Status: ${statusLabel(fulfillmentStatus)}`,
    })),
    ...records.events.map(({ provider, type, receivedAt: at, outcome }) => ({
      ...{ at, title: `${providerLabel(provider)}: ${eventLabel(type)}`, detail: outcomeLabel(outcome) },
      kind: provider === 'printful' ? ('partner' as const) : ('provider' as const),
    })),
    ...records.parcels.flatMap((parcel) => parcelMoments(parcel)),
    ...records.mails.map(({ createdAt, sentAt, subject, state }) => ({
      ...{ at: sentAt ?? createdAt, kind: 'mail' as const, detail: subject },
      title: state === 'sent' ? 'Email sent' : state === 'bounced' ? 'Email bounced' : 'Email queued',
    })),
    ...bookings(records.entries),
    ...records.refunds.map(({ createdAt: at, amountCents, reason, status }) => ({
      ...{ at, kind: 'money' as const, detail: reason },
      title: `Refund of ${formatUsd(amountCents)}: ${status}`,
    })),
    ...records.disputes.flatMap(({ amountCents, status, openedAt, respondBy, decidedAt }) => [
      {
        ...{ at: openedAt, kind: 'money' as const, title: `Dispute of ${formatUsd(amountCents)}` },
        detail: respondBy && `Evidence due by ${respondBy.toISOString().slice(0, 10)}`,
      },
      { at: decidedAt, kind: 'money' as const, title: `Dispute ${status}`, detail: null },
    ]),
    ...records.corrections.map(({ correctedAt: at, madeBy, before, after }) => ({
      ...{ at, kind: 'order' as const },
      title: `Corrected by the ${madeBy === 'owner' ? 'shop' : 'customer'}`,
      detail: `Before: ${formatFacts(before)}\nNow: ${formatFacts(after)}`,
    })),
    ...records.changes
      .filter(({ amountCents }) => amountCents > 0)
      .map(({ createdAt: at, amountCents, state }) => ({
        ...{ at, kind: 'money' as const, title: `Change of ${formatUsd(amountCents)} to pay` },
        detail: CHANGE_STATES[state],
      })),
    ...records.notes.map(({ createdAt: at, author, words: written }) => ({
      ...{ at, kind: 'note' as const, title: `Note by ${author}`, detail: written },
    })),
    ...actions.map(({ takenAt: at, userName, what }) => ({
      ...{ at, kind: 'owner' as const, title: `${userName} ${what}`, detail: null },
    })),
  ]
  return entries
    .flatMap(({ at, ...rest }) => (at ? [{ ...rest, at }] : []))
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
    .map(({ at, ...rest }) => ({ ...rest, at: at.toISOString() }))
}

const providerLabel = (provider: string): string =>
  provider in providerNames ? providerNames[provider as keyof typeof providerNames] : provider

const CHANGE_STATES = {
  done: 'Paid',
  awaiting_payment: 'Waiting for the payment',
  lapsed: 'Not paid: the order stays as it was',
} as const

const formatFacts = ({ name, email, phone, address, lines }: Records['corrections'][number]['before']): string =>
  [name, email, phone, ...(address ? addressLines('', address) : []), ...(lines ?? []).map(lineText)]
    .filter(Boolean)
    .join(', ')

const statusLabel = (status: string): string => status.replaceAll('_', ' ').replace('cancelled', 'canceled')

function parcelMoments({
  carrier,
  trackingNumber,
  shippedAt,
  deliveredAt,
  returnedAt,
}: Records['parcels'][number]): TimelineEntry[] {
  const parcel = { kind: 'parcel' as const, detail: [carrier, trackingNumber].filter(Boolean).join(' ') }
  return [
    { ...parcel, at: shippedAt, title: 'Parcel shipped' },
    { ...parcel, at: deliveredAt, title: 'Parcel delivered' },
    { ...parcel, at: returnedAt, title: 'Parcel returned' },
  ]
}

/** A posting on one line: what each account gained or lost. */
function bookings(entries: Records['entries']): TimelineEntry[] {
  return [...Map.groupBy(entries, ({ posting }) => posting.id).values()].flatMap((rows) => {
    const posting = rows[0]?.posting
    if (!posting) return []
    const detail = rows
      .map(({ entry }) => `${accountLabel(entry.account)} ${formatSigned(entry.amountCents)}`)
      .join(', ')
    return { at: posting.bookedAt, kind: 'money' as const, title: `Booked: ${postingLabel(posting.kind)}`, detail }
  })
}

const formatSigned = (amount: Cents): string => `${amount > 0 ? '+' : ''}${formatUsd(amount)}`
