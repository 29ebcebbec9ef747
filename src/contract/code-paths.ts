/** Apart from `paths`, so that the first page's script does not grow. */
export const codePaths = {
  admin: '/admin/codes',
  /** For forms without JavaScript. */
  cart: '/cart/code',
} as const
