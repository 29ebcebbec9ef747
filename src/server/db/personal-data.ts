import type { Table } from 'drizzle-orm'
import type { Branded } from '#shared/branded.ts'
import type { CheckoutId, OrderId, OrderNumber, PaymentKey, UserId } from '#shared/ids.ts'
import type { Tx } from './db.ts'

// What each owner of tables declares and does about people's data; `privacy` puts it together.

/** Trimmed and in lower case. */
export type Email = Branded<string, 'Email'>

/** A person whose data is erased, except what their unfinished orders and checkouts need. */
export type ErasedPerson = {
  email: Email
  /** The user with this verified email, and the name to go by from now on. */
  user: { id: UserId; alias: string } | undefined
  except: { orders: readonly OrderId[]; checkouts: ReadonlySet<CheckoutId> }
}

/** An order that no longer needs its customer. */
export type ErasedOrder = {
  id: OrderId
  orderNumber: OrderNumber
  externalId: string
  /** Both null without a payment. */
  checkoutId: CheckoutId | null
  paymentKey: PaymentKey | null
}

/** In place of a text that must not be empty. */
export const ERASED = 'erased'

/** Numbers, times, words from a fixed list and ids of a type of their own cannot describe a person; any other column might. */
type IsFree<Of extends { dataType: string; columnType: string; data: unknown }> = Of extends
  | { dataType: 'number' | 'boolean' | 'date' }
  | { columnType: 'PgUUID' }
  ? false
  : Of['data'] extends string
    ? string extends Of['data']
      ? true
      : false
    : true

type FreeColumn<Owned extends Table> = {
  [Name in keyof Owned['_']['columns']]: IsFree<Owned['_']['columns'][Name]['_']> extends true ? Name : never
}[keyof Owned['_']['columns']]

type Fate<Owned extends Table> =
  /** Rows of the person are deleted. */
  | 'deleted'
  /** No row belongs to a person. */
  | `about nobody: ${string}`
  /** Rows of the person stay, without what is erased. */
  | { [Name in FreeColumn<Owned>]: 'erased' | `kept: ${string}` }

/** What erasing a person does to every table and free column of a schema. A new one does not compile until it is declared. */
export type Fates<Schema> = {
  [Name in keyof Schema as Schema[Name] extends Table ? Name : never]: Schema[Name] extends Table
    ? Fate<Schema[Name]>
    : never
}

/** An owner's part, besides what it shows to its person. `privacy` runs all owners' erasing in one transaction. */
export type PersonalData = {
  fates: Readonly<Record<string, string | Readonly<Record<string, string>>>>
  eraseOrders?(tx: Tx, orders: readonly ErasedOrder[], now: Date): Promise<void>
  erasePerson?(tx: Tx, person: ErasedPerson): Promise<void>
  [shows: string]: unknown
}
