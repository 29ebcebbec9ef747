import type { AttributionObjection } from './attribution.ts'
import type { CommissionKind } from './commission.ts'

/** A statement line's type. */
export const commissionLabels: Record<CommissionKind, string> = {
  sale: 'Sale',
  refund: 'Refund',
  refund_failed: 'Failed refund',
  dispute: 'Dispute',
  dispute_won: 'Dispute won',
  change: 'Order changed',
  own_purchase: 'Your own purchase',
}

/** A statement's closing balance. */
export const closingLabels = (isOver: boolean): string => (isOver ? 'Owed at the end of the month' : 'Owed so far')

/** Why an order that came through a link earns nothing. */
export const objectionLabels: Record<AttributionObjection, string> = {
  own_account: 'Your own purchase, made with your account. Your own purchases earn nothing.',
  own_browser: 'Your own purchase, made in a browser where you were signed in. Your own purchases earn nothing.',
  own_email: 'Your own purchase, made with your email. Your own purchases earn nothing.',
  own_address: 'Your own purchase, shipped or billed to your address. Your own purchases earn nothing.',
  own_card: 'Your own purchase, paid with your card. Your own purchases earn nothing.',
  own_wallet: 'Your own purchase, paid with your wallet. Your own purchases earn nothing.',
  partner_ended: 'Bought after our partnership ended.',
}
