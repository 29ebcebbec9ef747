import type { WireAddress } from '#contract/checkout.ts'
import type { FreeOrderRequest } from '#contract/free-orders.ts'
import type { Address } from '#domain/checkout/address.ts'
import type { PricedLine } from '#domain/checkout/quote.ts'
import { asksForTaxNumber, taxNumberFrom, taxNumberObjection } from '#domain/checkout/tax-number.ts'
import { recipientNameOf } from '#domain/orders/gift.ts'
import type { FreeOrderKind } from '#domain/orders/kind.ts'
import { whyNotReplace } from '#domain/orders/replacement.ts'
import { piecesOf, type Pieces } from '#domain/payments/returns.ts'
import type { OrderNumber, VariantId } from '#shared/ids.ts'
import type { Language } from '#shared/language.ts'
import type { Cents } from '#shared/money.ts'
import { CUSTOMER, recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import { linesAtTodaysPrices } from '#server/catalog/catalog.ts'
import { refuseRestricted } from '#server/checkout/pricing.ts'
import { addressFrom, addressRefusal } from '#server/checkout/wire.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import {
  createFreeOrder,
  findByRequest,
  findSameFreeOrder,
  listReplaceable,
  type Recipient,
} from '#server/orders/free-orders.ts'
import { addNote } from '#server/orders/notes.ts'
import { mailFreeOrderLater } from '#server/orders/mails.ts'
import { findOrderByNumber, listOrderLines, lockOrder, type Order } from '#server/orders/orders.ts'
import { ProviderRefusal, ProviderUnavailable } from '#server/providers/provider-errors.ts'
import type { Needs } from '#server/shop.ts'
import { submitOrderLater } from './fulfillment.ts'

/*
 * Orders without a payment: replacements, samples and gifts. They go the way of every order from here on.
 */

type FreeOrderNeeds = Needs<'jobs' | 'config' | 'clock'>

const ADDRESS_FIELD = 'customer.shippingAddress'

type FreeOrderInput = {
  kind: FreeOrderKind
  replaced?: Order
  recipient: Recipient
  lines: Parameters<typeof createFreeOrder>[1]['lines']
  requestKey: string
  by: Actor
  /** Becomes the order’s note. */
  reason: string
}

/** Creates, announces and submits an order without a payment, if the transaction commits. The same request makes no second one. */
async function placeFreeOrder(tx: Tx, shop: FreeOrderNeeds, input: FreeOrderInput): Promise<Order> {
  const { kind, replaced, by, reason } = input
  const now = shop.clock.now()
  const { order, lines, isNew } = await createFreeOrder(tx, input, now)
  if (!isNew) return order
  await submitOrderLater(shop, tx, order)
  await mailFreeOrderLater(shop, tx, { order, lines, replaced }, now)
  // Free text can contain personal data, so it is a note, which erasure deletes.
  await addNote(tx, { orderId: order.id, author: by.name, words: reason, createdAt: now })
  const after = { kind, pieces: lines.reduce((total, { quantity }) => total + quantity, 0) }
  await recordAction(tx, {
    by,
    what: `ordered a ${kind}`,
    about: { kind: 'order', id: order.orderNumber },
    after: { ...after, ...(replaced && { replaces: replaced.orderNumber }) },
    at: now,
  })
  if (replaced)
    await recordAction(tx, {
      by,
      what: 'replaced pieces',
      about: { kind: 'order', id: replaced.orderNumber },
      after: { ...after, replacement: order.orderNumber },
      at: now,
    })
  return order
}

export type ReplacementInput = {
  /** By line of the replaced order. */
  pieces: Pieces
  /** A UUID: the same one makes no second order. */
  requestKey: string
  reason: string
  by: Actor
  /** Unless it goes where the replaced order went. */
  to?: Pick<Recipient, 'name' | 'address' | 'taxNumber'>
}

/**
 * Replaces pieces of an order without charge.
 * @param replaced locked
 * @throws Refusal `cannot_replace` when nothing has shipped, or a piece already has a replacement
 */
