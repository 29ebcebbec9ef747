/** What of a report opens into its lines. Without a schema, so that pages need none. */
export const figures = ['revenue', 'tax', 'collection', 'database', 'listed', 'missing', 'others', 'refunded'] as const
export type Figure = (typeof figures)[number]

export const providers = ['stripe', 'paypal'] as const

/** The downloads, at `/api/reports/{type}` with the days of the report. */
export const workbookTypes = ['orders', 'stripe-complete', 'profit', 'recovery'] as const
export type WorkbookType = (typeof workbookTypes)[number]

export const workbookPath = <Type extends WorkbookType>(type: Type): `/api/reports/${Type}` => `/api/reports/${type}`
