import type { Finding } from './findings.ts'

const stateLabels: Readonly<Record<Finding['state'], string>> = { well: 'passed', wrong: 'FAILED', unknown: 'unclear' }

const STATE_WIDTH = 9

/**
 * What the doctor found, for people: a row for each finding, under it what mends it, and a last line that counts.
 * @param width of the screen, in characters
 */
export function tableOf(findings: readonly Finding[], width: number): string {
  const nameWidth = Math.max(...findings.map(({ name }) => name.length)) + 2
  const indent = ' '.repeat(STATE_WIDTH + nameWidth)
  const textWidth = Math.max(40, width - indent.length)
  const rows = findings.flatMap(({ name, state, what, fix }) => {
    const lines = [...wrapText(what, textWidth), ...(fix ? wrapText(`-> ${fix}`, textWidth) : [])]
    return lines.map((line, at) =>
      at === 0 ? `${stateLabels[state].padEnd(STATE_WIDTH)}${name.padEnd(nameWidth)}${line}` : `${indent}${line}`,
    )
  })
  const counts = (['well', 'wrong', 'unknown'] as const).map(
    (state) => `${findings.filter((finding) => finding.state === state).length} ${stateLabels[state].toLowerCase()}`,
  )
  return [...rows, '', counts.join(', ')].join('\n')
}

/** Broken between words; a word that is longer than a line, such as an address, stays whole. */
function wrapText(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
