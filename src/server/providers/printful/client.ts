import * as z from 'zod/mini'
import type { Address } from '#domain/checkout/address.ts'
import type { Endpoint } from '#domain/doctor/findings.ts'
import type { SyncProductId, VariantId } from '#shared/ids.ts'
import { decimalFromCents, type Cents } from '#shared/money.ts'
import { MINUTE_MS, SECOND_MS } from '#shared/time.ts'
import type { Needs } from '#server/shop.ts'
import { bytesOf } from '../responses.ts'
import type { BookPage } from '../books.ts'
import { createProviderCache } from '#server/limits/provider-cache.ts'
import type { ReportUnknownValue } from '#server/providers/unknown-values.ts'
import { ProviderRefusal, ProviderUnavailable, UnusableResponse } from '../provider-errors.ts'
import { createBlankCalls, type BlankCalls } from './blanks.ts'
import { createCalls, requireAnswer } from './calls.ts'
import type { Urgency } from './limiter.ts'
import { createMockupCalls, type MockupCalls } from './mockups.ts'
import { createStoreProductCalls, type StoreProductCalls } from './store-products.ts'
import {
  envelope,
  parcelStatusOf,
  parcelStatusesShape,
  estimateShape,
  headOf,
  headOfOrder,
  orderHeadShape,
  orderOf,
  orderShape,
  productOf,
  productShape,
  ratesShape,
  scopesShape,
  SHIPPING_METHOD,
  standardRateOf,
  syncProductShape,
  taxesOf,
  totalCostOf,
  webhookShape,
  type PrinterParcelStatus,
  type PrinterOrder,
  type PrinterOrderHead,
  type PrinterRate,
  type SyncProduct,
  type SyncProductHead,
} from './shapes.ts'

export type { PrinterParcelStatus, PrinterOrder, PrinterOrderHead, PrinterShipment, SyncProduct } from './shapes.ts'

/** A line of a quote. */
type PrinterItem = { variantId: VariantId; quantity: number; unitPrice: Cents }

export type PrinterOrderRequest = {
  /** At most 32 of `A-Z a-z 0-9 _ -`; unique in the Printful store forever, even after a cancellation. */
  externalId: string
  /** `taxNumber`: Printful ships nothing to Brazil without one. */
  recipient: { name: string; email: string; phone: string | null; taxNumber: string | null; address: Address }
  /** On the packing slip. */
  giftNote?: { heading: string; message: string } | undefined
  /** A line on the packing slip, such as the numbers of limited pieces. */
  slipMessage?: string | undefined
  /** Without a price, Printful puts its own on the customs papers. */
  lines: { externalLineId: string; variantId: VariantId; quantity: number; unitPrice?: Cents; name: string }[]
  /** What the shopper paid, for customs papers. */
  amounts: { subtotal: Cents; shipping: Cents; tax: Cents }
}

/**
 * Printful's API, version 1.
 * Every call throws ProviderRefusal when Printful refuses, and ProviderUnavailable without a usable response.
 */
