/**
 * The number of typos between two words: an extra, missing or wrong letter, or two swapped (optimal string alignment).
 */
export function editDistance(a: string, b: string): number {
  let [beforeLast, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, column) => column)]
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1]
      const ways = [(last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, (last[column - 1] ?? 0) + (isSame ? 0 : 1)]
      const isSwapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      if (isSwapped) ways.push((beforeLast[column - 2] ?? 0) + 1)
      current.push(Math.min(...ways))
    }
    ;[beforeLast, last] = [last, current]
  }
  return last[b.length] ?? 0
}

const LONG_WORD = 7
const SHORT_WORD = 3

/** Long words may have two typos. Three-letter words only swapped letters: `cat` is no typo for `hat`. */
function isTypoOf(typed: string, meant: string): boolean {
  if (typed.length < SHORT_WORD || Math.abs(typed.length - meant.length) > 2) return false
  if (typed.length === SHORT_WORD)
    return meant.length === SHORT_WORD && editDistance(typed, meant) === 1 && sorted(typed) === sorted(meant)
  const isSameStart = typed[0] === meant[0] || (typed[0] === meant[1] && typed[1] === meant[0])
  return isSameStart && editDistance(typed, meant) <= (typed.length >= LONG_WORD ? 2 : 1)
}

const sorted = (word: string): string => word.split('').toSorted().join('')

/** @returns the most likely known word; undefined if none is close */
export function nearestWord(typed: string, known: Iterable<string>): string | undefined {
  const near = [...known].filter((word) => isTypoOf(typed, word))
  return near.toSorted((a, b) => editDistance(typed, a) - editDistance(typed, b))[0]
}
