import type { Readable } from 'node:stream'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { assert } from '#shared/assert.ts'
import { cents, decimalFromCents, type Cents } from '#shared/money.ts'
import { DAY_MS } from '#shared/time.ts'
import { wallClockMs, type TimeZone } from '#shared/time-zone.ts'
import { zip, type ZipEntry } from './zip.ts'

/** What a column holds. `moment` is shown by the clocks of the workbook's zone. */
type ColumnKind = 'text' | 'money' | 'count' | 'moment'

export type Column = {
  title: string
  kind: ColumnKind
  /** In letters. */
  width?: number
  /** Adds up in the row of totals; for `money` and `count`. */
  isSummed?: boolean
}

/** One value a column: text, cents, a whole number or a moment, as the column says; null leaves the cell empty. */
export type Row = readonly (string | number | Cents | Date | null)[]

export type Sheet = {
  /** At most 31 letters, none of `[]:*?/\`, and no other sheet's. */
  name: string
  columns: readonly Column[]
  rows: Iterable<Row> | AsyncIterable<Row>
}

/** What a sheet came to, once it was written: the sums of its summed columns, by their titles. */
export type SheetTotals = { name: string; rows: number; sums: ReadonlyMap<string, number> }

/** A line of the cover: what it is about, and what is to say of it. */
export type CoverLine = { label: string; value?: string; money?: Cents; count?: number }

export type Workbook = {
  title: string
  timeZone: TimeZone
  /** The first sheet. It is written last, so that it can say what the others came to. */
  cover: (totals: readonly SheetTotals[]) => readonly CoverLine[] | Promise<readonly CoverLine[]>
  sheets: readonly Sheet[]
}

export const WORKBOOK_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** Excel's longest text in a cell. */
const TEXT_LIMIT = 32_767
/** Excel ends at 1,048,576 rows; what is more goes on in a sheet of its own. */
const ROWS_PER_SHEET = 1_000_000
const CHUNK_BYTES = 16 * 1024
/** Whoever was at work for so long while a chunk gave way is at it again in a moment, and gets so long undisturbed. */
const BUSY_MS = 1
const REST_MS = 10
const LINE_POINTS = 15
/** In letters. */
const COVER_WIDTHS = [46, 90] as const
/** The day that a workbook counts days from: 30 December 1899. */
const FIRST_DAY = -25_569

const NAMESPACE = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

/**
 * A workbook as a stream: rows are taken as the reader takes bytes, and nothing is kept of them but their sums. Texts are written as
 * texts whatever they begin with, so nothing that a customer typed becomes a formula. Amounts are written digit by digit.
 * @param rowsPerSheet for tests
 */
export const writeWorkbook = (book: Workbook, rowsPerSheet = ROWS_PER_SHEET): Readable => zip(parts(book, rowsPerSheet))

async function* parts(book: Workbook, rowsPerSheet: number): AsyncGenerator<ZipEntry> {
  const written: { name: string; file: string }[] = []
  const totals: SheetTotals[] = []
  const add = (name: string) => {
    const file = `sheet${written.length + 2}.xml`
    written.push({ name, file })
    return `xl/worksheets/${file}`
  }
  for (const sheet of book.sheets) {
    const rows = peekable(sheet.rows)
    const sums = new Map(sheet.columns.flatMap(({ title, isSummed }) => (isSummed ? [[title, 0] as const] : [])))
    const total = { name: sheet.name, rows: 0, sums }
    for (let part = 1; part === 1 || (await rows.peek()) !== undefined; part += 1) {
      const name = part === 1 ? sheet.name : `${sheet.name.slice(0, 27)} ${part}`
      const bytes = inChunks(sheetXml(sheet, book.timeZone, rows, total, rowsPerSheet))
      yield { name: add(name), bytes }
    }
    totals.push(total)
  }
  const cover = inChunks(coverXml(book.title, await book.cover(totals)))
  yield { name: 'xl/worksheets/sheet1.xml', bytes: cover }
  const sheets = [{ name: 'Cover', file: 'sheet1.xml' }, ...written]
  yield part('xl/styles.xml', stylesXml)
  yield part('xl/workbook.xml', workbookXml(sheets))
  yield part('xl/_rels/workbook.xml.rels', workbookRelations(sheets))
  yield part('_rels/.rels', rootRelations)
  yield part('[Content_Types].xml', contentTypes(sheets))
}

const part = (name: string, xml: string): ZipEntry => ({ name, bytes: [Buffer.from(DECLARATION + xml)] })

