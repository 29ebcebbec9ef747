import { createHash } from 'node:crypto'
import type { Address } from '#domain/checkout/address.ts'
import { doorOf, mailboxOf } from '#domain/partners/attribution.ts'
import type { SessionId } from '#shared/ids.ts'

/** What a buyer is recognized by. */
export type Buyer = { email: string; address: Address; sessionId: SessionId }

/** Digests, so that neither email nor address is stored again. */
export const personsOf = ({ email, address, sessionId }: Buyer): string[] =>
  [
    ['email', mailboxOf(email)],
    ['door', doorOf(address)],
    ['session', sessionId],
  ].flatMap(([kind = '', value = '']) => (value === '' ? [] : [digestOf(kind, value)]))

/** @param payer the digest of a card or wallet, as payments store it */
export const personOfPayer = (payer: string): string => digestOf('payer', payer)

export const personOfEmail = (email: string): string => digestOf('email', mailboxOf(email))

const digestOf = (kind: string, value: string): string =>
  createHash('sha256').update(`${kind} ${value}`).digest('base64url').slice(0, 22)
