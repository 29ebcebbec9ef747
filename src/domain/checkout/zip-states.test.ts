import { expect, test } from 'vitest'
import { regionsOf } from './regions.ts'
import { zipDoubtOf, zipSentence } from './zip-states.ts'

const at = (state: string, zip: string, country = 'US') => {
  const doubt = zipDoubtOf({ line1: '', city: '', state, postal_code: zip, country })
  return doubt && zipSentence(doubt)
}

test.each([
  ['New York', '75001', 'This ZIP code looks like Texas, not New York.'],
  ['ny', '75001-1234', 'This ZIP code looks like Texas, not New York.'],
  ['CA', '10118', 'This ZIP code looks like New York, not California.'],
  ['TX', '06390', 'This ZIP code looks like New York or Connecticut, not Texas.'],
])('%s with ZIP code %s gets a hint', (state, zip, sentence) => expect(at(state, zip)).toBe(sentence))

/** A post office in each state, as the Postal Service lists them: capitals, and the offices across a line. */
const offices =
  'AL 36104, AK 99801, AZ 85007, AR 72201, CA 95814, CO 80203, CT 06103, DE 19901, DC 20001, FL 32301, GA 30303, GU 96910, HI 96813, ' +
  'ID 83702, IL 62701, IN 46204, IA 50309, KS 66603, KY 40601, LA 70802, ME 04330, MD 21401, MA 02201, MI 48933, MN 55102, MS 39205, ' +
  'MO 65101, MT 59623, NE 68502, NV 89701, NH 03301, NJ 08608, NM 87501, NY 12207, NC 27601, ND 58501, OH 43215, OK 73102, OR 97301, ' +
  'PA 17101, PR 00901, RI 02903, SC 29217, SD 57501, TN 37219, TX 78701, UT 84111, VT 05602, VA 23219, VI 00802, WA 98507, WV 25301, ' +
  'WI 53703, WY 82001, NY 06390, WY 83414, NY 00501, TX 88510, TX 73301, VA 20170, WY 83001, MA 05501'

test('every state accepts its own ZIP codes', () => {
  const states = new Set<string>()
  for (const [state = '', zip = ''] of offices.split(', ').map((office) => office.split(' '))) {
    expect(at(state, zip), `${state} ${zip}`).toBeUndefined()
    states.add(state)
  }
  expect(states).toEqual(new Set(regionsOf('US')?.map(({ code }) => code)))
})

test.each([
  ['NY', '', 'US'],
  ['', '75001', 'US'],
  ['NY', '7500', 'US'],
  ['Bavaria', '75001', 'US'],
  ['NY', '00000', 'US'],
  ['', '75001', 'FR'],
])('%o with ZIP code %o in %s gets no hint', (state, zip, country) => expect(at(state, zip, country)).toBeUndefined())
