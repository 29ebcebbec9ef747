/** Apart from `paths`, so that the first page's script does not grow. */
export const peoplePaths = {
  admin: '/admin/people',
  /** An emailed link's token follows after `#`. */
  invitation: '/invitation',
} as const