export async function placeReplacement(
  tx: Tx,
  shop: FreeOrderNeeds,
  replaced: Order,
  { pieces, to, ...input }: ReplacementInput,
): Promise<Order> {
  const known = await findByRequest(tx, input.requestKey)
  if (known) return known
  const left = await listReplaceable(tx, replaced)
  const reason = whyNotReplace({
    fulfillment: replaced.fulfillmentStatus,
    isErased: replaced.erasedAt !== null,
    left: countOf(left),
  })
  if (reason !== null) throw new Refusal('cannot_replace', { reason })
  const lines = await listOrderLines(tx, replaced.id)
  const wanted = pieces.filter(({ quantity }) => quantity > 0)
  if (wanted.length === 0) throw new Refusal('invalid', {}, { pieces: 'Please choose what to replace' })
  return placeFreeOrder(tx, shop, {
    ...input,
    kind: 'replacement',
    replaced,
    recipient: { ...recipientOf(replaced), ...to },
    lines: wanted.map(({ position, quantity }) => {
      const line = lines.find((candidate) => candidate.position === position)
      const room = left.find((candidate) => candidate.position === position)?.quantity ?? 0
      if (!line || quantity > room)
        throw new Refusal('cannot_replace', {
          reason: line ? `Only ${room} of “${line.productName}” can still be replaced.` : 'It has no such line.',
        })
      const { productId, variantId, productName, variantName, imageUrl, collection } = line
      return {
        productId,
        variantId,
        productName,
        variantName,
        imageUrl,
        collection,
        quantity,
        replacesPosition: position,
      }
    }),
  })
}

const countOf = (pieces: Pieces): number => pieces.reduce((total, { quantity }) => total + quantity, 0)

const recipientOf = (order: Order): Recipient => ({
  email: order.customerEmail,
  name: recipientNameOf(order),
  phone: order.customerPhone,
  taxNumber: order.taxNumber,
  address: order.shippingAddress,
  language: order.language,
})

/**
 * The owner replaces pieces of an order.
 * @param seen how many pieces could be replaced when the owner chose
 * @throws Refusal `unknown_order`, `cannot_replace`; `replacement_changed` when another replacement came between
 */
export async function replaceOrder(
  shop: FreeOrderNeeds & Needs<'db'>,
  orderNumber: OrderNumber,
  { seen, ...input }: Omit<ReplacementInput, 'to'> & { seen: number },
): Promise<Order> {
  const found = await findOrderByNumber(shop.db, orderNumber)
  if (!found) throw new Refusal('unknown_order')
  return shop.db.transaction(async (tx) => {
    const order = await lockOrder(tx, found.id)
    const isRepeated = (await findByRequest(tx, input.requestKey)) !== undefined
    if (!isRepeated && countOf(await listReplaceable(tx, order)) !== seen) throw new Refusal('replacement_changed')
    return placeReplacement(tx, shop, order, input)
  })
}

/**
 * The owner orders a sample or gift. The same from another form within ten minutes is the same order.
 * @throws Refusal `invalid` with a sentence for each field, `country_unsupported`, `country_blocked`, or the catalog's for a variant
 */
export async function orderWithoutPayment(
  shop: FreeOrderNeeds & Needs<'db'>,
  { kind, lines: wanted, customer, reason, requestKey }: FreeOrderRequest,
  by: Actor,
): Promise<Order> {
  const address = addressFrom(customer.shippingAddress, ADDRESS_FIELD)
  const taxNumber = asksForTaxNumber(address.country) ? requireTaxNumber(customer.tax_number) : null
  const lines = await linesTo(shop.db, wanted, address.country)
  const { email, name, phone, language } = customer
  const recipient = { email, name, phone: phone || null, taxNumber, address, language }
  const pieces = lines.map(({ productId, variantId, productName, variantName, imageUrl, collection, quantity }) => ({
    ...{ productId, variantId, productName, variantName, imageUrl, collection, quantity },
  }))
  return shop.db.transaction(async (tx) => {
    const same = await findSameFreeOrder(tx, { kind, recipient, lines: pieces }, shop.clock.now())
    return same ?? placeFreeOrder(tx, shop, { kind, recipient, reason, requestKey, by, lines: pieces })
  })
}

export type PrizeCustomer = {
  email: string
  name: string
  shippingAddress: WireAddress
  tax_number?: string | null | undefined
  language: Language
}

