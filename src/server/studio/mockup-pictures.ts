import { setTimeout as pause } from 'node:timers/promises'
import type { Blank } from '#contract/admin-blanks.ts'
import type { ProductPicture } from '#domain/catalog/product-content.ts'
import { assert } from '#shared/assert.ts'
import { after, MINUTE_MS, SECOND_MS } from '#shared/time.ts'
import { showBlank } from '#server/blanks/blanks.ts'
import { bodyOfRefusal, Refusal } from '#server/http/refusal.ts'
import { takePrinterPicture } from '#server/pictures/pictures.ts'
import type { Mockup } from '#server/providers/printful/mockups.ts'
import { ProviderRefusal, ProviderUnavailable } from '#server/providers/provider-errors.ts'
import type { Shop } from '#server/shop.ts'
import { printFileUrl } from './print-files.ts'
import { changeDraft, type StoredDraft } from './store.ts'
import { areaFor, chosenVariants, threadOption } from './variants.ts'

/** Of the pictures, in pixels: the widest of our sizes. */
const WIDTH = 1200
/** The printer asks not to be asked sooner, or more often. */
const ASK_EVERY_MS = 10 * SECOND_MS
/** Outages and the wait for our turn included: the printer takes two tasks a minute from a new store. */
const GIVE_UP_AFTER_MS = 20 * MINUTE_MS

/**
 * Front and lifestyle pictures of a draft's product in each color, from the printer's mockup generator, in our own sizes. A restart
 * continues with the task that was begun.
 * @returns `remark`: for the owner, why it has no pictures
 * @throws ProviderUnavailable: the job tries again, for twenty minutes in all
 */
export async function mockupPictures(
  shop: Shop,
  draft: StoredDraft,
): Promise<{ pictures: ProductPicture[]; remark: string | null }> {
  const { blankId } = draft.content
  if (blankId === null) return { pictures: [], remark: null }
  const { mockups: begun } = draft.mockups ? draft : await noteMockups(shop, draft, null)
  assert(begun, 'the time of asking is noted first')
  const giveUpAt = after(new Date(begun.askedAt), GIVE_UP_AFTER_MS)
  try {
    const blank = await showBlank(shop, blankId)
    const key = begun.taskKey ?? (await startTask(shop, draft, blank, new Date(begun.askedAt)))
    if (begun.taskKey === null) await noteMockups(shop, draft, key)
    const mockups = await finishedMockups(shop, key, giveUpAt)
    return { pictures: await takePictures(shop, draft, blank, mockups), remark: null }
  } catch (error) {
    if (error instanceof ProviderUnavailable && shop.clock.now() < giveUpAt) throw error
    const reason = reasonIn(error)
    if (reason === undefined) throw error
    return { pictures: [], remark: `The printer made no pictures: ${reason}` }
  }
}

function reasonIn(error: unknown): string | undefined {
  if (error instanceof ProviderRefusal) return error.message
  if (error instanceof ProviderUnavailable) return 'it did not answer for twenty minutes.'
  // `unavailable`: the pictures' process was ended; the job repeats.
  if (error instanceof Refusal && error.code !== 'unavailable') return bodyOfRefusal(error).message
  return undefined
}

const noteMockups = (shop: Shop, { id, mockups }: StoredDraft, taskKey: string | null): Promise<StoredDraft> =>
  changeDraft(shop.db, id, { mockups: { askedAt: mockups?.askedAt ?? shop.clock.now().toISOString(), taskKey } })

const LIFESTYLE = /lifestyle/i

async function startTask(shop: Shop, { content }: StoredDraft, blank: Blank, from: Date): Promise<string> {
  const variants = chosenVariants(content, blank)
  const [first] = variants
  assert(first, 'a complete draft has variants')
  // One variant of each color, with the same areas; sizes look the same.
  const areasOf = (variant: typeof first) => content.placements.map((placement) => areaFor(blank, placement, variant))
  const areas = areasOf(first)
  const ofColors = new Map(variants.toReversed().map((variant) => [variant.color, variant] as const))
  const alike = [...ofColors.values()]
    .toReversed()
    .filter((variant) => areasOf(variant).every((area, index) => area === areas[index]))
  const styles = await shop.printful.listMockupStyles(blank.id)
  const lifestyle = styles.find((style) => LIFESTYLE.test(style))
  const front = styles.find((style) => !LIFESTYLE.test(style))
  return shop.printful.startMockups(blank.id, {
    variantIds: alike.map(({ id }) => id),
    width: WIDTH,
    styles: lifestyle !== undefined && front !== undefined ? [front, lifestyle] : [],
    options: content.placements.flatMap((placement) => threadOption(blank, placement) ?? []),
    files: content.placements.flatMap((placement, index) => {
      const area = areas[index]
      if (!area) return []
      const { width, height } = area
      // The print file is the whole area.
      const position = { areaWidth: width, areaHeight: height, width, height, top: 0, left: 0 }
      return [{ placement: placement.area, url: printFileUrl(shop, placement, area, from), position }]
    }),
  })
}

/** @throws ProviderRefusal with why there will be none; ProviderUnavailable when it takes too long */
async function finishedMockups({ clock, printful }: Shop, key: string, giveUpAt: Date): Promise<Mockup[]> {
  for (;;) {
    const askAt = after(clock.now(), ASK_EVERY_MS)
    while (clock.now() < askAt) await pause(SECOND_MS / 4)
    const task = await printful.getMockups(key)
    if (task.state === 'completed') return task.mockups
    if (task.state === 'failed') throw new ProviderRefusal('printful', task.reason || 'it gave no reason.')
    if (clock.now() >= giveUpAt) throw new ProviderUnavailable('printful', new Error('The mockups take too long.'))
  }
}

/** The main picture of each color's first area is its front; of the others, the first lifestyle picture is taken. */
async function takePictures(
  shop: Shop,
  { content: { name } }: StoredDraft,
  { variants }: Blank,
  mockups: readonly Mockup[],
): Promise<ProductPicture[]> {
  const pictures: ProductPicture[] = []
  for (const { variantIds, url, style } of mockups) {
    const color = variants.find(({ id }) => variantIds.includes(id))?.color ?? null
    const view = style === '' ? 'front' : LIFESTYLE.test(style) ? 'lifestyle' : undefined
    if (!view || pictures.some((one) => one.view === view && one.color === color)) continue
    const alt = [name, color, view === 'front' ? 'front view' : 'in use'].filter(Boolean).join(', ')
    const { file, widths, width, height, avif } = await takePrinterPicture(shop, { sourceUrl: url, alt })
    pictures.push({ view, color, file, widths, width, height, alt, avif })
  }
  if (!pictures.length) throw new ProviderRefusal('printful', 'its answer has none.')
  return pictures
}
