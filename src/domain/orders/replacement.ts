import type { FulfillmentStatus } from './status.ts'

/** What decides whether pieces of an order can be replaced. */
export type ReplaceableOrder = {
  fulfillment: FulfillmentStatus
  isErased: boolean
  /** Pieces without a replacement. */
  left: number
}

const SENT: ReadonlySet<FulfillmentStatus> = new Set(['partially_shipped', 'shipped', 'delivered', 'returned'])

/** null: it can be replaced. A string: why not. */
export function whyNotReplace({ fulfillment, isErased, left }: ReplaceableOrder): string | null {
  if (isErased) return 'The customer’s data was erased.'
  if (fulfillment === 'cancelled') return 'The order was canceled.'
  if (!SENT.has(fulfillment)) return 'Nothing of it has shipped yet.'
  return left > 0 ? null : 'Every piece of it already has a replacement.'
}

type Line = { position: number; quantity: number }

/** How many pieces of each line have no replacement yet. @param replaced pieces of replacements that were not canceled */
export const piecesLeft = (lines: readonly Line[], replaced: readonly Line[]): Line[] =>
  lines.map(({ position, quantity }) => ({
    position,
    quantity:
      quantity - replaced.reduce((total, piece) => (piece.position === position ? total + piece.quantity : total), 0),
  }))
