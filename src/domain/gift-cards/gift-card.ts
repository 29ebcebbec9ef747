import { LEAST_CHARGE } from '#domain/checkout/least-charge.ts'
import { cents, minus, ZERO, type Cents } from '#shared/money.ts'

export const giftCardStates = ['active', 'void'] as const

/** void: worth nothing, until a refund goes back to it. */
export type GiftCardState = (typeof giftCardStates)[number]

/**
 * How a balance moves. issue: the owner gave it, or somebody bought it. use: it paid a part of an order. return: a refund went back to
 * it, or was given as credit. void: taken back by the owner, or because the payment that bought it went back.
 */
export const giftCardMovements = ['issue', 'use', 'return', 'void'] as const
export type GiftCardMovement = (typeof giftCardMovements)[number]

const statesAfter: Readonly<Record<GiftCardMovement, (state: GiftCardState, balance: Cents) => GiftCardState>> = {
  issue: () => 'active',
  use: (state) => state,
  return: () => 'active',
  void: (state, balance) => (balance === ZERO ? 'void' : state),
}

/** A state after a movement: a card can be emptied by use and stay active. @param balance after it */
export const stateAfter = (state: GiftCardState, kind: GiftCardMovement, balance: Cents): GiftCardState =>
  statesAfter[kind](state, balance)

/** What the owner sees: a card whose payment is disputed can't be used until that is decided. */
export const shownGiftCardStates = [...giftCardStates, 'frozen'] as const
export type ShownGiftCardState = (typeof shownGiftCardStates)[number]

type Usable = { state: GiftCardState; balanceCents: Cents; frozenAt: Date | null }

export const shownStateOf = ({ state, frozenAt }: Usable): ShownGiftCardState =>
  state === 'active' && frozenAt !== null ? 'frozen' : state

/** What of its balance can be used now. */
export const usableOf = ({ balanceCents, frozenAt }: Pick<Usable, 'balanceCents' | 'frozenAt'>): Cents =>
  frozenAt === null ? balanceCents : ZERO

/** Cents; what the owner can give at once. */
export const GIFT_CARD_MIN = 100
export const GIFT_CARD_MAX = 50_000

/** Cents; what can be bought at once. */
export const BOUGHT_GIFT_CARD_MIN = 1000
export const BOUGHT_GIFT_CARD_MAX = 50_000

/** Of a purchase, as its buyer sees it. processing: the payment was made or is under way, and the card is not there yet. */
export const purchaseStates = ['unpaid', 'processing', 'paid', 'refunded', 'closed'] as const
export type PurchaseState = (typeof purchaseStates)[number]

/** Crockford's alphabet: no letter looks like another letter or a digit. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const CODE_LENGTH = 16
const CODE_PATTERN = /^[0-9A-HJKMNP-TV-Z]{16}$/

/** A code of 80 bits, such as `7K2M9X4D04H8T2N3`. @param bytes at least 16, five bits of each are used */
export const giftCardCodeFrom = (bytes: Uint8Array): string =>
  Array.from(bytes.subarray(0, CODE_LENGTH), (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('')

/** `7K2M-9X4D-04H8-T2N3`, as people read it. */
export const formatGiftCardCode = (code: string): string => (code.match(/.{4}/g) ?? [code]).join('-')

/** The code in what was typed; undefined if it cannot be one. Letters that look like digits are read as these. */
export function giftCardCodeIn(typed: string): string | undefined {
  const code = typed
    .replaceAll(/[\s-]+/g, '')
    .toUpperCase()
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1')
  return CODE_PATTERN.test(code) ? code : undefined
}

/** What a gift card pays of a checkout. */
export type GiftCardShare = {
  id: number
  /** The last characters of its code, for people. */
  lastFour: string
  amount: Cents
}

/** What a balance pays of a total: at least so much is left that it can be charged. */
export const payableBy = (balance: Cents, total: Cents): Cents =>
  cents(Math.max(0, Math.min(balance, minus(total, LEAST_CHARGE))))

/** What is left for the card or wallet. */
export const toPayOf = ({ total, giftCard }: { total: Cents; giftCard?: Pick<GiftCardShare, 'amount'> }): Cents =>
  minus(total, giftCard?.amount ?? ZERO)
