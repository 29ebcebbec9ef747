import type { AttributionObjection } from './attribution.ts'
import type { CommissionKind } from './commission.ts'

/** What a line of a statement is about. */
export const commissionLabels: Record<CommissionKind, string> = {
  sale: 'Sale',
  refund: 'Refund',
  refund_failed: 'Refund that failed',
  dispute: 'Dispute',
  dispute_won: 'Dispute won',
  own_purchase: 'Your own purchase',
}

/** What a statement calls its last sum. */
export const closingLabels = (isOver: boolean): string => (isOver ? 'Owed at the end of the month' : 'Owed so far')

/** Why an order that came by a link earns nothing. */
export const objectionLabels: Record<AttributionObjection, string> = {
  own_account: 'Your own purchase: it was bought with your account. Your own purchases earn nothing.',
  own_browser:
    'Your own purchase: it was bought in a browser in which you were signed in. Your own purchases earn nothing.',
  own_email: 'Your own purchase: it was bought with an email address of yours. Your own purchases earn nothing.',
  own_address: 'Your own purchase: it went to your address, or was billed to it. Your own purchases earn nothing.',
  own_card: 'Your own purchase: it was paid with a card of yours. Your own purchases earn nothing.',
  own_wallet: 'Your own purchase: it was paid with your wallet. Your own purchases earn nothing.',
  partner_ended: 'It was bought after our partnership had ended.',
}
