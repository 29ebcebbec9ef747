import type { Branded } from './branded.ts'

/** Our own product number, as in `/product/{id}`. */
export type ProductId = Branded<number, 'ProductId'>
/** What a cart line names: the partner's sync variant id; real ones exceed 2^31. */
export type VariantId = Branded<number, 'VariantId'>
/** The partner's stored product, `providerProductId` on the wire. */
export type SyncProductId = Branded<number, 'SyncProductId'>
export type CartLineId = Branded<number, 'CartLineId'>
export type UserId = Branded<number, 'UserId'>
export type OrderId = Branded<number, 'OrderId'>
/** The SHA-256 of the cookie's random id, hex: what the tables hold, never the cookie itself. */
export type SessionId = Branded<string, 'SessionId'>
/** A frozen checkout's random id (UUID); goes into the provider's metadata. */
export type CheckoutId = Branded<string, 'CheckoutId'>
/** A digest of the address that somebody pays from: the same for the same address, and nothing that could be read. */
export type Payer = Branded<string, 'Payer'>
/** Eight Crockford letters, `K7QM-4T2X`: random, easy to read aloud, says nothing about how many orders there are. */
export type OrderNumber = Branded<string, 'OrderNumber'>
/** `stripe:<id>` or `paypal:<id>`; unique in the processing log. */
export type PaymentKey = Branded<string, 'PaymentKey'>

export type PaymentProvider = 'stripe' | 'paypal'

export const paymentKey = (provider: PaymentProvider, id: string): PaymentKey => `${provider}:${id}` as PaymentKey

/** @returns undefined without a key, or for one that none of our providers made */
export function readPaymentKey(key: PaymentKey | null): { provider: PaymentProvider; id: string } | undefined {
  if (key === null) return undefined
  const [provider, id] = [key.slice(0, key.indexOf(':')), key.slice(key.indexOf(':') + 1)]
  return (provider === 'stripe' || provider === 'paypal') && id ? { provider, id } : undefined
}

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** @param random eight bytes from a cryptographic source; 32 divides 256, so no letter is likelier than another */
export function orderNumberFrom(random: Uint8Array): OrderNumber {
  const letters = Array.from(random.subarray(0, 8), (byte) => CROCKFORD.charAt(byte % 32)).join('')
  return `${letters.slice(0, 4)}-${letters.slice(4)}` as OrderNumber
}

/** Reads a number as people type it: any case, with or without the dash, O for 0 and I or L for 1. @returns undefined when it is none */
export function readOrderNumber(text: string): OrderNumber | undefined {
  const letters = text
    .toUpperCase()
    .replace(/[\s-]/g, '')
    .replace(/^PF(?=.{8}$)/, '')
    .replace(/O/g, '0')
    .replace(/[IL]/g, '1')
  return /^[0-9A-HJKMNP-TV-Z]{8}$/.test(letters)
    ? (`${letters.slice(0, 4)}-${letters.slice(4)}` as OrderNumber)
    : undefined
}

/** The form people see everywhere, `PFK7QM-4T2X`. Text that is not an order number stays as it is. */
export function formatOrderNumber(text: string): string {
  const orderNumber = readOrderNumber(text)
  return orderNumber ? `PF${orderNumber}` : text
}
