/** Where large cards stand among so many places of a list, counted from 0: in three columns they alternate left and right. */
const PLACES = [3, 16] as const
const PERIOD = 24
/** Two cards stand beside a large one. */
const BESIDE = 2

/** Whether a card of the list of all products is large, so that the eye rests: it shows the piece in use. */
export const isLargeCard = (index: number, count: number): boolean =>
  PLACES.some((place) => index % PERIOD === place) && index + BESIDE < count
