import { setTimeout as pause } from 'node:timers/promises'
import * as z from 'zod/mini'
import type { BlankPrintArea } from '#contract/admin-blanks.ts'
import type { DraftPlacement } from '#domain/studio/placement.ts'
import { after, DAY_MS, MINUTE_MS, SECOND_MS } from '#shared/time.ts'
import { baseUrlOf } from '#server/config/config.ts'
import { readSignedToken, signedToken } from '#server/config/signature.ts'
import type { App } from '#server/http/app.ts'
import { Refusal } from '#server/http/refusal.ts'
import { readDrawingFile } from '#server/pictures/pictures.ts'
import { ProviderUnavailable } from '#server/providers/provider-errors.ts'
import type { Needs } from '#server/shop.ts'
import { DraftRefusal } from './draft-refusal.ts'

/** The printer reads a file soon after a product is made; a copy of it stays in its library. */
const VALID_MS = 30 * DAY_MS

const READ_MAX_MS = 2 * MINUTE_MS
/** The first answer comes soon; for a slow file, the printer's calls of a minute are for shoppers' quotes. */
const ASK_AGAIN_MS = [SECOND_MS, 2 * SECOND_MS, 4 * SECOND_MS] as const
const ASK_LATER_MS = 10 * SECOND_MS

const PATH = '/files/print/'

/** Drawing, width and height of the print area in pixels, the drawing's box as shares of it, end of validity in seconds since 1970. */
const Payload = z.tuple([z.string(), z.int(), z.int(), z.number(), z.number(), z.number(), z.number(), z.int()])

const PURPOSE = 'print file'

/**
 * A public address of a drawing in its place on a print area. The same arguments give the same address, and the printer reads it once.
 * @param from when its validity begins
 */
export function printFileUrl(
  { config }: Needs<'config'>,
  { drawing, x, y, width, height }: DraftPlacement,
  area: Pick<BlankPrintArea, 'width' | 'height'>,
  from: Date,
): string {
  const until = Math.floor((from.getTime() + VALID_MS) / 1000)
  const content: z.output<typeof Payload> = [drawing, area.width, area.height, x, y, width, height, until]
  const payload = Buffer.from(JSON.stringify(content)).toString('base64url')
  return `${baseUrlOf(config)}${PATH}${signedToken(config, PURPOSE, payload)}`
}

/** @returns undefined for an address that is not ours, was changed or has ended */
function readToken({ config, clock }: Needs<'config' | 'clock'>, token: string): z.output<typeof Payload> | undefined {
  const payload = readSignedToken(config, PURPOSE, token)
  if (payload === undefined) return undefined
  const content = Payload.parse(JSON.parse(Buffer.from(payload, 'base64url').toString()))
  return content[7] * 1000 > clock.now().getTime() ? content : undefined
}

/**
 * Waits until the printer has read the files: a variant with a file that it could not read would be sold and never printed.
 * @throws DraftRefusal when it could not; ProviderUnavailable when it takes too long
 */
export async function readAtPrinter({ clock, printful }: Needs<'clock' | 'printful'>, urls: readonly string[]) {
  const giveUpAt = after(clock.now(), READ_MAX_MS)
  for (const url of new Set(urls)) {
    let file = await printful.addFile(url)
    for (let asked = 0; file.state === 'waiting'; asked += 1) {
      if (clock.now() >= giveUpAt)
        throw new ProviderUnavailable('printful', new Error('Reading the print files takes too long.'))
      await pause(ASK_AGAIN_MS[asked] ?? ASK_LATER_MS)
      file = await printful.getFile(file.id)
    }
    if (file.state === 'failed')
      throw new DraftRefusal('drawing', 'The printer could not read the print file. Please publish the product again.')
  }
}

/** The drawing alone on the transparent print area, as PNG. */
export function printFileRoute(app: App, shop: Needs<'config' | 'clock' | 'db' | 'pictureProcess'>): void {
  app.http.get(`${PATH}:token`, { schema: { hide: true } }, async (request, reply) => {
    const found = readToken(shop, (request.params as { token: string }).token)
    if (!found) throw new Refusal('unknown_picture')
    const [drawing, areaWidth, areaHeight, x, y, width, height] = found
    const { body } = await readDrawingFile(shop.db, drawing)
    const png = await shop.pictureProcess.run(
      'printFile',
      { drawing: body, area: { width: areaWidth, height: areaHeight }, placement: { x, y, width, height } },
      // The printer gives up soon.
      { urgent: true },
    )
    return reply.type('image/png').header('cache-control', 'private, max-age=3600').send(Buffer.from(png))
  })
}
