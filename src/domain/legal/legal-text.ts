/*
 * Legal pages are written as plain text with a small part of Markdown: `## headings` with an optional `{#anchor}`, `### headings`,
 * `- lists`, `| tables |`, `**bold**` and `[links](…)`. Everything else is text, so nothing that is typed becomes markup.
 */

/** A legal page by its address, with its title. */
export const legalPages = {
  'terms-of-service': { label: 'Terms of Service' },
  'privacy-policy': { label: 'Privacy Policy' },
  'shipping-returns': { label: 'Shipping & Returns' },
} as const

export type LegalPageName = keyof typeof legalPages
export const legalPageNames = Object.keys(legalPages) as LegalPageName[]

export const isLegalPageName = (name: string | null | undefined): name is LegalPageName =>
  typeof name === 'string' && Object.hasOwn(legalPages, name)

/** Their values follow the settings. */
export const legalPlaceholders = [
  'shop',
  'support-email',
  'processing-days',
  'standard-days',
  'international-days',
  'return-days',
  'refund-days',
  'answer-hours',
  'answer-days',
  'answer-times',
  'shipping-terms',
  'shipping-brief',
  'shipping-rule',
  'shipping-exceptions',
  'shipping-in-summary',
  'shipping-note',
  'refunded-with',
  'raffle-age',
  'raffle-winner-days',
  'raffle-claim-days',
  'attribution-days',
  'unpaid-checkout-days',
  'mail-copy-days',
  'message-days',
] as const

export type LegalFacts = Readonly<Record<(typeof legalPlaceholders)[number], string>>

/** A piece of a line. An `href` begins with `/`, `#`, `https://` or `mailto:`. */
export type Inline = { text: string; bold?: true; href?: string }

export type LegalBlock =
  | { kind: 'paragraph' | 'heading'; content: Inline[] }
  | { kind: 'list'; items: Inline[][] }
  /** The first row has the titles, the first column the names. */
  | { kind: 'table'; rows: Inline[][][] }

type LegalSection = { id: string; title: string; blocks: LegalBlock[] }

/** A legal page as shoppers see it; its placeholders are filled in. */
export type LegalDocument = { summary: LegalBlock[]; sections: LegalSection[] }

