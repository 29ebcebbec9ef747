import * as z from 'zod/mini'
import { dropActions, dropStates, EARLY_MINUTES_MAX, LIMIT_MAX, numberRules, PIECES_MAX } from '#domain/drops/drop.ts'
import { ROOM_PACE_MAX } from '#domain/drops/room.ts'
import { CODES_MAX } from '#domain/codes/code.ts'
import type { ProductId } from '#shared/ids.ts'
import { call } from './call.ts'
import { branded, isoMoment, pathId, singleLineText, wireRowId } from './wire.ts'

const PIECES = `Please enter a whole number up to ${PIECES_MAX.toLocaleString('en-US')}, or nothing`
const LIMIT = `Please enter a whole number from 1 to ${LIMIT_MAX}`
const MOMENT = 'Please enter a day and a time'
const EARLY = 'Please enter minutes, up to a week'
const PACE = `Please enter a whole number from 1 to ${ROOM_PACE_MAX.toLocaleString('en-US')}, or nothing`

export const DropInput = z.object({
  title: singleLineText(80, 'Please enter a title'),
  /** Of one of them. */
  productId: z._default(z.nullable(wireRowId<ProductId>('Please enter the number of a product')), null),
  collectionId: z._default(z.nullable(z.string().check(z.maxLength(60))), null),
  startsAt: z.iso.datetime(MOMENT),
  endsAt: z._default(z.nullable(z.iso.datetime(MOMENT)), null),
  pieces: z._default(z.nullable(z.int(PIECES).check(z.gte(1, PIECES), z.lte(PIECES_MAX, PIECES))), null),
  limitPerPerson: z.int(LIMIT).check(z.gte(1, LIMIT), z.lte(LIMIT_MAX, LIMIT)),
  earlyMinutes: z._default(z.int(EARLY).check(z.gte(0, EARLY), z.lte(EARLY_MINUTES_MAX, EARLY)), 0),
  earlyCodes: z._default(z.array(singleLineText(40)).check(z.maxLength(CODES_MAX * 10)), []),
  isEarlyForReaders: z._default(z.boolean(), false),
  /** How many are let in from a waiting room every minute; null: it has none. */
  roomPerMinute: z._default(z.nullable(z.int(PACE).check(z.gte(1, PACE), z.lte(ROOM_PACE_MAX, PACE))), null),
  numberRule: z.enum(numberRules, 'Please choose what happens to refunded numbers'),
})
export type DropInput = z.output<typeof DropInput>

export const AdminDrop = z.object({
  id: z.int(),
  title: z.string(),
  productId: z.nullable(branded<ProductId>()),
  collectionId: z.nullable(z.string()),
  /** Name of the product or collection. */
  goods: z.string(),
  state: z.enum(dropStates),
  actions: z.array(z.enum(dropActions)),
  startsAt: isoMoment,
  endsAt: z.nullable(isoMoment),
  pieces: z.nullable(z.int()),
  limitPerPerson: z.int(),
  earlyMinutes: z.int(),
  earlyCodes: z.array(z.string()),
  isEarlyForReaders: z.boolean(),
  roomPerMinute: z.nullable(z.int()),
  numberRule: z.enum(numberRules),
  counts: z.object({
    free: z.int(),
    reserved: z.int(),
    /** Set aside for the waiting list. */
    offered: z.int(),
    sold: z.int(),
    retired: z.int(),
    /** The highest number given. */
    numbers: z.int(),
    /** Want to be told when it begins. */
    notices: z.int(),
    waiting: z.int(),
  }),
})
export type AdminDrop = z.output<typeof AdminDrop>

const id = z.object({ id: pathId<number>() })
const Changed = z.object({ done: z.string(), id: z.int() })

export const adminDropCalls = {
  list: call({
    method: 'GET',
    path: '/api/admin/drops',
    access: 'read_catalog',
    summary: 'The newest 200 drops, and the collections that one can be of.',
    answer: z.object({
      drops: z.array(AdminDrop),
      collections: z.array(z.object({ id: z.string(), name: z.string() })),
    }),
    refusals: [],
  }),
  create: call({
    method: 'POST',
    path: '/api/admin/drops',
    access: 'owner',
    summary: 'Creates a drop as a draft: nothing changes for shoppers until it is scheduled.',
    body: DropInput,
    answer: Changed,
    refusals: [],
  }),
  save: call({
    method: 'PUT',
    path: '/api/admin/drops/:id',
    access: 'owner',
    summary:
      'Saves a draft; once a drop was scheduled, only a later end, more pieces, its title and who comes early change.',
    params: id,
    body: DropInput,
    answer: Changed,
    refusals: ['unknown_drop', 'drop_changed'],
  }),
  act: call({
    method: 'POST',
    path: '/api/admin/drops/:id/:action',
    access: 'owner',
    summary: 'Schedules, withdraws, pauses, resumes, ends or releases a drop.',
    params: z.object({ id: pathId<number>(), action: z.enum(dropActions) }),
    answer: Changed,
    refusals: ['unknown_drop', 'drop_changed'],
  }),
}
