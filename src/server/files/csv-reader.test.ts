import { expect, test } from 'vitest'
import { CsvMistake, readCsvRows } from './csv-reader.ts'

const read = async (bytes: Uint8Array | string) =>
  (await Array.fromAsync(readCsvRows(typeof bytes === 'string' ? Buffer.from(bytes) : bytes))).map(({ cells }) => cells)

test.each([
  ['a byte order mark', '\uFEFFName,Price\nCap,20'],
  ['semicolons, as Excel writes them in Europe', 'Name;Price\r\nCap;20\r\n'],
  ['tabs', 'Name\tPrice\nCap\t20\n'],
  ['UTF-16 of Excel’s Unicode text', Buffer.from('\uFEFFName\tPrice\nCap\t20\n', 'utf16le')],
  ['empty rows between', 'Name,Price\n\n,\nCap,20\n\n'],
])('a file with %s reads like any other', async (_, file) => {
  expect(await read(file)).toEqual([
    ['Name', 'Price'],
    ['Cap', '20'],
  ])
})

test('a file in Windows-1252 keeps its accents', async () => {
  expect(await read(Buffer.from('Name\nCaf\xe9 \x96 Ol\xe9', 'latin1'))).toEqual([['Name'], ['Café – Olé']])
})

test('quoted cells keep their lines, commas and quotes, and rows are counted as a spreadsheet does', async () => {
  const rows = await Array.fromAsync(readCsvRows(Buffer.from('Name,Text\nCap,"one, ""two""\nthree"\nMug,four')))
  expect(rows).toEqual([
    { row: 1, cells: ['Name', 'Text'] },
    { row: 2, cells: ['Cap', 'one, "two"\nthree'] },
    { row: 3, cells: ['Mug', 'four'] },
  ])
})

test.each([
  ['empty', ''],
  ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x22, 0x0a, 0x22, 0x41])],
  ['cut off within quotes', 'Name,Text\nCap,"never closed'],
  ['a single endless cell', `Name\n"${'x'.repeat(2 ** 20 + 10)}"`],
])('a file that is %s is refused with a sentence', async (_, file) => {
  await expect(read(file)).rejects.toThrow(CsvMistake)
})
