import * as z from 'zod/mini'
import type { Address } from '#domain/checkout/address.ts'
import type { Endpoint } from '#domain/doctor/findings.ts'
import type { SyncProductId, VariantId } from '#shared/ids.ts'
import { decimalFromCents, type Cents } from '#shared/money.ts'
import { MINUTE_MS, SECOND_MS } from '#shared/time.ts'
import type { Needs } from '#server/shop.ts'
import { bytesOf } from '../responses.ts'
import type { BookPage } from '../books.ts'
import { createCircuitBreaker } from '#server/limits/circuit-breaker.ts'
import { createProviderCache } from '#server/limits/provider-cache.ts'
import type { ReportUnknownValue } from '#server/providers/unknown-values.ts'
import { ProviderRefusal, ProviderUnavailable, UnusableResponse } from '../provider-errors.ts'
import { createLimiter, type Urgency } from './limiter.ts'
import {
  blankShape,
  costsOf,
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
  refusalBody,
  scopesShape,
  SHIPPING_METHOD,
  standardRateOf,
  syncProductShape,
  taxesOf,
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
  lines: { externalLineId: string; variantId: VariantId; quantity: number; unitPrice: Cents; name: string }[]
  /** What the shopper paid, for customs papers. */
  amounts: { subtotal: Cents; shipping: Cents; tax: Cents }
}

/**
 * Printful's API, version 1.
 * Every call throws ProviderRefusal when Printful refuses, and ProviderUnavailable without a usable response.
 */
