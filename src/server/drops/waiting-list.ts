import { dropPaths } from '#contract/drop-paths.ts'
import { OFFER_MS, dropStateOf } from '#domain/drops/drop.ts'
import { formatClockTime } from '#domain/orders/clock-time.ts'
import type { SessionId } from '#shared/ids.ts'
import { after } from '#shared/time.ts'
import { baseUrlOf } from '#server/config/config.ts'
import { readSignedToken, signedToken } from '#server/config/signature.ts'
import type { Tx } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import { LINK_TOKEN, mailLater, writtenIn } from '#server/mail/outbox.ts'
import { dropMail } from '#server/mail/templates/drop-mails.ts'
import type { Needs } from '#server/shop.ts'
import { pageOf } from './shown.ts'
import {
  addNotice,
  countAhead,
  countPieces,
  deletePieces,
  findDrop,
  findPlace,
  listServable,
  listToAnnounce,
  lockDrop,
  lockFree,
  lockLapsedOffers,
  lockNextPlace,
  lockPlace,
  lockPlaceOf,
  setPiece,
  setPlace,
  setSessionOfPlace,
  takeNotices,
  updateDrop,
  type Addressee,
  type Drop,
  type Piece,
  type Place,
} from './store.ts'

type ListNeeds = Needs<'jobs' | 'config' | 'clock'>

/** What became free goes to the person who has waited longest, and only then to anybody. @param pieces locked */
export async function freePieces(tx: Tx, shop: ListNeeds, drop: Drop, pieces: readonly Piece[]): Promise<void> {
  for (const { placeId } of pieces) {
    const place = placeId === null ? undefined : await lockPlace(tx, placeId)
    if (place?.state === 'offered') await setPlace(tx, place, 'lapsed', { offerUntil: null })
  }
  if (drop.pieces === null) {
    await deletePieces(
      tx,
      pieces.map(({ id }) => id),
    )
    return
  }
  for (const piece of pieces) {
    const next = isServing(drop, shop.clock.now()) ? await lockNextPlace(tx, drop.id) : undefined
    if (next) await offer(tx, shop, drop, piece, next)
    else await setPiece(tx, piece, 'free', { checkoutId: null, placeId: null })
  }
}

const isServing = (drop: Drop, now: Date): boolean => dropStateOf(drop, null, now) === 'open'

async function offer(tx: Tx, shop: ListNeeds, drop: Drop, piece: Piece, place: Place): Promise<void> {
  const now = shop.clock.now()
  const offerUntil = after(now, OFFER_MS)
  await setPiece(tx, piece, 'offered', { checkoutId: null, placeId: place.id })
  await setPlace(tx, place, 'offered', { offerUntil, sessionId: null })
  const mail = writtenIn(place.language, () =>
    dropMail('drop_offer', {
      title: drop.title,
      link: `${baseUrlOf(shop.config)}${dropPaths.offer}?token=${LINK_TOKEN}`,
      until: formatClockTime(offerUntil),
      button: 'Get your piece',
    }),
  )
  const recipient = { email: place.email, name: '' }
  const about = `${place.id} ${offerUntil.getTime()}`
  await mailLater(shop, tx, { kind: 'drop_offer', recipient, orderId: null, about, ...mail }, now)
}

const OFFER = 'drop offer'

/** @param about of the email: the place's id, and until when */
export const offerToken = ({ config }: Needs<'config'>, about: string): string =>
  signedToken(config, OFFER, about.split(' ', 1)[0] ?? '')

/** @throws Refusal `unknown_offer` */
async function placeOf({ db, config }: Needs<'db' | 'config'>, token: string): Promise<{ place: Place; drop: Drop }> {
  const id = Number(readSignedToken(config, OFFER, token))
  const place = Number.isSafeInteger(id) && id > 0 ? await findPlace(db, id) : undefined
  const drop = place && (await findDrop(db, place.dropId))
  if (!place || !drop) throw new Refusal('unknown_offer')
  return { place, drop }
}

/** What an offer's link opens. @throws Refusal `unknown_offer` */
export async function showOffer(shop: Needs<'db' | 'config' | 'clock'>, token: string) {
  const { place, drop } = await placeOf(shop, token)
  const isOpen = place.state === 'offered' && place.offerUntil !== null && place.offerUntil > shop.clock.now()
  const { title, productId, collectionId } = drop
  return {
    ...{ title, productId, collectionId },
    state: place.state === 'bought' ? ('bought' as const) : isOpen ? ('open' as const) : ('over' as const),
    until: isOpen ? (place.offerUntil?.toISOString() ?? null) : null,
  }
}

