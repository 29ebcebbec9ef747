import { cleanText } from '#shared/text.ts'

/** Elements that begin a line of their own, and those whose content nobody reads. */
const BLOCKS = new Set(['p', 'div', 'br', 'li', 'ul', 'ol', 'tr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'table', 'hr'])
const UNREAD = new Set(['script', 'style', 'template', 'noscript', 'iframe'])

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  reg: '®',
  trade: '™',
  copy: '©',
  deg: '°',
  times: '×',
}

const decodeEntities = (text: string): string =>
  text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return entities[name.toLowerCase()] ?? whole
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
    },
  )

/** An HTML description as plain text: paragraphs and list items become lines, everything else of the markup goes. Text without markup stays. */
export function plainTextOf(html: string): string {
  const lower = html.toLowerCase()
  let [text, at] = ['', 0]
  for (;;) {
    const open = html.indexOf('<', at)
    text += html.slice(at, open < 0 ? undefined : open)
    if (open < 0) break
    const name = /^\/?([a-z][a-z0-9]*)/.exec(lower.slice(open + 1, open + 20))?.[1]
    if (name === undefined && !lower.startsWith('<!', open)) {
      text += '<'
      at = open + 1
      continue
    }
    const end = lower.startsWith('<!--', open) ? html.indexOf('-->', open) + 2 : html.indexOf('>', open)
    if (end <= open) break
    at = end + 1
    if (name === undefined) continue
    if (BLOCKS.has(name)) text += name === 'li' && lower[open + 1] !== '/' ? '\n- ' : '\n'
    if (!UNREAD.has(name) || lower[open + 1] === '/') continue
    const close = lower.indexOf(`</${name}`, at)
    if (close < 0) break
    at = close
  }
  return cleanText(decodeEntities(text))
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/(\n- [^\n]*)\n+(?=- )/g, '$1\n')
    .trim()
}
