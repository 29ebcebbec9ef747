import type { Finding } from './findings.ts'

/** Failures have to stand out. */
const labelOf = (state: Finding['state']): string => (state === 'failed' ? 'FAILED' : state)

const STATE_WIDTH = 14

/**
 * The doctor's findings for the terminal: a row each, its fix below, and a last line with the counts.
 * @param width of the terminal, in characters
 */
export function tableOf(findings: readonly Finding[], width: number): string {
  const nameWidth = Math.max(...findings.map(({ name }) => name.length)) + 2
  const indent = ' '.repeat(STATE_WIDTH + nameWidth)
  const textWidth = Math.max(40, width - indent.length)
  const rows = findings.flatMap(({ name, state, what, fix }) => {
    const lines = [...wrapText(what, textWidth), ...(fix ? wrapText(`-> ${fix}`, textWidth) : [])]
    return lines.map((line, at) =>
      at === 0 ? `${labelOf(state).padEnd(STATE_WIDTH)}${name.padEnd(nameWidth)}${line}` : `${indent}${line}`,
    )
  })
  const counts = (['passed', 'failed', 'inconclusive'] as const).map(
    (state) => `${findings.filter((finding) => finding.state === state).length} ${state}`,
  )
  return [...rows, '', counts.join(', ')].join('\n')
}

/** A word longer than a line, such as a URL, stays whole. */
function wrapText(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
