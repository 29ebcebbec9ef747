import { z } from 'zod'

/** The body of an order. Printful ignores unknown fields, and takes money as text or number. */

const text = z.string().nullish()
const money = z.union([z.string().regex(/^\d+(\.\d+)?$/), z.number().nonnegative()]).nullish()
const id = z.union([z.number().int().positive(), z.string().regex(/^\d+$/).transform(Number)]).nullish()

const recipientBody = z.object({
  name: text,
  company: text,
  address1: text,
  address2: text,
  city: text,
  state_code: text,
  state_name: text,
  country_code: text,
  country_name: text,
  zip: text,
  phone: text,
  email: text,
  tax_number: text,
})

const itemBody = z.object({
  external_id: text,
  sync_variant_id: id,
  external_variant_id: text,
  variant_id: id,
  quantity: z.number(),
  retail_price: money,
  name: text,
  files: z.array(z.looseObject({ url: text })).nullish(),
})

export const orderBody = z.object({
  external_id: text,
  shipping: text,
  recipient: recipientBody.optional(),
  items: z.array(itemBody).optional(),
  retail_costs: z.object({ currency: text, discount: money, shipping: money, tax: money }).nullish(),
  gift: z.looseObject({ subject: z.string().max(200).nullish(), message: text }).nullish(),
  packing_slip: z.looseObject({}).nullish(),
})

export const ratesBody = z.object({
  recipient: recipientBody.optional(),
  items: z
    .array(z.object({ variant_id: id, external_variant_id: text, quantity: z.number(), value: money }))
    .optional(),
  currency: text,
  locale: text,
})

export const taxBody = z.object({
  recipient: z.object({ country_code: z.string(), state_code: text, city: text, zip: text }),
})

export const webhookBody = z.object({
  url: z.url(),
  types: z.array(z.string()).min(1),
  params: z.looseObject({}).nullish(),
})

export type OrderBody = z.infer<typeof orderBody>
export type ItemBody = z.infer<typeof itemBody>
