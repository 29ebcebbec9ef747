/**
 * Why a shopper is asked what should happen with a parcel. `late`: it will miss its window. `lost`: its second window is over too.
 * `returned`: it came back to the printer.
 */
export const noticeKinds = ['late', 'lost', 'returned'] as const
export type NoticeKind = (typeof noticeKinds)[number]

export const parcelChoices = ['wait', 'refund', 'replace'] as const
export type ParcelChoice = (typeof parcelChoices)[number]

/** `over`: the parcel arrived, or another notice took its place. */
export const noticeStates = ['open', 'waits', 'decided', 'over'] as const
export type NoticeState = (typeof noticeStates)[number]

const transitions: Readonly<Record<NoticeState, Partial<Record<ParcelChoice | 'end', NoticeState>>>> = {
  open: { wait: 'waits', refund: 'decided', replace: 'decided', end: 'over' },
  waits: { refund: 'decided', replace: 'decided', end: 'over' },
  decided: {},
  over: {},
}

/** @returns the state after a step; undefined if it is not possible */
export const nextNoticeState = (from: NoticeState, step: ParcelChoice | 'end'): NoticeState | undefined =>
  transitions[from][step]

type Asked = {
  kind: NoticeKind
  /** Part of the order that has not shipped cannot be made again, only made. */
  isShipped: boolean
}

/** What the shopper can choose now. A lost parcel is worth no more waiting, a returned one neither. */
export const choicesOf = ({ kind, isShipped }: Asked, state: NoticeState): ParcelChoice[] =>
  parcelChoices.filter(
    (choice) =>
      nextNoticeState(state, choice) !== undefined &&
      (choice !== 'wait' || kind === 'late') &&
      (choice !== 'replace' || isShipped),
  )

/** Who decides about the refund or new parcel that a shopper chose. */
export const parcelDecisions = ['owner', 'at_once'] as const
export type ParcelDecision = (typeof parcelDecisions)[number]

/**
 * Whether a refund or new parcel is started without the owner: where nothing is at risk, since the goods are back or not made yet, or
 * where the owner wants it.
 */
export const isDoneAtOnce = (
  { kind, choice, canCancel }: { kind: NoticeKind; choice: 'refund' | 'replace'; canCancel: boolean },
  decision: ParcelDecision,
): boolean =>
  decision === 'at_once' || (kind === 'returned' && choice === 'replace') || (choice === 'refund' && canCancel)
