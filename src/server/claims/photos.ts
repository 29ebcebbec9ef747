import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { Readable } from 'node:stream'
import { CLAIM_PHOTO_MAX_BYTES, CLAIM_PHOTOS_MAX } from '#domain/claims/claim.ts'
import type { OrderId } from '#shared/ids.ts'
import { DAY_MS } from '#shared/time.ts'
import { baseUrlOf } from '#server/config/config.ts'
import type { Reader } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { FileAnswer } from '#server/http/serve.ts'
import type { Order } from '#server/orders/orders.ts'
import type { Needs } from '#server/shop.ts'
import { countUnusedPhotos, findPhoto, insertPhoto } from './store.ts'

/** The widest that a photo fills is stored; narrower ones show too little. */
const WIDTHS = [1600, 1200, 960, 640, 320]
/** Two messages' worth: a person changes their mind. */
const UNUSED_MAX = 2 * CLAIM_PHOTOS_MAX

/** @throws Refusal `photo_too_large` as soon as there are too many bytes */
export async function readPhotoBytes(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    if (length > CLAIM_PHOTO_MAX_BYTES) throw new Refusal('photo_too_large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, length)
}

/**
 * Stores a photo for a claim still to be sent: by its content, upright, without metadata.
 * @throws Refusal `too_many_photos`; like the owner's uploads for a file that is no photo
 */
export async function storePhoto(
  { db, clock, pictureProcess }: Needs<'db' | 'clock' | 'pictureProcess'>,
  { id: orderId, erasedAt }: Pick<Order, 'id' | 'erasedAt'>,
  bytes: Uint8Array,
): Promise<string> {
  if (erasedAt) throw new Refusal('order_not_shown')
  if ((await countUnusedPhotos(db, orderId)) >= UNUSED_MAX) throw new Refusal('too_many_photos')
  const { pixels } = await pictureProcess.run('readPhoto', { bytes, widths: WIDTHS })
  const body = Buffer.from(await pictureProcess.run('encode', { pixels, width: pixels.width, format: 'webp' }))
  const id = randomUUID()
  await db.transaction((tx) => insertPhoto(tx, { id, orderId, body, createdAt: clock.now() }))
  return id
}

/** @param orderId unset for the owner @throws Refusal `unknown_picture` */
export async function readPhoto(db: Reader, id: string, orderId?: OrderId): Promise<FileAnswer> {
  const body = await findPhoto(db, id, orderId)
  if (!body) throw new Refusal('unknown_picture')
  return { name: 'photo.webp', type: 'image/webp', bytes: Readable.from([body]) }
}

export const PHOTO_FILES = '/files/claim/'
const LINK_LIFE_MS = 30 * DAY_MS

const signatureOf = ({ config }: Needs<'config'>, payload: string): Buffer =>
  createHmac('sha256', config.printful.webhookSecret.reveal()).update(`claim photo ${payload}`).digest()

/** An address that opens a photo without signing in, for the printer. */
export function photoLink(shop: Needs<'config'>, id: string, now: Date): string {
  // Whole days, so that the same message can be copied twice.
  const until = (Math.floor(now.getTime() / DAY_MS) + 1) * DAY_MS + LINK_LIFE_MS
  const payload = `${id}.${until}`
  return `${baseUrlOf(shop.config)}${PHOTO_FILES}${payload}.${signatureOf(shop, payload).toString('base64url')}`
}

/** @throws Refusal `unknown_picture` for an address that was changed or has ended */
export async function readLinkedPhoto(shop: Needs<'config' | 'clock' | 'db'>, token: string): Promise<Buffer> {
  const [id = '', until = '', signature = '', ...rest] = token.split('.')
  const own = signatureOf(shop, `${id}.${until}`)
  const given = Buffer.from(signature, 'base64url')
  if (
    rest.length ||
    given.length !== own.length ||
    !timingSafeEqual(given, own) ||
    Number(until) < shop.clock.now().getTime()
  )
    throw new Refusal('unknown_picture')
  const body = await findPhoto(shop.db, id)
  if (!body) throw new Refusal('unknown_picture')
  return body
}
