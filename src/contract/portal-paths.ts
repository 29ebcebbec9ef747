/** Pages of partners, apart from `paths`, so that the first page's script does not grow. */
export const portalPaths = {
  links: '/partnership/links',
  orders: '/partnership/orders',
  statements: '/partnership/statements',
  /** Parts of the portal's first page. */
  materials: '/partnership#materials',
  program: '/partnership#program',
} as const
