/**
 * Where large cards stand among so many places of a list, counted from 0. Each is as wide as two columns; the rows before it are full, of
 * two columns and of three, and so many fill the last row of the demo's 36. On phones the third of them is as others (`.large`).
 */
const PLACES = [6, 21, 31] as const
const PERIOD = 36
/** So many cards follow, so that no list ends with a large one alone. */
const AFTER = 2

/** Whether a card of the list of all products is large, so that the eye rests: it shows the piece in use. */
export const isLargeCard = (index: number, count: number): boolean =>
  PLACES.some((place) => index % PERIOD === place) && index + AFTER < count

/** In characters, its sign included: what the panel beside a large card's picture has room for. */
const SENTENCE_MAX = 111
const FIRST_SENTENCE = /^[^\n]+?[.!?](?=\s|$)/

/** @returns the first sentence of a product's description, undefined if it is too long for a large card, or no sentence */
export function shortSentenceOf(description: string): string | undefined {
  const [sentence] = FIRST_SENTENCE.exec(description) ?? []
  return sentence && sentence.length <= SENTENCE_MAX ? sentence : undefined
}
