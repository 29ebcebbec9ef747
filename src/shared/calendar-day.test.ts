import { expect, test } from 'vitest'
import { formatDates, spokenDates } from './calendar-day.ts'
import { inLanguage } from './language.ts'

test.each([
  ['2026-12-03', '2026-12-09', 'Dec 3–9', 'Dec 3 to 9'],
  ['2026-12-28', '2027-01-04', 'Dec 28–Jan 4', 'Dec 28 to Jan 4'],
  ['2026-12-03', '2026-12-03', 'Dec 3', 'Dec 3'],
])('%s to %s is shown as %s and said as %s', (from, to, shown, said) => {
  expect([formatDates({ from, to }), spokenDates({ from, to })]).toEqual([shown, said])
})

test.each([
  ['de', '3.–9. Dez.', '3. bis 9. Dez.'],
  ['ja', '12月3日～12月9日', '12月3日から12月9日'],
] as const)('in %s', (language, shown, said) => {
  const dates = { from: '2026-12-03', to: '2026-12-09' }
  const between = { de: ' bis ', ja: 'から' }[language]
  expect(inLanguage(language, () => formatDates(dates))).toBe(shown)
  expect(inLanguage(language, () => spokenDates(dates, between))).toBe(said)
})
