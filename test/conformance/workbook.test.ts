import { buffer } from 'node:stream/consumers'
import { crc32, inflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { readXlsx } from 'hucre/xlsx'
import { expect, test } from 'vitest'
import { cents, decimalFromCents, sum } from '#shared/money.ts'
import { writeWorkbook, type Row, type Workbook } from '#server/files/workbook.ts'

const columns = [
  { title: 'Name', kind: 'text' },
  { title: 'Paid', kind: 'money', isSummed: true },
  { title: 'Pieces', kind: 'count', isSummed: true },
  { title: 'At', kind: 'moment' },
] as const

const at = new Date('2026-03-08T07:30:00Z')
const row = (name: string, paid = 1250, pieces = 1): Row => [name, cents(paid), pieces, at]

const book = (rows: Iterable<Row>): Workbook => ({
  title: 'A workbook',
  timeZone: 'America/New_York',
  cover: ([sales]) => [
    { label: 'Check sums' },
    { label: 'Rows', count: sales?.rows ?? 0 },
    { label: 'Paid', money: cents(sales?.sums.get('Paid') ?? 0) },
    { label: 'Made by', value: '=HYPERLINK("http://evil.example")' },
  ],
  sheets: [{ name: 'Sales', columns, rows }],
})

/** As an independent library reads it. */
async function readBack(rows: Iterable<Row>, rowsPerSheet?: number) {
  const { sheets } = await readXlsx(await buffer(writeWorkbook(book(rows), rowsPerSheet)), { readStyles: true })
  return sheets
}

test('another library reads the sheets, their frozen header row, the totals and the cover', async () => {
  const [cover, sales] = await readBack([row('Cap', 100, 1), row('Mug', 1_000_000_01, 2), row('Visor', -5, 3)])
  expect(cover?.name).toBe('Cover')
  expect(cover?.rows).toEqual([
    ['A workbook', null],
    [null, null],
    ['Check sums', null],
    ['Rows', 3],
    ['Paid', 1_000_000.96],
    ['Made by', '=HYPERLINK("http://evil.example")'],
  ])
  expect(sales?.freezePane).toMatchObject({ rows: 1, columns: 1 })
  expect(sales?.autoFilter?.range).toBe('A1:D4')
  expect(sales?.rows.map(([name, paid, pieces]) => [name, paid, pieces])).toEqual([
    ['Name', 'Paid', 'Pieces'],
    ['Cap', 1, 1],
    ['Mug', 1_000_000.01, 2],
    ['Visor', -0.05, 3],
    ['Total', 1_000_000.96, 6],
  ])
})

test('times are in the workbook’s time zone', async () => {
  const [, sales] = await readBack([row('Cap')])
  const cell = sales?.cells?.get('1,3')
  // Daylight saving time had started half an hour before.
  expect(cell?.value).toEqual(new Date('2026-03-08T03:30:00Z'))
  expect(cell?.style?.numFmt).toBe('yyyy-mm-dd hh:mm')
})

test('every amount is read as it was written (S64)', async () => {
  const amounts = [0, 1, 99, 100, 101, 9_999, 10_000, 1_000_000, -1, Number.MAX_SAFE_INTEGER - 1]
  const [, sales] = await readBack(amounts.slice(0, -1).map((amount) => row('x', amount)))
  expect(sales?.rows.slice(1, -1).map(([, paid]) => paid)).toEqual(
    amounts.slice(0, -1).map((amount) => Number(decimalFromCents(cents(amount)))),
  )
})

const hostile = [
  ...['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\0=1', '＝1', ';=1', '"=1"', ' =1', '|calc', '%1', '\u200B=1'],
  ...[
    '<b>&amp;</b>',
    ']]>',
    '_x0041_',
    '_x000D_',
    'a\r\nb',
    '  blanks  ',
    '\uFFFE',
    '\uFFFF',
    '\uD800',
    '𝔘𝔫𝔦',
    'é',
    '١٢',
  ],
]

test('no typed text becomes a formula, and all that can be written is read unchanged (S60)', async () => {
  const [cover, sales] = await readBack(hostile.map((name) => row(name)))
  const cells = [cover, sales].flatMap((sheet) => [...(sheet?.cells?.values() ?? [])])
  expect(cells.filter(({ formula }) => formula !== undefined)).toEqual([])
  const written = hostile.map((name) => name.replace(/[\0\uFFFE\uFFFF]|\p{Cs}/gu, '\uFFFD'))
  expect(sales?.rows.slice(1, -1).map(([name]) => String(name).replace(/_x000D_/g, '\r'))).toEqual(
    written.map((name) => name.replace(/_x000D_/g, '\r')),
  )
})

test('a text of 40,000 letters is cut at the limit of a cell, between characters', async () => {
  const [, sales] = await readBack([row('x'.repeat(40_000)), row('🐕'.repeat(20_000))])
  const [long, dogs] = (sales?.rows.slice(1, 3) ?? []).map(([name]) => String(name))
  expect(long).toHaveLength(32_767)
  expect(long?.endsWith('x…')).toBe(true)
  expect(dogs?.length).toBeLessThanOrEqual(32_767)
  expect(dogs?.isWellFormed()).toBe(true)
})

test('rows that exceed a sheet continue on the next, with one total below the last', async () => {
  const sheets = await readBack(
    Array.from({ length: 7 }, (_, index) => row(`n${index}`, 100)),
    3,
  )
  expect(sheets.map(({ name }) => name)).toEqual(['Cover', 'Sales', 'Sales 2', 'Sales 3'])
  expect(sheets.slice(1).map(({ rows }) => rows.map(([name]) => name))).toEqual([
    ['Name', 'n0', 'n1', 'n2'],
    ['Name', 'n3', 'n4', 'n5'],
    ['Name', 'n6', 'Total'],
  ])
  expect(sheets.at(-1)?.rows.at(-1)?.[1]).toBe(7)
})

test('a sheet without rows has a header row and a total of zero', async () => {
  const [, sales] = await readBack([])
  expect(sales?.rows.map(([name, paid]) => [name, paid])).toEqual([
    ['Name', 'Paid'],
    ['Total', 0],
  ])
})

test('any texts and amounts are read back unchanged, and so is their total', async () => {
  const rows = fc.array(fc.tuple(fc.string({ unit: 'binary' }), fc.integer({ min: -1e9, max: 1e9 })), { maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(rows, async (typed) => {
      const [, sales] = await readBack(typed.map(([name, paid]) => row(name, paid)))
      const total = sum(typed.map(([, paid]) => cents(paid)))
      expect(sales?.rows.at(-1)?.[1]).toBe(Number(decimalFromCents(total)))
      expect(sales?.rows.slice(1, -1).map((cells) => cells[1])).toEqual(
        typed.map(([, paid]) => Number(decimalFromCents(cents(paid)))),
      )
    }),
    { numRuns: 30 },
  )
})

/** The parts of an archive by its central directory, as a strict unpacker finds them: sizes and checksums must match. */
function unpacked(file: Buffer): Map<string, string> {
  const end = file.length - 22
  expect(file.readUInt32LE(end)).toBe(0x0605_4b50)
  const parts = new Map<string, string>()
  let at = file.readUInt32LE(end + 16)
  for (let left = file.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [crc, packed, size, nameLength] = [16, 20, 24, 28].map((place) => file.readUInt32LE(at + place))
    const name = file.toString('utf8', at + 46, at + 46 + ((nameLength ?? 0) & 0xffff))
    const start = file.readUInt32LE(at + 42)
    const bytes = start + 30 + file.readUInt16LE(start + 26)
    const content = inflateRawSync(file.subarray(bytes, bytes + (packed ?? 0)))
    expect([crc32(content), content.length], name).toEqual([crc, size])
    parts.set(name, content.toString('utf8'))
    at += 46 + Buffer.byteLength(name)
  }
  expect(at).toBe(end)
  return parts
}

/** Every element is closed by its own name, and every special character is escaped. */
function expectWellFormed(xml: string): void {
  const open: string[] = []
  const rest = xml
    .replace(/^<\?xml[^>]*\?>\n/, '')
    .replace(/<(\/?)([\w:]+)(?: [\w:]+="[^"<]*")*(\/?)>/g, (_, end, name, empty) => {
      if (end) expect(open.pop()).toBe(name)
      else if (!empty) open.push(name)
      return ''
    })
  expect(open).toEqual([])
  expect(rest.replace(/&(?:amp|lt|gt|quot);/g, '')).not.toMatch(/[<&]/)
}

test('the archive is complete, its parts are well-formed, and each is listed in the contents', async () => {
  const parts = unpacked(await buffer(writeWorkbook(book(hostile.map((name) => row(name))))))
  expect([...parts.keys()].toSorted()).toEqual([
    '[Content_Types].xml',
    '_rels/.rels',
    'xl/_rels/workbook.xml.rels',
    'xl/styles.xml',
    'xl/workbook.xml',
    'xl/worksheets/sheet1.xml',
    'xl/worksheets/sheet2.xml',
  ])
  for (const xml of parts.values()) expectWellFormed(xml)
  for (const name of [...parts.keys()].filter((one) => /^xl\/[^_].*xml$/.test(one)))
    expect(parts.get('[Content_Types].xml')).toContain(`PartName="/${name}"`)
})

test('a failing source fails the workbook: a partial file never looks complete', async () => {
  function* failing() {
    yield row('Cap')
    throw new Error('the database went away')
  }
  await expect(buffer(writeWorkbook(book(failing())))).rejects.toThrow('the database went away')
})

test('a hundred thousand rows are streamed and never in memory all at once (S63)', async () => {
  let made = 0
  function* rows(): Generator<Row> {
    while (made < 100_000) yield row(`Somebody with a long name ${(made += 1)}`, made, 1)
  }
  const before = process.memoryUsage()
  const written = writeWorkbook(book(rows()))[Symbol.asyncIterator]()
  await written.next()
  // The reader pauses: then only as much is written as fits into the buffer.
  for (let turn = 0; turn < 200; turn += 1) await new Promise((next) => setImmediate(next))
  expect(made).toBeLessThan(50_000)
  let most = 0
  for (let piece = await written.next(); !piece.done; piece = await written.next()) {
    const { heapUsed, arrayBuffers, external } = process.memoryUsage()
    most = Math.max(
      most,
      heapUsed - before.heapUsed + (arrayBuffers - before.arrayBuffers) + (external - before.external),
    )
  }
  expect(made).toBe(100_000)
  expect(most / 2 ** 20).toBeLessThan(300)
})
