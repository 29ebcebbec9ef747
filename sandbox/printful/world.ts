import { z } from 'zod'

import type { Catalog } from './catalog.ts'
import { centsOf, decimalOf } from './decimal.ts'
import type { Order } from './orders.ts'
import type { Production } from './production.ts'
import type { Availability, StoreProduct, StoreVariant } from './products.ts'
import { syncProduct } from './shapes.ts'
import type { View } from './shapes.ts'

const number = z.union([z.number(), z.string().regex(/^\d+$/).transform(Number)])

const changeRequest = z.object({
  change: z.string(),
  /** The order, by the shop's id or Printful's. */
  external_id: z.string().exactOptional(),
  id: number.exactOptional(),
  reason: z.string().exactOptional(),
  parcel: number.exactOptional(),
  of: number.exactOptional(),
  again: z.boolean().exactOptional(),
  /** For `ship`: the carrier. */
  carrier: z.string().exactOptional(),
  shipment: number.exactOptional(),
  /** For `track`: when, as an ISO time, and on which day the carrier expects to deliver it. */
  at: z.string().exactOptional(),
  estimate: z.string().exactOptional(),
  /** For `say`: any status at all; for `track`: where the parcel is. */
  status: z.string().exactOptional(),
  /** For `hold`: the status after the hold. */
  resumes_as: z.enum(['draft', 'pending', 'inprocess']).exactOptional(),
  /** For changes of stock and price: one variant, or a whole product. */
  sync_variant_id: number.exactOptional(),
  sync_product_id: number.exactOptional(),
  retail_price: z.union([z.string(), z.number()]).exactOptional(),
  name: z.string().exactOptional(),
  /** For `cost` of a variant of the catalog, and for `discontinue_blank`. */
  variant_id: number.exactOptional(),
  blank_id: number.exactOptional(),
  /** For `cost`: the new cost of making one. */
  cost: z.union([z.string(), z.number()]).exactOptional(),
  /** For `credit`: how much Printful refunds; everything by default. */
  amount: z.union([z.string(), z.number()]).exactOptional(),
  /** For `new_variant` and `picture`. */
  size: z.string().exactOptional(),
  file: z.string().exactOptional(),
  perMinute: number.exactOptional(),
  token: z.string().exactOptional(),
})
type ChangeRequest = z.infer<typeof changeRequest>

type World = {
  production: Production
  catalog: Catalog
  store: { products: StoreProduct[]; token: string }
  limiters: readonly { allow(perMinute: number): void }[]
  sendEvent: (type: string, data: unknown) => void
  shape: (order: Order) => unknown
  view: View
}

type Change = (request: ChangeRequest, world: World) => unknown

const orderChanges: Record<string, (order: Order, request: ChangeRequest, production: Production) => unknown> = {
  advance: (order, _, production) => production.advance(order),
  ship: (order, { parcel, of, again, carrier }, production) =>
    production.ship(order, {
      ...(parcel && { parcel }),
      ...(of && { of }),
      ...(again && { again }),
      ...(carrier && { carrier }),
    }),
  deliver: (order, { shipment }, production) => production.deliver(order, shipment),
  hold: (order, { reason, resumes_as }, production) =>
    production.hold(order, reason ?? 'The order was put on hold', resumes_as),
  ask_approval: (order, { reason }, production) =>
    production.askApproval(order, reason ?? 'The design of this order needs your approval'),
  release: (order, { reason }, production) => production.release(order, reason ?? 'The hold was removed'),
  fail: (order, { reason }, production) => production.fail(order, reason ?? 'A print file could not be downloaded'),
  cancel: (order, { reason }, production) => production.cancel(order, reason ?? 'The order was canceled by Printful'),
  credit: (order, { amount }, production) =>
    production.credit(order, amount === undefined ? undefined : centsOf(amount)),
  // An undocumented status, such as Printful's own 'archived'.
  say: (order, { status = 'archived' }) => Object.assign(order, { status }),
  lose: (order, _, production) => production.lose(order),
  track: (order, { reason, shipment, status, at, estimate }, production) =>
    production.report(order, {
      shipmentId: shipment,
      ...(reason && { description: reason }),
      ...(status && { status }),
      ...(at && { at }),
      ...(estimate && { estimate }),
    }),
  strand: (order, _, production) => production.strand(order),
  return: (order, { reason, shipment }, production) =>
    production.giveBack(order, reason ?? 'The address was not matches', shipment),
}

