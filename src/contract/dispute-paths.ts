/** Apart from `paths`, so that the first page's script does not grow. */
export const disputePaths = {
  pack: (provider: string, id: string): string => `/api/admin/disputes/${provider}/${id}/pack`,
} as const
