import type { AttributionObjection } from './attribution.ts'
import type { CommissionKind } from './commission.ts'

/** What a line of a statement is about. */
export const commissionWords: Record<CommissionKind, string> = {
  sale: 'Sale',
  refund: 'Refund',
  refund_failed: 'Refund that failed',
  dispute: 'Dispute',
  dispute_won: 'Dispute won',
}

/** What a statement calls its last sum. */
export const closingWords = (isOver: boolean): string => (isOver ? 'Owed at the end of the month' : 'Owed so far')

/** Why an order that came by a link earns nothing. */
export const objectionWords: Record<AttributionObjection, string> = {
  own_account: 'It was bought with your own account. Orders of your own earn nothing.',
  own_email: 'It was bought with the e-mail address of your account. Orders of your own earn nothing.',
  partner_ended: 'It was bought after our partnership had ended.',
}
