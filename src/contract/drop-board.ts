import * as z from 'zod/mini'
import { dropStates } from '#domain/drops/drop.ts'
import { AdminDrop } from './admin-drops.ts'
import { call } from './call.ts'
import { isoMoment, pathId } from './wire.ts'

/** What happens on the day of a drop, now. */
export const DropBoard = z.object({
  drop: AdminDrop,
  state: z.enum(dropStates),
  /** When this was true. */
  at: isoMoment,
  /** Visits of the shop that began in the last five minutes. */
  visits: z.int(),
  /** Null: it has no waiting room. */
  room: z.nullable(
    z.object({
      waiting: z.int(),
      /** Let in, and not paying yet. */
      visiting: z.int(),
    }),
  ),
  /** Carts with its goods, from the last day. */
  carts: z.int(),
  /** Numbers given in the last five minutes. */
  soldLately: z.int(),
  /** Open exceptions of the shop by kind, the most first. */
  exceptions: z.array(z.object({ title: z.string(), count: z.int() })),
  /** Orders in line at the printer. */
  printer: z.object({
    waiting: z.int(),
    since: z.nullable(isoMoment),
    /** When the last one is through at the printer's pace; null while nothing moves. */
    doneAt: z.nullable(isoMoment),
  }),
})
export type DropBoard = z.output<typeof DropBoard>

export const dropBoardCalls = {
  show: call({
    method: 'GET',
    path: '/api/admin/drops/:id/board',
    access: 'read_figures',
    summary:
      'What happens around a drop now: visits, its waiting room, carts, payments, sales, exceptions, the printer.',
    params: z.object({ id: pathId<number>() }),
    answer: DropBoard,
    refusals: ['unknown_drop'],
  }),
}