const storeChanges: Record<string, Change> = {
  stock_out: (request, world) => setAvailability(request, world, 'out_of_stock'),
  back_in_stock: (request, world) => setAvailability(request, world, 'active'),
  discontinue: (request, world) => setAvailability(request, world, 'discontinued'),
  price: (request, world) => {
    if (request.retail_price === undefined) throw new Error("A change of price needs 'retail_price'.")
    const price = decimalOf(centsOf(request.retail_price))
    for (const { variant } of chosenProduct(request, world)) variant.retail_price = price
    return productUpdated(request, world)
  },
  rename: (request, world) => {
    const [first] = chosenProduct(request, world)
    if (first && request.name) first.product.name = request.name
    return productUpdated(request, world)
  },
  /** A blank becomes more expensive for every design that is printed on it. */
  cost: (request, world) => {
    if (request.cost !== undefined && request.variant_id !== undefined) {
      world.catalog.setCost(request.variant_id, centsOf(request.cost))
      return { variant_ids: [request.variant_id] }
    }
    if (request.cost === undefined) throw new Error("A change of cost needs 'cost'.")
    const cost = decimalOf(centsOf(request.cost))
    const blanks = new Set(chosenProduct(request, world).map(({ variant }) => variant.variant_id))
    for (const { variants } of world.store.products)
      for (const variant of variants.filter(({ variant_id }) => blanks.has(variant_id))) variant.cost = cost
    return { variant_ids: [...blanks] }
  },
  discontinue_blank: ({ blank_id }, { catalog }) => {
    if (blank_id === undefined) throw new Error("'discontinue_blank' needs 'blank_id'.")
    catalog.discontinue(blank_id)
    return { blank_id }
  },
  picture: (request, world) => {
    if (request.file === undefined) throw new Error("A change of picture needs 'file'.")
    for (const { variant } of chosenProduct(request, world)) variant.picture = request.file
    return productUpdated(request, world)
  },
  new_variant: (request, world) => {
    const [first] = chosenProduct(request, world)
    if (!first || request.size === undefined) throw new Error("A new variant needs 'size'.")
    const { product, variant } = first
    const ids = world.store.products.flatMap(({ variants }) => variants)
    const added: StoreVariant = {
      ...variant,
      id: Math.max(...ids.map(({ id }) => id)) + 1,
      external_id: `${product.external_id}-${variant.color}-${request.size}`.toLowerCase().replaceAll(' ', '-'),
      name: `${product.name} - ${variant.color} / ${request.size}`,
      variant_id: Math.max(...ids.map(({ variant_id }) => variant_id)) + 1,
      sku: `${variant.sku}-${request.size}`,
      size: request.size,
      availability: 'active',
    }
    product.variants.push(added)
    productUpdated(request, world)
    return { id: added.id }
  },
  delete_variant: (request, world) => {
    if (request.sync_variant_id === undefined) throw new Error("'delete_variant' needs 'sync_variant_id'.")
    for (const { product, variant } of chosenProduct(request, world)) {
      product.variants = product.variants.filter((other) => other !== variant)
      world.sendEvent('product_updated', { sync_product: syncProduct(product, world.view) })
    }
    return { id: request.sync_variant_id }
  },
  /** Somebody makes a product in Printful's dashboard: another one's print under a new name. */
  copy_product: (request, world) => {
    const [first] = chosenProduct(request, world)
    if (!first || request.name === undefined) throw new Error("A copy of a product needs 'name'.")
    const { products } = world.store
    const id = Math.max(...products.map((one) => one.id)) + 1
    const lastVariant = Math.max(...products.flatMap(({ variants }) => variants).map((one) => one.id))
    const copy: StoreProduct = {
      ...first.product,
      id,
      external_id: id.toString(16),
      name: request.name,
      variants: first.product.variants.map((variant, index) => ({
        ...variant,
        id: lastVariant + 1 + index,
        external_id: (lastVariant + 1 + index).toString(16),
        name: `${request.name} - ${variant.color} / ${variant.size}`,
      })),
    }
    products.push(copy)
    world.sendEvent('product_synced', { sync_product: syncProduct(copy, world.view) })
    return { id }
  },
  delete_product: (request, world) => {
    const [first] = chosenProduct(request, world)
    if (!first) return undefined
    const { id, external_id, name } = first.product
    world.store.products = world.store.products.filter((product) => product !== first.product)
    world.sendEvent('product_deleted', { sync_product: { id, external_id, name } })
    return { id }
  },
  rate_limit: ({ perMinute }, { limiters }) => {
    if (perMinute === undefined || perMinute < 0) throw new Error("A change of the rate limit needs 'perMinute'.")
    for (const limiter of limiters) limiter.allow(perMinute)
    return { perMinute }
  },
  /** The shop's token stops working, as an expired one does; a new one works if given. */
  expire_token: ({ token }, { store }) => {
    store.token = token ?? `expired ${store.token}`
    return { expired: true }
  },
}

