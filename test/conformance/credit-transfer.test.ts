import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { validateXML } from 'xmllint-wasm'
import { bankText, creditTransferFile, type Transfer } from '#domain/partners/credit-transfer.ts'
import { cents } from '#shared/money.ts'

const schema = readFileSync(new URL('published/pain.001.001.09.xsd', import.meta.url), 'utf8')

const about = {
  id: '0123456789abcdef0123456789abcdef',
  madeAt: new Date('2026-11-21T12:00:00Z'),
  day: '2026-11-22',
  from: { name: 'Pawtelier', iban: 'DE89370400440532013000', bic: null },
}

const errorsIn = async (xml: string) =>
  (
    await validateXML({
      xml: { fileName: 'file.xml', contents: xml },
      schema: { fileName: 'pain.xsd', contents: schema },
    })
  ).errors

test('a transfer file matches its published schema, for every partner name and every bank', async () => {
  const anyTransfer: fc.Arbitrary<Transfer> = fc.record({
    reference: fc.constantFrom('P-K7QM-4T2X', 'P-2222-3333'),
    amount: fc.integer({ min: 1, max: 100_000_000 }).map(cents),
    holder: fc.oneof(
      fc.string({ minLength: 1, maxLength: 120, unit: 'binary' }),
      fc.constantFrom('<b>&"\'', '//', '🐶'),
    ),
    to: fc.constantFrom(
      { iban: 'GB29NWBK60161331926819', bic: null },
      { iban: 'DE89370400440532013000', bic: 'COBADEFF' },
      { routingNumber: '021000021', accountNumber: '00012345678' },
    ),
  })
  const lists = fc.sample(fc.array(anyTransfer, { minLength: 1, maxLength: 40 }), 15)
  for (const transfers of lists) {
    const xml = creditTransferFile({ ...about, transfers })
    expect(await errorsIn(xml)).toEqual([])
    const total = transfers.reduce((all, { amount }) => all + amount, 0)
    const sums = [...xml.matchAll(/<NbOfTxs>(\d+)<\/NbOfTxs><CtrlSum>(\d+)\.(\d\d)<\/CtrlSum>/g)]
    expect(sums.map(([, count, dollars, rest]) => [Number(count), Number(`${dollars}${rest}`)])).toEqual([
      [transfers.length, total],
      [transfers.length, total],
    ])
    expect([...xml.matchAll(/<InstdAmt Ccy="USD">([\d.]+)</g)]).toHaveLength(transfers.length)
  }
})

test('the check finds what the schema does not allow', async () => {
  const xml = creditTransferFile({
    ...about,
    transfers: [
      { reference: 'P-1', amount: cents(100), holder: 'Rudy', to: { iban: 'GB29NWBK60161331926819', bic: null } },
    ],
  })
  expect(await errorsIn(xml.replace('<PmtMtd>TRF', '<PmtMtd>CASH'))).not.toEqual([])
  expect(await errorsIn(xml.replace('GB29NWBK60161331926819', 'gb29'))).not.toEqual([])
})

test.each([
  ['Łódź & Söhne GmbH', 'Lodz + Sohne GmbH'],
  ['Straße // 7\n<b>', 'Strasse / 7 .b.'],
  ['/Rudy/', 'Rudy'],
  ['犬', '.'],
])('%s is written for banks as %s', (text, written) => expect(bankText(text, 70)).toBe(written))
