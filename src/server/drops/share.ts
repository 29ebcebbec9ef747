import { findProductToGive } from '#server/catalog/catalog.ts'
import { listCollections } from '#server/catalog/collections.ts'
import { readPicture } from '#server/catalog/pictures.ts'
import type { Reader } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import { makeSharePicture, nameOfShare, type ShareRecipe } from '#server/pictures/pictures.ts'
import { holdPictures } from '#server/pictures/unused.ts'
import { readSiteSettings } from '#server/settings/site-settings.ts'
import type { Needs } from '#server/shop.ts'
import type { TimeZone } from '#shared/time-zone.ts'
import { findDrop, lockDrop, updateDrop, type Drop } from './store.ts'

/** The address of a picture of the goods. */
async function pictureOf(db: Reader, { productId, collectionId }: Drop): Promise<string | null> {
  if (productId !== null) return (await findProductToGive(db, productId))?.image ?? null
  const shown = (await listCollections(db)).find(({ id }) => id === collectionId)
  const large = shown?.hero ?? shown?.share
  return large ? `/pictures/${large.file}.${large.width}.webp` : null
}

/** `December 1, 2026 at 12:00 PM EST`: it is seen anywhere. */
const momentIn = (zone: TimeZone, moment: Date): string =>
  new Intl.DateTimeFormat('en-US', {
    ...{ timeZone: zone, month: 'long', day: 'numeric', year: 'numeric' },
    ...{ hour: 'numeric', minute: '2-digit', timeZoneName: 'short' },
  }).format(moment)

/** What the picture says: nothing that is untrue once the drop has begun, because networks keep it. */
function recipeOf(
  drop: Drop,
  { zone, ...shown }: { zone: TimeZone; picture: string | null; shopName: string },
): ShareRecipe {
  const { title, startsAt, endsAt, pieces } = drop
  return {
    ...{ ...shown, title, eyebrow: 'Limited drop' },
    facts: [
      momentIn(zone, startsAt),
      ...(pieces === null ? [] : [pieces === 1 ? 'One piece' : `${pieces.toLocaleString('en-US')} numbered pieces`]),
      ...(pieces === null && endsAt ? [`until ${momentIn(zone, endsAt)}`] : []),
    ],
  }
}

/**
 * The job: makes the picture that a link to the drop's page shows, unless it is there. Until then, and if it can't be made, the page has
 * that of its product or collection.
 */
export async function drawDropShare(
  shop: Needs<'db' | 'clock' | 'config' | 'log' | 'pictureProcess'>,
  id: number,
): Promise<void> {
  const { db, config, log } = shop
  const drop = await findDrop(db, id)
  if (!drop) return
  const shown = {
    zone: config.reportTimeZone,
    picture: await pictureOf(db, drop),
    shopName: (await readSiteSettings(db)).name,
  }
  const recipe = recipeOf(drop, shown)
  const file = nameOfShare(recipe)
  if (file === drop.sharePicture) return
  try {
    await makeSharePicture(shop, recipe, (address) => readPicture(db, address))
  } catch (error) {
    // Drawing it again would take as long again. Anything else, such as a stop of the shop, is tried again.
    if (!(error instanceof Refusal && error.code === 'picture_too_complex')) throw error
    log.warn({ err: error, drop: id }, 'the share picture of a drop could not be made')
    return
  }
  await db.transaction(async (tx) => {
    const now = await lockDrop(tx, id)
    // Changed meanwhile: another job makes what it says now.
    if (!now || nameOfShare(recipeOf(now, shown)) !== file) return
    if ((await holdPictures(tx, file)).length === 0) await updateDrop(tx, id, { sharePicture: file })
  })
}