const HREF = /^(?:\/(?!\/)|#|https:\/\/|mailto:)[^\s]*$/
const INLINE = /\*\*(.+?)\*\*|\[([^\]]+)\]\(([^()\s]+)\)/g
const PLACEHOLDER = /\{([^{}#\n]*)\}/g

/** The placeholders of a text that another one doesn't have. */
const placeholdersOnlyIn = (source: string, other: string): string =>
  [...new Set([...source.matchAll(PLACEHOLDER)].map(([placeholder]) => placeholder))]
    .filter((placeholder) => !other.includes(placeholder))
    .join(', ')

/** @returns a sentence about what cannot be published, if anything */
export function objectionToLegalText(source: string): string | undefined {
  const objection = objectionToForm(source)
  if (objection) return objection
  const ids = readLegalText(source).sections.map(({ id }) => id)
  const twice = ids.find((id, index) => ids.indexOf(id) !== index)
  if (twice === undefined) return undefined
  return `Two sections have the anchor #${twice}. Please add another one, such as “## Ordering {#ordering-2}”.`
}

/** The same of a translation, whose anchors are those of the English text. */
export function objectionToTranslation(source: string, english: string): string | undefined {
  const objection = objectionToForm(source)
  if (objection) return objection
  const [count, wanted] = [source, english].map((text) => readLegalText(text).sections.length)
  if (count !== wanted) return `The English text has ${wanted} sections, this one ${count}.`
  const missing = placeholdersOnlyIn(english, source)
  if (missing) return `The English text also has ${missing}.`
  const added = placeholdersOnlyIn(source, english)
  return added ? `The English text doesn’t have ${added}.` : undefined
}

function objectionToForm(source: string): string | undefined {
  const known: readonly string[] = legalPlaceholders
  const unknown = [...source.matchAll(PLACEHOLDER)].find(([, name = '']) => !known.includes(name))
  if (unknown) return `There is no ${unknown[0]}. You can use ${known.map((one) => `{${one}}`).join(', ')}.`
  const link = [...source.matchAll(INLINE)].find(([, , , href]) => href !== undefined && !HREF.test(href))
  if (link) return `A link begins with /, #, https:// or mailto:, unlike ${link[3]}.`
  const { summary, sections } = readLegalText(source)
  if (summary.length === 0) return 'Please begin with a paragraph that sums up the page.'
  return sections.length === 0 ? 'Please begin each section with a line such as “## Ordering”.' : undefined
}

/**
 * @param facts values of the placeholders. They are filled in after reading, so a value is never markup. A paragraph that is
 *   empty then is left out
 * @param original of a translation, whose sections have the same anchors
 */
export function readLegalText(
  source: string,
  facts: Partial<LegalFacts> = {},
  original?: LegalDocument,
): LegalDocument {
  const values: Readonly<Record<string, string>> = facts
  const fill: Fill = (text) => text.replaceAll(PLACEHOLDER, (all, name: string) => values[name] ?? all)
  const document: LegalDocument = { summary: [], sections: [] }
  for (const lines of groupsOf(source)) {
    const title = /^## (.+?)(?: \{#([a-z0-9-]+)\})?$/.exec(lines[0] ?? '')
    const block = title ? undefined : blockOf(lines, fill)
    const { id } = original?.sections[document.sections.length] ?? {}
    if (title)
      document.sections.push({ id: id ?? title[2] ?? slugOf(title[1] ?? ''), title: fill(title[1] ?? ''), blocks: [] })
    if (block) (document.sections.at(-1)?.blocks ?? document.summary).push(block)
  }
  return document
}

type Fill = (text: string) => string

/** Lines that make one block. A heading is one alone; an empty line, or another kind of line, ends the others. */
function groupsOf(source: string): string[][] {
  const groups: string[][] = []
  let last: string | undefined
  for (const line of source.split('\n').map((one) => one.trim())) {
    const [kind = ''] = /^(?:##+ |- |\|)|^/.exec(line) ?? []
    if (line !== '' && kind === last && !kind.startsWith('#')) groups.at(-1)?.push(line)
    else if (line !== '') groups.push([line])
    last = line === '' ? undefined : kind
  }
  return groups
}

function blockOf(lines: readonly string[], fill: Fill): LegalBlock | undefined {
  const [first = ''] = lines
  if (first.startsWith('### ')) return { kind: 'heading', content: piecesOf(first.slice(4), fill) }
  if (first.startsWith('- ')) return { kind: 'list', items: lines.map((line) => piecesOf(line.slice(2), fill)) }
  if (first.startsWith('|')) return { kind: 'table', rows: lines.map((line) => cellsOf(line, fill)) }
  const content = piecesOf(lines.join(' '), fill)
  return content.length > 0 ? { kind: 'paragraph', content } : undefined
}

const cellsOf = (line: string, fill: Fill): Inline[][] =>
  line
    .replaceAll(/^\||\|$/g, '')
    .split('|')
    .map((cell) => piecesOf(cell.trim(), fill))

function piecesOf(line: string, fill: Fill): Inline[] {
  const found: Inline[] = []
  let end = 0
  for (const match of line.matchAll(INLINE)) {
    const [all, bold, text = '', href = ''] = match
    found.push({ text: fill(line.slice(end, match.index)) })
    found.push(bold === undefined ? { text: fill(text), href: fill(href) } : { text: fill(bold), bold: true })
    end = match.index + all.length
  }
  found.push({ text: fill(line.slice(end)) })
  return found.filter(({ text }) => text !== '')
}

const slugOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')

/** Where a page is read as it was in a version. */
export const legalVersionPath = (page: LegalPageName, version: number): string => `/${page}?version=${version}`
