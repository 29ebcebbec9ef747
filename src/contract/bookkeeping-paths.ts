import type { JournalLayout } from '#domain/ledger/journals.ts'

/** Apart from `paths`, so that the first page's script does not grow. */
export const bookkeepingPaths = {
  admin: '/admin/bookkeeping',
  /** @param dollarsPerEuro for DATEV alone */
  journals: (month: string, layout: JournalLayout, dollarsPerEuro?: string): string =>
    `/api/admin/journals/${month}/${layout}${dollarsPerEuro ? `?dollarsPerEuro=${dollarsPerEuro}` : ''}`,
} as const