/** Rows one by one, with a look at the next. */
function peekable(rows: Sheet['rows']) {
  const iterator = Symbol.asyncIterator in rows ? rows[Symbol.asyncIterator]() : rows[Symbol.iterator]()
  let ahead: Row | undefined
  const peek = async (): Promise<Row | undefined> => {
    if (ahead === undefined) {
      const { done, value } = await iterator.next()
      ahead = done ? undefined : value
    }
    return ahead
  }
  return {
    peek,
    async next() {
      const row = await peek()
      ahead = undefined
      return row
    },
  }
}

async function* inChunks(pieces: AsyncIterable<string> | Iterable<string>): AsyncGenerator<Buffer> {
  let text = DECLARATION
  for await (const piece of pieces) {
    text += piece
    if (text.length < CHUNK_BYTES) continue
    yield Buffer.from(text)
    text = ''
    await yieldToEventLoop()
  }
  if (text) yield Buffer.from(text)
}

/** Rows come faster than anybody else gets a word in: whoever buys meanwhile goes first. */
async function yieldToEventLoop(): Promise<void> {
  const asked = performance.now()
  await setImmediate()
  if (performance.now() - asked > BUSY_MS) await setTimeout(REST_MS)
}

type Total = { rows: number; sums: Map<string, number> }

async function* sheetXml(
  { columns }: Sheet,
  zone: TimeZone,
  rows: ReturnType<typeof peekable>,
  total: Total,
  limit: number,
): AsyncGenerator<string> {
  const letters = columns.map((_, index) => lettersOf(index))
  const last = letters.at(-1) ?? 'A'
  yield opening(columns.map(widthOf), true)
  yield rowXml(
    1,
    columns.map(({ title, kind }, index) =>
      textCell(`${letters[index]}1`, title, kind === 'money' || kind === 'count' ? styles.numberHead : styles.head),
    ),
  )
  let at = 1
  for (let count = 0; count < limit; count += 1) {
    const row = await rows.next()
    if (!row) break
    assert(row.length === columns.length, `a row of ${row.length} cells under ${columns.length} columns`)
    at += 1
    total.rows += 1
    yield rowXml(
      at,
      columns.map((column, index) => {
        const value = row[index] ?? null
        if (column.isSummed && typeof value === 'number')
          total.sums.set(column.title, cents((total.sums.get(column.title) ?? 0) + value))
        return cell(`${letters[index]}${at}`, column.kind, value, zone, false)
      }),
    )
  }
  const filtered = `A1:${last}${at}`
  if ((await rows.peek()) === undefined && total.sums.size > 0) {
    at += 1
    yield rowXml(
      at,
      columns.map(({ kind, title, isSummed }, index) => {
        const ref = `${letters[index]}${at}`
        if (isSummed) return cell(ref, kind, total.sums.get(title) ?? 0, zone, true)
        return textCell(ref, index === 0 ? 'Total' : '', styles.totalText)
      }),
    )
  }
  yield `</sheetData><autoFilter ref="${filtered}"/>${page}</worksheet>`
}

function* coverXml(title: string, lines: readonly CoverLine[]): Generator<string> {
  yield opening(COVER_WIDTHS, false)
  yield rowXml(1, [textCell('A1', title, styles.title)])
  let at = 2
  for (const { label, value, money, count } of lines) {
    at += 1
    const isSection = value === undefined && money === undefined && count === undefined
    const cells = [textCell(`A${at}`, label, isSection ? styles.section : styles.label)]
    if (value !== undefined) cells.push(textCell(`B${at}`, value, styles.said))
    if (money !== undefined) cells.push(numberCell(`B${at}`, decimalFromCents(money), styles.saidMoney))
    if (count !== undefined) cells.push(numberCell(`B${at}`, String(count), styles.saidCount))
    const lines = Math.ceil(Math.max(label.length / COVER_WIDTHS[0], (value ?? '').length / COVER_WIDTHS[1], 1))
    yield rowXml(at, cells, isSection ? 2 : lines)
  }
  yield `</sheetData>${page}</worksheet>`
}

/** Wide sheets are printed across, on as many pages as they are long. */
const page =
  '<pageMargins left="0.5" right="0.5" top="0.6" bottom="0.6" header="0.3" footer="0.3"/>' +
  '<pageSetup orientation="landscape" fitToWidth="1" fitToHeight="0"/>'

