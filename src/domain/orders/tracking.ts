import { isOneOf } from '#shared/one-of.ts'
import type { Word } from '#words/words.ts'

/** What a carrier reports about a parcel, as far as it means something to its recipient. */
const trackingSteps = [
  'announced',
  'handed_over',
  'arrived',
  'departed',
  'customs',
  'out_for_delivery',
  'failed_attempt',
  'pickup',
  'delivered',
  'returning',
  'moving',
] as const
export type TrackingStep = (typeof trackingSteps)[number]

/**
 * Carriers write what they like, so the first pattern that fits decides: an attempt to deliver is no delivery, and neither is a parcel
 * that is out for one.
 */
const patterns: readonly (readonly [TrackingStep, RegExp])[] = [
  ['returning', /return(ed|ing)?\b.*\bsender|back to (the )?(sender|shipper)/i],
  [
    'failed_attempt',
    /attempt|could not be delivered|unable to deliver|undeliverable|delivery (failed|exception)|no access|notice left|not (at )?home/i,
  ],
  ['out_for_delivery', /out for delivery|on (the )?(vehicle|van) for delivery|with (the )?(delivery )?courier/i],
  ['pickup', /(available|ready|held) (for|at).*(pick|collect|post office|locker)|ready for collection/i],
  ['announced', /label (was )?created|shipping label|information (received|sent)|pre-?shipment/i],
  ['delivered', /\bdelivered\b/i],
  ['customs', /customs|clearance|import/i],
  ['handed_over', /handed over|accepted|picked up|received by|collected|in possession|origin scan/i],
  ['departed', /depart|left (the|our)|dispatched|processed (through|at)/i],
  ['arrived', /arrived|arrival|arrives/i],
]

const sentences = {
  announced: 'The carrier expects the parcel',
  handed_over: 'Handed over to the carrier',
  arrived: 'Arrived at a sorting center',
  departed: 'Left a sorting center',
  customs: 'At customs',
  out_for_delivery: 'Out for delivery',
  failed_attempt: 'Tried to deliver it, without success',
  pickup: 'Waiting for you to pick it up',
  delivered: 'Delivered',
  returning: 'On its way back to the sender',
  moving: 'On its way',
} as const satisfies Record<TrackingStep, Word>

type TrackingNews = {
  step: TrackingStep
  /** In our words. */
  text: string
  /** Such as `Charlotte, NC` or `Leipzig, DE`; null when the carrier names none. */
  place: string | null
}

/**
 * A town and a state or country code behind a comma, at the end of what the carrier wrote. Printful's published description has no field
 * for the place.
 */
const TOWN = "[\\p{L}][\\p{L} .'’-]{1,38}?"
const PLACE = new RegExp(
  `(?:.*,\\s*(${TOWN}),?|.*\\b(?:in|at|from)\\s+(${TOWN}),)\\s+([A-Z]{2})(?:\\s+\\d{5})?\\s*$`,
  'u',
)

const inTitleCase = (town: string): string =>
  town === town.toUpperCase() ? town.toLowerCase().replace(/(^|[\s-])\p{L}/gu, (start) => start.toUpperCase()) : town

/** @param description what the carrier wrote */
export function readTracking(description: string): TrackingNews {
  const step = patterns.find(([, pattern]) => pattern.test(description))?.[0] ?? 'moving'
  const [, afterComma, afterWord, region] = PLACE.exec(description) ?? []
  const town = afterComma ?? afterWord
  return { step, text: sentences[step], place: town && region ? `${inTitleCase(town.trim())}, ${region}` : null }
}

/** Steps of which the shopper can get an email, besides shipping and delivery. */
const mailedSteps = ['out_for_delivery', 'failed_attempt'] as const
export type MailedStep = (typeof mailedSteps)[number]

/** Which of these emails the shop sends. */
export const deliveryMailChoices = ['none', 'failed_attempt', 'both'] as const
export type DeliveryMailChoice = (typeof deliveryMailChoices)[number]

export const isMailed = (step: TrackingStep, choice: DeliveryMailChoice): step is MailedStep =>
  isOneOf(mailedSteps, step) && (choice === 'both' || choice === step)
