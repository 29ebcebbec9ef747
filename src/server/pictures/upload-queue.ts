import { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { UPLOAD_MAX_BYTES } from '#domain/pictures/upload-limits.ts'
import type { App } from '#server/http/app.ts'
import { Refusal } from '#server/http/refusal.ts'
import { UPLOAD_MS } from '#server/limits/load-shedding.ts'
import { createSemaphore } from '#server/limits/semaphore.ts'

/** Each may hold 50 MB in memory, so all uploads of pictures wait in one queue. */
const inTurn = createSemaphore({ atOnce: 3, waitingMax: 20, waitMaxMs: UPLOAD_MS })

/**
 * @param slowAfterMs for an upload that may take long; others are limited as a whole
 * @throws Refusal `picture_too_large` as soon as there are too many bytes, `upload_too_slow` when there are too few
 */
export const receivePicture = <Stored>(
  body: AsyncIterable<Uint8Array> | undefined,
  store: (bytes: Buffer) => Promise<Stored>,
  slowAfterMs = UPLOAD_MS,
): Promise<Stored> => inTurn(async () => store(await readBytes(body, slowAfterMs)))

/** Binds calls whose body is a picture, of any declared type: what it is is found by its content. */
export const servePictures = (app: App, bind: (uploads: App) => void) =>
  app.http.register(async (http) => {
    http.removeAllContentTypeParsers()
    http.addContentTypeParser('*', async (request: FastifyRequest, payload: AsyncIterable<Uint8Array>) => {
      if (Number(request.headers['content-length'] ?? 0) > UPLOAD_MAX_BYTES) throw new Refusal('picture_too_large')
      // Nothing moves on the connection while the picture is decoded. The shop's calls to itself have none.
      if (request.socket instanceof Socket) request.socket.setTimeout(UPLOAD_MS)
      return payload
    })
    bind({ ...app, http })
  })

/** What has to arrive in the time that a slow client gets: an upload that trickles would keep others waiting. */
const PROGRESS_BYTES = 16 * 1024

async function readBytes(body: AsyncIterable<Uint8Array> | undefined, slowAfterMs: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let length = 0
  let seen = 0
  const slow = Promise.withResolvers<never>()
  const timer = setInterval(() => {
    if (length - seen < PROGRESS_BYTES) slow.reject(new Refusal('upload_too_slow'))
    seen = length
  }, slowAfterMs)
  const iterator = body?.[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = iterator && (await Promise.race([iterator.next(), slow.promise]))
      if (!next || next.done) return Buffer.concat(chunks, length)
      length += next.value.length
      if (length > UPLOAD_MAX_BYTES) throw new Refusal('picture_too_large')
      chunks.push(next.value)
    }
  } finally {
    clearInterval(timer)
  }
}
