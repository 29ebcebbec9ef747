import type { z } from 'zod'

import type { Answer, Call, Kit, Provider } from '../kit/types.ts'
import { ok, page, pageV2, PrintfulError, refusal } from './answers.ts'
import { decimalOf } from './decimal.ts'
import { openCatalog } from './catalog.ts'
import { openLibrary, type LibraryFile } from './library.ts'
import { openLimiter } from './limiter.ts'
import { openMockups } from './mockups.ts'
import { openStore } from './store.ts'
import { designRoutes, previewOfFile, type Route } from './design-routes.ts'
import { orderBody, ratesBody, taxBody, webhookBody } from './order-body.ts'
import { isMeantToBeSlow } from './orders.ts'
import type { Order } from './orders.ts'
import { finishedPictures, openPictures } from './pictures.ts'
import { countries, taxOf } from './places.ts'
import { openProduction } from './production.ts'
import type { OrderEvent } from './production.ts'
import type { StoreProduct, StoreVariant } from './products.ts'
import {
  approvalFilesOf,
  costsAsNumbers,
  orderV1,
  productDetail,
  shipmentV1,
  shipmentV2,
  syncProduct,
  syncVariant,
  type View,
} from './shapes.ts'
import { countryOf, ratesTo } from './shipping.ts'
import { changeWorld } from './world.ts'

const CALLS_PER_MINUTE = 120
const LARGE_RATES_PER_MINUTE = 5 // for shipping/rates with more than 100 pieces
const CHANGES_PER_MINUTE = 10
const MOCKUPS_PER_MINUTE = 10
const SLOW_ANSWER_MS = 12_000
const FIRST_FILE_ID = 700_000_000
const MINUTE = 60_000
const RETRY_AFTER_MS = [1, 4, 16, 64, 256, 1024].map((minutes) => minutes * MINUTE)

const scopes = [
  ['orders', 'View and manage orders'],
  ['sync_products', 'View and manage store products'],
  ['file_library', 'View and manage store files'],
  ['webhooks', 'View and manage store webhooks'],
  ['stores_list/read', 'View stores'],
]

/** All event types of version 1. */
const eventTypes = [
  ...['created', 'updated', 'failed', 'canceled', 'put_hold', 'put_hold_approval', 'remove_hold'].map(
    (what) => `order_${what}`,
  ),
  ...['package_shipped', 'package_returned', 'stock_updated'],
  ...['synced', 'updated', 'deleted'].map((what) => `product_${what}`),
]

/** Calls that Printful has and the sandbox lacks; everything else Printful does not have either. */
const notSimulatedPaths =
  /^\/(products\/variant|categories\/\d|product-templates|sync|mockup-generator|warehouse|approval-sheets|reports|tax\/countries|store|v2|stores)(\/|$)/

type WebhookSettings = { url: string; types: readonly string[]; params: Record<string, unknown> }

/**
 * Starts the Printful simulator.
 * @param port 0 picks a free one
 * @param token the expected `Authorization: Bearer` token
 * @param products the store's products, from `seedProducts`; the simulator changes its own copy
 * @param pictureBase folder of the finished pictures, with its `index.json`; the repository's by default
 */
