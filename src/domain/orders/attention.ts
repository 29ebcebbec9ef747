/** What keeps an order from being made; `address` is the one thing that only the shopper can mend. */
export type AttentionCause = 'address' | 'stock' | 'design' | 'costs' | 'unknown'

const causes: readonly [cause: AttentionCause, words: RegExp][] = [
  ['address', /\b(?:address|recipient|zip|postal|postcode|street|phone)\b/i],
  ['stock', /\b(?:stock|discontinued|unavailable|sold out)\b/i],
  ['costs', /\b(?:cost|costs|payment|billing|card|funds|calculat\w*)\b/i],
  ['design', /\b(?:design|artwork|print files?|files?|approval|mockup|embroidery|resolution)\b/i],
]

/** Reads the partner's own words. @param reason null when it gave none */
export const causeOf = (reason: string | null): AttentionCause =>
  causes.find(([, words]) => reason !== null && words.test(reason))?.[0] ?? 'unknown'

/** The shopper is written to only when nobody else can help. */
export const asksShopper = (cause: AttentionCause): boolean => cause === 'address'

const nextSteps: Record<AttentionCause, string> = {
  address:
    'The customer was asked to correct the address. You can correct it here, too; the order then goes on by itself.',
  stock: 'Wait for stock, offer another variant, or refund.',
  design: 'Approve or replace the print file at the printer.',
  costs: 'Check the printer’s billing; the order goes on once the costs are settled.',
  unknown: 'Look at the order in the printer’s dashboard.',
}

/** For the owner: why it waits, and what to do. @param what such as `The partner holds it` */
export const attentionReason = (what: string, reason: string | null): string =>
  `${what}${reason ? `: ${reason.replace(/\.$/, '')}` : ''}. ${nextSteps[causeOf(reason)]}`
