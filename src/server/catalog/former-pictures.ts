import { basename } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { and, asc, count, eq, inArray, isNotNull, isNull, ne, sql } from 'drizzle-orm'
import type { FormerPictures } from '#contract/admin-imports.ts'
import { UPLOAD_MAX_BYTES } from '#domain/pictures/upload-limits.ts'
import type { ProductPicture } from '#domain/catalog/product-content.ts'
import type { ProductId } from '#shared/ids.ts'
import { SECOND_MS } from '#shared/time.ts'
import type { Actor } from '#server/audit-log/audit-log.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { DownloadFailure, downloadPublic } from '#server/files/public-download.ts'
import { bodyOfRefusal, Refusal } from '#server/http/refusal.ts'
import { findPictures, storeUpload } from '#server/pictures/pictures.ts'
import type { Needs } from '#server/shop.ts'
import { findProductContent, saveProduct } from './products.ts'
import { formerPicture, product, productPicture } from './schema.ts'

// Pictures of a former shop: rows name them, a job fetches them and shows them with their products.

const ROWS_AT_ONCE = 2000
const LISTED_MAX = 200
/** Pauses before a further try. */
const PAUSES_MS = [SECOND_MS, 4 * SECOND_MS]

const SHOP: Actor = { userId: null, name: 'shop', address: '' }

type NewPicture = Pick<typeof formerPicture.$inferInsert, 'productId' | 'position' | 'url' | 'alt' | 'color'>

export async function addFormerPictures(tx: Tx, pictures: readonly NewPicture[], now: Date): Promise<void> {
  for (let at = 0; at < pictures.length; at += ROWS_AT_ONCE)
    await tx
      .insert(formerPicture)
      .values(
        pictures
          .slice(at, at + ROWS_AT_ONCE)
          .map((picture) => ({ ...picture, state: 'waiting' as const, updatedAt: now })),
      )
      .onConflictDoNothing()
}

/** How far the pictures are, and what is left to do. */
export async function showFormerPictures(db: Reader): Promise<FormerPictures> {
  const rows = await db
    .select({ state: formerPicture.state, count: count() })
    .from(formerPicture)
    .groupBy(formerPicture.state)
  const countOf = (state: string) => rows.find((row) => row.state === state)?.count ?? 0
  const failed = await db
    .select({
      ...{ id: formerPicture.id, product: product.name, url: formerPicture.url },
      reason: sql<string>`coalesce(${formerPicture.failure}, '')`,
    })
    .from(formerPicture)
    .innerJoin(product, eq(product.id, formerPicture.productId))
    .where(eq(formerPicture.state, 'failed'))
    .orderBy(asc(formerPicture.id))
    .limit(LISTED_MAX)
  const withoutAlt = await db
    .select({ id: product.id, name: product.name, pictures: count() })
    .from(formerPicture)
    .innerJoin(product, eq(product.id, formerPicture.productId))
    .innerJoin(
      productPicture,
      and(eq(productPicture.productId, product.id), eq(productPicture.file, formerPicture.file)),
    )
    .where(and(eq(formerPicture.state, 'stored'), isNull(productPicture.alt)))
    .groupBy(product.id)
    .orderBy(asc(product.id))
    .limit(LISTED_MAX)
  return { waiting: countOf('waiting'), stored: countOf('stored'), failedCount: countOf('failed'), failed, withoutAlt }
}

/** Lets everything that failed be fetched again. */
export async function retryFormerPictures({ db, clock, jobs }: Needs<'db' | 'clock' | 'jobs'>): Promise<void> {
  await db.transaction(async (tx) => {
    await tx
      .update(formerPicture)
      .set({ state: 'waiting', failure: null, updatedAt: clock.now() })
      .where(eq(formerPicture.state, 'failed'))
    await jobs.enqueue(tx, 'fetch-pictures', {})
  })
}

type Fetching = Needs<'db' | 'clock' | 'pictureProcess' | 'config' | 'log'>
type FormerPictureRow = typeof formerPicture.$inferSelect

/** The job: fetches what waits, a product at a time, so a restart continues where it stopped. */
export const fetchPictures = (shop: Fetching): Promise<void> =>
  takePictures(shop, ({ url }) =>
    fetchPatiently(url, { bytesMax: UPLOAD_MAX_BYTES, isAnyAllowed: shop.config.pictureSources === 'any' }),
  )

/**
 * Takes pictures from files instead, by the name at the end of their addresses; those that failed before, too.
 * @param files by their names in lower case
 */
