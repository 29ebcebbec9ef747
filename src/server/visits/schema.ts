import { sql } from 'drizzle-orm'
import { bigint, check, date, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { devices, sources, visitSteps, type Device, type Source, type VisitStep } from '#domain/visits/visits.ts'
import { moment, oneOf } from '#server/db/columns.ts'

/** How often something happened on a day. No row is about a person, a browser or an address. */
export const visitCount = pgTable(
  'visit_count',
  {
    /** In the reports' time zone. */
    day: date().notNull(),
    step: text().notNull().$type<VisitStep>(),
    device: text().notNull().$type<Device>(),
    /** Of visits; empty for everything else. */
    source: text().notNull().default('').$type<Source | ''>(),
    /** The product or variant; 0 where it is about none. No foreign key: a count outlives what it is about. */
    about: bigint({ mode: 'number' }).notNull().default(0),
    count: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.day, t.step, t.device, t.source, t.about] }),
    check('visit_count_step_known', oneOf(t.step, visitSteps)),
    check('visit_count_device_known', oneOf(t.device, devices)),
    check('visit_count_source_known', oneOf(t.source, [...sources, ''])),
    check('visit_count_positive', sql`${t.count} > 0`),
  ],
)

/** How many visits began in a minute: what is happening now. Deleted with the days. */
export const visitMinute = pgTable(
  'visit_minute',
  {
    minute: moment().primaryKey(),
    visits: integer().notNull(),
  },
  (t) => [check('visit_minute_positive', sql`${t.visits} > 0`)],
)
