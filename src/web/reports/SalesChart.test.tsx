import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { isoOfDay } from '#shared/calendar-day.ts'
import { cents, type Cents } from '#shared/money.ts'
import { SalesChart } from './SalesChart.tsx'

const FIRST_DAY = 20_000

const stepsOf = (days: number, revenueBefore: (index: number) => Cents | null = () => null) =>
  Array.from({ length: days }, (_, index) => {
    const day = isoOfDay(FIRST_DAY + index)
    return {
      from: day,
      to: day,
      orders: index + 1,
      revenue: cents(100 * (index + 1)),
      tax: cents(0),
      revenueBefore: revenueBefore(index),
    }
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

test('the period before is a line within the chart, over the same days, and a column of the table', () => {
  const html = renderToStaticMarkup(<SalesChart steps={stepsOf(7, (index) => cents(300 * (index + 1)))} />)
  const width = Number(/viewBox="0 0 ([\d.]+)/.exec(html)?.[1])
  const points = (/<polyline points="([^"]+)"/.exec(html)?.[1] ?? '')
    .split(' ')
    .map((point) => point.split(',').map(Number))
  expect(points.map(([x = 0]) => x / width)).toEqual(Array.from({ length: 7 }, (_, day) => (day + 0.5) / 7))
  const heights = points.map(([, y = -1]) => y)
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(0)
  expect(heights).toEqual(heights.toSorted((a, b) => b - a))
  expect(html).toContain('Revenue before')
  expect(html).toContain('$21.00')

  const alone = renderToStaticMarkup(<SalesChart steps={stepsOf(7)} />)
  expect(alone).not.toContain('<polyline')
  expect(alone).not.toContain('Revenue before')
})
