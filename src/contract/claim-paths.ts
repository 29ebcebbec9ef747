/** Apart from `paths`, which every first page has. The first two take an order's key as query. */
export const claimPaths = {
  problem: '/order-confirmation/problem',
  withdraw: '/order-confirmation/withdraw',
  admin: '/admin/claims',
  adminWithdrawal: '/admin/claims/withdrawal',
} as const

/** An anchor on an order's page, where the shopper chooses what happens with a parcel. */
export const PARCEL_CHOICE = 'parcel-choice'
