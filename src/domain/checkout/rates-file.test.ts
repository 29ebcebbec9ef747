import { describe, expect, test } from 'vitest'
import { readRatesFile } from './rates-file.ts'

const XML = `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
	<gesmes:subject>Reference rates</gesmes:subject>
	<Cube>
		<Cube time='2026-11-23'>
			<Cube currency='USD' rate='1.2500'/>
			<Cube currency='JPY' rate='180.00'/>
			<Cube currency='ZAR' rate='21.1'/>
			<Cube currency='GBP' rate='0.87500'/>
		</Cube>
		<Cube time='2026-11-20'><Cube currency='USD' rate='1.1'/></Cube>
	</Cube>
</gesmes:Envelope>`

const day = '2026-11-23'
const read = [
  { currency: 'EUR', perDollar: 0.8, day },
  { currency: 'JPY', perDollar: 144, day },
  { currency: 'GBP', perDollar: 0.7, day },
]

describe('rates are read', () => {
  test.each([
    ['the bank’s XML', XML],
    ['the bank’s CSV', 'Date, USD, JPY, ZAR, GBP, \n23 November 2026, 1.2500, 180.00, 21.1, 0.87500, \n'],
    ['the bank’s time series', 'Date,USD,JPY,GBP,CAD,\r\n2026-11-23,1.25,180,0.875,N/A,\r\n2026-11-20,1.1,1,1,1,\r\n'],
    ['a table', '\uFEFFcurrency,rate,date\nEUR,0.8,2026-11-23\njpy,144,2026-11-23\nGBP,0.7,2026-11-23\n'],
    ['a spreadsheet’s table', 'Date;Currency;Rate\r\n2026-11-23;"EUR";0.8\r\n2026-11-23;JPY;144\r\n2026-11-23;GBP;0.7'],
  ])('from %s', (_, text) => {
    expect(readRatesFile(text)).toEqual({ rates: read })
  })
})

test.each([
  ['', 'neither'],
  ['name,price\nMug,3', 'neither'],
  ['currency,rate,date', 'neither'],
  ['<html><body>Not found</body></html>', 'neither'],
  ['Date, USD, JPY\n31 Brumaire 2026, 1.25, 180', '‘31 Brumaire 2026’ is no day.'],
  ['Date, USD, JPY\n23 November 2026, , 180', 'The rate of the US dollar is missing.'],
  ['Date, USD, JPY\n23 November 2026, 1.25, -180', 'The rate of JPY is no number above 0: ‘-180’.'],
  [XML.replace('180.00', '1e3'), 'The rate of JPY is no number above 0: ‘1e3’.'],
  ['currency,rate,date\nEUR,0.8,2026-11-23\nXXX,1,2026-11-23', 'Row 3: ‘XXX’ is no currency of a country'],
  ['currency,rate,date\nEUR,0,2026-11-23', 'Row 2: ‘0’ is no number above 0.'],
  ['currency,rate,date\nEUR,200000,2026-11-23', 'Row 2: ‘200000’ is no number above 0.'],
  ['currency,rate,date\nEUR,0.8,2026-02-30', 'Row 2: ‘2026-02-30’ is no day'],
  ['currency,rate,date\nEUR,0.8,2026-11-23\neur,0.9,2026-11-23', 'Row 3: EUR is there twice.'],
])('a mistake is named, and nothing is read: %j', (text, sentence) => {
  expect(readRatesFile(text)).toEqual({ problem: expect.stringContaining(sentence) })
})
