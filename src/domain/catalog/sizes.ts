/** `XS` is -2, `M` is 0, `XL` is 2 and `3XL` is 4; undefined for any other size. `S/M` counts as `S`. */
function letterRank(size: string): number | undefined {
  const [found, digit = '', crosses = '', letter = ''] = /^(\d?)(x*)([sml])(?![\p{L}\p{N}])/iu.exec(size) ?? []
  if (found === undefined || (digit && crosses.length !== 1)) return undefined
  const extra = digit ? Number(digit) : crosses.length
  if (letter.toLowerCase() === 'm') return extra === 0 ? 0 : undefined
  return letter.toLowerCase() === 's' ? -1 - extra : 1 + extra
}

/** In the order of lists. */
const kinds: readonly ((size: string) => boolean)[] = [
  (size) => letterRank(size) !== undefined,
  (size) => /^(?:nb|newborn)$/i.test(size),
  (size) => /^\d+(?:-\d+)?\s?m(?:onths?)?$/i.test(size),
  (size) => /^\d+t$/i.test(size),
  (size) => /^\d/.test(size),
  (size) => !isOneSize(size),
]
const kindOf = (size: string): number => [...kinds, () => true].findIndex((holds) => holds(size))

const isOneSize = (size: string): boolean => size.toLowerCase() === 'one size'

const natural = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** Sorts XS to 6XL, babies' months, 2T to 5T, numbers such as 6 to 14, names such as phone models, then one size. */
export const bySize = (a: string, b: string): number =>
  kindOf(a) - kindOf(b) || (letterRank(a) ?? 0) - (letterRank(b) ?? 0) || natural.compare(a, b)

/** Sizes in words, by how they are labeled. */
const sizeWords: Readonly<Record<string, string>> = {
  'extra small': 'xs',
  small: 's',
  medium: 'm',
  large: 'l',
  'extra large': 'xl',
}

/** Equal for spellings of a size: `2xl` for `2XL` and `XXL`, `xl` for `x-large`, `18x24` for inch signs and a multiplication sign. */
export function sizeKey(text: string): string {
  const plain = text
    .toLowerCase()
    .replaceAll(/[-\s]+/g, ' ')
    .trim()
  const word = /^(?:(\d?x+) ?)?(small|medium|large)$/.exec(plain)
  const letters = sizeWords[plain] ?? (word ? `${word[1] ?? ''}${sizeWords[word[2] ?? ''] ?? ''}` : plain)
  const short = letters.replaceAll('×', 'x').replaceAll(/[^\p{L}\p{N}]/gu, '')
  return short.replace(/^(x{2,})([sl])$/, (_, crosses: string, letter: string) => `${crosses.length}x${letter}`)
}