/** Every change that the control page offers. */
const printfulChanges: readonly string[] = [...Object.keys(orderChanges), ...Object.keys(storeChanges)]

/** @throws Error a sentence that says why it cannot be done */
export function changeWorld(wanted: Record<string, unknown>, world: World): unknown {
  const parsed = changeRequest.safeParse(wanted)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new Error(`'${issue?.path.join('.') ?? ''}' is invalid: ${issue?.message ?? ''}.`)
  }
  const request = parsed.data
  const onOrder = orderChanges[request.change]
  if (onOrder) {
    const order = orderFor(request, world)
    onOrder(order, request, world.production)
    return world.shape(order)
  }
  const onStore = storeChanges[request.change]
  if (!onStore) throw new Error(`Printful knows no change '${request.change}', only ${printfulChanges.join(', ')}.`)
  return onStore(request, world)
}

function orderFor({ id, external_id, change }: ChangeRequest, { production }: World): Order {
  if (id === undefined && external_id === undefined)
    throw new Error(`'${change}' needs the order's 'external_id' or 'id'.`)
  const order = external_id === undefined ? production.find(String(id)) : production.findByExternalId(external_id)
  if (!order) throw new Error(`Printful has no order ${external_id ?? id}.`)
  return order
}

function chosenProduct(
  { sync_variant_id, sync_product_id }: ChangeRequest,
  { store }: World,
): { product: StoreProduct; variant: StoreVariant }[] {
  if (sync_variant_id === undefined && sync_product_id === undefined)
    throw new Error("This change needs 'sync_variant_id' or 'sync_product_id'.")
  const matches = store.products.flatMap((product) =>
    product.variants
      .filter(({ id }) => (sync_variant_id === undefined ? product.id === sync_product_id : id === sync_variant_id))
      .map((variant) => ({ product, variant })),
  )
  if (matches.length === 0) throw new Error(`The store has no ${sync_variant_id ?? sync_product_id}.`)
  return matches
}

/** A blank runs out for every design that is printed on it. */
function setAvailability(request: ChangeRequest, world: World, availability: Availability): unknown {
  const blanks = new Set(chosenProduct(request, world).map(({ variant }) => variant.variant_id))
  const affected = new Set<number>()
  for (const product of world.store.products) {
    for (const variant of product.variants.filter(({ variant_id }) => blanks.has(variant_id))) {
      variant.availability = availability
      affected.add(product.blank.productId)
    }
  }
  for (const productId of affected) sendStockEvent(productId, world)
  return { variant_ids: [...blanks] }
}

/** Ids that are not named are in stock. */
function sendStockEvent(productId: number, { store, sendEvent }: World): void {
  const variants = store.products
    .filter(({ blank }) => blank.productId === productId)
    .flatMap((product) => product.variants)
  const idsOf = (...states: Availability[]) => [
    ...new Set(
      variants.filter(({ availability }) => states.includes(availability)).map(({ variant_id }) => variant_id),
    ),
  ]
  sendEvent('stock_updated', {
    product_id: productId,
    variant_stock: { out: idsOf('out_of_stock', 'temporary_out_of_stock'), discontinued: idsOf('discontinued') },
  })
}

function productUpdated(request: ChangeRequest, world: World): unknown {
  const products = new Set(chosenProduct(request, world).map(({ product }) => product))
  for (const product of products) world.sendEvent('product_updated', { sync_product: syncProduct(product, world.view) })
  return { sync_product_ids: [...products].map(({ id }) => id) }
}