export type Printful = BlankCalls &
  StoreProductCalls &
  MockupCalls & {
    /** All products of the store. */
    listProducts(): AsyncIterable<SyncProductHead>
    /** @param id the sync product's id, or our own external id */
    getProduct(id: SyncProductId | string): Promise<SyncProduct>
    /** @throws ProviderRefusal for another host or a type that is not a picture */
    downloadPicture(url: string): Promise<{ body: Buffer; contentType: string }>
    /** @param urgency `background` if nobody waits */
    findOrder(externalId: string, urgency?: Urgency): Promise<PrinterOrder | undefined>
    /** A page of the store's orders, newest first. @param mark `next` of the previous page; null for the first */
    listOrders(mark: string | null): Promise<BookPage<PrinterOrderHead>>
    /**
     * The delivery status of an order's parcels, which only version 2 of the API has.
     * @returns undefined without access: version 2 is not open to every store and token
     */
    findParcelStatuses(externalId: string): Promise<PrinterParcelStatus[] | undefined>
    /**
     * Creates an order that is neither printed nor charged until confirmed. After ProviderUnavailable it may exist: call `findOrder` first.
     * @throws ProviderRefusal with code `external_id_in_use` when the external id is taken
     */
    createDraft(order: PrinterOrderRequest): Promise<PrinterOrder>
    /** @throws ProviderRefusal when it is already confirmed, or its costs are still being calculated */
    confirmOrder(id: number): Promise<PrinterOrder>
    /** @throws ProviderRefusal when it is already in production */
    cancelOrder(id: number): Promise<PrinterOrder>
    /**
     * The taxes that Printful would charge us for an order. Cached for minutes.
     * @throws ProviderRefusal with code `address_refused` for an address that it rejects
     */
    estimateTaxes(lines: readonly PrinterItem[], to: Address): Promise<Cents>
    /**
     * What Printful would charge us for an order in all: goods, shipping and taxes.
     * @throws ProviderRefusal with code `address_refused` for an address that it rejects
     */
    estimateCost(lines: readonly Omit<PrinterItem, 'unitPrice'>[], to: Address): Promise<Cents>
    /**
     * What Printful would charge us for shipping. Cached for minutes.
     * @param pieces at most 100 in total: beyond that Printful allows only five calls a minute
     * @throws ProviderRefusal with code `address_refused` for an address that it rejects
     */
    shippingRate(pieces: readonly { catalogVariantId: number; quantity: number }[], to: Address): Promise<PrinterRate>
    /** Checks that Printful responds and accepts our token. */
    ping(): Promise<void>
    /** The scopes of our token. */
    listScopes(): Promise<string[]>
    /** The store's webhook endpoint; there is at most one. */
    listEndpoints(): Promise<Endpoint[]>
    /** While Printful is down, calls other than quotes throw ProviderUnavailable immediately, except for an occasional test call. */
    isDown(): boolean
    /** For shutdown: ends waiting background calls and rejects later ones. */
    stopWaiting(): void
  }

const TIMEOUT_MS = 8 * SECOND_MS
/** A shopper waits, and starts a payment next; both must finish within 8 s. */
const QUOTE_TIMEOUT_MS = 2 * SECOND_MS
const CACHE_OPTIONS = { ttlMs: 5 * MINUTE_MS, pauseMs: 15 * SECOND_MS, entriesMax: 1000 }
const PICTURE_BYTES_MAX = 5 * 1024 * 1024
const PAGE = 100
/** Printful's hosts of files and of mockups for real stores. */
const fileHosts = ['https://files.cdn.printful.com', 'https://printful-upload.s3-accelerate.amazonaws.com']
const pictureTypes = ['image/webp', 'image/png', 'image/jpeg']
/** Countries whose states Printful takes as codes; elsewhere it takes names. */
const statesByCode = new Set(['US', 'CA', 'AU'])

