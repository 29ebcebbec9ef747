import { DAY_MS, SECOND_MS } from '#shared/time.ts'

/** `open` also before it starts. `frozen`: ended, its entries are fixed. `claimed`: the prize is on its way. `closed`: nobody gets it. */
export const raffleStates = ['draft', 'open', 'frozen', 'drawn', 'claimed', 'closed'] as const
export type RaffleState = (typeof raffleStates)[number]

export type RaffleEvent = 'announce' | 'freeze' | 'draw' | 'claim' | 'close'

const moves: Readonly<Record<RaffleState, Partial<Record<RaffleEvent, RaffleState>>>> = {
  draft: { announce: 'open', close: 'closed' },
  // Closed before its end: called off.
  open: { freeze: 'frozen', close: 'closed' },
  frozen: { draw: 'drawn', close: 'closed' },
  // Drawn again when the winner did not claim the prize.
  drawn: { draw: 'drawn', claim: 'claimed', close: 'closed' },
  claimed: {},
  closed: {},
}

/** @returns undefined when the event is impossible in this state */
export const nextRaffle = (state: RaffleState, event: RaffleEvent): RaffleState | undefined => moves[state][event]

/** The randomness that a raffle announced: a network of the League of Entropy (https://docs.drand.love/developer/http-api). */
export type Beacon = {
  /** Hex, as in the network's address. */
  chainHash: string
  /** Hex: a point of G2, compressed. */
  publicKey: string
  /** Unix time of round 1, in seconds. */
  genesisTime: number
  /** Seconds between rounds. */
  period: number
}

/** The first round at or after a moment. Round 1 is at the genesis. */
export const roundAt = ({ genesisTime, period }: Beacon, at: Date): number =>
  Math.max(1, Math.ceil((at.getTime() / SECOND_MS - genesisTime) / period) + 1)

/** When a round is published. */
export const roundTime = ({ genesisTime, period }: Beacon, round: number): number =>
  (genesisTime + (round - 1) * period) * SECOND_MS

/** The latest day of birth of somebody who is old enough on a day. @param today ISO, as is the answer */
export function latestBirthday(today: string, ageMin: number): string {
  const [year = '', month = '', day = ''] = today.split('-')
  // Who is born on February 29 comes of age on March 1 of other years.
  return `${String(Number(year) - ageMin).padStart(4, '0')}-${month}-${day}`
}

export type EntryObjection = 'raffle_not_open' | 'raffle_country' | 'raffle_age'

/** Why somebody cannot enter. @param today in the shop's time zone, ISO */
export function objectionToEntry(
  raffle: { state: RaffleState; startsAt: Date; endsAt: Date; countries: readonly string[]; ageMin: number },
  entry: { country: string; bornOn: string },
  now: Date,
  today: string,
): EntryObjection | undefined {
  if (raffle.state !== 'open' || now < raffle.startsAt || now >= raffle.endsAt) return 'raffle_not_open'
  if (!raffle.countries.includes(entry.country)) return 'raffle_country'
  if (entry.bornOn > latestBirthday(today, raffle.ageMin)) return 'raffle_age'
  return undefined
}

/** One entry for each person: addresses that lead to the same inbox are the same. */
export function entrantOf(email: string): string {
  const [name = '', host = ''] = email.trim().toLowerCase().split('@')
  return `${name.replace(/\+.*$/, '')}@${host}`
}

/** Entries are deleted this long after a prize was claimed, if nobody reports that it was delivered. */
const ENTRIES_KEPT_DAYS = 60

/** Whether the rules ask to delete the entries: the prize has been delivered, or nobody gets it. */
export const areEntriesDue = (
  { state, settledAt, isDelivered }: { state: RaffleState; settledAt: Date | null; isDelivered: boolean },
  now: Date,
): boolean =>
  state === 'closed' ||
  (state === 'claimed' &&
    (isDelivered || (settledAt !== null && now.getTime() - settledAt.getTime() >= ENTRIES_KEPT_DAYS * DAY_MS)))
