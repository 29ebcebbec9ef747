import type { AdminRaffle, NewRaffle } from '#contract/raffles.ts'
import { mainCountries } from '#domain/checkout/countries.ts'
import { nextRaffle, roundAt, roundTime, type RaffleEvent } from '#domain/raffles/raffle.ts'
import { dateOf, after, DAY_MS } from '#shared/time.ts'
import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import { findProductToGive } from '#server/catalog/catalog.ts'
import { listProductsForOwner } from '#server/catalog/products.ts'
import type { Tx } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import { orderNumbersOf } from '#server/orders/orders.ts'
import { readSiteSettings } from '#server/settings/site-settings.ts'
import type { Needs } from '#server/shop.ts'
import { showRaffle } from './raffles.ts'
import {
  addRaffle,
  changeRaffle,
  countEntries,
  deleteEntries,
  listDraws,
  listRaffles,
  lockRaffle,
  type Raffle,
} from './store.ts'

const PRIZES_MAX = 500

export async function showRaffles(shop: Needs<'db' | 'clock'>) {
  const { db } = shop
  const entries = await countEntries(db)
  const raffles: AdminRaffle[] = []
  for (const raffle of await listRaffles(db)) {
    const last = (await listDraws(db, raffle.id)).at(-1)
    const orderId = last?.orderId
    raffles.push({
      ...(await showRaffle(shop, raffle)),
      ...{ id: raffle.id, entries: entries.get(raffle.id) ?? 0, erasedAt: raffle.erasedAt?.toISOString() ?? null },
      orderNumber: orderId ? ((await orderNumbersOf(db, [orderId])).get(orderId) ?? null) : null,
      claimUntil: last && last.lapsedAt === null ? last.claimUntil.toISOString() : null,
    })
  }
  const products = await listProductsForOwner(db, undefined, PRIZES_MAX)
  return {
    raffles,
    prizes: products.flatMap(({ product: { id, name, visible } }) => (visible ? [{ id, name }] : [])),
    drawDays: (await readSiteSettings(db)).raffleWinnerDays,
  }
}

/** @throws Refusal `invalid` with a sentence beside its field, `unknown_product`, `raffle_slug_taken` */
export async function makeRaffle({ db, clock }: Needs<'db' | 'clock'>, form: NewRaffle, by: Actor): Promise<void> {
  const now = clock.now()
  const { raffleWinnerDays: days, raffleAgeMin: ageMin, raffleClaimDays: claimDays } = await readSiteSettings(db)
  const [startsAt, endsAt] = [new Date(form.startsAt), new Date(form.endsAt)]
  if (endsAt <= startsAt) throw new Refusal('invalid', {}, { endsAt: 'The end must come after the start' })
  if (endsAt <= now) throw new Refusal('invalid', {}, { endsAt: 'The end must be in the future' })
  if (form.drawAfterDays < days.from || form.drawAfterDays > days.to)
    throw new Refusal('invalid', {}, { drawAfterDays: `The rules say ${days.from} to ${days.to} days after the end` })
  const unknown = form.countries.find((country) => !mainCountries.some((known) => known === country))
  if (unknown) throw new Refusal('invalid', {}, { countries: `The shop doesn’t ship to ${unknown}` })
  if (!(await findProductToGive(db, form.productId))) throw new Refusal('unknown_product')
  await db.transaction(async (tx) => {
    const { slug, title, words, productId } = form
    const raffle = await addRaffle(tx, {
      ...{ slug, title, words, productId, startsAt, endsAt, ageMin, claimDays, createdAt: now },
      countries: form.countries.length > 0 ? form.countries : [...mainCountries],
      drawAt: after(endsAt, form.drawAfterDays * DAY_MS),
    })
    if (!raffle) throw new Refusal('raffle_slug_taken', {}, { slug: 'Another raffle has this address' })
    await recordAction(tx, { by, what: 'made a raffle', about: { kind: 'raffle', id: raffle.id }, at: now })
  })
}

/** Publishes it with the round that will decide it: the first one at the time of the draw. @throws Refusal `unknown_raffle`, `raffle_state` */
export const announceRaffle = (shop: Needs<'db' | 'clock' | 'drand'>, id: number, by: Actor): Promise<void> =>
  move(shop, id, 'announce', by, async (tx, raffle, now) => {
    if (raffle.endsAt <= now) throw new Refusal('raffle_state')
    const { beacon } = shop.drand
    const round = roundAt(beacon, raffle.drawAt)
    await changeRaffle(tx, id, { state: 'open', beacon, round, drawAt: dateOf(roundTime(beacon, round)) })
  })

/** Calls it off; once the winner is drawn, it is too late. @throws Refusal `unknown_raffle`, `raffle_state` */
export const closeRaffle = (shop: Needs<'db' | 'clock'>, id: number, by: Actor): Promise<void> =>
  move(shop, id, 'close', by, async (tx, raffle, now) => {
    if (raffle.state === 'drawn') throw new Refusal('raffle_state')
    await deleteEntries(tx, id)
    await changeRaffle(tx, id, { state: 'closed', settledAt: now, erasedAt: now })
  })

const move = (
  { db, clock }: Needs<'db' | 'clock'>,
  id: number,
  event: RaffleEvent,
  by: Actor,
  act: (tx: Tx, raffle: Raffle, now: Date) => Promise<void>,
): Promise<void> =>
  db.transaction(async (tx) => {
    const now = clock.now()
    const raffle = await lockRaffle(tx, id)
    if (!raffle) throw new Refusal('unknown_raffle')
    if (!nextRaffle(raffle.state, event)) throw new Refusal('raffle_state')
    await act(tx, raffle, now)
    await recordAction(tx, { by, what: `raffle: ${event}`, about: { kind: 'raffle', id }, at: now })
  })