/**
 * Who gets a raffle's prize, and what, checked like every order.
 * @throws Refusal `invalid` with a sentence for each field, `country_unsupported`, `country_blocked`, or the catalog's for a variant
 */
export async function readPrizeOrder(
  db: Reader,
  { email, name, shippingAddress, tax_number, language }: PrizeCustomer,
  variantId: VariantId,
): Promise<{ recipient: Recipient; line: PrizeLine }> {
  const address = addressFrom(shippingAddress, 'shippingAddress')
  const taxNumber = asksForTaxNumber(address.country) ? requireTaxNumber(tax_number, 'tax_number') : null
  const [line] = await linesTo(db, [{ variantId, quantity: 1 }], address.country)
  if (!line) throw new Refusal('unknown_variant')
  const { productId, productName, variantName, imageUrl, collection, quantity } = line
  return {
    recipient: { email, name, phone: null, taxNumber, address, language },
    line: { productId, variantId, productName, variantName, imageUrl, collection, quantity },
  }
}

type PrizeLine = Parameters<typeof createFreeOrder>[1]['lines'][number]

/** Orders a prize for its winner, who claims it. The same request makes no second one. */
export const placePrize = (
  tx: Tx,
  shop: FreeOrderNeeds,
  { line, ...input }: { recipient: Recipient; line: PrizeLine; requestKey: string; reason: string },
): Promise<Order> => placeFreeOrder(tx, shop, { ...input, kind: 'gift', by: CUSTOMER, lines: [line] })

function requireTaxNumber(typed: string | null | undefined, field = 'customer.tax_number'): string | null {
  const objection = taxNumberObjection(typed ?? '')
  if (objection) throw new Refusal('invalid', {}, { [field]: objection })
  return taxNumberFrom(typed ?? '') ?? null
}

async function linesTo(db: Reader, wanted: FreeOrderRequest['lines'], country: string): Promise<PricedLine[]> {
  const lines = await linesAtTodaysPrices(db, wanted)
  refuseRestricted(country, lines)
  return lines
}

/**
 * What the printer would charge for an order without a payment, by its own estimate.
 * @returns null when it does not answer
 */
export async function estimateCost(
  { db, printful }: Needs<'db' | 'printful'>,
  {
    lines: wanted,
    shippingAddress,
  }: { lines: FreeOrderRequest['lines'] } & Pick<FreeOrderRequest['customer'], 'shippingAddress'>,
): Promise<Cents | null> {
  const address = addressFrom(shippingAddress, ADDRESS_FIELD)
  return estimateFor(printful, await linesTo(db, wanted, address.country), address)
}

/** The same for replacing pieces of an order. @throws Refusal `unknown_order` */
export async function estimateReplacement(
  { db, printful }: Needs<'db' | 'printful'>,
  orderNumber: OrderNumber,
  pieces: Pieces,
): Promise<Cents | null> {
  const order = await findOrderByNumber(db, orderNumber)
  if (!order) throw new Refusal('unknown_order')
  const lines = (await listOrderLines(db, order.id)).flatMap(({ position, variantId }) => {
    const quantity = piecesOf(position, pieces)
    return quantity > 0 ? [{ variantId, quantity }] : []
  })
  return lines.length > 0 ? estimateFor(printful, lines, order.shippingAddress) : null
}

/** @throws Refusal for an address that the printer can't ship to; not while it does not answer @param field for the sentence */
export async function requireDeliverable(
  { printful }: Needs<'printful'>,
  lines: Parameters<typeof printful.estimateCost>[0],
  address: Address,
  field: string,
): Promise<void> {
  await estimateFor(printful, lines, address, field)
}

async function estimateFor(
  printful: Needs<'printful'>['printful'],
  lines: Parameters<typeof printful.estimateCost>[0],
  address: Address,
  field = ADDRESS_FIELD,
): Promise<Cents | null> {
  try {
    return await printful.estimateCost(lines, address)
  } catch (error) {
    if (error instanceof ProviderRefusal && error.code === 'address_refused') throw addressRefusal(field)
    if (!(error instanceof ProviderRefusal) && !(error instanceof ProviderUnavailable)) throw error
    return null
  }
}
