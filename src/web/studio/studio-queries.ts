import { query } from '#web/api/queries.ts'

/** The blank of a draft. @param id null before one is chosen */
export const blankQuery = (id: number | null) => ({
  ...query('GET /api/admin/blanks/:id', { params: { id: id ?? 0 } }),
  enabled: id !== null,
})

/** A new product type as a blank has it; the shop's types may have changed since it was asked last. */
export const typeFromBlankQuery = (id: number) => ({
  ...query('GET /api/admin/blanks/:id/product-type', { params: { id } }),
  gcTime: 0,
})

/** A product of the printer's store. @param id null for a new product */
export const printerProductQuery = (id: number | null) => ({
  ...query('GET /api/admin/printer-products/:id', { params: { id: id ?? 0 } }),
  enabled: id !== null,
})

/** Looked at again while the printer does not have the prices yet. */
export const pricesQuery = (id: number) => ({
  ...query('GET /api/admin/products/:id/prices', { params: { id } }),
  refetchInterval: ({ state: { data } }: { state: { data?: { printer: { state: string } } | undefined } }) =>
    data?.printer.state === 'waiting' && POLL_MS,
})
const POLL_MS = 2000

export const priceHistoryQuery = (id: number) => ({
  ...query('GET /api/admin/products/:id/prices/history', { params: { id } }),
  staleTime: 0,
})

export const choicesQuery = query('GET /api/admin/draft-choices')

export const drawingsQuery = {
  ...query('GET /api/admin/pictures', { query: { kind: 'drawing' as const } }),
  staleTime: 0,
}

export const marginFactsQuery = (blank: number | null) => ({
  ...query('GET /api/admin/margin-facts/:blank', { params: { blank: blank ?? 0 } }),
  enabled: blank !== null,
})

export const draftsQuery = { ...query('GET /api/admin/drafts'), staleTime: 0 }

export const batchQuery = (batch: string) => ({
  ...query('GET /api/admin/draft-batches/:batch', { params: { batch } }),
  staleTime: 0,
})

export const previewQuery = (id: number) => query('GET /api/admin/drafts/:id/preview', { params: { id } })
