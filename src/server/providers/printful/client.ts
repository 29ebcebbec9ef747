import * as z from 'zod/mini'
import type { Address } from '#domain/checkout/address.ts'
import type { Endpoint } from '#domain/doctor/findings.ts'
import type { SyncProductId, VariantId } from '#shared/ids.ts'
import { decimalFromCents, type Cents } from '#shared/money.ts'
import { MINUTE_MS, SECOND_MS } from '#shared/time.ts'
import type { Needs } from '#server/shop.ts'
import { bytesOf } from '../answers.ts'
import type { BookPage } from '../books.ts'
import { createCircuitBreaker } from '../circuit-breaker.ts'
import { createProviderCache } from '../provider-cache.ts'
import type { ReportUnknownValue } from '#server/providers/unknown-values.ts'
import { ProviderRefusal, ProviderUnavailable, UnusableAnswer } from '../provider-errors.ts'
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

/** A line as far as it costs the partner something. */
type PrinterItem = { variantId: VariantId; quantity: number; unitPrice: Cents }

export type PrinterOrderRequest = {
  /** At most 32 of `A-Z a-z 0-9 _ -`; unique in the store for ever, even after a cancellation. */
  externalId: string
  /** `taxNumber`: without one the partner sends nothing to Brazil. */
  recipient: { name: string; email: string; phone: string | null; taxNumber: string | null; address: Address }
  lines: { externalLineId: string; variantId: VariantId; quantity: number; unitPrice: Cents; name: string }[]
  /** What the shopper paid: for customs papers. */
  amounts: { subtotal: Cents; shipping: Cents; tax: Cents }
}

/**
 * The print partner (Printful, version 1 of its interface).
 * Every call throws ProviderRefusal when it says no, and ProviderUnavailable when there is no usable answer.
 */
export type Printful = {
  /** All products of the store. */
  listProducts(): AsyncIterable<SyncProductHead>
  /** @param id the sync product's id, or our own external id */
  getProduct(id: SyncProductId | string): Promise<SyncProduct>
  /** What a blank costs us with its standard print, by the catalog variant's id. */
  listCosts(blankId: number): Promise<Map<number, Cents>>
  /** @throws ProviderRefusal for another host, another type than a picture, or more than 5 MB */
  downloadPicture(url: string): Promise<{ body: Buffer; contentType: string }>
  /** @param urgency `background` where nobody waits for it */
  findOrder(externalId: string, urgency?: Urgency): Promise<PrinterOrder | undefined>
  /** A page of the store's orders, newest first. @param mark `next` of the page before; null for the first one */
  listOrders(mark: string | null): Promise<BookPage<PrinterOrderHead>>
  /**
   * What became of an order's parcels, which version 1 of the interface never tells.
   * @returns undefined where the partner does not let us ask: version 2 is not open to every store and token
   */
  findFates(externalId: string): Promise<PrinterParcelStatus[] | undefined>
  /**
   * Makes an order that is neither printed nor charged until it is confirmed. After ProviderUnavailable it may exist: ask `findOrder` first.
   * @throws ProviderRefusal with code `external_id_in_use` when there is one of that external id
   */
  createDraft(order: PrinterOrderRequest): Promise<PrinterOrder>
  /** @throws ProviderRefusal when it is confirmed already, or its costs are being calculated */
  confirmOrder(id: number): Promise<PrinterOrder>
  /** @throws ProviderRefusal when it is being made already */
  cancelOrder(id: number): Promise<PrinterOrder>
  /**
   * The taxes that the partner would charge us for an order, without asking for a name. Remembered for minutes.
   * @throws ProviderRefusal with code `address_refused` for an address that it does not take
   */
  estimateTaxes(lines: readonly PrinterItem[], to: Address): Promise<Cents>
  /**
   * What it would charge us for sending pieces, by their catalog variants. Remembered for minutes.
   * @param pieces at most 100 in all: beyond that the partner answers five times a minute only
   * @throws ProviderRefusal with code `address_refused` for an address that it does not take
   */
  shippingRate(pieces: readonly { catalogVariantId: number; quantity: number }[], to: Address): Promise<PrinterRate>
  /** Whether the partner answers and takes our token. */
  ping(): Promise<void>
  /** What our token may do. */
  listScopes(): Promise<string[]>
  /** Where its events go; a store has one address at most. */
  listEndpoints(): Promise<Endpoint[]>
  /** It has not answered for a while: every call but a quote's throws ProviderUnavailable without being made, now and then one excepted. */
  isAway(): boolean
  /** Gives up the background calls that wait for their turn, and all later ones: the shop is being stopped. */
  stopWaiting(): void
}

