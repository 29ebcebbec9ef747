/** Report figures that open into their lines. Without a schema, to keep it out of pages. */
export const figures = ['revenue', 'tax', 'collection', 'database', 'listed', 'missing', 'others', 'refunded'] as const
export type Figure = (typeof figures)[number]

export const providers = ['stripe', 'paypal'] as const

/** Downloads at `/api/reports/{type}`, for the report's days. */
export const workbookTypes = ['orders', 'stripe-complete', 'profit', 'recovery'] as const
export type WorkbookType = (typeof workbookTypes)[number]

export const workbookPath = <Type extends WorkbookType>(type: Type): `/api/reports/${Type}` => `/api/reports/${type}`
