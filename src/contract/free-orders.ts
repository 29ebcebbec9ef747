import * as z from 'zod/mini'
import { LINES_MAX, QUANTITY_MAX } from '#domain/cart/cart.ts'
import type { VariantId } from '#shared/ids.ts'
import { languages } from '#shared/language.ts'
import { call } from './call.ts'
import { buyersName, WireAddress } from './checkout.ts'
import { branded, centsAnswer, emailAddress, multilineText, optionalLine } from './wire.ts'

/** Orders without a payment: replacements, samples and gifts. */

export const orderedLines = z
  .array(z.object({ variantId: branded<VariantId>(), quantity: z.int().check(z.gte(1), z.lte(QUANTITY_MAX)) }))
  .check(
    z.minLength(1, 'Please add a product'),
    z.maxLength(LINES_MAX, `An order has at most ${LINES_MAX} lines`),
    z.refine(
      (all) => new Set(all.map(({ variantId }) => variantId)).size === all.length,
      'Each product can be added once; change its quantity instead',
    ),
  )

/** Made by the form when it opens, so that a double click or a second tab makes no second order. */
export const requestKey = z.uuid('Please reload the page')

const reason = multilineText(1, 300, 'Please enter a reason')

export const OrderedFor = z.object({
  email: emailAddress,
  name: buyersName,
  phone: optionalLine(30),
  shippingAddress: WireAddress,
  tax_number: optionalLine(30),
  /** Of the emails. */
  language: z._default(z.enum(languages), 'en'),
})

export const FreeOrderRequest = z.object({
  kind: z.enum(['sample', 'gift']),
  lines: orderedLines,
  customer: OrderedFor,
  reason,
  requestKey,
})
export type FreeOrderRequest = z.output<typeof FreeOrderRequest>

/** Lines by position in the replaced order. */
const pieces = z
  .array(z.object({ position: z.int().check(z.gte(0)), quantity: z.int().check(z.gte(1), z.lte(QUANTITY_MAX)) }))
  .check(
    z.minLength(1, 'Please choose what to replace'),
    z.maxLength(200),
    z.refine((all) => new Set(all.map(({ position }) => position)).size === all.length, 'Each line can be chosen once'),
  )

const ofOrder = z.object({ number: z.string().check(z.maxLength(40)) })
const made = z.object({ orderNumber: z.string(), done: z.string() })
/** What the printer would charge; null when it gives no estimate. */
const cost = z.object({ cost: z.nullable(centsAnswer) })

const catalogRefusals = [
  'country_unsupported',
  'country_blocked',
  'address_refused',
  'unknown_variant',
  'sold_out',
] as const

export const freeOrderCalls = {
  preview: call({
    method: 'POST',
    path: '/api/admin/free-orders/preview',
    access: 'owner',
    summary: 'Printful’s estimate of what an order would cost.',
    body: z.object({ lines: orderedLines, shippingAddress: WireAddress }),
    answer: cost,
    refusals: catalogRefusals,
  }),
  place: call({
    method: 'POST',
    path: '/api/admin/free-orders',
    access: 'owner',
    summary:
      'Orders a sample or gift without a payment. Idempotent by `requestKey`; the same from another form within ten minutes is the same order, too.',
    body: FreeOrderRequest,
    answer: made,
    refusals: catalogRefusals,
  }),
  previewReplacement: call({
    method: 'POST',
    path: '/api/admin/orders/:number/replacement/preview',
    access: 'fulfill_orders',
    summary: 'Printful’s estimate of what replacing these pieces would cost.',
    params: ofOrder,
    body: z.object({ pieces }),
    answer: cost,
    refusals: ['unknown_order', 'address_refused'],
  }),
  replace: call({
    method: 'POST',
    path: '/api/admin/orders/:number/replacement',
    access: 'fulfill_orders',
    summary:
      'Orders pieces of an order again without a payment. `seen` is the number of pieces that could be replaced when the owner chose. Idempotent by `requestKey`.',
    params: ofOrder,
    body: z.object({ pieces, seen: z.int(), reason, requestKey }),
    answer: made,
    refusals: ['unknown_order', 'cannot_replace', 'replacement_changed'],
  }),
}
