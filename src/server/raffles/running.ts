import { drawOrder, entriesHashOf } from '#domain/raffles/draw.ts'
import { areEntriesDue, nextRaffle, type RaffleEvent } from '#domain/raffles/raffle.ts'
import { after, DAY_MS } from '#shared/time.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { raffleWonMail } from '#server/mail/templates/raffle.ts'
import { findOrder } from '#server/orders/orders.ts'
import { ProviderRefusal, ProviderUnavailable } from '#server/providers/provider-errors.ts'
import type { Needs } from '#server/shop.ts'
import { commitmentFor, mailEntryLater, sha256, type RaffleNeeds } from './raffles.ts'
import {
  addCommitments,
  addDraw,
  changeRaffle,
  deleteEntries,
  deleteUnconfirmed,
  endDraw,
  findEntry,
  listCommitments,
  listDraws,
  listEntries,
  listRunning,
  lockRaffle,
  type Raffle,
} from './store.ts'

export { hasRunningRaffle } from './store.ts'

type RunningNeeds = RaffleNeeds & Needs<'drand' | 'log'>

/** Does what is due: freezes the entries of raffles that ended, draws, draws again, and deletes entries. Each step is safe to repeat. */
export async function runRaffles(shop: RunningNeeds): Promise<void> {
  for (const raffle of await listRunning(shop.db, shop.clock.now())) {
    if (raffle.state === 'open') await freeze(shop, raffle.id)
    if (raffle.state === 'frozen') await draw(shop, raffle)
    if (raffle.state === 'drawn') await drawAgain(shop, raffle.id)
    if (raffle.state === 'claimed' || raffle.state === 'closed') await eraseEntries(shop, raffle.id)
  }
}

/** Locks a raffle that may take a step; undefined if another instance took it. */
async function lockFor(tx: Tx, id: number, event: RaffleEvent): Promise<Raffle | undefined> {
  const raffle = await lockRaffle(tx, id)
  return raffle && nextRaffle(raffle.state, event) ? raffle : undefined
}

/** From here on the entries are fixed, and so is the winner, whom nobody can know before the announced round. */
const freeze = (shop: RunningNeeds, id: number): Promise<void> =>
  shop.db.transaction(async (tx) => {
    const now = shop.clock.now()
    const raffle = await lockFor(tx, id, 'freeze')
    if (!raffle || now < raffle.endsAt) return
    await deleteUnconfirmed(tx, id)
    const entries = await listEntries(tx, id)
    if (entries.length === 0)
      return void (await changeRaffle(tx, id, { state: 'closed', settledAt: now, entryCount: 0 }))
    const rows = entries.map((entry) => ({ raffleId: id, commitment: commitmentFor(entry), entryId: entry.id }))
    await addCommitments(tx, rows)
    const entriesHash = entriesHashOf(
      sha256,
      rows.map(({ commitment }) => commitment),
    )
    await changeRaffle(tx, id, { state: 'frozen', frozenAt: now, entriesHash, entryCount: entries.length })
  })

async function draw(shop: RunningNeeds, { id, slug, beacon, round, drawAt }: Raffle): Promise<void> {
  if (!beacon || round === null || shop.clock.now() < drawAt) return
  let drawn
  try {
    drawn = await shop.drand.readRound(beacon, round)
  } catch (error) {
    if (!(error instanceof ProviderUnavailable) && !(error instanceof ProviderRefusal)) throw error
    shop.log.error({ err: error, raffle: slug, round }, 'A raffle could not be drawn; trying again in a minute.')
    return
  }
  const { signature, randomness } = drawn
  await shop.db.transaction(async (tx) => {
    const raffle = await lockFor(tx, id, 'draw')
    if (raffle?.state !== 'frozen') return
    await changeRaffle(tx, id, { state: 'drawn', signature, randomness })
    await drawNext(shop, tx, { ...raffle, randomness })
  })
}

/** Ends the turn of a winner who did not claim the prize in time, and draws the next. */
const drawAgain = (shop: RunningNeeds, id: number): Promise<void> =>
  shop.db.transaction(async (tx) => {
    const now = shop.clock.now()
    const raffle = await lockFor(tx, id, 'draw')
    if (raffle?.state !== 'drawn') return
    const last = (await listDraws(tx, id)).at(-1)
    if (last && last.lapsedAt === null) {
      if (now < last.claimUntil) return
      await endDraw(tx, last, { lapsedAt: now })
    }
    await drawNext(shop, tx, raffle)
  })

/** The first in the published order whose turn has not come. An entry that was withdrawn has its turn, and loses it at once. */
async function drawNext(shop: RunningNeeds, tx: Tx, raffle: Raffle): Promise<void> {
  const now = shop.clock.now()
  const entries = await listCommitments(tx, raffle.id)
  const order = drawOrder(
    sha256,
    entries.map(({ commitment }) => commitment),
    raffle.randomness ?? '',
  )
  for (let number = (await listDraws(tx, raffle.id)).length; number < order.length; number += 1) {
    const commitment = order[number] ?? ''
    const entryId = entries.find((entry) => entry.commitment === commitment)?.entryId ?? null
    const entry = entryId === null ? undefined : await findEntry(tx, entryId)
    const claimUntil = after(now, raffle.claimDays * DAY_MS)
    await addDraw(tx, {
      raffleId: raffle.id,
      number,
      commitment,
      drawnAt: now,
      claimUntil,
      lapsedAt: entry ? null : now,
    })
    if (!entry) continue
    const mail = { kind: 'raffle_won' as const, about: String(number), write: raffleWonMail }
    return mailEntryLater(shop, tx, entry, mail, raffle, now)
  }
  await changeRaffle(tx, raffle.id, { state: 'closed', settledAt: now })
}

const isDelivered = async (db: Reader, raffleId: number): Promise<boolean> => {
  const orderId = (await listDraws(db, raffleId)).at(-1)?.orderId
  return orderId ? (await findOrder(db, orderId))?.fulfillmentStatus === 'delivered' : false
}

/** The rules promise to delete what entrants sent when the prize has been delivered. The commitments stay: they name nobody. */
const eraseEntries = (shop: RunningNeeds, id: number): Promise<void> =>
  shop.db.transaction(async (tx) => {
    const now = shop.clock.now()
    const raffle = await lockRaffle(tx, id)
    if (!raffle || raffle.erasedAt !== null) return
    if (!areEntriesDue({ ...raffle, isDelivered: await isDelivered(tx, id) }, now)) return
    await deleteEntries(tx, id)
    await changeRaffle(tx, id, { erasedAt: now })
  })