function opening(widths: readonly number[], hasHead: boolean): string {
  const frozen = '<pane xSplit="1" ySplit="1" topLeftCell="B2" activePane="bottomRight" state="frozen"/>'
  const columns = widths.map(
    (width, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`,
  )
  return (
    `<worksheet xmlns="${NAMESPACE}"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>` +
    `<sheetViews><sheetView workbookViewId="0"${hasHead ? '' : ' showGridLines="0"'}>${hasHead ? frozen : ''}</sheetView></sheetViews>` +
    `<sheetFormatPr defaultRowHeight="15"/><cols>${columns.join('')}</cols><sheetData>`
  )
}

/** @param lines as many as its texts are broken into; not every program finds that out */
const rowXml = (at: number, cells: readonly string[], lines = 1) =>
  `<row r="${at}"${lines > 1 ? ` ht="${lines * LINE_POINTS}" customHeight="1"` : ''}>${cells.join('')}</row>`

const widths: Record<ColumnKind, number> = { text: 22, money: 14, count: 10, moment: 17 }
const widthOf = ({ kind, width, title }: Column) => width ?? Math.max(widths[kind], title.length + 4)

/** `A` to `Z`, `AA` …, by the column's place from 0. */
const lettersOf = (index: number): string =>
  (index >= 26 ? lettersOf(Math.floor(index / 26) - 1) : '') + String.fromCharCode(65 + (index % 26))

function cell(ref: string, kind: ColumnKind, value: Row[number], zone: TimeZone, isTotal: boolean): string {
  if (value === null) return ''
  switch (kind) {
    case 'text':
      return textCell(ref, String(value))
    case 'money':
      return numberCell(ref, decimalFromCents(cents(Number(value))), isTotal ? styles.totalMoney : styles.money)
    case 'count':
      return numberCell(ref, String(Number(value)), isTotal ? styles.totalCount : styles.count)
    case 'moment':
      return numberCell(ref, serialOf(value, zone), styles.moment)
  }
}

/** A workbook's moment: days since its first one, by the clocks of a zone. */
function serialOf(value: Row[number], zone: TimeZone): string {
  assert(value instanceof Date, 'a moment is a Date')
  return String(wallClockMs(value.getTime(), zone) / DAY_MS - FIRST_DAY)
}

const numberCell = (ref: string, digits: string, style: number) => `<c r="${ref}" s="${style}"><v>${digits}</v></c>`

/** What programs take for the beginning of a formula as soon as somebody edits the cell. */
const isFormulaLike = (text: string) =>
  /^[\s\u200B-\u200F\uFEFF]*[=+\-@＝＋－＠;|%"]/u.test(text) || /^[\t\r\n]/.test(text)

function textCell(ref: string, text: string, style?: number): string {
  const shown = style ?? (!PLAIN.test(text) && isFormulaLike(text) ? styles.quoted : styles.text)
  return `<c r="${ref}" t="inlineStr" s="${shown}"><is><t xml:space="preserve">${escapeXml(text)}</t></is></c>`
}

/** What XML cannot hold: most control characters, halves of surrogate pairs, U+FFFE and U+FFFF. */
// oxlint-disable-next-line no-control-regex
const UNWRITABLE = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Cs}/gu

/** Most texts: nothing in them has to be written in another way. */
const PLAIN = /^[A-Za-z0-9][A-Za-z0-9 .,:@'()/-]*$/

function escapeXml(text: string): string {
  if (PLAIN.test(text) && text.length <= TEXT_LIMIT) return text
  const whole = text.replace(UNWRITABLE, '\uFFFD')
  // Half a character is no character.
  const cut = whole.length > TEXT_LIMIT ? `${whole.slice(0, TEXT_LIMIT - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : whole
  return (
    cut
      .replace(/&/g, '&amp;')
      .replace(/</g, '&lt;')
      .replace(/>/g, '&gt;')
      // Excel reads `_x0041_` as the letter A (ECMA-376, 22.9.2.19), and so a carriage return, which XML would lose, is written.
      .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
      .replace(/\r/g, '_x000D_')
  )
}

/** Places in `cellXfs` below. */
const styles = {
  text: 0,
  head: 1,
  quoted: 2,
  money: 3,
  count: 4,
  moment: 5,
  totalText: 6,
  totalMoney: 7,
  totalCount: 8,
  title: 9,
  label: 10,
  said: 11,
  saidMoney: 12,
  saidCount: 13,
  section: 14,
  numberHead: 15,
} as const

// A blank of a bracket's width keeps numbers off the text of the next column.
const MONEY = '&quot;$&quot;#,##0.00_);[Red]-&quot;$&quot;#,##0.00_)'
const COUNT = '#,##0_)'
const MOMENT = 'yyyy-mm-dd hh:mm'

const xf = (font: number, fill: number, border: number, format: number, more = '') =>
  `<xf numFmtId="${format}" fontId="${font}" fillId="${fill}" borderId="${border}" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1" applyBorder="1" applyAlignment="1"${more}`
const alignmentXml = (alignment: string) => `><alignment ${alignment}/></xf>`

const stylesXml =
  `<styleSheet xmlns="${NAMESPACE}">` +
  `<numFmts count="3"><numFmt numFmtId="164" formatCode="${MONEY}"/><numFmt numFmtId="165" formatCode="${MOMENT}"/>` +
  `<numFmt numFmtId="166" formatCode="${COUNT}"/></numFmts>` +
  '<fonts count="4"><font><sz val="11"/><color rgb="FF23201C"/><name val="Calibri"/></font>' +
  '<font><b/><sz val="11"/><color rgb="FFFFFFFF"/><name val="Calibri"/></font>' +
  '<font><b/><sz val="11"/><color rgb="FF23201C"/><name val="Calibri"/></font>' +
  '<font><b/><sz val="18"/><color rgb="FF23201C"/><name val="Calibri"/></font></fonts>' +
  '<fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>' +
  '<fill><patternFill patternType="solid"><fgColor rgb="FF23201C"/></patternFill></fill></fills>' +
  '<borders count="3"><border><left/><right/><top/><bottom/><diagonal/></border>' +
  '<border><left/><right/><top style="medium"><color rgb="FF23201C"/></top><bottom/><diagonal/></border>' +
  '<border><left/><right/><top/><bottom style="thin"><color rgb="FFB08D3E"/></bottom><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  '<cellXfs count="16">' +
  [
    xf(0, 0, 0, 49, alignmentXml('vertical="top"')),
    xf(1, 2, 0, 49, alignmentXml('vertical="center" wrapText="1"')),
    xf(0, 0, 0, 49, ` quotePrefix="1"${alignmentXml('vertical="top"')}`),
    xf(0, 0, 0, 164, alignmentXml('vertical="top"')),
    xf(0, 0, 0, 166, alignmentXml('vertical="top"')),
    xf(0, 0, 0, 165, alignmentXml('vertical="top" horizontal="left"')),
    xf(2, 0, 1, 49, alignmentXml('vertical="top"')),
    xf(2, 0, 1, 164, alignmentXml('vertical="top"')),
    xf(2, 0, 1, 166, alignmentXml('vertical="top"')),
    xf(3, 0, 0, 49, alignmentXml('vertical="center"')),
    xf(0, 0, 0, 49, alignmentXml('vertical="top" wrapText="1"')),
    xf(0, 0, 0, 49, alignmentXml('vertical="top" wrapText="1"')),
    xf(0, 0, 0, 164, alignmentXml('horizontal="left"')),
    xf(0, 0, 0, 166, alignmentXml('horizontal="left"')),
    xf(2, 0, 2, 49, alignmentXml('vertical="bottom"')),
    xf(1, 2, 0, 49, alignmentXml('vertical="center" horizontal="right" wrapText="1"')),
  ].join('') +
  '</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'

type NamedSheet = { name: string; file: string }

const workbookXml = (sheets: readonly NamedSheet[]) =>
  `<workbook xmlns="${NAMESPACE}" xmlns:r="${RELATIONS}"><bookViews><workbookView activeTab="0"/></bookViews><sheets>` +
  sheets
    .map(({ name }, index) => `<sheet name="${attribute(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`)
    .join('') +
  '</sheets></workbook>'

const relation = (id: string, type: string, target: string) =>
  `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'

const workbookRelations = (sheets: readonly NamedSheet[]) =>
  `<Relationships xmlns="${PACKAGE}/relationships">` +
  sheets.map(({ file }, index) => relation(`rId${index + 1}`, 'worksheet', `worksheets/${file}`)).join('') +
  `${relation('rIdStyles', 'styles', 'styles.xml')}</Relationships>`

const rootRelations = `<Relationships xmlns="${PACKAGE}/relationships">${relation('rId1', 'officeDocument', 'xl/workbook.xml')}</Relationships>`

const SPREADSHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const contentTypes = (sheets: readonly NamedSheet[]) =>
  `<Types xmlns="${PACKAGE}/content-types">` +
  '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
  '<Default Extension="xml" ContentType="application/xml"/>' +
  `<Override PartName="/xl/workbook.xml" ContentType="${SPREADSHEET}.sheet.main+xml"/>` +
  `<Override PartName="/xl/styles.xml" ContentType="${SPREADSHEET}.styles+xml"/>` +
  sheets
    .map(({ file }) => `<Override PartName="/xl/worksheets/${file}" ContentType="${SPREADSHEET}.worksheet+xml"/>`)
    .join('') +
  '</Types>'

const attribute = (text: string) => escapeXml(text).replace(/"/g, '&quot;')
