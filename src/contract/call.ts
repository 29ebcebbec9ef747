import type * as z from 'zod/mini'
import type { Permission } from '#domain/accounts/roles.ts'
import type { RefusalCode } from './refusals.ts'

/**
 * Who may send a call: anyone, a signed-in user, a partner (`isPartner`), an owner, or everybody whose role has the permission.
 * `staff`: every role, also before the second factor that it requires. `_fresh`: only with a recently entered password. Required for
 * moving money, changing commissions and exporting personal data.
 */
export type Access =
  | 'anyone'
  | 'signed_in'
  | 'partner'
  | 'partner_fresh'
  | 'staff_fresh'
  | 'owner'
  | 'owner_fresh'
  | Permission
  | `${Permission}_fresh`

type Schema = z.ZodMiniType

/** The shape of one call: request, answer, access and possible refusals. */
export type Call = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** With `:name` for each member of `params`. */
  path: string
  access: Access
  /** One sentence for the API description. */
  summary: string
  params?: Schema
  query?: Schema
  /** `bytes`: a file, not JSON. */
  body?: Schema | 'bytes'
  /** `none`: 204 without a body. `file`: the bytes of a download. */
  answer: Schema | 'none' | 'file'
  refusals: readonly RefusalCode[]
  /** The answer is the same for everybody and is cached per URL until its content changes. */
  shared?: true
}

/** Gives a call its exact type. It is only data: `serve` binds it, and the web's client refers to it by name. */
export const call = <const C extends Call>(shape: C): C => shape

export type Output<S> = S extends Schema ? z.output<S> : S extends 'bytes' ? AsyncIterable<Uint8Array> : undefined
export type Input<S> = S extends Schema ? z.input<S> : S extends 'bytes' ? Uint8Array : undefined
export type AnswerOf<C extends Call> = C['answer'] extends Schema ? z.output<C['answer']> : void
