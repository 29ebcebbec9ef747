/** The page for a gift's recipient; its token follows as `?token=`. Apart from `paths`, which every first page has. */
export const GIFT_PATH = '/order-confirmation/gift'
