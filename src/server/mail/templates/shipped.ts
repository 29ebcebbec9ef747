import type { CollectionTheme } from '#domain/catalog/collection-theme.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { paragraph, salutation, type Item, type MailContent } from '../content.ts'

export type ShippedParcel = {
  orderNumber: string
  customerName: string
  carrier: string
  trackingNumber: string | null
  /** An `https:` URL, or null. */
  trackingUrl: string | null
  items: readonly Item[]
  /** Replaces a parcel that was lost or returned. */
  isReplacement: boolean
  /** Nothing of the order is left to ship. */
  isLast: boolean
  theme: CollectionTheme
  orderLink: string
}

export function shippedMail(parcel: ShippedParcel): MailContent {
  const { carrier, trackingNumber, trackingUrl, theme, orderLink } = parcel
  const whose = parcel.isLast || parcel.isReplacement ? 'Your' : 'Part of your'
  const [news, rest] = sentencesOf(parcel)
  return {
    subject: `${whose} order ${formatOrderNumber(parcel.orderNumber)} is on its way - ${theme.displayName}`,
    title: 'It’s on its way.',
    preheader: [carrier, trackingNumber].filter(Boolean).join(' ') || news,
    theme,
    blocks: [
      paragraph(salutation(parcel.customerName)),
      paragraph(news),
      {
        kind: 'facts',
        facts: [
          ['Carrier', carrier],
          ['Tracking number', trackingNumber],
        ],
      },
      ...(trackingUrl ? [{ kind: 'button' as const, text: 'Track your parcel', url: trackingUrl }] : []),
      { kind: 'items', title: 'In this parcel', items: parcel.items },
      {
        kind: 'small print',
        text: rest,
        link: { text: 'See your whole order', url: orderLink, end: '.' },
        asText: `${rest}\nSee your whole order: ${orderLink}`,
      },
    ],
  }
}

function sentencesOf({ isLast, isReplacement }: ShippedParcel): [news: string, rest: string] {
  if (isReplacement) return ['A replacement for part of your order has shipped.', 'You won’t be charged for it.']
  if (isLast) return ['Your order has shipped.', 'That’s everything in this order.']
  return ['Part of your order has shipped.', 'The rest ships separately, and we’ll email you when it does.']
}
