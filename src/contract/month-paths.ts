/** Apart from `paths`, so that the first page's script does not grow. */
export const monthPaths = {
  admin: '/admin/close',
  /** @param closing its number */
  file: (closing: number, name: string): string => `/api/admin/month-files/${closing}/${encodeURIComponent(name)}`,
} as const
