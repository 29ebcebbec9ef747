import { createHash, randomBytes } from 'node:crypto'
import type { RaffleEntryForm, RaffleView } from '#contract/raffles.ts'
import { rafflePaths } from '#contract/raffle-paths.ts'
import { commitmentOf } from '#domain/raffles/draw.ts'
import { entrantOf, objectionToEntry, type RaffleState } from '#domain/raffles/raffle.ts'
import type { Language } from '#shared/language.ts'
import { isoOfDay } from '#shared/calendar-day.ts'
import { dayIn } from '#shared/time-zone.ts'
import { HOUR_MS } from '#shared/time.ts'
import { baseUrlOf } from '#server/config/config.ts'
import { findProductToGive } from '#server/catalog/catalog.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import { LINK_TOKEN, mailLater, writtenIn } from '#server/mail/outbox.ts'
import { raffleConfirmMail, raffleEnteredMail } from '#server/mail/templates/raffle.ts'
import type { Needs } from '#server/shop.ts'
import {
  addAccess,
  addEntryOnce,
  changeEntry,
  deleteEntry,
  endDraw,
  findCommitment,
  findEntryByToken,
  findRaffle,
  hasConfirmed,
  listCommitments,
  listDraws,
  lockRaffle,
  type Draw,
  type Entry,
  type Raffle,
} from './store.ts'

export type RaffleNeeds = Needs<'db' | 'clock' | 'jobs' | 'config'>

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Drafts are nobody's business. @throws Refusal `unknown_raffle` */
export async function requireRaffle(db: Reader, slug: string): Promise<Raffle> {
  const found = await findRaffle(db, slug)
  if (!found || found.state === 'draft') throw new Refusal('unknown_raffle')
  return found
}

export async function showRaffle({ db, clock }: Needs<'db' | 'clock'>, raffle: Raffle): Promise<RaffleView> {
  const now = clock.now()
  const product = await findProductToGive(db, raffle.productId)
  const { slug, title, words, state, ageMin, claimDays, countries, beacon, round, entriesHash, entryCount } = raffle
  return {
    ...{ slug, title, words, state, ageMin, claimDays, countries, entriesHash, entryCount },
    isOpen: state === 'open' && now >= raffle.startsAt && now < raffle.endsAt,
    startsAt: raffle.startsAt.toISOString(),
    endsAt: raffle.endsAt.toISOString(),
    drawAt: raffle.drawAt.toISOString(),
    prize: { name: product?.name ?? '', productId: raffle.productId, image: product?.image ?? null },
    beacon: beacon && round !== null ? { ...beacon, round } : null,
    winners: (await listDraws(db, raffle.id)).map(({ commitment, drawnAt, lapsedAt, orderId }) => ({
      ...{ commitment, drawnAt: drawnAt.toISOString() },
      ...{ isLapsed: lapsedAt !== null, isClaimed: orderId !== null },
    })),
  }
}

/** Everything that the program needs which checks the draw. @throws Refusal `unknown_raffle` before it is drawn */
export async function publishedDraw(db: Reader, raffle: Raffle) {
  const { slug, title, beacon, round, signature, randomness, entriesHash } = raffle
  if (!beacon || signature === null) throw new Refusal('unknown_raffle')
  const winners = (await listDraws(db, raffle.id)).map(({ commitment }) => commitment)
  return {
    raffle: { slug, title, endedAt: raffle.endsAt, frozenAt: raffle.frozenAt, drawAt: raffle.drawAt },
    beacon: { ...beacon, round, signature, randomness },
    ...{ entriesHash, winners },
    entries: (await listCommitments(db, raffle.id)).map(({ commitment }) => commitment),
  }
}

const refuse: Readonly<Record<NonNullable<ReturnType<typeof objectionToEntry>>, (raffle: Raffle) => Refusal>> = {
  raffle_not_open: () => new Refusal('raffle_not_open'),
  raffle_country: () => new Refusal('raffle_country', {}, { country: 'This raffle isn’t open to your country' }),
  raffle_age: ({ ageMin }) =>
    new Refusal('raffle_age', { age: ageMin }, { bornOn: `You need to be ${ageMin} or older to take part` }),
}

/**
 * Stores an entry and emails the link that confirms it, at most once an hour. Somebody who has entered gets the same answer, so nobody
 * learns who takes part.
 * @throws Refusal `unknown_raffle`, `raffle_not_open`, `raffle_country`, `raffle_age`
 */
export async function enterRaffle(
  shop: RaffleNeeds,
  slug: string,
  form: RaffleEntryForm,
  language: Language,
): Promise<void> {
  const now = shop.clock.now()
  const today = isoOfDay(dayIn(shop.config.reportTimeZone, now.getTime()))
  await shop.db.transaction(async (tx) => {
    const found = await requireRaffle(tx, slug)
    // Locked, so that an entry is either before the freeze or refused.
    const raffle = (await lockRaffle(tx, found.id)) ?? found
    const objection = objectionToEntry(raffle, form, now, today)
    if (objection) throw refuse[objection](raffle)
    const entry = await addEntryOnce(tx, {
      ...{
        raffleId: raffle.id,
        email: form.email.toLowerCase(),
        entrant: entrantOf(form.email),
        country: form.country,
      },
      language,
      ...{ secret: randomBytes(16).toString('hex'), createdAt: now },
    })
    if (entry.confirmedAt !== null) return
    await mailEntryLater(
      shop,
      tx,
      entry,
      { kind: 'raffle_confirm', about: `${hourOf(now)}`, write: raffleConfirmMail },
      raffle,
      now,
    )
  })
}

