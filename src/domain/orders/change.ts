import { LINES_MAX, QUANTITY_MAX } from '#domain/cart/cart.ts'
import type { Address } from '#domain/checkout/address.ts'
import { LEAST_CHARGE } from '#domain/checkout/least-charge.ts'
import type { PricedLine, Quote } from '#domain/checkout/quote.ts'
import type { TaxEvidence } from '#domain/checkout/tax-evidence.ts'
import { NO_PARTS, totalOf, type RefundParts } from '#domain/payments/returns.ts'
import type { ProductId, VariantId } from '#shared/ids.ts'
import { cents, minus, negate, plus, spread, sum, ZERO, type Cents } from '#shared/money.ts'
import type { ChangeState } from './changes.ts'
import type { FulfillmentStatus, PaymentStatus } from './status.ts'

/** A line of an order, as it is paid and made. Positions are never used twice in an order. */
export type OrderedLine = {
  position: number
  productId: ProductId
  variantId: VariantId
  productName: string
  variantName: string | null
  imageUrl: string | null
  collection: string
  quantity: number
  unitPrice: Cents
  /** The catalog's price when it was bought, if a code took something off. */
  listPrice?: Cents | null
}

/** A variant as the catalog has it today, sold or not. */
export type CatalogPiece = Omit<PricedLine, 'quantity'> & { isBuyable: boolean }

/** Another variant of the line's product, or another number of pieces; a quantity of 0 removes the line. */
type LineWish = { position: number; variantId: VariantId; quantity: number }
type AddedPieces = { variantId: VariantId; quantity: number }
export type LinesWish = { changed: readonly LineWish[]; added: readonly AddedPieces[] }

const nextStates: Record<ChangeState, readonly ChangeState[]> = {
  awaiting_payment: ['done', 'lapsed'],
  done: [],
  lapsed: [],
}

export const changeCanBecome = (from: ChangeState, to: ChangeState): boolean => nextStates[from].includes(to)

/** What decides whether an order can be changed. */
type OrderToChange = {
  fulfillment: FulfillmentStatus
  payment: PaymentStatus
  isErased: boolean
  /** A change of it waits for its payment. */
  isAwaitingPayment: boolean
}

const ONCE_IT_HAS_ARRIVED = 'If something is wrong with it, it can be replaced or refunded once it has arrived.'
const ORDER_AGAIN = 'A new order can be placed instead.'

const CLOSED: Partial<Record<FulfillmentStatus, string>> = {
  in_production: `The printer is making this order, so it can’t be changed. ${ONCE_IT_HAS_ARRIVED}`,
  partially_shipped: `Part of this order has shipped, so it can’t be changed. ${ONCE_IT_HAS_ARRIVED}`,
  shipped: `This order has shipped, so it can’t be changed. ${ONCE_IT_HAS_ARRIVED}`,
  delivered:
    'This order was delivered, so it can’t be changed. If something is wrong with it, it can be replaced or refunded.',
  returned: `This order was returned, so it can’t be changed. ${ORDER_AGAIN}`,
  cancelled: `This order is canceled, so it can’t be changed. ${ORDER_AGAIN}`,
}

/**
 * null: the order can be changed, as far as our own copy of it says. Otherwise a sentence why not, with the next way. An order that
 * the printer has not begun to make is changed by canceling it there first, which the printer may still refuse.
 */
export function whyNotChange({ fulfillment, payment, isErased, isAwaitingPayment }: OrderToChange): string | null {
  if (isErased) return 'The customer’s data was erased, so this order can’t be changed.'
  if (payment === 'refunded') return `This order was refunded, so it can’t be changed. ${ORDER_AGAIN}`
  if (payment === 'disputed')
    return 'The payment of this order is disputed, so it can’t be changed until the bank has decided.'
  const closed = CLOSED[fulfillment]
  if (closed) return closed
  return isAwaitingPayment
    ? 'A change of this order waits for its payment. It has to be paid or dropped before the next one.'
    : null
}

export type ChangedLines = { lines: OrderedLine[]; objection?: undefined } | { objection: string }

/**
 * The lines after a change. A piece that stays costs what was paid for it. A new piece costs today's price, also one that becomes
 * another size or color; if both cost the same today, the price stays as paid. More pieces join a line of the same variant and price.
 * @param today the variants of the lines and of the wish; those that the catalog no longer knows are missing
 * @param freePosition the first position that the order never used
 */
