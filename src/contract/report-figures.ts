/** Report figures that open into their lines. Without a schema, to keep it out of pages. */
export const figures = [
  ...(['revenue', 'tax', 'collection', 'brought', 'database', 'listed', 'missing', 'others', 'refunded'] as const),
] as const
export type Figure = (typeof figures)[number]

/** By what orders can be told apart. */
export const originKinds = [
  ...(['partner', 'link', 'campaign', 'code', 'product', 'collection', 'country', 'device', 'payment', 'day'] as const),
] as const
export type OriginKind = (typeof originKinds)[number]
/** What a group of orders opens into: the orders, or a figure's entries in the ledger. */
export const originColumns = ['revenue', 'net', 'refunded', 'commission', 'margin'] as const
export type OriginColumn = (typeof originColumns)[number]
/** Apart from `paths`, so that the first page's script does not grow. */
export const ORIGINS_PATH = '/reports/origins'
export const FUNNEL_PATH = '/reports/funnel'

export const providers = ['stripe', 'paypal'] as const

/** Downloads at `/api/reports/{type}`, for the report's days. */
export const workbookTypes = ['orders', 'stripe-complete', 'profit', 'recovery'] as const
export type WorkbookType = (typeof workbookTypes)[number]

export const workbookPath = <Type extends WorkbookType>(type: Type): `/api/reports/${Type}` => `/api/reports/${type}`
