import * as z from 'zod/mini'
import { call } from './call.ts'
import { OrderFilter } from './admin-orders.ts'
import { pathId, singleLineText } from './wire.ts'

const NAME_MAX = 40
/** Enough for a row of tabs; bounds what one person can store. */
export const VIEWS_MAX = 30

/** What a view filters by. A search is no part of it: its text could be a customer's name or address, which the shop must be able to erase. */
export const SavedFilter = z.omit(OrderFilter, { q: true, older: true })
export type SavedFilter = z.output<typeof SavedFilter>

export const SavedView = z.object({ id: z.int(), name: z.string(), filter: SavedFilter })
export type SavedView = z.output<typeof SavedView>

const done = z.object({ done: z.string() })

/** Everybody has their own views. */
export const savedViewCalls = {
  list: call({
    method: 'GET',
    path: '/api/admin/views',
    access: 'read_orders',
    summary: 'Your own views of the order list, by name.',
    answer: z.object({ views: z.array(SavedView) }),
    refusals: [],
  }),
  save: call({
    method: 'POST',
    path: '/api/admin/views',
    access: 'read_orders',
    summary: 'Saves a view of the order list under a name; one of the same name is replaced.',
    body: z.object({ name: singleLineText(NAME_MAX, 'Please enter a name'), filter: SavedFilter }),
    answer: done,
    refusals: ['too_many_views'],
  }),
  delete: call({
    method: 'DELETE',
    path: '/api/admin/views/:id',
    access: 'read_orders',
    summary: 'Deletes one of your views.',
    params: z.object({ id: pathId<number>() }),
    answer: done,
    refusals: ['unknown_view'],
  }),
}