export type Printful = {
  /** All products of the store. */
  listProducts(): AsyncIterable<SyncProductHead>
  /** @param id the sync product's id, or our own external id */
  getProduct(id: SyncProductId | string): Promise<SyncProduct>
  /** The cost of a blank with its standard print, by catalog variant id. */
  listCosts(blankId: number): Promise<Map<number, Cents>>
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
/** Printful's file host for real stores. */
const FILE_HOST = 'https://files.cdn.printful.com'
const pictureTypes = ['image/webp', 'image/png', 'image/jpeg']
/** Countries whose states Printful takes as codes; elsewhere it takes names. */
const statesByCode = new Set(['US', 'CA', 'AU'])

const DEFAULT_HEADERS = { accept: 'application/json', 'x-pf-language': 'en_US' }

export function createPrintful({
  config,
  log,
  clock,
  reportUnknownValue: report = () => undefined,
}: Needs<'config' | 'log'> & Partial<Needs<'clock'>> & { reportUnknownValue?: ReportUnknownValue }): Printful {
  const { apiBase, token, storeId } = config.printful
  const limiter = createLimiter()
  const now = () => clock?.now() ?? new Date()
  const circuit = createCircuitBreaker({ now })

  /** @returns undefined for a 404 */
  async function ask<Shape extends z.ZodMiniType>(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    shape: Shape,
    {
      urgency,
      body,
      timeoutMs = TIMEOUT_MS,
      isOptional = false,
    }: { urgency: Urgency; body?: object; timeoutMs?: number; isOptional?: boolean },
  ): Promise<z.output<Shape> | undefined> {
    // Quotes are always requested: a shopper waits, it takes two seconds at most, and a success shows that Printful is back.
    if (urgency !== 'quote' && !circuit.mayCall())
      throw new ProviderUnavailable('printful', new Error('It was down a moment ago.'))
    if (!(await limiter.acquire(urgency)))
      throw new ProviderUnavailable('printful', new Error('The rate limit is reached.'), false)

    const { status, text } = await send(`${apiBase}${path}`, timeoutMs, {
      method,
      headers: {
        ...DEFAULT_HEADERS,
        authorization: `Bearer ${token.reveal()}`,
        ...(storeId && { 'x-pf-store-id': storeId }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    }).catch((error: unknown) => {
      if (urgency !== 'quote') circuit.record(false)
      throw error
    })
    if (status < 500) circuit.record(true)
    else if (urgency !== 'quote') circuit.record(false)
    const json = jsonOf(text)
    if (status === 404 && refusalBody.safeParse(json).success) return undefined
    if (isOptional && isRefusal(status)) return undefined
    if (status >= 400) throw toProviderError(status, json)

    const parsed = shape.safeParse(json)
    if (parsed.success) return parsed.data
    log.warn(
      { path, issue: z.prettifyError(parsed.error).slice(0, 500) },
      'Printful sent a response that cannot be read.',
    )
    throw new UnusableResponse('printful', z.prettifyError(parsed.error))
  }

  async function send(url: string, timeoutMs: number, init: RequestInit): Promise<{ status: number; text: string }> {
    try {
      const answer = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
      limiter.readHeaders(answer.status, answer.headers)
      return { status: answer.status, text: (await bytesOf(answer)).toString('utf8') }
    } catch (error) {
      throw new ProviderUnavailable('printful', error)
    }
  }

  async function order(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    options: { urgency?: Urgency; body?: object } = {},
  ): Promise<PrinterOrder | undefined> {
    const answer = await ask(method, path, envelope(orderShape), { urgency: 'order', ...options })
    return answer && orderOf(answer.result, now(), report, new URL(apiBase).origin)
  }

  /** Requests a quote while a shopper waits. */
  const requestQuote = async <Shape extends z.ZodMiniType>(path: string, shape: Shape, body: object) =>
    requireAnswer(await ask('POST', path, shape, { urgency: 'quote', body, timeoutMs: QUOTE_TIMEOUT_MS }))
  const cachedTaxes = createProviderCache<Cents>(CACHE_OPTIONS)
  const cachedRate = createProviderCache<PrinterRate>(CACHE_OPTIONS)

  return {
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
    async listCosts(blankId) {
      const answer = await ask('GET', `/products/${blankId}`, envelope(blankShape), { urgency: 'background' })
      return costsOf(requireAnswer(answer).result)
    },
    async downloadPicture(url) {
      const allowed = [new URL(apiBase).origin, FILE_HOST]
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
    isDown: () => circuit.isDown(),
    stopWaiting: () => limiter.stopWaiting(),
  }
}

/** A refusal that a retry would not change. */
const isRefusal = (status: number): boolean => status >= 400 && status < 500 && ![408, 419, 429].includes(status)

/**
 * Guards against a cache or proxy that mixed up responses.
 * @throws ProviderUnavailable when the response is about another order
 */
function requireRequestedOrder(order: PrinterOrder, isRequested: boolean): PrinterOrder {
  if (!isRequested) throw new ProviderUnavailable('printful', new Error('The response is about another order.'))
  return order
}

/** @throws ProviderRefusal for a 404 */
function requireAnswer<T>(answer: T | undefined): T {
  if (answer === undefined) throw new ProviderRefusal('printful', 'Not Found', 'NotFound')
  return answer
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
      // Otherwise Printful puts its own price on the customs papers.
      retail_price: decimalFromCents(line.unitPrice),
      name: line.name,
    })),
    retail_costs: {
      currency: 'USD',
      discount: '0.00',
      shipping: decimalFromCents(amounts.shipping),
      tax: decimalFromCents(amounts.tax),
    },
  }
}

/** Printful's own statuses: 419 warns of the rate limit, 429 is a lockout. An HTML page is not Printful's response. */
function toProviderError(status: number, json: unknown): ProviderRefusal | ProviderUnavailable {
  const parsed = refusalBody.safeParse(json)
  // An expired token or unpaid bill is not about the order: it is retried once the owner has fixed that.
  const isAboutUs = status === 401 || status === 402 || status === 403
  if (!parsed.success || isAboutUs || status >= 500 || status === 408 || status === 419 || status === 429)
    return new ProviderUnavailable('printful', new Error(`The response was ${status}.`), !isAboutUs)

  const { result, error } = parsed.data
  const sentence = error?.message ?? (typeof result === 'string' ? result : `The printer refused it (${status}).`)
  return new ProviderRefusal('printful', sentence, codeOf(sentence) ?? error?.reason ?? undefined)
}

/** Printful does not document error codes, so its sentences are matched. */
function codeOf(sentence: string): string | undefined {
  if (/external id already exists/i.test(sentence)) return 'external_id_in_use'
  // A missing name or tax number says nothing about the address; quotes are sent without them.
  if (/\b(?:zip|postal|postcode|state|country|city|address)\b/i.test(sentence.replaceAll('_', ' ')))
    return 'address_refused'
  return undefined
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
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
