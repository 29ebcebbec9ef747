import * as z from 'zod/mini'
import { collectionStates } from '#domain/catalog/collections.ts'
import { call } from './call.ts'

/** A collection in the owner's list, in menu order. */
const AdminCollection = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  displayName: z.string(),
  petName: z.string(),
  /** What it is now. */
  state: z.enum(collectionStates),
  inMenu: z.boolean(),
  onHome: z.boolean(),
})
export type AdminCollection = z.output<typeof AdminCollection>

export const adminCollectionCalls = {
  list: call({
    method: 'GET',
    path: '/api/admin/collections',
    access: 'owner',
    summary: 'Every collection, also drafts and retired ones, in menu order.',
    answer: z.object({ collections: z.array(AdminCollection) }),
    refusals: [],
  }),
}
