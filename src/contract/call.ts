import type * as z from 'zod/mini'
import type { RefusalCode } from './refusals.ts'

/**
 * Who may send a call: anybody, a signed-in user, a partner (`isPartner`), the owner; `_fresh`: whose password was given lately.
 * That is for what moves money, changes what partners earn, or takes people's data out of the shop.
 */
export type Access = 'anyone' | 'signed_in' | 'partner' | 'partner_fresh' | 'owner' | 'owner_fresh'

type Schema = z.ZodMiniType

/** The shape of one call: what crosses the wire, who may send it, and every 'no' that it can get. */
export type Call = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** With `:name` for each member of `params`. */
  path: string
  access: Access
  /** One sentence for the API description. */
  summary: string
  params?: Schema
  query?: Schema
  body?: Schema
  /** `none` answers 204 without a body, `file` the bytes of a file to keep. */
  answer: Schema | 'none' | 'file'
  refusals: readonly RefusalCode[]
  /** The answer is the same for everybody: made once for each address, until something that it tells has changed. */
  shared?: true
}

/** Gives a call its exact type; the call is data, `serve` binds it and the web's client names it. */
export const call = <const C extends Call>(shape: C): C => shape

export type Output<S> = S extends Schema ? z.output<S> : undefined
export type Input<S> = S extends Schema ? z.input<S> : undefined
export type AnswerOf<C extends Call> = C['answer'] extends Schema ? z.output<C['answer']> : void
