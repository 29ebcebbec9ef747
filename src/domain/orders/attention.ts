/** Why an order cannot be made; only the shopper can fix an `address`. */
export type AttentionCause = 'address' | 'stock' | 'design' | 'costs' | 'unknown'

const causes: readonly [cause: AttentionCause, words: RegExp][] = [
  ['address', /\b(?:address|recipient|zip|postal|postcode|street|phone)\b/i],
  ['stock', /\b(?:stock|discontinued|unavailable|sold out)\b/i],
  ['costs', /\b(?:cost|costs|payment|billing|card|funds|calculat\w*)\b/i],
  ['design', /\b(?:design|artwork|print files?|files?|approval|mockup|embroidery|resolution)\b/i],
]

/** Reads Printful's text. @param reason null if it gave none */
export const attentionCauseOf = (reason: string | null): AttentionCause =>
  causes.find(([, words]) => reason !== null && words.test(reason))?.[0] ?? 'unknown'

/** The shopper is emailed only when nobody else can help. */
export const needsShopper = (cause: AttentionCause): boolean => cause === 'address'

const nextSteps: Record<AttentionCause, string> = {
  address:
    'We asked the customer to correct the address. You can also correct it here; the order then continues by itself.',
  stock: 'Wait for stock, offer a different variant, or refund.',
  design: 'Approve or replace the print file at the printer.',
  costs: 'Check the printer’s billing; the order continues once the costs are settled.',
  unknown: 'Check the order in the printer’s dashboard.',
}

/** Tells the owner why an order is waiting and what to do. @param what such as `The partner holds it` */
export const attentionReason = (what: string, reason: string | null): string =>
  `${what}${reason ? `: ${reason.replace(/\.$/, '')}` : ''}. ${nextSteps[attentionCauseOf(reason)]}`
