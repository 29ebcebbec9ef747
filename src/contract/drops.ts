import * as z from 'zod/mini'
import { dropStates, editionStates } from '#domain/drops/drop.ts'
import { roomKinds } from '#domain/drops/room.ts'
import type { ProductId } from '#shared/ids.ts'
import { call } from './call.ts'
import { branded, emailAddress, isoMoment, pathId } from './wire.ts'

export const DropView = z.object({
  id: z.int(),
  title: z.string(),
  /** Of one product, or of all products of a collection. */
  productId: z.nullable(branded<ProductId>()),
  collectionId: z.nullable(z.string()),
  state: z.enum(dropStates),
  startsAt: isoMoment,
  /** The first moment after it; null: until its pieces are sold. */
  endsAt: z.nullable(isoMoment),
  /** Null: as many as are ordered until it ends. */
  pieces: z.nullable(z.int()),
  limitPerPerson: z.int(),
  /** Whether it is sold through its waiting room. */
  hasRoom: z.boolean(),
  /** The name of the picture that a link to its page shows; null: not made yet. */
  share: z.nullable(z.string()),
  /** When it begins for those with early access, and who they are; null: for nobody. */
  early: z.nullable(z.object({ from: isoMoment, isOpen: z.boolean(), byCode: z.boolean(), byNewsletter: z.boolean() })),
})
export type DropView = z.output<typeof DropView>

export const Drops = z.object({
  drops: z.array(DropView),
})

const dropId = z.object({ id: pathId<number>() })
const Email = z.object({ email: emailAddress })
const Token = z.string().check(z.minLength(1), z.maxLength(200))

const Certificate = z.object({
  title: z.string(),
  /** Such as `No. 12 of 500`. */
  label: z.string(),
  number: z.int(),
  pieces: z.nullable(z.int()),
  productName: z.string(),
  variantName: z.nullable(z.string()),
  imageUrl: z.string(),
  collection: z.string(),
  state: z.enum(editionStates),
  /** Whether a new holder was asked and has not accepted. */
  isOffered: z.boolean(),
  /** What happened to the piece, without its people. */
  steps: z.array(z.object({ kind: z.enum(['sold', 'given', 'returned', 'retired']), at: isoMoment })),
})
export type Certificate = z.output<typeof Certificate>

/** Where a session is in a waiting room. */
const Room = z.object({
  kind: z.enum(roomKinds),
  heading: z.string(),
  sentences: z.array(z.string()),
  /** How many are let in before. */
  ahead: z.nullable(z.int()),
  /** When a page asks again, in seconds. */
  askAgainS: z.int(),
})
export type RoomView = z.output<typeof Room>

export const dropCalls = {
  list: call({
    method: 'GET',
    path: '/api/drops',
    access: 'anyone',
    summary: 'Drops that pages show, with their states.',
    answer: Drops,
    refusals: [],
    shared: true,
  }),
  room: call({
    method: 'GET',
    path: '/api/drops/:id/room',
    access: 'anyone',
    summary: 'Where this session is in the waiting room of a drop. Who is called and asks is let in.',
    params: dropId,
    answer: Room,
    refusals: ['unknown_drop'],
  }),
  enterRoom: call({
    method: 'POST',
    path: '/api/drops/:id/room',
    access: 'anyone',
    summary: 'Gives this session a place in the waiting room, once: coming again changes nothing.',
    params: dropId,
    answer: Room,
    refusals: ['unknown_drop', 'drop_room_closed', 'drop_room_full'],
  }),
  notice: call({
    method: 'POST',
    path: '/api/drops/:id/notice',
    access: 'anyone',
    summary: 'Tells an address once, when the drop begins; it is deleted afterward.',
    params: dropId,
    body: Email,
    answer: z.object({ done: z.string() }),
    refusals: ['unknown_drop', 'drop_begun'],
  }),
  wait: call({
    method: 'POST',
    path: '/api/drops/:id/waiting-list',
    access: 'anyone',
    summary: 'Puts an address on the waiting list of a drop that is sold out.',
    params: dropId,
    body: Email,
    answer: z.object({ done: z.string() }),
    refusals: ['unknown_drop', 'drop_not_sold_out'],
  }),
  offer: call({
    method: 'GET',
    path: '/api/drops/offer',
    access: 'anyone',
    summary: 'A piece that is set aside for somebody on the waiting list.',
    query: z.object({ token: Token }),
    answer: z.object({
      title: z.string(),
      state: z.enum(['open', 'bought', 'over']),
      until: z.nullable(isoMoment),
      /** Where it is bought. */
      page: z.string(),
    }),
    refusals: ['unknown_offer'],
  }),
  takeUp: call({
    method: 'POST',
    path: '/api/drops/offer',
    access: 'anyone',
    summary: 'Sets the piece of an offer aside for this session.',
    body: z.object({ token: Token }),
    answer: z.object({ page: z.string() }),
    refusals: ['unknown_offer', 'offer_over'],
  }),
  certificate: call({
    method: 'GET',
    path: '/api/edition',
    access: 'anyone',
    summary: 'The certificate of a numbered piece, for its holder.',
    query: z.object({ token: Token }),
    answer: Certificate,
    refusals: ['unknown_certificate'],
  }),
  give: call({
    method: 'POST',
    path: '/api/edition/give',
    access: 'anyone',
    summary: 'Asks somebody by email to become the holder of a numbered piece.',
    body: z.object({ token: Token, email: emailAddress }),
    answer: z.object({ done: z.string() }),
    refusals: ['unknown_certificate', 'certificate_retired', 'too_many'],
  }),
  accept: call({
    method: 'POST',
    path: '/api/edition/accept',
    access: 'anyone',
    summary: 'Makes who was asked the holder; the link of the holder before opens nothing any more.',
    body: z.object({ token: Token }),
    answer: z.object({ token: z.string() }),
    refusals: ['unknown_certificate', 'certificate_retired'],
  }),
}
