/**
 * Where large cards stand among so many places of a list, counted from 0. Each is as wide as two columns, and the rows before it are full.
 * In the list of all products the first one shows on a desktop without scrolling, since the products before it are all hats.
 * All products are in two columns and three; so many large ones fill the last row of the demo's 36, and on phones the third of them is as
 * others (`.large`). A collection is in two columns and four, and has them only where they fill its rows. On tablets all are as others.
 */
const LISTS = {
  all: { places: [4, 17, 29], period: 36 },
  collection: { places: [6, 11, 16, 21], period: 24 },
} as const
/** So many cards follow, so that no list ends with a large one alone. */
const AFTER = 2

export type CardList = keyof typeof LISTS

/** Whether a card of a list is large, so that the eye rests: it shows the piece in use. */
export function isLargeCard(index: number, count: number, list: CardList): boolean {
  const { places, period } = LISTS[list]
  const isRoom = list === 'all' ? index + AFTER < count : index < count - (count % period)
  return isRoom && places.some((place) => index % period === place)
}

/** In characters, its sign included: what the panel beside a large card's picture has room for. */
const SENTENCE_MAX = 111
const FIRST_SENTENCE = /^[^\n]+?[.!?](?=\s|$)/

/** @returns the first sentence of a product's description, undefined if it is too long for a large card, or no sentence */
export function shortSentenceOf(description: string): string | undefined {
  const [sentence] = FIRST_SENTENCE.exec(description) ?? []
  return sentence && sentence.length <= SENTENCE_MAX ? sentence : undefined
}
