import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Composition } from '#contract/admin-pictures.ts'
import type { CompositionRequest, Dye } from '#domain/pictures/composition.ts'
import type { PictureView } from '#domain/pictures/picture-models.ts'
import type { Db, Reader } from '#server/db/db.ts'
import { bodyOfRefusal, Refusal } from '#server/http/refusal.ts'
import type { Needs } from '#server/shop.ts'
import { COMPOSER_VERSION } from './compose.ts'
import { passesOf } from './pass-files.ts'
import { passFilesOf } from './passes.ts'
import { encodeSizes, findPictures, nameOf, readDrawingFile } from './pictures.ts'
import { failComposition, findComposition, findWorkingCopy, insertComposition, insertPicture } from './store.ts'
import type { PictureTask } from './tasks.ts'
import { holdPictures } from './unused.ts'

type Composing = Needs<'db' | 'clock' | 'pictureProcess'>

/** The views were rendered this wide. */
const WIDTHS = [960, 640, 320]

type PlannedPicture = { file: string; view: PictureView; passes: string; color: Dye }

const digests = new Map<string, Promise<string>>()

/** A hash of a view's passes; they do not change while the shop runs. */
function digestOf(base: string): Promise<string> {
  const known = digests.get(base)
  if (known) return known
  const digest = (async () => {
    const hash = createHash('sha256')
    for (const file of passFilesOf(base)) hash.update(await readFile(file))
    return hash.digest('hex')
  })()
  digests.set(base, digest)
  return digest
}

const dyesOf = ({ hex, accent }: Dye) => ({ hex, ...(accent !== undefined && { accent }) })

/** The pictures of a request, by names that contain a hash of everything that goes into them. */
async function planOf({ drawing, model, technique, placement, colors, views }: CompositionRequest) {
  const planned: PlannedPicture[] = []
  for (const color of colors)
    for (const view of views) {
      const { x, y, width, height } = placement
      const recipe = [COMPOSER_VERSION, drawing, model, view, technique, x, y, width, height, color.hex, color.accent]
      const passes = passesOf(model, view, drawing, placement)
      const file = nameOf('composed', JSON.stringify(recipe), await digestOf(passes))
      planned.push({ file, view, passes, color })
    }
  return planned
}

/** @throws Refusal `unknown_picture` */
async function drawingOf(db: Reader, file: string): Promise<Buffer> {
  const drawing = file.startsWith('drawing.') ? await findWorkingCopy(db, file) : undefined
  if (!drawing) throw new Refusal('unknown_picture')
  return drawing
}

/** A drawing on a product in one color and view, 640 pixels wide. */
export async function composePreview(
  { db, pictureProcess }: Needs<'db' | 'pictureProcess'>,
  file: string,
  { view, ...task }: Omit<PictureTask, 'drawing' | 'passes'> & { view: PictureView },
): Promise<Buffer> {
  const passes = passesOf(task.model, view, file, task.placement)
  return Buffer.from(
    await pictureProcess.run('composePreview', { ...task, passes, drawing: await drawingOf(db, file) }),
  )
}

/**
 * Starts making the pictures of a drawing on a product. The same request again continues the same work.
 * @throws Refusal `unknown_picture`
 */
export async function startComposition(
  shop: Needs<'db' | 'clock' | 'jobs'>,
  request: CompositionRequest,
): Promise<Composition> {
  await readDrawingFile(shop.db, request.drawing)
  const id = createHash('sha256').update(JSON.stringify(request)).digest('hex').slice(0, 20)
  await shop.db.transaction(async (tx) => {
    if ((await holdPictures(tx, request)).length) throw new Refusal('unknown_picture')
    await insertComposition(tx, { id, request, createdAt: shop.clock.now() })
    await shop.jobs.enqueue(tx, 'compose-pictures', { compositionId: id })
  })
  return showComposition(shop.db, id)
}

/** @throws Refusal `unknown_picture` */
export async function showComposition(db: Db, id: string): Promise<Composition> {
  const found = await findComposition(db, id)
  if (!found) throw new Refusal('unknown_picture')
  const planned = await planOf(found.request)
  const stored = await findPictures(
    db,
    planned.map(({ file }) => file),
  )
  const pictures = planned.map(({ file, view, color }) => ({
    view,
    color: color.name,
    picture: stored.get(file) ?? null,
  }))
  const made = pictures.filter(({ picture }) => picture).length
  const state = made === planned.length ? 'done' : found.failure === null ? 'working' : 'failed'
  return { id, state, failure: found.failure, made, total: planned.length, pictures }
}

/** The job: makes the pictures that are missing, so a restart continues where it stopped. */
export async function makeComposition(shop: Composing, id: string): Promise<void> {
  const found = await findComposition(shop.db, id)
  if (!found) return
  try {
    await makeMissing(shop, found.request)
  } catch (error) {
    // Drawing it again would take as long again. Anything else, such as a stop of the shop, is tried again.
    if (!(error instanceof Refusal && error.code === 'picture_too_complex')) throw error
    await shop.db.transaction((tx) => failComposition(tx, id, bodyOfRefusal(error).message))
  }
}

async function makeMissing({ db, clock, pictureProcess }: Composing, request: CompositionRequest): Promise<void> {
  const drawing = await drawingOf(db, request.drawing)
  const { model, technique, placement } = request
  // By view: opening one takes as long as composing.
  const planned = (await planOf(request)).toSorted((a, b) => a.view.localeCompare(b.view))
  const options = { urgent: false }
  for (const { file, view, passes, color } of planned) {
    if ((await findPictures(db, [file])).size > 0) continue
    const task = { drawing, model, passes, technique, placement, dyes: dyesOf(color) }
    const pixels = await pictureProcess.run('composePicture', task, options)
    const widths = WIDTHS.filter((width) => width <= pixels.width)
    const files = await encodeSizes(pictureProcess, pixels, widths, options)
    const { width, height } = pixels
    const row = { file, kind: 'composed' as const, alt: `${color.name}, ${view}`, widths, width, height }
    await db.transaction((tx) => insertPicture(tx, { ...row, createdAt: clock.now() }, files))
  }
}
