import { formatOrderNumber } from '#shared/ids.ts'
import { reasonNames, type ClaimReason } from './claim.ts'

type PrinterMessage = {
  /** The printer's own number of the order; null if unknown. */
  printerOrder: number | null
  externalId: string
  orderNumber: string
  reason: ClaimReason
  items: readonly { productName: string; variantName: string | null; quantity: number }[]
  words: string
  deadline: Date
  /** Addresses that open without signing in. */
  photos: readonly string[]
}

/** What to send to Printful's support, which takes claims by its dashboard and by email, and has no call for them. */
export function printerMessage(claim: PrinterMessage): { subject: string; text: string } {
  const { printerOrder, externalId, orderNumber, reason, items, words, deadline, photos } = claim
  const order = printerOrder === null ? externalId : `#${printerOrder}`
  return {
    subject: `Problem with order ${order} (${reasonNames[reason].toLowerCase()})`,
    text: [
      `Hello,\n\nplease replace or credit these items of order ${order} (our reference ${externalId}, customer’s number ${formatOrderNumber(orderNumber)}):`,
      items
        .map(
          ({ productName, variantName, quantity }) =>
            `- ${quantity} × ${productName}${variantName ? `, ${variantName}` : ''}`,
        )
        .join('\n'),
      `Problem: ${reasonNames[reason]}\nWhat the customer wrote: ${words}`,
      photos.length > 0 ? `Photos (the links work for 30 days):\n${photos.join('\n')}` : 'There are no photos.',
      `Your deadline for this claim is ${deadline.toISOString().slice(0, 10)}.\n\nThank you.`,
    ].join('\n\n'),
  }
}
