/** Apart from `paths`, so that the first page's script does not grow. */
export const giftCardPaths = { admin: '/admin/gift-cards', list: '/api/admin/gift-cards/list' } as const
