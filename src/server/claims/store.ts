import { and, asc, count, desc, eq, inArray, isNull, lt, sql, type SQL } from 'drizzle-orm'
import type { ClaimFigures } from '#contract/admin-claims.ts'
import type { QueuePosition } from '#contract/queue-page.ts'
import type { ClaimKind, ClaimState } from '#domain/claims/claim.ts'
import { assert } from '#shared/assert.ts'
import type { OrderId } from '#shared/ids.ts'
import { after, DAY_MS } from '#shared/time.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { readQueuePage } from '#server/db/queue-page.ts'
import { claim, claimMessage, claimPhoto } from './schema.ts'

export type Claim = typeof claim.$inferSelect
export type ClaimMessageRow = typeof claimMessage.$inferSelect

export async function insertClaim(tx: Tx, row: typeof claim.$inferInsert): Promise<Claim> {
  const [inserted] = await tx.insert(claim).values(row).returning()
  assert(inserted, 'an insert without a row')
  return inserted
}

export const findSubmission = async (db: Reader, orderId: OrderId, submission: string): Promise<Claim | undefined> =>
  (
    await db
      .select()
      .from(claim)
      .where(and(eq(claim.orderId, orderId), eq(claim.submission, submission)))
  )[0]

export const findClaim = async (db: Reader, id: number): Promise<Claim | undefined> =>
  (await db.select().from(claim).where(eq(claim.id, id)))[0]

/** Locks it until the transaction ends. */
export const lockClaim = async (tx: Tx, id: number): Promise<Claim | undefined> =>
  (await tx.select().from(claim).where(eq(claim.id, id)).for('update'))[0]

export const updateClaim = (tx: Tx, id: number, to: Partial<typeof claim.$inferInsert>) =>
  tx.update(claim).set(to).where(eq(claim.id, id))

/** Newest first. */
export const listClaimsOf = (db: Reader, orderId: OrderId): Promise<Claim[]> =>
  db.select().from(claim).where(eq(claim.orderId, orderId)).orderBy(desc(claim.id))

export async function addMessage(tx: Tx, row: typeof claimMessage.$inferInsert): Promise<number> {
  const [added] = await tx.insert(claimMessage).values(row).returning({ id: claimMessage.id })
  assert(added, 'an insert without a row')
  return added.id
}

export const listMessages = (db: Reader, claims: readonly number[]): Promise<ClaimMessageRow[]> =>
  claims.length > 0
    ? db
        .select()
        .from(claimMessage)
        .where(inArray(claimMessage.claimId, [...claims]))
        .orderBy(asc(claimMessage.id))
    : Promise.resolve([])

export const countUnusedPhotos = (db: Reader, orderId: OrderId): Promise<number> =>
  db.$count(claimPhoto, and(eq(claimPhoto.orderId, orderId), isNull(claimPhoto.claimId)))

export const insertPhoto = (tx: Tx, row: typeof claimPhoto.$inferInsert) => tx.insert(claimPhoto).values(row)

/** @returns how many of them belonged to the order and to no claim, and now belong to this one */
export async function attachPhotos(
  tx: Tx,
  { id, orderId }: Pick<Claim, 'id' | 'orderId'>,
  photos: readonly string[],
): Promise<number> {
  if (photos.length === 0) return 0
  const attached = await tx
    .update(claimPhoto)
    .set({ claimId: id })
    .where(and(inArray(claimPhoto.id, [...photos]), eq(claimPhoto.orderId, orderId), isNull(claimPhoto.claimId)))
    .returning({ id: claimPhoto.id })
  return attached.length
}

export const takeUnusedPhotos = (
  tx: Tx,
  orderId: OrderId,
  photos: readonly string[],
): Promise<{ id: string; body: Buffer }[]> =>
  photos.length > 0
    ? tx
        .delete(claimPhoto)
        .where(and(inArray(claimPhoto.id, [...photos]), eq(claimPhoto.orderId, orderId), isNull(claimPhoto.claimId)))
        .returning({ id: claimPhoto.id, body: claimPhoto.body })
    : Promise.resolve([])