export function createPrintful({
  config,
  log,
  clock,
  reportUnknownValue: report = () => undefined,
}: Needs<'config' | 'log' | 'clock'> & { reportUnknownValue?: ReportUnknownValue }): Printful {
  const { apiBase } = config.printful
  const { ask, isDown, stopWaiting } = createCalls({ config, log, clock })

  async function order(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    options: { urgency?: Urgency; body?: object } = {},
  ): Promise<PrinterOrder | undefined> {
    const answer = await ask(method, path, envelope(orderShape), { urgency: 'order', ...options })
    return answer && orderOf(answer.result, clock.now(), report, new URL(apiBase).origin)
  }

  /** Requests a quote while a shopper waits. */
  const requestQuote = async <Shape extends z.ZodMiniType>(path: string, shape: Shape, body: object) =>
    requireAnswer(await ask('POST', path, shape, { urgency: 'quote', body, timeoutMs: QUOTE_TIMEOUT_MS }))
  const cachedTaxes = createProviderCache<Cents>(CACHE_OPTIONS)
  const cachedRate = createProviderCache<PrinterRate>(CACHE_OPTIONS)

  return {
    ...createBlankCalls(ask, report),
    ...createStoreProductCalls(ask, report),
    ...createMockupCalls(ask, report),
    async *listProducts() {
      const page = envelope(z.array(syncProductShape))
      let total = Infinity
      let seen = 0
      for (let offset = 0; offset < total; offset += PAGE) {
        const answer = requireAnswer(
          await ask('GET', `/store/products?limit=${PAGE}&offset=${offset}`, page, { urgency: 'background' }),
        )
        seen += answer.result.length
        for (const product of answer.result) yield headOf(product)
        total = answer.paging?.total ?? (answer.result.length < PAGE ? offset : Infinity)
        if (answer.result.length === 0) break
      }
      // With half a list, the rest would look deleted from the store.
      if (Number.isFinite(total) && seen < total)
        throw new ProviderUnavailable('printful', new Error('The list of products is incomplete.'))
    },
    async getProduct(id) {
      const name = typeof id === 'string' ? `@${encodeURIComponent(id)}` : String(id)
      const answer = await ask('GET', `/store/products/${name}`, envelope(productShape), { urgency: 'background' })
      return productOf(requireAnswer(answer).result)
    },
    async downloadPicture(url) {
      const allowed = [new URL(apiBase).origin, ...fileHosts]
      const { origin, username, password } = URL.canParse(url) ? new URL(url) : {}
      if (!origin || !allowed.includes(origin) || username || password)
        throw new ProviderRefusal('printful', 'The picture is not on the printer’s file host.', 'picture_host')
      return downloadFrom(url)
    },
    async findOrder(externalId, urgency) {
      const answer = await order('GET', `/orders/@${encodeURIComponent(externalId)}`, urgency && { urgency })
      return answer && requireRequestedOrder(answer, answer.externalId === externalId)
    },
    async listOrders(mark) {
      const offset = Number(mark ?? 0)
      const path = `/orders?limit=${PAGE}&offset=${offset}`
      const answer = requireAnswer(await ask('GET', path, envelope(z.array(orderHeadShape)), { urgency: 'background' }))
      const seen = offset + answer.result.length
      const isLast = answer.result.length === 0 || seen >= (answer.paging?.total ?? seen)
      return { rows: answer.result.map((head) => headOfOrder(head, report)), next: isLast ? null : String(seen) }
    },
    async findParcelStatuses(externalId) {
      const path = `/v2/orders/@${encodeURIComponent(externalId)}/shipments?limit=100`
      const answer = await ask('GET', path, parcelStatusesShape, { urgency: 'background', isOptional: true })
      return answer?.data.map((parcel) => parcelStatusOf(parcel, report))
    },
    async createDraft(request) {
      const created = requireAnswer(await order('POST', '/orders', { body: draftBody(request), urgency: 'submission' }))
      return requireRequestedOrder(created, created.externalId === request.externalId)
    },
    async confirmOrder(id) {
      const confirmed = requireAnswer(await order('POST', `/orders/${id}/confirm`, { urgency: 'submission' }))
      return requireRequestedOrder(confirmed, confirmed.id === id)
    },
    async cancelOrder(id) {
      const canceled = requireAnswer(await order('DELETE', `/orders/${id}`))
      return requireRequestedOrder(canceled, canceled.id === id)
    },
    estimateTaxes(lines, to) {
      const body = {
        shipping: SHIPPING_METHOD,
        recipient: toPrintfulAddress(to),
        items: lines.map(({ variantId, quantity, unitPrice }) => ({
          sync_variant_id: variantId,
          quantity,
          retail_price: decimalFromCents(unitPrice),
        })),
      }
      return cachedTaxes(JSON.stringify(body), async () =>
        amountIn(taxesOf((await requestQuote('/orders/estimate-costs', envelope(estimateShape), body)).result)),
      )
    },
    async estimateCost(lines, to) {
      const body = {
        shipping: SHIPPING_METHOD,
        recipient: toPrintfulAddress(to),
        items: lines.map(({ variantId, quantity }) => ({ sync_variant_id: variantId, quantity })),
      }
      return amountIn(totalCostOf((await requestQuote('/orders/estimate-costs', envelope(estimateShape), body)).result))
    },
    shippingRate(pieces, to) {
      const items = pieces.map(({ catalogVariantId, quantity }) => ({ variant_id: catalogVariantId, quantity }))
      const body = { recipient: toPrintfulAddress(to), items, currency: 'USD' }
      return cachedRate(JSON.stringify(body), async () =>
        amountIn(standardRateOf((await requestQuote('/shipping/rates', envelope(ratesShape), body)).result)),
      )
    },
    async ping() {
      requireAnswer(await ask('GET', '/store/products?limit=1', z.unknown(), { urgency: 'order' }))
    },
    async listScopes() {
      const { result } = requireAnswer(
        await ask('GET', '/oauth/scopes', envelope(scopesShape), { urgency: 'background' }),
      )
      return (result.scopes ?? []).flatMap(({ scope }) => (scope ? [scope] : []))
    },
    async listEndpoints() {
      const { result } = requireAnswer(await ask('GET', '/webhooks', envelope(webhookShape), { urgency: 'background' }))
      return result.url ? [{ url: result.url, events: result.types ?? [], isOn: true }] : []
    },
    isDown,
    stopWaiting,
  }
}

