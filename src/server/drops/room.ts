import { createHash, randomBytes } from 'node:crypto'
import type { RoomView } from '#contract/drops.ts'
import { dropStateOf } from '#domain/drops/drop.ts'
import {
  askAgainMs,
  CALL_MS,
  letIn,
  placeIn,
  PLACES_PER_NETWORK,
  ROOM_PLACES_MAX,
  roomOpensAt,
  roomWords,
  VISIT_MS,
  type Room,
} from '#domain/drops/room.ts'
import { formatClockTime } from '#domain/orders/clock-time.ts'
import type { CheckoutId, SessionId } from '#shared/ids.ts'
import { after, DAY_MS, SECOND_MS } from '#shared/time.ts'
import { inLanguage, type Language } from '#shared/language.ts'
import { autocommitWrite, type Tx } from '#server/db/db.ts'
import { networkOf } from '#server/http/ip-network.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Needs } from '#server/shop.ts'
import {
  addGuest,
  addRoom,
  callGuests,
  countGuests,
  countNew,
  countOffered,
  countOfNetwork,
  countVisiting,
  deleteGuests,
  findGuest,
  findRoom,
  giveTurns,
  lockRoom,
  markEntered,
  updateRoom,
  useVisit,
  type StoredGuest,
} from './room-store.ts'
import { findShownDrop } from './shown.ts'
import { countPieces, type Drop } from './store.ts'

// A place is a row of a session in a drop, so reloads, tabs and copies of the cookie are the same place. The line moves on when somebody
// asks, in each instance once a second: asking costs everybody else two small reads.

type RoomNeeds = Needs<'db' | 'clock'>

/** What all who ask within a second share. */
export type Known = { drop: Drop & { roomPerMinute: number }; room: Room }

export type Rooms = ReturnType<typeof createRooms>

const KNOWN_FOR_MS = SECOND_MS
const KNOWN_MAX = 100

export function createRooms(shop: RoomNeeds) {
  const { db, clock } = shop
  const known = new Map<number, { at: number; facts: Promise<Known | undefined> }>()

  const knownOf = (dropId: number): Promise<Known | undefined> => {
    const now = clock.now().getTime()
    const last = known.get(dropId)
    if (last && now >= last.at && now - last.at < KNOWN_FOR_MS) return last.facts
    const facts = moveOn(shop, dropId)
    if (known.size >= KNOWN_MAX) known.clear()
    known.set(dropId, { at: now, facts })
    facts.catch(() => known.delete(dropId))
    return facts
  }

  /** @throws Refusal `unknown_drop`, also for one without a waiting room */
  const require = async (dropId: number): Promise<Known> => {
    const found = await knownOf(dropId)
    if (!found) throw new Refusal('unknown_drop')
    return found
  }

  /** Where a session is; one that is called is let in. @throws Refusal `unknown_drop` */
  const show = async (
    dropId: number,
    sessionId: SessionId | undefined,
    language: Language,
  ): Promise<RoomView & { drop: Drop }> => {
    const { drop, room } = await require(dropId)
    const now = clock.now()
    let guest = sessionId && (await findGuest(db, dropId, sessionId))
    if (guest && guest.until && guest.until > now && !guest.enteredAt) {
      const { id } = guest
      const until = after(now, VISIT_MS)
      await autocommitWrite(db, (tx) => markEntered(tx, id, now, until))
      guest = { ...guest, until }
    }
    const place = placeIn(room, guest && stateOf(guest), now)
    const words = inLanguage(language, () => roomWords(place, room, guest && stateOf(guest)))
    return {
      ...{ drop, kind: place.kind, ahead: place.ahead, ...words },
      askAgainS: Math.ceil(askAgainMs(place, room, now, Math.random()) / SECOND_MS),
    }
  }

  return {
    show,

    /** @param ip of the browser @throws Refusal `unknown_drop`, `drop_room_closed`, `drop_room_full` */
    async enter(
      dropId: number,
      ensureSession: () => Promise<SessionId>,
      { ip, language }: { ip: string; language: Language },
    ): Promise<RoomView & { drop: Drop }> {
      const { drop, room } = await require(dropId)
      const now = clock.now()
      if (room.state === 'ended' || roomOpensAt(drop.startsAt) > now)
        throw new Refusal('drop_room_closed', {
          reason:
            room.state === 'ended'
              ? `The sale of ${drop.title} has ended.`
              : `The waiting room opens on ${formatClockTime(roomOpensAt(drop.startsAt))}.`,
        })
      const network = digestOf(ip)
      if (room.guests >= ROOM_PLACES_MAX) throw new Refusal('drop_room_full')
      const sessionId = await ensureSession()
      const isIn = (await findGuest(db, dropId, sessionId)) !== undefined
      if (!isIn && (await countOfNetwork(db, dropId, network, now)) >= PLACES_PER_NETWORK)
        throw new Refusal('drop_room_full')
      await db.transaction(async (tx) => {
        await addRoom(tx, dropId, drop.startsAt)
        await addGuest(tx, { dropId, sessionId, network, arrivedAt: now })
      })
      return show(dropId, sessionId, language)
    },
  }
}

