import { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { UPLOAD_MAX_BYTES } from '#domain/pictures/upload-limits.ts'
import type { App } from '#server/http/app.ts'
import { Refusal } from '#server/http/refusal.ts'
import { UPLOAD_MS } from '#server/limits/load-shedding.ts'
import { createSemaphore } from '#server/limits/semaphore.ts'

/** Each may hold 50 MB in memory, so all uploads of pictures wait in one line. */
const inTurn = createSemaphore({ atOnce: 3, waitingMax: 20, waitMaxMs: UPLOAD_MS })

/** @throws Refusal `picture_too_large` as soon as there are too many bytes */
export const receivePicture = <Stored>(
  body: AsyncIterable<Uint8Array> | undefined,
  store: (bytes: Buffer) => Promise<Stored>,
): Promise<Stored> => inTurn(async () => store(await readBytes(body)))

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

async function readBytes(body: AsyncIterable<Uint8Array> | undefined): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body ?? []) {
    length += chunk.length
    if (length > UPLOAD_MAX_BYTES) throw new Refusal('picture_too_large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, length)
}
