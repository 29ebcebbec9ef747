import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { FastifyRequest } from 'fastify'
import { CATALOG_ZIP_MAX_MB, DIFFERENCES_SHOWN, type CatalogImport } from '#contract/admin-catalog-file.ts'
import { isAccepted } from '#contract/below-floor.ts'
import { floorSentence } from '#domain/catalog/margin-floor.ts'
import { actorOf } from '#server/audit-log/audit-log.ts'
import type { App } from '#server/http/app.ts'
import { Refusal } from '#server/http/refusal.ts'
import { serve } from '#server/http/serve.ts'
import { UPLOAD_MS } from '#server/limits/load-shedding.ts'
import { createSemaphore } from '#server/limits/semaphore.ts'
import type { Needs } from '#server/shop.ts'
import { exportCatalog } from './catalog-export.ts'
import { CatalogFileError, placeOf } from './catalog-file-error.ts'
import { importFile } from './catalog-upload.ts'
import type { ImportOptions, ImportReport } from './import-upload.ts'

type CatalogFileNeeds = Needs<'db' | 'clock' | 'config' | 'pictureProcess'>

/** A text of 128 MB takes several times its size while it is read. */
const uploadLimits = { atOnce: 1, waitingMax: 5, waitMaxMs: UPLOAD_MS }
const UPLOAD_MAX_BYTES = CATALOG_ZIP_MAX_MB * 1024 * 1024
/** In one refusal. */
const MISTAKES_SHOWN = 200

export async function catalogFileRoutes(app: App, shop: CatalogFileNeeds): Promise<void> {
  const inTurn = createSemaphore(uploadLimits)
  serve(app, 'adminCatalogFile', { exportCatalog: (_, { params }) => exportCatalog(shop.db, params.form) })
  await app.http.register(async (http) => {
    // Of any declared type: what the file is follows from its content.
    http.removeAllContentTypeParsers()
    http.addContentTypeParser('*', async (request: FastifyRequest, payload: AsyncIterable<Uint8Array>) => {
      if (Number(request.headers['content-length'] ?? 0) > UPLOAD_MAX_BYTES) throw new Refusal('catalog_file_too_large')
      // Nothing moves on the connection while the file is imported. The shop's calls to itself have none.
      if (request.socket instanceof Socket) request.socket.setTimeout(UPLOAD_MS)
      return payload
    })
    serve({ ...app, http }, 'catalogFileUploads', {
      importCatalogFile: async (context, { body, query }) => {
        const by = await actorOf(context)
        return inTurn(() => importUpload(shop, body, { by, expected: query.expected, accepted: isAccepted(query) }))
      },
    })
  })
}

async function importUpload(
  shop: CatalogFileNeeds,
  body: AsyncIterable<Uint8Array> | undefined,
  options: Omit<ImportOptions, 'dryRun'>,
): Promise<CatalogImport> {
  const folder = await mkdtemp(join(tmpdir(), 'catalog-'))
  const path = join(folder, 'upload')
  try {
    await pipeline(bounded(body ?? []), createWriteStream(path))
    const dryRun = options.expected === undefined
    return toAnswer(await importFile(shop, path, { ...options, dryRun }), dryRun)
  } catch (error) {
    throw error instanceof CatalogFileError ? toRefusal(error) : error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function* bounded(body: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    if (length > UPLOAD_MAX_BYTES) throw new Refusal('catalog_file_too_large')
    yield chunk
  }
}

function toRefusal({ mistakes }: CatalogFileError): Refusal {
  const [first] = mistakes
  const reason =
    first && mistakes.length === 1
      ? `${placeOf(first) === 'file' ? '' : `At ${placeOf(first)}: `}${first.problem}.`
      : `The file has ${mistakes.length} mistakes.`
  const shown = mistakes
    .slice(0, MISTAKES_SHOWN)
    .map((mistake): [string, string] => [placeOf(mistake), mistake.problem])
  return new Refusal('catalog_file_refused', { reason }, Object.fromEntries(shown))
}

function toAnswer(report: ImportReport, isDryRun: boolean): CatalogImport {
  const { products, untouched, differences, warnings, belowFloor, fingerprint } = report
  const count = (what: 'new' | 'changed' | 'retired') => differences.filter((one) => one.what === what).length
  const figures = { new: count('new'), changed: count('changed'), retired: count('retired') }
  const parts = `${figures.new} new, ${figures.changed} changed, ${figures.retired} retired, ${untouched} untouched`
  return {
    ...{ isDryRun, products, untouched, ...figures, fingerprint },
    differences: differences.slice(0, DIFFERENCES_SHOWN),
    differenceCount: differences.length,
    warnings: warnings.slice(0, DIFFERENCES_SHOWN),
    warningCount: warnings.length,
    belowFloor: belowFloor.count > 0 ? floorSentence(belowFloor) : null,
    done: isDryRun
      ? differences.length
        ? `This file would bring: ${parts}. Nothing was changed yet.`
        : 'The shop already has everything that this file says. There is nothing to import.'
      : `Imported: ${parts}.`,
  }
}
