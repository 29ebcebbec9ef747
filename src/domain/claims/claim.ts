import type { Fit } from '#domain/orders/fit.ts'
import type { Word } from '#words/words.ts'

/** `claim`: something is wrong with the goods. `withdrawal`: the shopper takes back the purchase, as the law of some countries allows. */
export const claimKinds = ['claim', 'withdrawal'] as const
export type ClaimKind = (typeof claimKinds)[number]

/** Of the form where a shopper reports a problem. */
export const shopperReasons = ['wrong', 'faulty', 'damaged', 'lost'] as const
export type ShopperReason = (typeof shopperReasons)[number]

/** Of a claim; a withdrawal needs no reason. `late` and `returned`: chosen when the shop asked about a parcel. */
export const claimReasons = [...shopperReasons, 'late', 'returned'] as const
export type ClaimReason = (typeof claimReasons)[number]

export const reasonNames = {
  wrong: 'Wrong item',
  faulty: 'Faulty',
  damaged: 'Damaged on the way',
  lost: 'Never arrived',
  late: 'Late',
  returned: 'Came back to us',
} as const satisfies Record<ClaimReason, Word>

/** Of a piece, by its owner: shows which size runs small. */
export const fitNames = { small: 'Too small', true: 'True to size', large: 'Too large' } as const satisfies Record<
  Fit,
  Word
>

/** `open` waits for the owner, `asked` for the shopper. */
export const claimStates = ['open', 'asked', 'resolved'] as const
export type ClaimState = (typeof claimStates)[number]

/**
 * `canceled`: a withdrawal before anything was made, which ended the order. `settled`: another way, such as a refund from the order's page,
 * or a parcel that the printer sent again itself.
 */
export const claimOutcomes = ['replaced', 'refunded', 'refused', 'canceled', 'settled'] as const
export type ClaimOutcome = (typeof claimOutcomes)[number]

export type ClaimStep = 'ask' | 'answer' | 'refund' | 'replace' | 'refuse' | 'settle' | 'cancel'

const decisions = { refund: 'resolved', replace: 'resolved', refuse: 'resolved', settle: 'resolved' } as const

const transitions: Readonly<Record<ClaimState, Partial<Record<ClaimStep, ClaimState>>>> = {
  open: { ask: 'asked', answer: 'open', ...decisions, cancel: 'resolved' },
  asked: { ask: 'asked', answer: 'open', ...decisions, cancel: 'resolved' },
  resolved: {},
}

/** @returns the state after a step; undefined if it is not possible */
export const nextClaimState = (from: ClaimState, step: ClaimStep): ClaimState | undefined => transitions[from][step]

export const outcomeOf: Readonly<Partial<Record<ClaimStep, ClaimOutcome>>> = {
  refund: 'refunded',
  replace: 'replaced',
  refuse: 'refused',
  settle: 'settled',
  cancel: 'canceled',
}

/** Pieces of an order's lines, by the line's position. */
export type ClaimedPieces = readonly { position: number; quantity: number }[]

/** How many pieces of a line are in these. */
export const claimedOf = (position: number, pieces: ClaimedPieces): number =>
  pieces.reduce((count, piece) => (piece.position === position ? count + piece.quantity : count), 0)

/** Photos with one message. */
export const CLAIM_PHOTOS_MAX = 6
/** A phone's photo has some 5 MB. */
export const CLAIM_PHOTO_MAX_BYTES = 20 * 1024 * 1024
export const CLAIM_WORDS_MAX = 2000