export async function takePicturesFrom(
  shop: Fetching,
  files: ReadonlyMap<string, () => Promise<Uint8Array>>,
): Promise<void> {
  await shop.db.transaction((tx) =>
    tx
      .update(formerPicture)
      .set({ state: 'waiting', failure: null, updatedAt: shop.clock.now() })
      .where(eq(formerPicture.state, 'failed')),
  )
  await takePictures(shop, async ({ url }) => {
    const name = decodeName(basename(new URL(url).pathname))
    const read = files.get(name.toLowerCase())
    if (!read) throw new DownloadFailure(`The folder has no file named ${name}.`)
    return read()
  })
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

async function takePictures(shop: Fetching, read: (picture: FormerPictureRow) => Promise<Uint8Array>): Promise<void> {
  for (;;) {
    const [next] = await shop.db
      .select({ id: formerPicture.productId })
      .from(formerPicture)
      .where(eq(formerPicture.state, 'waiting'))
      .orderBy(asc(formerPicture.productId))
      .limit(1)
    if (!next) return
    await takeOfProduct(shop, next.id, read)
  }
}

async function takeOfProduct(
  shop: Fetching,
  productId: ProductId,
  read: (picture: FormerPictureRow) => Promise<Uint8Array>,
): Promise<void> {
  const { db, clock } = shop
  const stored = await findProductContent(db, productId)
  const rows = await db
    .select()
    .from(formerPicture)
    .where(and(eq(formerPicture.productId, productId), eq(formerPicture.state, 'waiting'), isNull(formerPicture.file)))
    .orderBy(asc(formerPicture.position))
  for (const row of rows) {
    const change = await takeOne(shop, row, stored?.content.name ?? '', read)
    await db.transaction((tx) =>
      tx
        .update(formerPicture)
        .set({ ...change, updatedAt: clock.now() })
        .where(eq(formerPicture.id, row.id)),
    )
  }
  await showPictures(shop, productId)
}

async function takeOne(
  shop: Fetching,
  row: FormerPictureRow,
  name: string,
  read: (picture: FormerPictureRow) => Promise<Uint8Array>,
): Promise<Pick<FormerPictureRow, 'file'> | { state: 'failed'; failure: string }> {
  try {
    const bytes = await read(row)
    const { file } = await storeUpload(shop, { bytes, kind: 'product', alt: row.alt ?? name, isUrgent: false })
    return { file }
  } catch (error) {
    const failure = sentenceOf(error)
    if (failure === undefined) throw error
    shop.log.warn({ err: error, url: row.url }, 'could not take over a picture of the former shop')
    return { state: 'failed', failure }
  }
}

function sentenceOf(error: unknown): string | undefined {
  if (error instanceof DownloadFailure) return error.message
  // `unavailable`: the pictures' process was ended; the job repeats.
  return error instanceof Refusal && error.code !== 'unavailable' ? bodyOfRefusal(error).message : undefined
}

async function fetchPatiently(...[url, bounds]: Parameters<typeof downloadPublic>): Promise<Uint8Array> {
  for (const pauseMs of PAUSES_MS)
    try {
      return await downloadPublic(url, bounds)
    } catch (error) {
      if (!(error instanceof DownloadFailure && error.isPassing)) throw error
      await pause(pauseMs)
    }
  return downloadPublic(url, bounds)
}

/** Shows a product's new pictures after those that it has, in one change of its history. */
async function showPictures(shop: Fetching, productId: ProductId): Promise<void> {
  const { db, clock } = shop
  const ready = await db
    .select()
    .from(formerPicture)
    .where(
      and(eq(formerPicture.productId, productId), ne(formerPicture.state, 'stored'), isNotNull(formerPicture.file)),
    )
    .orderBy(asc(formerPicture.position))
  if (ready.length === 0) return
  const stored = await findProductContent(db, productId)
  const pictures = await findPictures(
    db,
    ready.flatMap(({ file }) => file ?? []),
  )
  if (stored) {
    const shown = new Set(stored.content.pictures.map(({ file }) => file))
    const added = ready.flatMap(({ file, alt, color }): ProductPicture[] => {
      const picture = file === null || shown.has(file) ? undefined : pictures.get(file)
      if (!picture) return []
      shown.add(picture.file)
      const { widths, width, height, avif } = picture
      return [{ view: 'front', color, file: picture.file, widths, width, height, avif, ...(alt !== null && { alt }) }]
    })
    const edit = { pictures: [...stored.content.pictures, ...added] }
    if (added.length > 0) await saveProduct(shop, productId, { version: stored.version, edit }, SHOP)
  }
  await db.transaction((tx) =>
    tx
      .update(formerPicture)
      .set({ state: 'stored', failure: null, updatedAt: clock.now() })
      .where(
        inArray(
          formerPicture.id,
          ready.map(({ id }) => id),
        ),
      ),
  )
}
