import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { isoOfDay } from '#shared/calendar-day.ts'
import { cents } from '#shared/money.ts'
import { SalesChart } from './SalesChart.tsx'

const FIRST_DAY = 20_000

const stepsOf = (days: number) =>
  Array.from({ length: days }, (_, index) => {
    const day = isoOfDay(FIRST_DAY + index)
    return { from: day, to: day, orders: index + 1, revenue: cents(100 * (index + 1)), tax: cents(0) }
  })

test.each([1, 2, 7, 12, 31, 180])('with %i days, each label stands under the middle of a bar', (days) => {
  const html = renderToStaticMarkup(<SalesChart steps={stepsOf(days)} />)
  const width = Number(/viewBox="0 0 ([\d.]+)/.exec(html)?.[1])
  const middles = [...html.matchAll(/<rect x="([\d.]+)" y="[\d.]+" width="([\d.]+)"/g)].map(
    ([, x, bar]) => (Number(x) + Number(bar) / 2) / width,
  )
  const labels = [...html.matchAll(/left:calc\(100% \* ([\d.]+)\)/g)].map(([, left]) => Number(left))
  expect(middles).toHaveLength(days)
  expect(labels.length).toBe(Math.ceil(days / Math.ceil(days / 6)))
  for (const label of labels)
    expect(Math.min(...middles.map((middle) => Math.abs(middle - label)))).toBeLessThan(0.0001)
})
