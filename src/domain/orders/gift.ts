import { orderTexts, type OrderTexts } from './order-texts.ts'

/** @property texts what was entered at checkout; null or undefined without any */
type MaybeGift = { customerName: string; texts?: OrderTexts | null }

/** The name on the parcel: of a gift its recipient's, otherwise the customer's. */
export const recipientNameOf = ({ customerName, texts }: MaybeGift): string => texts?.['recipient'] ?? customerName

/** Somebody else gets the parcel, or it has a message. */
export const isGift = (texts: OrderTexts | null): boolean => Object.keys(orderTexts).some((name) => texts?.[name])

/** The packing slip's message with its heading; undefined without a message. */
export function giftNoteOf(order: MaybeGift): { heading: string; message: string } | undefined {
  const message = order.texts?.['gift_message']
  return message ? { heading: `For ${recipientNameOf(order)}`, message } : undefined
}

/** What a corrected name on the parcel changes: of a gift, the customer's own name stays. */
export const withRecipientName = (
  { texts }: MaybeGift,
  name: string,
): { texts: OrderTexts } | { customerName: string } =>
  texts?.['recipient'] ? { texts: { ...texts, recipient: name } } : { customerName: name }