const hourOf = (now: Date): number => Math.floor(now.getTime() / HOUR_MS)

type EntryMail = {
  kind: 'raffle_confirm' | 'raffle_entered' | 'raffle_won'
  about: string
  write: typeof raffleConfirmMail
}

/** @param about distinguishes emails of a kind to the same entry */
export async function mailEntryLater(
  shop: Needs<'jobs' | 'config'>,
  tx: Tx,
  { id, email, secret, language }: Entry,
  { kind, about, write }: EntryMail,
  raffle: Raffle,
  now: Date,
): Promise<void> {
  const publicUrl = baseUrlOf(shop.config)
  const content = writtenIn(language, () =>
    write({
      title: raffle.title,
      link: publicUrl + rafflePaths.entryByToken(LINK_TOKEN),
      raffleLink: publicUrl + rafflePaths.page(raffle.slug),
      code: secret,
      ...{ endsAt: raffle.endsAt, drawAt: raffle.drawAt, claimDays: raffle.claimDays },
    }),
  )
  const recipient = { email, name: '' }
  await mailLater(shop, tx, { kind, about: `${id}:${about}`, recipient, orderId: null, ...content }, now)
}

/** Creates the token of an email's link to an entry. @param about the email's, which begins with the entry's id */
export async function openEntry({ db, clock }: Needs<'db' | 'clock'>, about: string): Promise<string> {
  const token = randomBytes(24).toString('base64url')
  await db.transaction((tx) =>
    addAccess(tx, { tokenHash: sha256(token), entryId: Number.parseInt(about, 10), createdAt: clock.now() }),
  )
  return token
}

/** @throws Refusal `unknown_raffle_entry`, also after the entry was deleted */
export async function requireEntry(db: Reader, token: string): Promise<Entry> {
  const entry = await findEntryByToken(db, sha256(token))
  if (!entry) throw new Refusal('unknown_raffle_entry')
  return entry
}

/** Locks the raffle and reads the entry again. @throws Refusal `unknown_raffle_entry` */
export async function lockByToken(tx: Tx, token: string): Promise<{ entry: Entry; raffle: Raffle }> {
  const raffle = await lockRaffle(tx, (await requireEntry(tx, token)).raffleId)
  if (!raffle) throw new Refusal('unknown_raffle_entry')
  return { raffle, entry: await requireEntry(tx, token) }
}

/** The entry's draw, if it won and the prize is still its own. */
export const prizeOf = async (db: Reader, entry: Entry): Promise<Draw | undefined> => {
  const commitment = await findCommitment(db, entry.id)
  if (commitment === undefined) return undefined
  return (await listDraws(db, entry.raffleId)).find((draw) => draw.commitment === commitment && draw.lapsedAt === null)
}

/** @throws Refusal `unknown_raffle_entry`; `raffle_not_open` after the end; `raffle_entered` from another address of the same person */
export async function confirmEntry(shop: RaffleNeeds, token: string): Promise<void> {
  const now = shop.clock.now()
  await shop.db.transaction(async (tx) => {
    const { entry, raffle } = await lockByToken(tx, token)
    if (entry.confirmedAt !== null) return
    if (raffle.state !== 'open' || now >= raffle.endsAt) throw new Refusal('raffle_not_open')
    if (await hasConfirmed(tx, entry)) throw new Refusal('raffle_entered')
    await changeEntry(tx, entry.id, { confirmedAt: now })
    await mailEntryLater(shop, tx, entry, { kind: 'raffle_entered', about: '', write: raffleEnteredMail }, raffle, now)
  })
}

/** States in which a prize may still be decided. */
const isDrawn = (state: RaffleState): boolean => state === 'drawn' || state === 'claimed'

/** Deletes an entry. A winner who withdraws gives the prize to the next. @throws Refusal `raffle_prize_claimed` */
export async function withdrawEntry(shop: Needs<'db' | 'clock'>, token: string): Promise<void> {
  await shop.db.transaction(async (tx) => {
    const { entry, raffle } = await lockByToken(tx, token)
    const prize = isDrawn(raffle.state) ? await prizeOf(tx, entry) : undefined
    if (prize?.orderId) throw new Refusal('raffle_prize_claimed')
    if (prize) await endDraw(tx, prize, { lapsedAt: shop.clock.now() })
    await deleteEntry(tx, entry.id)
  })
}

/** The commitment that is published for an entry. */
export const commitmentFor = (entry: Pick<Entry, 'secret' | 'email'>): string => commitmentOf(sha256, entry)