const TIMEOUT_MS = 8 * SECOND_MS
/** A shopper waits, and pays next: both have to come within 8 s. */
const QUOTE_TIMEOUT_MS = 2 * SECOND_MS
const CACHE_OPTIONS = { keptMs: 5 * MINUTE_MS, pauseMs: 15 * SECOND_MS, entriesMax: 1000 }
const PICTURE_BYTES_MAX = 5 * 1024 * 1024
const PAGE = 100
/** Where the partner keeps the files of real stores. */
const FILE_HOST = 'https://files.cdn.printful.com'
const pictureTypes = ['image/webp', 'image/png', 'image/jpeg']
/** The countries whose states the partner knows by code; elsewhere a state is a word. */
const statesByCode = new Set(['US', 'CA', 'AU'])

const ALWAYS_SENT = { accept: 'application/json', 'x-pf-language': 'en_US' }

export function createPrintful({
  config,
  log,
  clock,
  noteWord: note = () => undefined,
}: Needs<'config' | 'log'> & Partial<Needs<'clock'>> & { noteWord?: ReportUnknownValue }): Printful {
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
    // A quote is asked for all the same: somebody waits, it costs two seconds, and its answer says that the partner is back.
    if (urgency !== 'quote' && !circuit.mayCall())
      throw new ProviderUnavailable('printful', new Error('It was away a moment ago.'))
    if (!(await limiter.turn(urgency)))
      throw new ProviderUnavailable('printful', new Error('The limit of calls is reached.'), false)

    const { status, text } = await send(`${apiBase}${path}`, timeoutMs, {
      method,
      headers: {
        ...ALWAYS_SENT,
        authorization: `Bearer ${token.reveal()}`,
        ...(storeId && { 'x-pf-store-id': storeId }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    }).catch((error: unknown) => {
      if (urgency !== 'quote') circuit.note(false)
      throw error
    })
    if (status < 500) circuit.note(true)
    else if (urgency !== 'quote') circuit.note(false)
    const json = jsonOf(text)
    if (status === 404 && refusalBody.safeParse(json).success) return undefined
    if (isOptional && isRefusal(status)) return undefined
    if (status >= 400) throw toProviderError(status, json)

    const parsed = shape.safeParse(json)
    if (parsed.success) return parsed.data
    log.warn(
      { path, issue: z.prettifyError(parsed.error).slice(0, 500) },
      'the printer gave an answer that cannot be read',
    )
    throw new UnusableAnswer('printful', z.prettifyError(parsed.error))
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
    asked: { urgency?: Urgency; body?: object } = {},
  ): Promise<PrinterOrder | undefined> {
    const answer = await ask(method, path, envelope(orderShape), { urgency: 'order', ...asked })
    return answer && orderOf(answer.result, now(), note, new URL(apiBase).origin)
  }

  /** Asks about a cart that somebody is looking at. */
  const quoted = async <Shape extends z.ZodMiniType>(path: string, shape: Shape, body: object) =>
    requireAnswer(await ask('POST', path, shape, { urgency: 'quote', body, timeoutMs: QUOTE_TIMEOUT_MS }))
  const rememberTaxes = createProviderCache<Cents>(CACHE_OPTIONS)
  const rememberRate = createProviderCache<PrinterRate>(CACHE_OPTIONS)

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
      // Half a list would look as if the rest had been taken out of the store.
      if (Number.isFinite(total) && seen < total)
        throw new ProviderUnavailable('printful', new Error('The list of products broke off.'))
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
      return { rows: answer.result.map((head) => headOfOrder(head, note)), next: isLast ? null : String(seen) }
    },
    async findFates(externalId) {
      const path = `/v2/orders/@${encodeURIComponent(externalId)}/shipments?limit=100`
      const answer = await ask('GET', path, parcelStatusesShape, { urgency: 'background', isOptional: true })
      return answer?.data.map((fate) => parcelStatusOf(fate, note))
    },
    async createDraft(wanted) {
      const made = requireAnswer(await order('POST', '/orders', { body: draftBody(wanted), urgency: 'submission' }))
      return requireRequestedOrder(made, made.externalId === wanted.externalId)
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
      return rememberTaxes(JSON.stringify(body), async () =>
        amountIn(taxesOf((await quoted('/orders/estimate-costs', envelope(estimateShape), body)).result)),
      )
    },
    shippingRate(pieces, to) {
      const items = pieces.map(({ catalogVariantId, quantity }) => ({ variant_id: catalogVariantId, quantity }))
      const body = { recipient: toPrintfulAddress(to), items, currency: 'USD' }
      return rememberRate(JSON.stringify(body), async () =>
        amountIn(standardRateOf((await quoted('/shipping/rates', envelope(ratesShape), body)).result)),
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
    isAway: () => circuit.isAway(),
    stopWaiting: () => limiter.stopWaiting(),
  }
}

/** A no that asking again does not change. */
const isRefusal = (status: number): boolean => status >= 400 && status < 500 && ![408, 419, 429].includes(status)

/**
 * What a cache or a proxy has mixed up is no answer: taken for one, an order would be looked at, or left alone, for what
 * another one is.
 * @throws ProviderUnavailable when it is about another order than the one that was asked for
 */
function requireRequestedOrder(order: PrinterOrder, isIt: boolean): PrinterOrder {
  if (!isIt) throw new ProviderUnavailable('printful', new Error('The answer is about another order.'))
  return order
}

/** @throws ProviderRefusal for what the partner does not have */
function requireAnswer<T>(answer: T | undefined): T {
  if (answer === undefined) throw new ProviderRefusal('printful', 'Not Found', 'NotFound')
  return answer
}

/** @throws UnusableAnswer for one that leaves out what was asked */
function amountIn<T>(amount: T | undefined): T {
  if (amount === undefined) throw new UnusableAnswer('printful', 'it names no amount')
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

/** An order as the partner takes it. */
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
      // Without our price the partner prints its own on the customs papers.
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

/** The partner's own statuses: 419 warns of the limit, 429 locks out. A page of HTML is somebody else's answer. */
function toProviderError(status: number, json: unknown): ProviderRefusal | ProviderUnavailable {
  const parsed = refusalBody.safeParse(json)
  // An expired token or an unpaid bill is about us, not about the order: it is tried again once that is mended.
  const isAboutUs = status === 401 || status === 402 || status === 403
  if (!parsed.success || isAboutUs || status >= 500 || status === 408 || status === 419 || status === 429)
    return new ProviderUnavailable('printful', new Error(`It answered ${status}.`), !isAboutUs)

  const { result, error } = parsed.data
  const sentence = error?.message ?? (typeof result === 'string' ? result : `The printer refused it (${status}).`)
  return new ProviderRefusal('printful', sentence, codeOf(sentence) ?? error?.reason ?? undefined)
}

/** Where its codes stand in an answer the partner does not say; its sentences are known. */
function codeOf(sentence: string): string | undefined {
  if (/external id already exists/i.test(sentence)) return 'external_id_in_use'
  // A missing name or tax number is no reason to doubt an address; while one is being priced they are not sent.
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
    throw new ProviderUnavailable('printful', new Error(`The file host answered ${answer.status}.`))
  const contentType = answer.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (!answer.ok || !pictureTypes.includes(contentType) || body.length === 0)
    throw new ProviderRefusal('printful', 'This is no picture.', 'picture_type')
  return { body, contentType }
}
