/** Apart from `paths`, so that the first page's script does not grow. */
export const bankPaths = {
  admin: '/admin/bank',
  payout: (provider: string, id: string): string => `/admin/bank/${provider}/${id}`,
} as const
