import type { Readable } from 'node:stream'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { assert } from '#shared/assert.ts'
import { cents, decimalFromCents, type Cents } from '#shared/money.ts'
import { DAY_MS } from '#shared/time.ts'
import { wallClockMs, type TimeZone } from '#shared/time-zone.ts'
import { zip, type ZipEntry } from './zip.ts'

/** `moment` is shown in the workbook's time zone. */
type ColumnKind = 'text' | 'money' | 'count' | 'moment'

export type Column = {
  title: string
  kind: ColumnKind
  /** In characters. */
  width?: number
  /** Shows its sum in the totals row; only for `money` and `count`. */
  isSummed?: boolean
}

/** One value per column, of its kind; null leaves the cell empty. */
export type Row = readonly (string | number | Cents | Date | null)[]

export type Sheet = {
  /** Unique, at most 31 characters, without `[]:*?/\`. */
  name: string
  columns: readonly Column[]
  rows: Iterable<Row> | AsyncIterable<Row>
}

/** A written sheet's totals: sums by column title. */
export type SheetTotals = { name: string; rows: number; sums: ReadonlyMap<string, number> }

export type CoverLine = { label: string; value?: string; money?: Cents; count?: number }

export type Workbook = {
  title: string
  timeZone: TimeZone
  /** The first sheet. It is written last, because it may show the other sheets' totals. */
  cover: (totals: readonly SheetTotals[]) => readonly CoverLine[] | Promise<readonly CoverLine[]>
  sheets: readonly Sheet[]
}

export const WORKBOOK_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** Excel's limit for text in a cell. */
const TEXT_LIMIT = 32_767
/** Excel's limit is 1,048,576 rows; further rows continue on another sheet. */
const ROWS_PER_SHEET = 1_000_000
const CHUNK_BYTES = 4 * 1024
/** If other work ran longer than BUSY_MS between two chunks, the workbook pauses for REST_MS. */
const BUSY_MS = 1
const REST_MS = 10
const LINE_POINTS = 15
/** In characters. */
const COVER_WIDTHS = [46, 90] as const
/** Excel's day 0, December 30, 1899, in days since 1970. */
const FIRST_DAY = -25_569

const NAMESPACE = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

/**
 * An Excel workbook as a stream: rows are read as bytes are consumed, and only sums stay in memory. Text cells are never formulas,
 * whatever a customer typed. Amounts are written as exact decimals.
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

/** An iterator over rows that can peek at the next one. */
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

/** Lets other requests run between chunks: shoppers go first. */
async function yieldToEventLoop(): Promise<void> {
  const yieldedAt = performance.now()
  await setImmediate()
  if (performance.now() - yieldedAt > BUSY_MS) await setTimeout(REST_MS)
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
    if (value !== undefined) cells.push(textCell(`B${at}`, value, styles.value))
    if (money !== undefined) cells.push(numberCell(`B${at}`, decimalFromCents(money), styles.valueMoney))
    if (count !== undefined) cells.push(numberCell(`B${at}`, String(count), styles.valueCount))
    const lines = Math.ceil(Math.max(label.length / COVER_WIDTHS[0], (value ?? '').length / COVER_WIDTHS[1], 1))
    yield rowXml(at, cells, isSection ? 2 : lines)
  }
  yield `</sheetData>${page}</worksheet>`
}

/** Prints in landscape, one page wide. */
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

/** @param lines of the wrapped text; not every program computes the height itself */
const rowXml = (at: number, cells: readonly string[], lines = 1) =>
  `<row r="${at}"${lines > 1 ? ` ht="${lines * LINE_POINTS}" customHeight="1"` : ''}>${cells.join('')}</row>`

const widths: Record<ColumnKind, number> = { text: 22, money: 14, count: 10, moment: 17 }
const widthOf = ({ kind, width, title }: Column) => width ?? Math.max(widths[kind], title.length + 4)

/** `A` to `Z`, `AA` …, by column index. */
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

/** Excel's serial date: days since `FIRST_DAY`, in the zone's local time. */
function serialOf(value: Row[number], zone: TimeZone): string {
  assert(value instanceof Date, 'a moment is a Date')
  return String(wallClockMs(value.getTime(), zone) / DAY_MS - FIRST_DAY)
}

const numberCell = (ref: string, digits: string, style: number) => `<c r="${ref}" s="${style}"><v>${digits}</v></c>`

/** Whether a spreadsheet would treat the text as a formula once somebody edits the cell. */
const isFormulaLike = (text: string) =>
  /^[\s\u200B-\u200F\uFEFF]*[=+\-@＝＋－＠;|%"]/u.test(text) || /^[\t\r\n]/.test(text)

function textCell(ref: string, text: string, style?: number): string {
  const cellStyle = style ?? (!PLAIN.test(text) && isFormulaLike(text) ? styles.quoted : styles.text)
  return `<c r="${ref}" t="inlineStr" s="${cellStyle}"><is><t xml:space="preserve">${escapeXml(text)}</t></is></c>`
}

/** Characters that XML does not allow: most control characters, lone surrogates, U+FFFE and U+FFFF. */
// oxlint-disable-next-line no-control-regex
const UNWRITABLE = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Cs}/gu

/** The fast path for most texts: nothing to escape. */
const PLAIN = /^[A-Za-z0-9][A-Za-z0-9 .,:@'()/-]*$/

function escapeXml(text: string): string {
  if (PLAIN.test(text) && text.length <= TEXT_LIMIT) return text
  const whole = text.replace(UNWRITABLE, '\uFFFD')
  // Never cut a surrogate pair in half.
  const cut = whole.length > TEXT_LIMIT ? `${whole.slice(0, TEXT_LIMIT - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : whole
  return (
    cut
      .replace(/&/g, '&amp;')
      .replace(/</g, '&lt;')
      .replace(/>/g, '&gt;')
      // Excel reads `_x0041_` as the letter A (ECMA-376, 22.9.2.19). A carriage return, which XML would lose, is written that way.
      .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
      .replace(/\r/g, '_x000D_')
  )
}

/** Indexes in `cellXfs` below. */
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
  value: 11,
  valueMoney: 12,
  valueCount: 13,
  section: 14,
  numberHead: 15,
} as const

// `_)` adds a space as wide as a parenthesis, which keeps numbers away from the next column's text.
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
