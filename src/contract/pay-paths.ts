/**
 * Pages that load the payment provider's scripts outside of the checkout, under a policy of their own. Apart from `paths`, which every first
 * page has.
 */
export const payPaths = {
  /** An order taken by phone; its token follows as `?token=`. */
  phoneOrder: '/order-confirmation/pay',
  /** The difference of an order's change; the order's key follows as query. */
  change: '/order-confirmation/change',
  /** Buys a gift card; with `?token=`, pays and shows it. */
  giftCard: '/gift-card',
} as const
