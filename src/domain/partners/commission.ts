/** Why what a line earns its partner has changed. */
export const commissionKinds = ['sale', 'refund', 'refund_failed', 'dispute', 'dispute_won'] as const
export type CommissionKind = (typeof commissionKinds)[number]