/**
 * Guards against a cache or proxy that mixed up responses.
 * @throws ProviderUnavailable when the response is about another order
 */
function requireRequestedOrder(order: PrinterOrder, isRequested: boolean): PrinterOrder {
  if (!isRequested) throw new ProviderUnavailable('printful', new Error('The response is about another order.'))
  return order
}

/** @throws UnusableResponse when the amount is missing */
function amountIn<T>(amount: T | undefined): T {
  if (amount === undefined) throw new UnusableResponse('printful', 'the amount is missing')
  return amount
}

const toPrintfulAddress = (address: Address) => ({
  address1: address.line1,
  address2: address.line2,
  city: address.city,
  ...(statesByCode.has(address.country) ? { state_code: address.state } : { state_name: address.state }),
  country_code: address.country,
  zip: address.postalCode,
})

/** An order in Printful's format. */
export function draftBody({
  externalId,
  recipient: { name, email, phone, taxNumber, address },
  giftNote,
  slipMessage,
  lines,
  amounts,
}: PrinterOrderRequest): object {
  return {
    external_id: externalId,
    shipping: SHIPPING_METHOD,
    recipient: { name, email, phone, ...(taxNumber && { tax_number: taxNumber }), ...toPrintfulAddress(address) },
    items: lines.map((line) => ({
      external_id: line.externalLineId,
      sync_variant_id: line.variantId,
      quantity: line.quantity,
      ...(line.unitPrice !== undefined && { retail_price: decimalFromCents(line.unitPrice) }),
      name: line.name,
    })),
    ...(giftNote && { gift: { subject: giftNote.heading, message: giftNote.message } }),
    ...(slipMessage && { packing_slip: { message: slipMessage } }),
    retail_costs: {
      currency: 'USD',
      discount: '0.00',
      shipping: decimalFromCents(amounts.shipping),
      tax: decimalFromCents(amounts.tax),
    },
  }
}

async function downloadFrom(url: string): Promise<{ body: Buffer; contentType: string }> {
  let answer: Response
  let body: Buffer
  try {
    answer = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) })
    body = await bytesOf(answer, PICTURE_BYTES_MAX)
  } catch (error) {
    throw new ProviderUnavailable('printful', error)
  }
  if (answer.status >= 500 || answer.status === 429)
    throw new ProviderUnavailable('printful', new Error(`The file host returned ${answer.status}.`))
  const contentType = answer.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (!answer.ok || !pictureTypes.includes(contentType) || body.length === 0)
    throw new ProviderRefusal('printful', 'This is not a picture.', 'picture_type')
  return { body, contentType }
}
