import type { Word } from '#words/words.ts'
import { say, sayKnown } from '#words/say.ts'
import type { PicturedTheme } from '#domain/catalog/collection-theme.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { firstNameOf, labeled, paragraph, paragraphs, worded, type Item, type MailContent } from '../content.ts'

export type ShippedParcel = {
  orderNumber: string
  customerName: string
  carrier: string
  trackingNumber: string | null
  /** An `https:` URL, or null. */
  trackingUrl: string | null
  items: readonly Item[]
  /** `Dec 3–9`; null if no day can be named. */
  arrives: string | null
  /** Replaces a parcel that was lost or returned. */
  isReplacement: boolean
  /** Nothing of the order is left to ship. */
  isLast: boolean
  /** All of the order was refunded before, and the printer could not be stopped. */
  isRefunded: boolean
  theme: PicturedTheme
  orderLink: string
}

const KEPT =
  'You have your refund for this order, but our printer had already begun. Nothing changes about your refund: what arrives is yours to keep.' satisfies Word

export function shippedMail(parcel: ShippedParcel): MailContent {
  const { carrier, trackingNumber, trackingUrl, arrives, theme, orderLink, isLast, isReplacement } = parcel
  const mail = isReplacement ? 'shipped_replacement' : isLast ? 'shipped' : 'shipped_part'
  const values = {
    'first-name': firstNameOf(parcel.customerName),
    order: formatOrderNumber(parcel.orderNumber),
    collection: sayKnown(theme.displayName),
  }
  return worded(mail, values, ({ subject, title, greeting, opening, closing }) => ({
    subject,
    title,
    preheader:
      [
        arrives === null ? '' : say('Arrives {arrives}.', { arrives }),
        [carrier, trackingNumber].filter(Boolean).join(' '),
      ]
        .filter(Boolean)
        .join(' ') || opening,
    theme,
    blocks: [
      ...paragraphs(greeting),
      ...paragraphs(opening),
      ...(parcel.isRefunded ? [paragraph(say(KEPT))] : []),
      { kind: 'progress', stage: 'On its way', arrives },
      {
        kind: 'facts',
        facts: [
          [say('Carrier'), carrier],
          [say('Tracking number'), trackingNumber],
          [say('Order number'), values.order],
        ],
      },
      ...(trackingUrl ? [{ kind: 'button' as const, text: say('Track your parcel'), url: trackingUrl }] : []),
      { kind: 'items', title: say('In this parcel'), items: parcel.items },
      {
        kind: 'small print',
        text: closing,
        link: { text: say('See your whole order'), url: orderLink, end: say('.') },
        asText: [closing, labeled(say('See your whole order'), orderLink)].filter(Boolean).join('\n'),
      },
    ],
  }))
}
