import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { CLAIM_PHOTO_MAX_BYTES, CLAIM_PHOTOS_MAX } from '#domain/claims/claim.ts'
import type { OrderId } from '#shared/ids.ts'
import { DAY_MS } from '#shared/time.ts'
import { baseUrlOf } from '#server/config/config.ts'
import { readSignedToken, signedToken } from '#server/config/signature.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { FileAnswer } from '#server/http/serve.ts'
import { lockOrder, type Order } from '#server/orders/orders.ts'
import type { Needs } from '#server/shop.ts'
import { countUnusedPhotos, findPhoto, insertPhoto, takeUnusedPhotos } from './store.ts'

/** The widest that a photo fills is stored; narrower ones show too little. */
const WIDTHS = [1600, 1200, 960, 640, 320]
/** Two messages' worth: a person changes their mind. */
const UNUSED_MAX = 2 * CLAIM_PHOTOS_MAX

/** A photo as WebP: by its content, upright, without metadata. @throws Refusal like the owner's uploads for a file that is no photo */
export async function encodePhoto({ pictureProcess }: Needs<'pictureProcess'>, bytes: Uint8Array): Promise<Buffer> {
  const { pixels } = await pictureProcess.run('readPhoto', { bytes, widths: WIDTHS })
  return Buffer.from(await pictureProcess.run('encode', { pixels, width: pixels.width, format: 'webp' }))
}

/**
 * Stores a photo for a claim or message still to be sent.
 * @throws Refusal `too_many_photos`, `photo_too_large`; like the owner's uploads for a file that is no photo
 */
export async function storePhoto(
  { db, clock, pictureProcess }: Needs<'db' | 'clock' | 'pictureProcess'>,
  { id: orderId, erasedAt }: Pick<Order, 'id' | 'erasedAt'>,
  bytes: Uint8Array,
): Promise<string> {
  if (erasedAt) throw new Refusal('order_not_shown')
  if (bytes.length > CLAIM_PHOTO_MAX_BYTES) throw new Refusal('photo_too_large')
  if ((await countUnusedPhotos(db, orderId)) >= UNUSED_MAX) throw new Refusal('too_many_photos')
  const body = await encodePhoto({ pictureProcess }, bytes)
  const id = randomUUID()
  await db.transaction(async (tx) => {
    // While the photo was decoded, the customer may have been erased, and others uploaded.
    if ((await lockOrder(tx, orderId)).erasedAt) throw new Refusal('order_not_shown')
    if ((await countUnusedPhotos(tx, orderId)) >= UNUSED_MAX) throw new Refusal('too_many_photos')
    await insertPhoto(tx, { id, orderId, body, createdAt: clock.now() })
  })
  return id
}

/**
 * Takes photos that were uploaded for an order and not sent yet, for something else than a claim.
 * @throws Refusal `photo_missing`
 */
export async function takePhotos(
  tx: Tx,
  orderId: OrderId,
  photos: readonly string[],
): Promise<{ id: string; body: Buffer }[]> {
  const taken = await takeUnusedPhotos(tx, orderId, photos)
  if (taken.length !== new Set(photos).size) throw new Refusal('photo_missing')
  return taken
}

/** @param orderId unset for the owner @throws Refusal `unknown_picture` */
export async function readPhoto(db: Reader, id: string, orderId?: OrderId): Promise<FileAnswer> {
  const body = await findPhoto(db, id, orderId)
  if (!body) throw new Refusal('unknown_picture')
  return { name: 'photo.webp', type: 'image/webp', bytes: Readable.from([body]) }
}

export const PHOTO_FILES = '/files/claim/'
const LINK_LIFE_MS = 30 * DAY_MS

const PURPOSE = 'claim photo'

/** An address that opens a photo without signing in, for the printer. */
export function photoLink({ config }: Needs<'config'>, id: string, now: Date): string {
  // Whole days, so that the same message can be copied twice.
  const until = (Math.floor(now.getTime() / DAY_MS) + 1) * DAY_MS + LINK_LIFE_MS
  return `${baseUrlOf(config)}${PHOTO_FILES}${signedToken(config, PURPOSE, `${id}.${until}`)}`
}

/** @throws Refusal `unknown_picture` for an address that was changed or has ended */
export async function readLinkedPhoto(shop: Needs<'config' | 'clock' | 'db'>, token: string): Promise<Buffer> {
  const [id = '', until = '0'] = readSignedToken(shop.config, PURPOSE, token)?.split('.') ?? []
  if (Number(until) < shop.clock.now().getTime()) throw new Refusal('unknown_picture')
  const body = await findPhoto(shop.db, id)
  if (!body) throw new Refusal('unknown_picture')
  return body
}
