/**
 * How many slips of the finger lie between two words: a letter too many, one missing, one wrong, or two swapped.
 * (Optimal string alignment.)
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

/** Long words may have two slips. Three letters only two that are swapped: `cat` is no slip for `hat`. */
function isTypoOf(typed: string, meant: string): boolean {
  if (typed.length < SHORT_WORD || Math.abs(typed.length - meant.length) > 2) return false
  if (typed.length === SHORT_WORD)
    return meant.length === SHORT_WORD && editDistance(typed, meant) === 1 && sorted(typed) === sorted(meant)
  const isSameStart = typed[0] === meant[0] || (typed[0] === meant[1] && typed[1] === meant[0])
  return isSameStart && editDistance(typed, meant) <= (typed.length >= LONG_WORD ? 2 : 1)
}

const sorted = (word: string): string => word.split('').toSorted().join('')

/** @returns the known word that was most likely meant; undefined when none is near */
export function nearestWord(typed: string, known: Iterable<string>): string | undefined {
  const near = [...known].filter((word) => isTypoOf(typed, word))
  return near.toSorted((a, b) => editDistance(typed, a) - editDistance(typed, b))[0]
}
