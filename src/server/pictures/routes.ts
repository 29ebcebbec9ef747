import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import serveFiles from '@fastify/static'
import { colorFit } from '#domain/pictures/contrast.ts'
import type { App } from '#server/http/app.ts'
import { Refusal } from '#server/http/refusal.ts'
import { serve } from '#server/http/serve.ts'
import type { Needs } from '#server/shop.ts'
import { composePreview, showComposition, startComposition } from './composer.ts'
import { findPictures, listPictures, readStoredFile, storeUpload } from './pictures.ts'
import { finished, successorOf } from './shipped.ts'
import { receivePicture, servePictures } from './upload-queue.ts'

const root = fileURLToPath(finished)

export async function pictureRoutes(
  app: App,
  shop: Needs<'db' | 'clock' | 'config' | 'jobs' | 'pictureProcess'>,
): Promise<void> {
  const { db } = shop
  await servePictures(app, (uploads) =>
    serve(uploads, 'pictureUploads', {
      upload: (_, { body, query }) =>
        receivePicture(body, (bytes) => storeUpload(shop, { bytes, ...query }), shop.config.slowClientMs),
    }),
  )
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

  await app.http.register(serveFiles, { root, serve: false, immutable: true, maxAge: '1y' })
  app.http.get<{ Params: { file: string } }>(
    '/pictures/:file',
    { schema: { hide: true } },
    async ({ params: { file } }, reply) => {
      if (/^[\w.-]+\.webp$/.test(file) && existsSync(join(root, file))) return reply.sendFile(file)
      const stored = await readStoredFile(db, file)
      if (!stored) {
        const successor = successorOf(file)
        if (!successor) throw new Refusal('unknown_call')
        return reply.redirect(`/pictures/${successor}`)
      }
      return reply.type(stored.type).header('cache-control', 'public, max-age=31536000, immutable').send(stored.body)
    },
  )
}
