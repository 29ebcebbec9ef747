import { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { IMPORT_MAX_BYTES } from '#contract/admin-imports.ts'
import { actorOf } from '#server/audit-log/audit-log.ts'
import { retryFormerPictures, showFormerPictures } from '#server/catalog/former-pictures.ts'
import { addRedirectFor, listRedirects, removeRedirect } from '#server/catalog/redirects.ts'
import { readBounded } from '#server/files/bounded-bytes.ts'
import type { App } from '#server/http/app.ts'
import { Refusal } from '#server/http/refusal.ts'
import { serve } from '#server/http/serve.ts'
import { UPLOAD_MS } from '#server/limits/load-shedding.ts'
import { createSemaphore } from '#server/limits/semaphore.ts'
import { importExport } from './imports.ts'

/** Each may hold 50 MB in memory. */
const uploadLimits = { atOnce: 1, waitingMax: 5, waitMaxMs: UPLOAD_MS }

export async function importRoutes(app: App, shop: Parameters<typeof importExport>[0]): Promise<void> {
  const inTurn = createSemaphore(uploadLimits)
  await app.http.register(async (http) => {
    // Browsers name CSV files differently, so every declared type is taken; the header decides.
    http.removeAllContentTypeParsers()
    http.addContentTypeParser('*', async (request: FastifyRequest, payload: AsyncIterable<Uint8Array>) => {
      // Nothing moves on the connection while the rows are stored. The shop's calls to itself have none.
      if (request.socket instanceof Socket) request.socket.setTimeout(UPLOAD_MS)
      return payload
    })
    serve({ ...app, http }, 'importUploads', {
      import: async (context, { params, query, body }) => {
        const by = await actorOf(context)
        return inTurn(async () => {
          const bytes = await readBounded(body, IMPORT_MAX_BYTES)
          if (!bytes) throw new Refusal('import_too_large')
          const { dryRun, choices } = query
          return importExport(shop, {
            from: params.shop,
            bytes,
            isDryRun: dryRun === '1',
            by,
            ...(choices && { choices }),
          })
        })
      },
    })
  })
  serve(app, 'importPictures', {
    pictures: () => showFormerPictures(shop.db),
    retryPictures: async () => {
      await retryFormerPictures(shop)
      return { done: 'Fetching them again' }
    },
  })
  serve(app, 'adminRedirects', {
    redirects: (_, { query }) => listRedirects(shop.db, query.after),
    addRedirect: async (context, { body }) => {
      await addRedirectFor(shop, await actorOf(context), body)
      return { done: 'Redirect added' }
    },
    removeRedirect: async (context, { params }) => {
      await removeRedirect(shop, await actorOf(context), params.id)
      return { done: 'Redirect removed' }
    },
  })
}