export async function startPrintful(
  kit: Kit,
  {
    port,
    token,
    storeId,
    products,
    pictureBase = finishedPictures,
  }: { port: number; token: string; storeId: number; products: readonly StoreProduct[]; pictureBase?: string },
): Promise<Provider> {
  const pictures = openPictures(pictureBase)
  const limiter = openLimiter(kit.clock, CALLS_PER_MINUTE)
  const largeRates = openLimiter(kit.clock, LARGE_RATES_PER_MINUTE)
  const changes = openLimiter(kit.clock, CHANGES_PER_MINUTE)
  const mockupCalls = openLimiter(kit.clock, MOCKUPS_PER_MINUTE)
  const limiters = [limiter, changes, mockupCalls]
  const seed = structuredClone(products)
  const store = { products: structuredClone(products) as StoreProduct[], token }
  let webhooks: WebhookSettings | undefined
  let slowAnswered = new Set<number>()
  let events = 0
  let origin = ''

  const catalog = openCatalog(() => store.products)
  const library = openLibrary(kit, tellProductsWith, FIRST_FILE_ID)
  const mockups = openMockups(kit, catalog, library)
  const made = openStore({
    store,
    catalog,
    library,
    sendEvent: (type, { id, external_id, name, ...product }) =>
      sendEvent(type, {
        sync_product:
          type === 'product_deleted'
            ? { id, external_id, name }
            : syncProduct({ id, external_id, name, ...product }, view),
      }),
  })
  const view: View = {
    pictureOf,
    printsOf: made.printsOf,
    get origin() {
      return origin
    },
  }
  const production = openProduction({
    kit,
    products: () => store.products,
    sendEvent: sendOrderEvent,
    printsOf: made.printsOf,
  })

  /** Their previews are there now, or a file of theirs cannot be printed. */
  function tellProductsWith({ id }: LibraryFile): void {
    for (const product of store.products)
      if (product.variants.some(({ files }) => files?.some(({ fileId }) => fileId === id)))
        sendEvent('product_updated', { sync_product: syncProduct(product, view) })
  }

  function pictureOf(product: StoreProduct, variant: StoreVariant): string | null {
    if (variant.files && !variant.picture) return previewOf(variant)
    const file =
      variant.picture ?? pictures.fileFor({ type: product.type, color: variant.color, design: product.design })
    return file ? `${origin}/files/${file}` : null
  }

  /** Null until all its files were read. */
  function previewOf(variant: StoreVariant): string | null {
    const prints = made.printsOf(variant)
    if (prints.length === 0 || prints.some(({ file }) => file.status !== 'ok')) return null
    return `${origin}/files/preview-${variant.id}-${prints.map(({ file }) => file.hash?.slice(0, 8)).join('-')}.webp`
  }

  const shape = (order: Order) => orderV1(order, storeId, origin, view)

  /** Webhooks of version 1 carry no signature: only the secret path authenticates them. */
  function sendEvent(type: string, data: unknown): void {
    if (webhooks && !webhooks.types.includes(type)) return
    events += 1
    kit.deliver({
      provider: 'printful',
      eventId: `pf_${Math.floor(kit.clock.now().getTime() / 1000)}_${events}`,
      type,
      body: JSON.stringify({
        type,
        created: Math.floor(kit.clock.now().getTime() / 1000),
        retries: 0,
        store: storeId,
        data,
      }),
      headers: () => ({ 'content-type': 'application/json', 'user-agent': 'Printful Webhooks' }),
      retryAfterMs: RETRY_AFTER_MS,
    })
  }

  function sendOrderEvent(event: OrderEvent): void {
    const reason = 'reason' in event ? { reason: event.reason } : {}
    const shipment = 'shipment' in event ? { shipment: shipmentV1(event.shipment, origin) } : {}
    const approval =
      event.type === 'order_put_hold_approval' ? { approval_files: approvalFilesOf(event.order, origin) } : {}
    sendEvent(event.type, { ...reason, ...shipment, ...approval, order: shape(event.order) })
  }

  function checkAccess({ headers }: Call): void {
    const given = /^Bearer (\S+)$/.exec(headers['authorization'] ?? '')?.[1]
    if (!given) throw new PrintfulError(401, 'Malformed Authorization header.')
    if (given !== store.token) throw new PrintfulError(401, 'The access token provided is invalid.')
    const wanted = headers['x-pf-store-id']
    if (wanted !== undefined && wanted !== String(storeId))
      throw new PrintfulError(403, 'The access token has no access to this store.')
  }

  function getOrder(id: string): Order {
    const order = production.find(id)
    if (!order) throw new PrintfulError(404, 'Not Found')
    return order
  }

  function getProduct(id: string): StoreProduct {
    const product = store.products.find((one) => id === (id.startsWith('@') ? `@${one.external_id}` : String(one.id)))
    if (!product) throw new PrintfulError(404, 'Not Found')
    return product
  }

  function getVariant(id: string): { product: StoreProduct; variant: StoreVariant } {
    for (const product of store.products) {
      const variant = product.variants.find((one) =>
        id.startsWith('@') ? `@${one.external_id}` === id : String(one.id) === id,
      )
      if (variant) return { product, variant }
    }
    throw new PrintfulError(404, 'Not Found')
  }

  /** The webhook set through the API; otherwise the shop's own address, as if set by hand. */
  const webhookInfo = () => {
    const own = kit.endpoints.get('printful')
    return ok(
      webhooks ?? (own ? { url: own.url, types: eventTypes, params: {} } : { url: null, types: [], params: {} }),
    )
  }

  function setWebhooks(wanted: WebhookSettings | undefined): Answer {
    webhooks = wanted
    const secret = kit.endpoints.get('printful')?.secret ?? ''
    if (wanted) kit.endpoints.set('printful', { url: wanted.url, secret })
    else kit.endpoints.delete('printful')
    return webhookInfo()
  }

  function shippingRates(call: Call): Answer {
    const body = bodyOf(call, ratesBody)
    const country = countryOf(body.recipient, false)
    const items = body.items ?? []
    if (items.length === 0) throw new PrintfulError(400, 'Missing required parameters: items')
    const pieces = items.reduce((sum, { quantity }) => sum + quantity, 0)
    if (pieces > 100) largeRates.count()
    for (const [index, item] of items.entries()) {
      if (!Number.isInteger(item.quantity) || item.quantity < 1)
        throw new PrintfulError(400, `Item ${index}: Quantity must be at least 1`)
      const known = store.products.some(({ variants }) =>
        variants.some(({ variant_id, external_id }) =>
          item.variant_id === null || item.variant_id === undefined
            ? external_id === item.external_variant_id
            : variant_id === item.variant_id,
        ),
      )
      // The sync variant's id is not the catalog's: mixing them up is the most common mistake.
      if (!known) throw new PrintfulError(400, `Item ${index}: Invalid variant specified`)
    }
    const today = kit.clock.now().getTime()
    const dayFrom = (days: number) => new Date(today + (days + 3) * 24 * 60 * MINUTE).toISOString().slice(0, 10)
    return ok(
      ratesTo(country, pieces).map(({ id, name, cents, days: [least, most] }) => ({
        id,
        name: `${name} (Estimated delivery: ${dayFrom(least)} to ${dayFrom(most)})`,
        rate: decimalOf(cents),
        currency: body.currency ?? 'USD',
        minDeliveryDays: least,
        maxDeliveryDays: most,
        minDeliveryDate: dayFrom(least),
        maxDeliveryDate: dayFrom(most),
      })),
    )
  }

  function taxRate(call: Call): Answer {
    const { recipient } = bodyOf(call, taxBody)
    const { tax, vat } = taxOf({
      country_code: recipient.country_code,
      state_code: recipient.state_code ?? undefined,
      zip: recipient.zip ?? undefined,
    })
    return ok({ required: tax + vat > 0, rate: tax + vat, shipping_taxable: vat > 0 })
  }

  function createOrder(call: Call): Order {
    const body = bodyOf(call, orderBody)
    const existing = body.external_id ? production.findByExternalId(body.external_id) : undefined
    const confirm = isSet(call, 'confirm')
    if (existing && isSet(call, 'update_existing')) return production.update(existing, body, confirm)
    return production.create(body, confirm)
  }

  async function answerOrder(order: Order): Promise<Answer> {
    if (isMeantToBeSlow(order) && !slowAnswered.has(order.id)) {
      slowAnswered.add(order.id)
      await new Promise((resolve) => setTimeout(resolve, SLOW_ANSWER_MS).unref())
    }
    return ok(shape(order))
  }

  const shipmentsOf = (order: Order, { path, query }: Call): Answer =>
    pageV2(order.shipments, { address: `${origin}${path}`, query }, (shipment) => shipmentV2(order, shipment, origin))

  /** One row per call; groups in the path are passed on. */
  const routes: readonly Route[] = [
    ['GET', /^\/store\/products$/, (call) => page(store.products, call.query, (product) => syncProduct(product, view))],
    ['GET', /^\/store\/products\/([^/]+)$/, (_, id) => ok(productDetail(getProduct(id), view))],
    [
      'GET',
      /^\/store\/variants\/([^/]+)$/,
      (_, id) => {
        const { product, variant } = getVariant(id)
        return ok(syncVariant(product, variant, view))
      },
    ],
    ...designRoutes({ catalog, library, mockups, made, changes, mockupCalls, view, getProduct, getVariant, bodyOf }),
    ['POST', /^\/shipping\/rates$/, shippingRates],
    ['POST', /^\/tax\/rates$/, taxRate],
    ['GET', /^\/countries$/, () => ok(countries)],
    ['GET', /^\/orders$/, (call) => page(wantedOrders(call), call.query, shape)],
    ['POST', /^\/orders$/, (call) => answerOrder(createOrder(call))],
    [
      'POST',
      /^\/orders\/estimate-costs$/,
      (call) => {
        const { costs, retail } = production.estimate(bodyOf(call, orderBody))
        return ok(costsAsNumbers(costs, retail))
      },
    ],
    ['GET', /^\/orders\/([^/]+)$/, (_, id) => ok(shape(getOrder(id)))],
    [
      'PUT',
      /^\/orders\/([^/]+)$/,
      (call, id) => answerOrder(production.update(getOrder(id), bodyOf(call, orderBody), isSet(call, 'confirm'))),
    ],
    ['DELETE', /^\/orders\/([^/]+)$/, (_, id) => ok(shape(production.withdraw(getOrder(id))))],
    ['POST', /^\/orders\/([^/]+)\/confirm$/, (_, id) => ok(shape(production.confirm(getOrder(id))))],
    ['GET', /^\/v2\/orders\/([^/]+)\/shipments$/, (call, id) => shipmentsOf(getOrder(id), call)],
    ['GET', /^\/webhooks$/, webhookInfo],
    [
      'POST',
      /^\/webhooks$/,
      (call) => {
        const { url, types, params } = bodyOf(call, webhookBody)
        return setWebhooks({ url, types, params: params ?? {} })
      },
    ],
    ['DELETE', /^\/webhooks$/, () => setWebhooks(undefined)],
    ['GET', /^\/stores$/, (call) => page([storeInfo()], call.query, (one) => one)],
    ['GET', /^\/stores\/(\d+)$/, (_, id) => ok(getStore(id))],
    [
      'GET',
      /^\/oauth\/scopes$/,
      () => ok({ scopes: scopes.map(([scope, display_name]) => ({ scope, display_name })) }),
    ],
  ]

  const storeInfo = () => ({ id: storeId, type: 'native', name: 'Demo store' })

  function getStore(id: string) {
    if (id !== String(storeId)) throw new PrintfulError(404, 'Not Found')
    return storeInfo()
  }

  /** Newest first. */
  function wantedOrders({ query }: Call): Order[] {
    const status = query.get('status')
    return production.list().filter((order) => status === null || order.status === status)
  }

  async function route(call: Call): Promise<Answer> {
    const path = call.path.length > 1 ? call.path.replace(/\/$/, '') : call.path
    for (const [method, pattern, answer] of routes) {
      const match = pattern.exec(path)
      if (match && method === call.method) return answer(call, decodeURIComponent(match[1] ?? ''))
    }
    const missing = refusal(new PrintfulError(404, 'Not Found'))
    return notSimulatedPaths.test(path) ? kit.notSimulated(missing) : missing
  }

  async function handle(call: Call): Promise<Answer> {
    const file = /^\/files\/([^/]+\.(?:webp|png|jpg))$/.exec(call.path)?.[1]
    if (file && call.method === 'GET') return fileAnswer(file)
    const tracked = /^\/tracking\/(\d+)$/.exec(call.path)?.[1]
    if (tracked && call.method === 'GET') return trackingPage(tracked)
    try {
      checkAccess(call)
      const announced = limiter.count()
      const answer = await route(call)
      // A call with a limit of its own announces that one.
      answer.headers = { ...announced, ...answer.headers }
      return answer
    } catch (error) {
      if (error instanceof PrintfulError) return refusal(error)
      throw error
    }
  }

  async function fileAnswer(file: string): Promise<Answer> {
    const bytes =
      (await previewOfFile(file, store.products, made, library)) ??
      (await catalog.picture(file)) ??
      mockups.picture(file) ??
      pictures.read(file)
    if (!bytes) return refusal(new PrintfulError(404, 'Not Found'))
    const type = file.split('.').at(-1) ?? ''
    return {
      status: 200,
      body: bytes,
      headers: {
        'content-type': `image/${type === 'jpg' ? 'jpeg' : type}`,
        'cache-control': 'public, max-age=3600',
      },
    }
  }

  /** The carrier's page, so the link in the email leads somewhere. */
  function trackingPage(number: string): Answer {
    const found = production
      .list()
      .flatMap((order) => order.shipments)
      .find(({ tracking_number }) => tracking_number === number)
    if (!found)
      return {
        status: 404,
        body: 'No parcel has this number.',
        headers: { 'content-type': 'text/plain; charset=utf-8' },
      }
    const lines = [
      `Parcel ${number}`,
      `Handed over to the carrier: ${found.shipped_at}`,
      found.status === 'returned'
        ? 'Returned to the sender'
        : found.delivered_at
          ? `Delivered: ${found.delivered_at}`
          : 'On its way',
      '',
      'This is the sandbox: no such parcel exists.',
    ]
    return { status: 200, body: lines.join('\n'), headers: { 'content-type': 'text/plain; charset=utf-8' } }
  }

  const server = await kit.serve('printful', port, handle)
  origin = server.url

  return {
    name: 'printful',
    url: server.url,
    ledger: () => ({
      partner_orders: production.list().map(({ id, external_id, status, items }) => ({
        id: String(id),
        external_id: external_id ?? '',
        status,
        items: items.map(({ variant, quantity }) => ({
          sync_variant_id: variant.id,
          quantity,
          ...(variant.files && {
            files: made
              .printsOf(variant)
              .map(({ placement, file, position }) => ({ placement, url: file.url, position })),
          }),
        })),
      })),
      shipments: production.list().flatMap((order) =>
        order.shipments.map((shipment) => ({
          id: String(shipment.id),
          order_id: String(order.id),
          status: shipment.status === 'shipped' && shipment.delivered_at ? 'delivered' : shipment.status,
          tracking_number: shipment.tracking_number,
        })),
      ),
    }),
    change: async (wanted) => changeWorld(wanted, { production, store, catalog, limiters, sendEvent, shape, view }),
    save: () => ({ events, production: production.save() }),
    load(saved) {
      const own = saved as { events: number; production: unknown }
      events = own.events
      production.load(own.production)
    },
    reset() {
      production.reset()
      limiter.reset()
      for (const each of [largeRates, changes, mockupCalls, library, mockups, catalog]) each.reset()
      store.products = structuredClone(seed) as StoreProduct[]
      store.token = token
      slowAnswered = new Set()
    },
    async close() {
      production.reset()
      await server.close()
    },
  }
}

const isSet = ({ query }: Call, name: string): boolean => ['1', 'true'].includes(query.get(name) ?? '')

/** @throws PrintfulError with Printful's odd statuses: 430 when it is not JSON, 400 when it does not fit */
function bodyOf<T>({ raw }: Call, schema: z.ZodType<T>): T {
  let json: unknown
  try {
    json = JSON.parse(raw.toString('utf8')) as unknown
  } catch {
    throw new PrintfulError(430, 'Invalid JSON')
  }
  const parsed = schema.safeParse(json)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new PrintfulError(400, `Invalid parameter: ${issue?.path.join('.') || 'body'}`)
}