/** In the order of their upload. */
export const listPhotos = (db: Reader, claims: readonly number[]): Promise<{ id: string; claimId: number | null }[]> =>
  claims.length > 0
    ? db
        .select({ id: claimPhoto.id, claimId: claimPhoto.claimId })
        .from(claimPhoto)
        .where(inArray(claimPhoto.claimId, [...claims]))
        .orderBy(asc(claimPhoto.createdAt), asc(claimPhoto.id))
    : Promise.resolve([])

/** @param orderId unset for the owner, who sees those of every order */
export async function findPhoto(db: Reader, id: string, orderId?: OrderId): Promise<Buffer | undefined> {
  const [found] = await db
    .select({ body: claimPhoto.body })
    .from(claimPhoto)
    .where(and(eq(claimPhoto.id, id), orderId === undefined ? undefined : eq(claimPhoto.orderId, orderId)))
  return found?.body
}

export const deleteUnusedPhotos = (tx: Tx, before: Date) =>
  tx.delete(claimPhoto).where(and(isNull(claimPhoto.claimId), lt(claimPhoto.createdAt, before)))

type ClaimFilter = { kind?: ClaimKind | undefined; state?: ClaimState | undefined; after?: QueuePosition | undefined }

/** Those that wait for the owner first, the longest waiting on top. */
export function listClaimsPage(db: Reader, { kind, state, after: position }: ClaimFilter, size: number) {
  const filter = and(kind && eq(claim.kind, kind), state && eq(claim.state, state))
  return readQueuePage<Claim>(
    {
      isWaiting: sql`${claim.waitingSince} is not null`,
      since: claim.waitingSince,
      id: claim.id,
      list: (where, order, limit) =>
        db
          .select()
          .from(claim)
          .where(and(where, filter))
          .orderBy(...order)
          .limit(limit),
      count: async (where) =>
        (await db.select({ total: count() }).from(claim).where(and(where, filter)))[0]?.total ?? 0,
      placeOf: ({ waitingSince, id }) => ({ waitsSince: waitingSince, id }),
    },
    position,
    size,
  )
}

/** Those that wait for the owner. */
export const countWaiting = (db: Reader): Promise<number> => db.$count(claim, sql`${claim.waitingSince} is not null`)

// What follows reads orders and products too: one statement each, since the admin asks for it with every page.

/** Claims of orders with the email or the postal address of this claim's order. */
export async function countClaimsOfAddress(db: Reader, claimId: number): Promise<number> {
  const { rows } = await db.execute<{ total: number }>(sql`
    select count(*)::int as total from claim c join shop_order o on o.id = c.order_id
    where exists (
      select 1 from claim own join shop_order mine on mine.id = own.order_id
      where own.id = ${claimId} and (o.id = mine.id
        or (mine.customer_email <> '' and lower(o.customer_email) = lower(mine.customer_email))
        or (coalesce(mine.shipping_address->>'line1', '') <> ''
          and lower(o.shipping_address->>'line1') = lower(mine.shipping_address->>'line1')
          and o.shipping_address->>'postalCode' = mine.shipping_address->>'postalCode'
          and o.shipping_address->>'country' = mine.shipping_address->>'country')))`)
  return rows[0]?.total ?? 0
}

const RECENT_DAYS = 90

/** Claims of the last 90 days about each product of an order. */
export async function countClaimsOfProducts(db: Reader, orderId: OrderId, now: Date): Promise<Map<number, number>> {
  const { rows } = await db.execute<{ product_id: number; total: number }>(sql`
    select l.product_id, count(distinct c.id)::int as total
    from claim c
    cross join lateral jsonb_to_recordset(c.pieces) as p(position int, quantity int)
    join order_line l on l.order_id = c.order_id and l.position = p.position
    where c.kind = 'claim' and c.opened_at > ${after(now, -RECENT_DAYS * DAY_MS)}
      and l.product_id in (select product_id from order_line where order_id = ${orderId})
    group by l.product_id`)
  return new Map(rows.map(({ product_id: id, total }) => [id, total]))
}

