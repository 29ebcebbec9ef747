import type { Word } from '#words/words.ts'
/** An optional line of text that a shopper may give with an order. */
type OrderText = { label: Word; hint: Word; maxLength: number }

/**
 * By their names in requests. A row here adds the field to both checkouts, and its text to the checkout's and the order's copy, the
 * payer's order page, the admin, the confirmation email, export and erasure.
 */
export const orderTexts: Readonly<Record<string, OrderText>> = {
  recipient: { label: 'Recipient’s name', hint: 'The name on the parcel.', maxLength: 120 },
  gift_message: { label: 'Gift message', hint: 'Printed on the packing slip.', maxLength: 200 },
}

/** What was entered, by name; undefined without any. */
export type OrderTexts = Readonly<Record<string, string>> | undefined

export function orderTextsIn(typed: Readonly<Record<string, string | null | undefined>> = {}): OrderTexts {
  const entered = Object.entries(typed).flatMap(([name, text]) => (text?.trim() ? [[name, text.trim()]] : []))
  return entered.length > 0 ? (Object.fromEntries(entered) as OrderTexts) : undefined
}

export type LabeledText = { label: string; text: string }

/** In the order of `orderTexts`; undefined without any. */
export function labeledTexts(texts: OrderTexts | null): LabeledText[] | undefined {
  if (!texts) return undefined
  return Object.entries(orderTexts).flatMap(([name, { label }]) => (texts[name] ? [{ label, text: texts[name] }] : []))
}