/** The piece is set aside for this browser from now on. @throws Refusal `unknown_offer`, `offer_over` */
export async function takeUpOffer(
  shop: Needs<'db' | 'config' | 'clock'>,
  token: string,
  sessionId: SessionId,
): Promise<void> {
  const { place } = await placeOf(shop, token)
  await shop.db.transaction(async (tx) => {
    const locked = await lockPlace(tx, place.id)
    if (locked?.state !== 'offered' || !locked.offerUntil || locked.offerUntil <= shop.clock.now())
      throw new Refusal('offer_over')
    await setSessionOfPlace(tx, place.id, sessionId)
  })
}

/** Tells somebody once, when the drop begins. @throws Refusal `unknown_drop`, `drop_begun` */
export async function askForNotice(
  { db, clock }: Needs<'db' | 'clock'>,
  dropId: number,
  { email, language }: Addressee,
): Promise<{ title: string }> {
  const drop = await findShown(db, dropId)
  if (drop.startsAt <= clock.now()) throw new Refusal('drop_begun')
  await db.transaction((tx) => addNotice(tx, dropId, { email: email.toLowerCase(), language }, clock.now()))
  return { title: drop.title }
}

async function findShown(db: Needs<'db'>['db'], dropId: number): Promise<Drop> {
  const drop = await findDrop(db, dropId)
  if (!drop || drop.decision === 'draft' || drop.decision === 'released') throw new Refusal('unknown_drop')
  return drop
}

/**
 * Puts somebody on the waiting list, once; coming back after an offer that lapsed means going to the end.
 * @returns how many are served before
 * @throws Refusal `unknown_drop`, `drop_not_sold_out`
 */
export async function joinWaitingList(
  { db, clock }: Needs<'db' | 'clock'>,
  dropId: number,
  { email, language }: Addressee,
): Promise<{ title: string; ahead: number }> {
  const drop = await findShown(db, dropId)
  const now = clock.now()
  const free = drop.pieces === null ? null : ((await countPieces(db, [dropId])).get(dropId)?.free ?? 0)
  if (dropStateOf(drop, free, now) !== 'sold_out') throw new Refusal('drop_not_sold_out')
  return db.transaction(async (tx) => {
    const place = await lockPlaceOf(tx, dropId, { email: email.toLowerCase(), language }, now)
    const isBack = place.state === 'lapsed' || place.state === 'left'
    if (isBack) await setPlace(tx, place, 'waiting', { queuedAt: now, offerUntil: null })
    const ahead = await countAhead(tx, isBack ? { ...place, queuedAt: now } : place)
    return { title: drop.title, ahead }
  })
}

const BATCH = 100

/** Ends offers that nobody took up, and offers what became free while nobody was seen waiting. @returns how many pieces moved on */
export async function serveWaitingLists(shop: ListNeeds & Needs<'db'>): Promise<number> {
  const lapsed = await shop.db.transaction(async (tx) => {
    const rows = await lockLapsedOffers(tx, shop.clock.now(), BATCH)
    for (const { piece } of rows) {
      const drop = await findDrop(tx, piece.dropId)
      if (drop) await freePieces(tx, shop, drop, [piece])
    }
    return rows.length
  })
  let offered = 0
  for (const id of await listServable(shop.db))
    offered += await shop.db.transaction(async (tx) => {
      const drop = await lockDrop(tx, id)
      if (!drop || !isServing(drop, shop.clock.now())) return 0
      let served = 0
      for (const piece of await lockFree(tx, id, BATCH)) {
        const next = await lockNextPlace(tx, id)
        if (!next) break
        await offer(tx, shop, drop, piece, next)
        served += 1
      }
      return served
    })
  return lapsed + offered
}

/** Tells those who wanted to know that a drop has begun: once, and their addresses are gone. @returns how many emails were queued */
export async function announceDrops(shop: ListNeeds & Needs<'db'>): Promise<number> {
  let told = 0
  for (const { id } of await listToAnnounce(shop.db, shop.clock.now())) {
    for (;;) {
      const batch = await shop.db.transaction((tx) => announceBatch(shop, tx, id))
      told += batch
      if (batch < BATCH) break
    }
  }
  return told
}

async function announceBatch(shop: ListNeeds, tx: Tx, id: number): Promise<number> {
  const now = shop.clock.now()
  const drop = await lockDrop(tx, id)
  if (!drop || drop.announcedAt) return 0
  const readers = await takeNotices(tx, id, BATCH)
  const page = await pageOf(tx, drop)
  for (const { email, language } of readers) {
    const mail = writtenIn(language, () =>
      dropMail('drop_begins', {
        title: drop.title,
        link: baseUrlOf(shop.config) + page,
        button: 'See it',
      }),
    )
    const recipient = { email, name: '' }
    const about = `${id} ${email}`
    await mailLater(shop, tx, { kind: 'drop_begins', recipient, orderId: null, about, ...mail }, now)
  }
  if (readers.length < BATCH) await updateDrop(tx, id, { announcedAt: now })
  return readers.length
}
