/** One line of text on a page. */
type TextMark = {
  text: string
  /** Points from the left, or from the right edge of the text when `right` is set. */
  x: number
  /** Points from the top. */
  y: number
  size: number
  font?: 'plain' | 'bold' | 'serif'
  right?: boolean
  gray?: boolean
}
type RuleMark = { rule: true; x: number; y: number; width: number; thickness: number }

export type Mark = TextMark | RuleMark

/** US letter, in points. */
export const PAGE = { width: 612, height: 792 } as const

const fonts = { plain: 'F1', bold: 'F2', serif: 'F3' } as const
/** Every PDF reader has these fonts, so nothing is embedded and a receipt takes 2 KB. */
const fontNames = ['Helvetica', 'Helvetica-Bold', 'Times-Roman'] as const

/** Widths of Helvetica from space to tilde, in thousandths of the font size (Adobe Core 14 metrics). */
const widths = [
  278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
  556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
  722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
  556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
  260, 334, 584,
] as const

export const widthOf = (text: string, size: number): number =>
  (Array.from(text).reduce((sum, letter) => sum + (widths[letter.charCodeAt(0) - 32] ?? 556), 0) * size) / 1000

/** Breaks a text into lines of at most `width` points; a longer word gets its own line. */
export function wrapText(text: string, size: number, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line ? `${line} ${word}` : word
    if (line && widthOf(longer, size) > width) {
      lines.push(line)
      line = word
    } else line = longer
  }
  return [...lines, line]
}

/** Characters beyond Latin 1 that these fonts have, with their WinAnsiEncoding codes. */
const winAnsi: Readonly<Record<string, number>> = {
  '€': 0x80,
  '…': 0x85,
  '‘': 0x91,
  '’': 0x92,
  '“': 0x93,
  '”': 0x94,
  '•': 0x95,
  '–': 0x96,
  '—': 0x97,
  '™': 0x99,
}
const plainLetters: Readonly<Record<string, string>> = { Ł: 'L', ł: 'l', Đ: 'D', đ: 'd', ı: 'i', Œ: 'OE', œ: 'oe' }

/** Strips diacritics that the fonts lack. @returns undefined if other letters remain that cannot be printed */
export function toPrintable(text: string): string | undefined {
  const letters = Array.from(text.normalize('NFC'), (letter) => {
    if (/^[\u0020-\u007E\u00A0-\u00FF]$/.test(letter) || letter in winAnsi) return letter
    const bare = plainLetters[letter] ?? letter.normalize('NFKD').replace(/\p{M}/gu, '')
    return /^[\u0020-\u007E]+$/.test(bare) ? bare : undefined
  })
  return letters.includes(undefined) ? undefined : letters.join('')
}

function encodeText(text: string): string {
  return Array.from(toPrintable(text) ?? '', (letter) => String.fromCharCode(winAnsi[letter] ?? letter.charCodeAt(0)))
    .join('')
    .replace(/[\\()]/g, '\\$&')
}

/** Rounds to a thousandth of a point. */
const points = (value: number): string => String(Math.round(value * 1000) / 1000)

function drawMark(mark: Mark): string {
  const y = points(PAGE.height - mark.y)
  if ('rule' in mark)
    return `${points(mark.thickness)} w ${points(mark.x)} ${y} m ${points(mark.x + mark.width)} ${y} l S`
  const { text, size, font = 'plain', right = false, gray = false } = mark
  const x = right ? mark.x - widthOf(text, size) : mark.x
  return `BT ${gray ? '0.36 g' : '0.11 g'} /${fonts[font]} ${size} Tf ${points(x)} ${y} Td (${encodeText(text)}) Tj ET`
}

/** A PDF file with text and rules only (ISO 32000-1, 7.5). */
export function pdfOf({ title, pages }: { title: string; pages: readonly (readonly Mark[])[] }): Buffer {
  const firstPage = 3 + fontNames.length
  const pageNumbers = pages.map((_, index) => firstPage + index * 2)
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R /Lang (en-US) /ViewerPreferences << /DisplayDocTitle true >> >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${pageNumbers.map((number) => `${number} 0 R`).join(' ')}] >>`,
    ...fontNames.map((name) => `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`),
    ...pages.flatMap((marks, index) => {
      const content = marks.map(drawMark).join('\n')
      const resources = fontNames.map((_, font) => `/F${font + 1} ${font + 3} 0 R`).join(' ')
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${PAGE.width} ${PAGE.height}] /Resources << /Font << ${resources} >> >> /Contents ${(pageNumbers[index] ?? 0) + 1} 0 R >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ]
    }),
    `<< /Title (${encodeText(title)}) >>`,
  ]
  let file = '%PDF-1.4\n%\xE2\xE3\xCF\xD3\n'
  const offsets = objects.map((object, index) => {
    const offset = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const table = file.length
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info ${objects.length} 0 R >>\nstartxref\n${table}\n%%EOF\n`
  // Every character is one byte in Latin 1, so string offsets are file offsets.
  return Buffer.from(file, 'latin1')
}
