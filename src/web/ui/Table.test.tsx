import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { sortRows } from './sorting.ts'
import { Table } from './Table.tsx'

type Sale = { name: string; orders: number; revenue: number | null }

const sales: readonly Sale[] = [
  { name: 'Order 10', orders: 2, revenue: null },
  { name: 'order 9', orders: 7, revenue: 300 },
  { name: 'Ärmel', orders: 2, revenue: -5 },
]
const names = (rows: readonly Sale[]) => rows.map(({ name }) => name)

test('numbers are sorted as numbers, and texts as people do', () => {
  expect(names(sortRows(sales, ({ orders }) => orders, 'ascending'))).toEqual(['Order 10', 'Ärmel', 'order 9'])
  expect(names(sortRows(sales, ({ name }) => name, 'ascending'))).toEqual(['Ärmel', 'order 9', 'Order 10'])
})

test('what has no value stands last, whichever way one sorts', () => {
  expect(names(sortRows(sales, ({ revenue }) => revenue, 'ascending'))).toEqual(['Ärmel', 'order 9', 'Order 10'])
  expect(names(sortRows(sales, ({ revenue }) => revenue, 'descending'))).toEqual(['order 9', 'Ärmel', 'Order 10'])
})

const drawn = (rows: readonly Sale[]) =>
  renderToString(
    <Table
      caption="Revenue by collection"
      columns={[
        { key: 'name', title: 'Name', cell: ({ name }) => name, sortBy: ({ name }) => name },
        { key: 'orders', title: 'Orders', cell: ({ orders }) => orders, isNumber: true, total: 11 },
      ]}
      rows={rows}
      keyOf={({ name }) => name}
      totalTitle="All"
      sorting={{ key: 'name', direction: 'ascending' }}
      empty="No orders in these days."
    />,
  )

test('without script a table is whole: named, sorted, with a head, names of rows and totals', () => {
  const html = drawn(sales)
  const id = /role="region" aria-labelledby="([^"]+)" tabindex="0"/i.exec(html)?.[1]
  expect(html).toContain(`<caption id="${id}"`)
  expect(html).toMatch(/<th scope="col"[^>]* aria-sort="ascending"[^>]*>.*?Name/)
  expect([...html.matchAll(/<th scope="row"[^>]*>(.*?)<\/th>/g)].map(([, name]) => name)).toEqual([
    'Ärmel',
    'order 9',
    'Order 10',
    'All',
  ])
  expect(html).toMatch(/<tfoot.*<td[^>]* class="[^"]*text-right tabular-nums[^"]*">11<\/td>/)
})

test('a table without rows says so in place of them, and neither adds up nor sorts', () => {
  const html = drawn([])
  expect(html).toMatch(/<td[^>]* colSpan="2"/)
  expect(html).toContain('No orders in these days.')
  expect(html).not.toContain('<tfoot')
  expect(html).not.toContain('<button')
})

test('a table that stacks keeps its roles, and each cell has its column’s name beside it but for buttons', () => {
  const html = renderToString(
    <Table
      caption="Orders"
      columns={[
        { key: 'name', title: 'Name', cell: ({ name }) => name },
        { key: 'orders', title: 'Pieces', cell: ({ orders }) => orders },
        { key: 'change', title: 'Change', cell: () => <button type="button">Change</button>, isAction: true },
      ]}
      rows={sales.slice(0, 1)}
      keyOf={({ name }) => name}
      empty="None."
      stacks
    />,
  )
  const named = (role: string) => html.split(`role="${role}"`).length - 1
  expect(['table', 'row', 'columnheader', 'rowheader', 'cell'].map(named)).toEqual([1, 2, 3, 1, 2])
  expect(html).toContain('data-cards="true"')
  expect([...html.matchAll(/data-title="([^"]*)"/g)].map(([, title]) => title)).toEqual(['Pieces'])
})
