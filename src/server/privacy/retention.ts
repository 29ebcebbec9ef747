import { RETENTION } from '#site/policy-texts.ts'
import { after, DAY_MS } from '#shared/time.ts'
import type { Tx } from '#server/db/db.ts'
import type { Needs } from '#server/shop.ts'
import { deleteVisits } from '#server/visits/visit-counter.ts'
import { findSetting, saveSetting } from '#server/settings/settings.ts'
import { pictureReferences as ofCatalog } from '#server/catalog/picture-references.ts'
import { deleteMisses } from '#server/catalog/search-words.ts'
import { personalData as claims } from '#server/claims/personal-data.ts'
import { personalData as checkout } from '#server/checkout/personal-data.ts'
import { personalData as mail } from '#server/mail/personal-data.ts'
import { pictureReferences as ofDrops } from '#server/drops/picture-references.ts'
import { moveFormerMessages } from '#server/messages/former-messages.ts'
import { personalData as messages } from '#server/messages/personal-data.ts'
import { personalData as orders } from '#server/orders/personal-data.ts'
import { pictureReferences as ofOrders } from '#server/orders/picture-references.ts'
import { personalData as partners } from '#server/partners/personal-data.ts'
import { personalData as payments } from '#server/payments/personal-data.ts'
import { deleteUnused, markUnused } from '#server/pictures/unused.ts'
import { pictureReferences as ofDrafts } from '#server/studio/picture-references.ts'
import { personalData as reviews } from '#server/reviews/personal-data.ts'
import { eraseOrders, erasePerson } from './privacy.ts'
import { deleteExpiredDataLinks, listErasures } from './store.ts'

type RetentionNeeds = Needs<'db' | 'clock' | 'log'>

/** When retention last ran. */
const LAST_RUN_SETTING = 'forgotten_at'
const BATCH = 200
/** Longer than the mailbox is read backward, so no email is read twice. */
const READ_MAIL_DAYS = 30
/** Each has several files of up to a megabyte. */
const PICTURES_A_BATCH = 200

/** Whether its last run is a day old. */
export async function isRetentionDue({ db, clock }: Pick<RetentionNeeds, 'db' | 'clock'>): Promise<boolean> {
  const last = await findSetting(db, LAST_RUN_SETTING)
  return last === undefined || new Date(last) <= after(clock.now(), -DAY_MS)
}

/** The daily job: erases expired data, and people whose erasure had to wait for an order or checkout. */
export async function runRetention(shop: RetentionNeeds): Promise<void> {
  if (await isRetentionDue(shop)) await eraseExpired(shop)
}

/** @returns how much was erased of each kind */
export async function eraseExpired(
  shop: RetentionNeeds,
): Promise<{ people: number; orders: number; checkouts: number; mails: number; clicks: number }> {
  const { db, clock, log } = shop
  const now = clock.now()
  const before = (days: number) => after(now, -days * DAY_MS)

  /** In batches, so rows are not locked for long. @returns the total */
  const untilDone = async (erase: (tx: Tx) => Promise<number>): Promise<number> => {
    let total = 0
    for (;;) {
      const count = await db.transaction(erase)
      total += count
      if (count < BATCH) return total
    }
  }

  const people = await listErasures(db)
  for (const { email } of people) await erasePerson(shop, email, null)
  const erasedOrders = await untilDone(async (tx) => {
    const old = await orders.listBefore(tx, before(RETENTION.orderDays), BATCH)
    await eraseOrders(tx, old, now)
    return old.length
  })
  await untilDone((tx) => orders.eraseInvoicesBefore(tx, before(RETENTION.orderDays), BATCH))
  const pastOrders = await untilDone((tx) => orders.erasePastBefore(tx, before(RETENTION.orderDays), BATCH))
  const checkouts = await untilDone(async (tx) =>
    checkout.eraseBefore(tx, before(RETENTION.unpaidCheckoutDays), BATCH, await payments.listDisputedCheckouts(tx)),
  )
  const mails = await untilDone((tx) => mail.eraseBefore(tx, before(RETENTION.mailCopyDays), BATCH))
  await untilDone((tx) => reviews.deleteUnusedPhotos(tx, before(1), BATCH))
  const clicks = await untilDone((tx) => partners.deleteClicks(tx, before(RETENTION.clickDays), BATCH))
  await db.transaction(async (tx) => {
    await moveFormerMessages(tx)
    await messages.deleteClosed(tx, before(RETENTION.settledLetterDays))
    await messages.deleteRead(tx, before(READ_MAIL_DAYS))
    await partners.deleteClosed(tx, before(RETENTION.settledLetterDays))
    await claims.deleteUnused(tx, before(1))
    await checkout.deletePhoneOrders(tx, before(RETENTION.unpaidCheckoutDays))
    await deleteExpiredDataLinks(tx, now)
    await deleteVisits(tx, before(RETENTION.visitDays))
    await deleteMisses(tx, before(RETENTION.searchMissDays))
    await saveSetting(tx, LAST_RUN_SETTING, now.toISOString())
  })
  const erased = { people: people.length, orders: erasedOrders + pastOrders, checkouts, mails, clicks }
  log.info(erased, 'Expired data was erased.')
  // Last and on its own: it reads the whole catalog's history, and erasing people never waits for that.
  const pictures = await deletePictures(db, now).catch((error: unknown) =>
    log.error({ err: error }, 'Unused pictures could not be deleted; trying again tomorrow.'),
  )
  if (pictures) log.info({ pictures }, 'Unused pictures were deleted.')
  return erased
}

/** Pictures that nothing has referred to for a month, a few at a time. @returns how many */
async function deletePictures(db: RetentionNeeds['db'], now: Date): Promise<number> {
  const references = [...ofCatalog, ...ofDrafts, ...ofDrops, ...ofOrders]
  await db.transaction((tx) => markUnused(tx, references, now))
  let total = 0
  for (;;) {
    const { found, deleted } = await db.transaction((tx) => deleteUnused(tx, references, now, PICTURES_A_BATCH))
    total += deleted
    if (found < PICTURES_A_BATCH) return total
  }
}