export function changedLines(
  lines: readonly OrderedLine[],
  { changed, added }: LinesWish,
  today: ReadonlyMap<VariantId, CatalogPiece>,
  freePosition: number,
): ChangedLines {
  const wishes = new Map(changed.map((wish) => [wish.position, wish]))
  if (wishes.size < changed.length || changed.some(({ position }) => !lines.some((line) => line.position === position)))
    return { objection: 'The order doesn’t have this line.' }

  const after: OrderedLine[] = []
  const more = [...added]
  for (const line of lines) {
    const wish = wishes.get(line.position)
    if (!wish) {
      after.push(line)
      continue
    }
    if (wish.quantity === 0) continue
    if (wish.quantity > line.quantity) more.push({ variantId: wish.variantId, quantity: wish.quantity - line.quantity })
    const quantity = Math.min(wish.quantity, line.quantity)
    if (wish.variantId === line.variantId) {
      after.push({ ...line, quantity })
      continue
    }
    const piece = today.get(wish.variantId)
    if (!piece || piece.productId !== line.productId)
      return { objection: `${line.productName} doesn’t come in that color and size.` }
    if (!piece.isBuyable) return soldOut(piece)
    const isSamePrice = today.get(line.variantId)?.unitPrice === piece.unitPrice
    after.push({
      ...lineOf(piece, line.position, quantity),
      ...(isSamePrice ? pricesOf(line) : { unitPrice: piece.unitPrice }),
    })
  }
  let position = freePosition
  for (const { variantId, quantity } of more) {
    const piece = today.get(variantId)
    if (!piece) return { objection: 'This product doesn’t come in that color and size.' }
    if (!piece.isBuyable) return soldOut(piece)
    const index = after.findIndex((line) => line.variantId === variantId && line.unitPrice === piece.unitPrice)
    const same = after[index]
    const inAll = quantity + (same?.quantity ?? 0)
    if (quantity < 1 || inAll > QUANTITY_MAX) return { objection: `Please choose 1 to ${QUANTITY_MAX} pieces.` }
    if (same) after[index] = { ...same, quantity: inAll }
    else {
      after.push(lineOf(piece, position, quantity))
      position += 1
    }
  }
  if (after.length === 0) return { objection: 'This would remove everything. Cancel the order instead.' }
  if (after.length > LINES_MAX) return { objection: `An order has at most ${LINES_MAX} lines.` }
  return { lines: after }
}

const pricesOf = ({ unitPrice, listPrice }: OrderedLine) => ({ unitPrice, ...(listPrice && { listPrice }) })

const soldOut = ({ productName, variantName }: CatalogPiece) => ({
  objection: `${productName} is sold out${variantName ? ` in ${variantName}` : ''}.`,
})

const lineOf = (piece: CatalogPiece, position: number, quantity: number): OrderedLine => {
  const { productId, variantId, productName, variantName, imageUrl, collection, unitPrice } = piece
  return { position, productId, variantId, productName, variantName, imageUrl, collection, quantity, unitPrice }
}

/**
 * What a change does to the money.
 * `difference`: what the order costs more; negative if less. `refund`: how it is returned; no part is negative, and their sum is the
 * negative difference. `moved`: what else moves between the parts, such as from tax to a surcharge; its sum is the difference if that
 * is to be paid, otherwise zero.
 */
export type MoneyOfChange = { difference: Cents; refund: RefundParts; moved: RefundParts }

export function moneyOfChange(before: RefundParts, after: RefundParts): MoneyOfChange {
  const delta = combine(after, before, minus)
  const difference = totalOf(delta)
  if (difference >= ZERO) return { difference, refund: NO_PARTS, moved: delta }
  const names = Object.keys(delta) as (keyof RefundParts)[]
  const shares = spread(
    negate(difference),
    names.map((name) => cents(Math.max(0, negate(delta[name])))),
  )
  const refund = { ...NO_PARTS, ...Object.fromEntries(names.map((name, index) => [name, shares[index] ?? ZERO])) }
  return { difference, refund, moved: combine(delta, refund, plus) }
}

const combine = (a: RefundParts, b: RefundParts, how: (a: Cents, b: Cents) => Cents): RefundParts => ({
  merchandise: how(a.merchandise, b.merchandise),
  shipping: how(a.shipping, b.shipping),
  surcharge: how(a.surcharge, b.surcharge),
  tax: how(a.tax, b.tax),
  vatProtection: how(a.vatProtection, b.vatProtection),
})

/** The amounts of an order, as it stores them; shipping includes the surcharges. */
export type OrderAmounts = Pick<
  Quote,
  'subtotal' | 'shipping' | 'tax' | 'vatProtection' | 'total' | 'shippingMethod' | 'shippingSurcharges'
>

/** An order as it will be after a change. */
export type ChangePlan = {
  lines: OrderedLine[]
  recipient: { name: string; phone: string | null; taxNumber: string | null; address: Address }
  amounts: OrderAmounts
  /** Null if the tax stays as it was calculated. */
  taxEvidence: TaxEvidence | null
}

/** The parts of an order's amounts. */
export function partsOfAmounts({
  subtotal,
  shipping,
  tax,
  vatProtection,
  shippingSurcharges,
}: Omit<OrderAmounts, 'total' | 'shippingMethod'>): RefundParts {
  const surcharge = sum(shippingSurcharges.map(({ amount }) => amount))
  return { merchandise: subtotal, shipping: minus(shipping, surcharge), surcharge, tax, vatProtection }
}

/** Whether a difference is too small to be charged: the shop bears it. */
export const isWaived = (difference: Cents): boolean => difference > ZERO && difference < LEAST_CHARGE

/**
 * The lines with one of them cheaper, so that an order costs no more than before. A line with few pieces takes it, best a changed one.
 * @param before the order's lines before the change
 * @param amount what the lines have to cost less, without tax
 * @returns undefined when no line costs that much
 */
export function cheaperLines(
  lines: readonly OrderedLine[],
  before: readonly OrderedLine[],
  amount: Cents,
): OrderedLine[] | undefined {
  const isOld = ({ position, variantId }: OrderedLine): boolean =>
    before.some((line) => line.position === position && line.variantId === variantId)
  const candidates = lines.filter(({ unitPrice, quantity }) => unitPrice * quantity > amount)
  const [best] = candidates.toSorted((a, b) => Number(isOld(a)) - Number(isOld(b)) || a.quantity - b.quantity)
  if (!best) return undefined
  const unitPrice = cents(best.unitPrice - Math.ceil(amount / best.quantity))
  return lines.map((line) => (line === best ? { ...line, unitPrice } : line))
}
