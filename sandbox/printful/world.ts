import { z } from 'zod'

import { centsOf, decimalOf } from './decimal.ts'
import type { Order } from './orders.ts'
import type { Production } from './production.ts'
import type { Availability, StoreProduct, StoreVariant } from './products.ts'
import { syncProduct } from './shapes.ts'
import type { PictureOf } from './shapes.ts'

const number = z.union([z.number(), z.string().regex(/^\d+$/).transform(Number)])

const changeRequest = z.object({
  change: z.string(),
  /** The order, by the shop's id or the partner's. */
  external_id: z.string().exactOptional(),
  id: number.exactOptional(),
  reason: z.string().exactOptional(),
  parcel: number.exactOptional(),
  of: number.exactOptional(),
  again: z.boolean().exactOptional(),
  /** For `ship`: by which carrier. */
  carrier: z.string().exactOptional(),
  shipment: number.exactOptional(),
  /** For `say`: any word at all. */
  status: z.string().exactOptional(),
  /** For `hold`: what the order is after the hold. */
  resumes_as: z.enum(['draft', 'pending', 'inprocess']).exactOptional(),
  /** The thing, for changes of stock and price: one variant, or a whole product. */
  sync_variant_id: number.exactOptional(),
  sync_product_id: number.exactOptional(),
  retail_price: z.union([z.string(), z.number()]).exactOptional(),
  name: z.string().exactOptional(),
  /** For `cost`: what making one takes from now on. */
  cost: z.union([z.string(), z.number()]).exactOptional(),
  /** For `credit`: what the partner gives back; all of it when it is left out. */
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
  store: { products: StoreProduct[]; token: string }
  limiter: { allow(perMinute: number): void }
  tell: (type: string, data: unknown) => void
  shape: (order: Order) => unknown
  pictureOf: PictureOf
}

type Change = (wish: ChangeRequest, world: World) => unknown

const orderChanges: Record<string, (order: Order, wish: ChangeRequest, production: Production) => unknown> = {
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
  // A word that nobody knows, such as Printful's own 'archived'.
  say: (order, { status = 'archived' }) => Object.assign(order, { status }),
  lose: (order, _, production) => production.lose(order),
  return: (order, { reason, shipment }, production) =>
    production.giveBack(order, reason ?? 'The address was not found', shipment),
}

const storeChanges: Record<string, Change> = {
  stock_out: (asked, world) => setAvailability(asked, world, 'out_of_stock'),
  back_in_stock: (asked, world) => setAvailability(asked, world, 'active'),
  discontinue: (asked, world) => setAvailability(asked, world, 'discontinued'),
  price: (asked, world) => {
    if (asked.retail_price === undefined) throw new Error("A change of price needs 'retail_price'.")
    const price = decimalOf(centsOf(asked.retail_price))
    for (const { variant } of chosenProduct(asked, world)) variant.retail_price = price
    return productUpdated(asked, world)
  },
  rename: (asked, world) => {
    const [first] = chosenProduct(asked, world)
    if (first && asked.name) first.product.name = asked.name
    return productUpdated(asked, world)
  },
  /** A blank becomes dearer for every design that is printed on it. */
  cost: (asked, world) => {
    if (asked.cost === undefined) throw new Error("A change of cost needs 'cost'.")
    const cost = decimalOf(centsOf(asked.cost))
    const blanks = new Set(chosenProduct(asked, world).map(({ variant }) => variant.variant_id))
    for (const { variants } of world.store.products)
      for (const variant of variants.filter(({ variant_id }) => blanks.has(variant_id))) variant.cost = cost
    return { variant_ids: [...blanks] }
  },
  picture: (asked, world) => {
    if (asked.file === undefined) throw new Error("A change of picture needs 'file'.")
    for (const { variant } of chosenProduct(asked, world)) variant.picture = asked.file
    return productUpdated(asked, world)
  },
  new_variant: (asked, world) => {
    const [first] = chosenProduct(asked, world)
    if (!first || asked.size === undefined) throw new Error("A new variant needs 'size'.")
    const { product, variant } = first
    const ids = world.store.products.flatMap(({ variants }) => variants)
    const added: StoreVariant = {
      ...variant,
      id: Math.max(...ids.map(({ id }) => id)) + 1,
      external_id: `${product.external_id}-${variant.color}-${asked.size}`.toLowerCase().replaceAll(' ', '-'),
      name: `${product.name} - ${variant.color} / ${asked.size}`,
      variant_id: Math.max(...ids.map(({ variant_id }) => variant_id)) + 1,
      sku: `${variant.sku}-${asked.size}`,
      size: asked.size,
      availability: 'active',
    }
    product.variants.push(added)
    productUpdated(asked, world)
    return { id: added.id }
  },
  delete_variant: (asked, world) => {
    if (asked.sync_variant_id === undefined) throw new Error("'delete_variant' needs 'sync_variant_id'.")
    for (const { product, variant } of chosenProduct(asked, world)) {
      product.variants = product.variants.filter((one) => one !== variant)
      world.tell('product_updated', { sync_product: syncProduct(product, world.pictureOf) })
    }
    return { id: asked.sync_variant_id }
  },
  delete_product: (asked, world) => {
    const [first] = chosenProduct(asked, world)
    if (!first) return undefined
    const { id, external_id, name } = first.product
    world.store.products = world.store.products.filter((product) => product !== first.product)
    world.tell('product_deleted', { sync_product: { id, external_id, name } })
    return { id }
  },
  rate_limit: ({ perMinute }, { limiter }) => {
    if (perMinute === undefined || perMinute < 0) throw new Error("A change of the rate limit needs 'perMinute'.")
    limiter.allow(perMinute)
    return { perMinute }
  },
  /** The shop's token stops working, as an expired one does; another one works when it is given. */
  expire_token: ({ token }, { store }) => {
    store.token = token ?? `expired ${store.token}`
    return { expired: true }
  },
}

/** Every change that the control page may ask for. */
const printfulChanges: readonly string[] = [...Object.keys(orderChanges), ...Object.keys(storeChanges)]

/** @throws Error a sentence that says why it cannot be done */
export function changeWorld(wanted: Record<string, unknown>, world: World): unknown {
  const parsed = changeRequest.safeParse(wanted)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new Error(`'${issue?.path.join('.') ?? ''}' is not right: ${issue?.message ?? ''}.`)
  }
  const asked = parsed.data
  const onOrder = orderChanges[asked.change]
  if (onOrder) {
    const order = orderFor(asked, world)
    onOrder(order, asked, world.production)
    return world.shape(order)
  }
  const onStore = storeChanges[asked.change]
  if (!onStore) throw new Error(`Printful knows no change '${asked.change}', only ${printfulChanges.join(', ')}.`)
  return onStore(asked, world)
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
  const found = store.products.flatMap((product) =>
    product.variants
      .filter(({ id }) => (sync_variant_id === undefined ? product.id === sync_product_id : id === sync_variant_id))
      .map((variant) => ({ product, variant })),
  )
  if (found.length === 0) throw new Error(`The store has no ${sync_variant_id ?? sync_product_id}.`)
  return found
}

/** A blank runs out for every design that is printed on it. */
function setAvailability(asked: ChangeRequest, world: World, availability: Availability): unknown {
  const blanks = new Set(chosenProduct(asked, world).map(({ variant }) => variant.variant_id))
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
function sendStockEvent(productId: number, { store, tell }: World): void {
  const variants = store.products
    .filter(({ blank }) => blank.productId === productId)
    .flatMap((product) => product.variants)
  const idsOf = (...states: Availability[]) => [
    ...new Set(
      variants.filter(({ availability }) => states.includes(availability)).map(({ variant_id }) => variant_id),
    ),
  ]
  tell('stock_updated', {
    product_id: productId,
    variant_stock: { out: idsOf('out_of_stock', 'temporary_out_of_stock'), discontinued: idsOf('discontinued') },
  })
}

function productUpdated(asked: ChangeRequest, world: World): unknown {
  const products = new Set(chosenProduct(asked, world).map(({ product }) => product))
  for (const product of products) world.tell('product_updated', { sync_product: syncProduct(product, world.pictureOf) })
  return { sync_product_ids: [...products].map(({ id }) => id) }
}