export type ClaimsOfBlank = { blank: string; size: string | null; claims: number }

/** Claims of the last 90 days about the blank and size of each line of an order, by the line's position. */
export async function countClaimsOfBlanks(
  db: Reader,
  orderId: OrderId,
  now: Date,
): Promise<Map<number, ClaimsOfBlank>> {
  const { rows } = await db.execute<ClaimsOfBlank & { position: number }>(sql`
    with recent as (
      select c.id, v.blank_id, v.size
      from claim c
      cross join lateral jsonb_to_recordset(c.pieces) as p(position int)
      join order_line l on l.order_id = c.order_id and l.position = p.position
      join variant v on v.id = l.variant_id
      where c.kind = 'claim' and c.opened_at > ${after(now, -RECENT_DAYS * DAY_MS)})
    select l.position, b.title as blank, v.size, count(distinct r.id)::int as claims
    from order_line l join variant v on v.id = l.variant_id join blank b on b.id = v.blank_id
    left join recent r on r.blank_id = v.blank_id and r.size is not distinct from v.size
    where l.order_id = ${orderId} group by l.position, b.title, v.size`)
  return new Map(rows.map(({ position, blank, size, claims }) => [position, { blank, size, claims }]))
}

const FIGURES_MAX = 100

/** Claimed pieces of each product, or blank, and size, the most first. */
export async function readFigures(db: Reader, by: 'product' | 'blank'): Promise<ClaimFigures[]> {
  const of = (condition: SQL) => sql`coalesce(sum(c.quantity) filter (where ${condition}), 0)::int`
  const title = (id: SQL) => sql`(select b.title from blank b where b.id = ${id})`
  const group =
    by === 'product'
      ? { id: sql`c.product_id`, name: sql`c.product_name`, blank: title(sql`min(c.blank_id)`) }
      : {
          id: sql`c.blank_id`,
          name: sql`coalesce(${title(sql`c.blank_id`)}, 'Blank ' || c.blank_id)`,
          blank: sql`null`,
        }
  const isSold = by === 'product' ? sql`l.product_id = c.product_id` : sql`v.blank_id = c.blank_id`
  const { rows } = await db.execute<ClaimFigures & Record<string, unknown>>(sql`
    with claimed as (
      select l.product_id, d.name as product_name, v.size, v.blank_id, c.kind, c.reason, c.fit, p.quantity
      from claim c
      cross join lateral jsonb_to_recordset(c.pieces) as p(position int, quantity int)
      join order_line l on l.order_id = c.order_id and l.position = p.position
      join product d on d.id = l.product_id
      join variant v on v.id = l.variant_id)
    select ${group.name} as name, c.size, ${group.blank} as blank,
      (select sum(l.quantity)::int from order_line l join variant v on v.id = l.variant_id
       where ${isSold} and v.size is not distinct from c.size) as sold,
      ${of(sql`c.reason = 'wrong'`)} as wrong, ${of(sql`c.reason = 'faulty'`)} as faulty,
      ${of(sql`c.reason = 'damaged'`)} as damaged, ${of(sql`c.reason = 'lost'`)} as lost,
      ${of(sql`c.kind = 'withdrawal'`)} as withdrawn, ${of(sql`c.fit = 'small'`)} as small, ${of(sql`c.fit = 'large'`)} as large
    from claimed c where ${group.id} is not null
    group by ${group.id}, ${by === 'product' ? sql`c.product_name, ` : sql``}c.size
    order by sum(c.quantity) desc, 1, c.size limit ${FIGURES_MAX}`)
  return rows
}
