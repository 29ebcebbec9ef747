import { isUtf8 } from 'node:buffer'
import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'

/** A row of a CSV file. @property row its number as a spreadsheet shows it; the header is row 1 */
export type CsvRow = { row: number; cells: string[] }

/** The file is no CSV; the message says why, and where. */
export class CsvMistake extends Error {}

const CHUNK_BYTES = 64 * 1024
const RECORD_MAX_CHARS = 2 ** 20
const COLUMNS_MAX = 2000

/**
 * Rows as spreadsheets and other shops write them: separated by commas, semicolons or tabs; in UTF-8 or UTF-16 with or without a byte
 * order mark, or in Windows-1252, which Excel still writes. Reads a piece at a time, so the rows of a long file are never all in memory.
 * Empty rows are left out.
 * @throws CsvMistake
 */
export async function* readCsvRows(bytes: Uint8Array): AsyncGenerator<CsvRow> {
  const encoding = encodingOf(bytes)
  const delimiter = delimiterOf(new TextDecoder(encoding).decode(bytes.subarray(0, CHUNK_BYTES)))
  const parser = Readable.from(decode(bytes, encoding)).pipe(
    parse({ delimiter, relax_column_count: true, info: true, max_record_size: RECORD_MAX_CHARS }),
  )
  let isEmpty = true
  try {
    for await (const parsed of parser) {
      const { record, info } = parsed as { record: string[]; info: { records: number } }
      if (record.length > COLUMNS_MAX) throw new CsvMistake(`Row ${info.records} has more than ${COLUMNS_MAX} columns.`)
      if (record.every((cell) => cell.trim() === '')) continue
      isEmpty = false
      yield { row: info.records, cells: record }
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new CsvMistake(`This file is not a CSV file: ${error.message}`, { cause: error })
  }
  if (isEmpty) throw new CsvMistake('This file is empty.')
}

function encodingOf(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return isUtf8(bytes) ? 'utf-8' : 'windows-1252'
}

/** The sign that separates the most columns of the header. */
function delimiterOf(start: string): string {
  const [header = ''] = start.replace(/"[^"]*"/g, '').split(/[\r\n]/, 1)
  const count = (sign: string) => header.split(sign).length
  return [',', ';', '\t'].toSorted((a, b) => count(b) - count(a))[0] ?? ','
}

/** The decoder drops the byte order mark. */
function* decode(bytes: Uint8Array, encoding: string): Generator<string> {
  const decoder = new TextDecoder(encoding)
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
    yield decoder.decode(bytes.subarray(at, at + CHUNK_BYTES), { stream: true })
  yield decoder.decode()
}
