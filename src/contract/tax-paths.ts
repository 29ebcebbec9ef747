/** Files of the tax report: everything, what US states ask for, and the One Stop Shop's return of a quarter. */
export const taxLayouts = ['all', 'us', 'oss'] as const
export type TaxLayout = (typeof taxLayouts)[number]

/** What a figure of the tax report is about; without it, everything. */
export type TaxFigure = { kind?: 'sold' | 'refunded'; country?: string; state?: string; rates?: string }

const queryOf = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')

/** Apart from `paths`, so that the first page's script does not grow. */
export const taxPaths = {
  admin: '/admin/tax',
  lines: '/admin/tax/lines',
  of: (period: string): string => `/admin/tax?${queryOf({ period })}`,
  linesOf: (period: string, figure: TaxFigure): string => `/admin/tax/lines?${queryOf({ period, ...figure })}`,
  file: (period: string, layout: TaxLayout): string => `/api/admin/tax/file?${queryOf({ period, layout })}`,
} as const
