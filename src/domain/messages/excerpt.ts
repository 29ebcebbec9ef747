const LENGTH = 100
/** How much stands before what was found. */
const BEFORE = 30

/** The part of a message where a text is in it, on one line; how it begins if the text is not in it. */
export function excerptAround(words: string, text: string): string {
  const line = words.replaceAll(/\s+/g, ' ').trim()
  const at = line.toLowerCase().indexOf(text.toLowerCase())
  if (at <= BEFORE) return cut(line, LENGTH)
  // From the beginning of a word.
  const from = line.indexOf(' ', at - BEFORE) + 1
  return `… ${cut(line.slice(Math.min(from, at)), LENGTH)}`
}

const cut = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length).trimEnd()} …` : text