const stateOf = ({ turn, until, checkoutId }: StoredGuest) => ({ turn, until, isUsed: checkoutId !== null })

/** The address itself is not stored. */
const digestOf = (ip: string): string =>
  createHash('sha256')
    .update(`network ${networkOf(ip)}`)
    .digest('base64url')
    .slice(0, 22)

/** Gives turns and lets in who is next. @returns undefined for a drop that nobody sees, and for one without a waiting room */
async function moveOn({ db, clock }: RoomNeeds, dropId: number): Promise<Known | undefined> {
  const drop = await findShownDrop({ db }, dropId)
  if (!drop || drop.roomPerMinute === null) return undefined
  const now = clock.now()
  const piecesNow = async () => {
    const counts = (await countPieces(db, [dropId])).get(dropId) ?? {}
    return { free: drop.pieces === null ? null : (counts.free ?? 0), reserved: counts.reserved ?? 0 }
  }
  const { free, reserved } = await piecesNow()
  const state = dropStateOf(drop, free, now)
  if ((state === 'open' || state === 'sold_out') && (await findRoom(db, dropId)))
    await db.transaction((tx) => moveLine(tx, { ...drop, roomPerMinute: drop.roomPerMinute ?? 1 }, free, now))
  const row = await findRoom(db, dropId)
  return {
    drop: { ...drop, roomPerMinute: drop.roomPerMinute },
    room: {
      ...{ state, startsAt: drop.startsAt, perMinute: drop.roomPerMinute, free, reserved },
      ...{ lastTurn: row?.lastTurn ?? 0, letInTurn: row?.letInTurn ?? 0, guests: await countGuests(db, dropId) },
    },
  }
}

async function moveLine(tx: Tx, drop: Known['drop'], free: number | null, now: Date): Promise<void> {
  const room = await lockRoom(tx, drop.id)
  if (!room) return
  // Nobody knows it before the start.
  const seed = room.seed ?? randomBytes(32).toString('hex')
  const lastTurn = room.lastTurn + (await giveTurns(tx, room, seed, drop.startsAt))
  const { count, letInAt } = letIn(
    {
      ...{ ...room, lastTurn, free, perMinute: drop.roomPerMinute, limitPerPerson: drop.limitPerPerson },
      visiting: await countVisiting(tx, drop.id, now),
    },
    now,
  )
  if (count > 0) await callGuests(tx, room, count, after(now, CALL_MS))
  if (count > 0 || lastTurn !== room.lastTurn || !room.seed)
    await updateRoom(tx, drop.id, { seed, lastTurn, letInTurn: room.letInTurn + count, letInAt })
}

/**
 * Whether a checkout may reserve pieces now: a session that was let in, once, and who has a piece of the waiting list.
 * @throws Refusal `drop_room`
 */
export async function requireVisit(
  tx: Tx,
  { id, startsAt, roomPerMinute }: Drop,
  checkout: { id: CheckoutId; sessionId: SessionId },
  { quantity, product }: { quantity: number; product: string },
  now: Date,
): Promise<void> {
  // Early access is by invitation; the room is for everybody.
  if (roomPerMinute === null || startsAt > now) return
  if ((await countOffered(tx, id, checkout.sessionId)) >= quantity) return
  if (!(await useVisit(tx, id, checkout, now))) throw new Refusal('drop_room', { product })
}

/** How full a room is, for the owner. */
export async function roomFigures(
  { db, clock }: RoomNeeds,
  dropId: number,
): Promise<{ waiting: number; visiting: number }> {
  const room = await findRoom(db, dropId)
  return {
    waiting: (room ? room.lastTurn - room.letInTurn : 0) + (await countNew(db, dropId)),
    visiting: await countVisiting(db, dropId, clock.now()),
  }
}

/** A day later nobody needs to know who waited. */
export const forgetGuests = ({ db, clock }: RoomNeeds) =>
  autocommitWrite(db, (tx) => deleteGuests(tx, after(clock.now(), -DAY_MS), clock.now()))
