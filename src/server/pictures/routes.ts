import { existsSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import serveFiles from '@fastify/static'
import type { FastifyRequest } from 'fastify'
import { colorFit } from '#domain/pictures/contrast.ts'
import { UPLOAD_MAX_BYTES } from '#domain/pictures/upload-limits.ts'
import type { App } from '#server/http/app.ts'
import { Refusal } from '#server/http/refusal.ts'
import { serve } from '#server/http/serve.ts'
import { UPLOAD_MS } from '#server/limits/load-shedding.ts'
import { createSemaphore } from '#server/limits/semaphore.ts'
import type { Needs } from '#server/shop.ts'
import { composePreview, showComposition, startComposition } from './composer.ts'
import { findPictures, listPictures, readStoredFile, storeUpload } from './pictures.ts'

/** The demo's pictures, part of every deployment; those that owners add lie in the database. */
const finished = fileURLToPath(new URL('../../../pictures/finished/', import.meta.url))

/** Each may hold 50 MB in memory. */
const uploadLimits = { atOnce: 3, waitingMax: 20, waitMaxMs: UPLOAD_MS }

export async function pictureRoutes(app: App, shop: Needs<'db' | 'clock' | 'jobs' | 'pictureProcess'>): Promise<void> {
  const { db } = shop
  const inTurn = createSemaphore(uploadLimits)
  await app.http.register(async (http) => {
    // Bytes of any declared type: what they are is found by their content.
    http.removeAllContentTypeParsers()
    http.addContentTypeParser('*', async (request: FastifyRequest, payload: AsyncIterable<Uint8Array>) => {
      if (Number(request.headers['content-length'] ?? 0) > UPLOAD_MAX_BYTES) throw new Refusal('picture_too_large')
      // Nothing moves on the connection while the picture is decoded. The shop's calls to itself have none.
      if (request.socket instanceof Socket) request.socket.setTimeout(UPLOAD_MS)
      return payload
    })
    serve({ ...app, http }, 'pictureUploads', {
      upload: (_, { body, query }) => inTurn(async () => storeUpload(shop, { bytes: await readBytes(body), ...query })),
    })
  })
  serve(app, 'adminPictures', {
    pictures: (_, { query }) => listPictures(db, { kind: query.kind, before: query.before }),
    drawingColors: async (_, { params, query }) => {
      const { drawing } = (await findPictures(db, [params.file])).get(params.file) ?? {}
      if (!drawing) throw new Refusal('unknown_picture')
      return { colors: [query.hex].flat().map((hex) => ({ hex, ...colorFit(drawing, hex) })) }
    },
    preview: async (_, { params, query: { model, view, hex, accent, technique, ...placement } }) => {
      const dyes = { hex, ...(accent !== undefined && { accent }) }
      const picture = await composePreview(shop, params.file, { model, view, technique, dyes, placement })
      return { name: 'preview.webp', type: 'image/webp', bytes: Readable.from([picture]) }
    },
    compose: (_, { body }) => startComposition(shop, body),
    composition: (_, { params }) => showComposition(db, params.id),
  })

  await app.http.register(serveFiles, { root: finished, serve: false, immutable: true, maxAge: '1y' })
  app.http.get<{ Params: { file: string } }>(
    '/pictures/:file',
    { schema: { hide: true } },
    async ({ params: { file } }, reply) => {
      if (/^[\w.-]+\.webp$/.test(file) && existsSync(join(finished, file))) return reply.sendFile(file)
      const stored = await readStoredFile(db, file)
      if (!stored) throw new Refusal('unknown_call')
      return reply.type(stored.type).header('cache-control', 'public, max-age=31536000, immutable').send(stored.body)
    },
  )
}

/** @throws Refusal `picture_too_large` as soon as there are too many bytes */
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
