import { jsonb, pgTable, serial, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { expect, test } from 'vitest'
import type { OrderNumber } from '#shared/ids.ts'
import type { Fates } from '#server/db/personal-data.ts'

const gift = pgTable('gift', {
  id: serial().primaryKey(),
  key: uuid(),
  orderNumber: text().$type<OrderNumber>(),
  state: text().$type<'packed' | 'sent'>(),
  note: text(),
  ribbon: jsonb().$type<{ words: string }>(),
  sentAt: timestamp(),
})
type Gifts = Fates<{ gift: typeof gift; wrap: () => void }>

test('a table, or a text of it, whose erasure its owner does not declare does not compile', () => {
  const declared: Gifts[] = [
    { gift: 'deleted' },
    { gift: { note: 'erased', ribbon: 'kept: the words of our ribbons' } },
    // @ts-expect-error a table is forgotten
    {},
    // @ts-expect-error a text is forgotten
    { gift: { ribbon: 'erased' } },
    // @ts-expect-error JSON is forgotten
    { gift: { note: 'erased' } },
    // @ts-expect-error a reason is missing
    { gift: { note: 'kept: ', ribbon: 'kept' } },
  ]
  expect(declared).toHaveLength(6)
})
