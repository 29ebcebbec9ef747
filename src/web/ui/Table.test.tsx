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

test('numbers sort as numbers, and text alphabetically with numbers in order', () => {
  expect(names(sortRows(sales, ({ orders }) => orders, 'ascending'))).toEqual(['Order 10', 'Ärmel', 'order 9'])
  expect(names(sortRows(sales, ({ name }) => name, 'ascending'))).toEqual(['Ärmel', 'order 9', 'Order 10'])
})

test('rows without a value come last in both directions', () => {
  expect(names(sortRows(sales, ({ revenue }) => revenue, 'ascending'))).toEqual(['Ärmel', 'order 9', 'Order 10'])
  expect(names(sortRows(sales, ({ revenue }) => revenue, 'descending'))).toEqual(['order 9', 'Ärmel', 'Order 10'])
})

const render = (rows: readonly Sale[]) =>
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
      empty="No orders in this period."
    />,
  )

test('a table works without script: named and sorted, with headers, row names and totals', () => {
  const html = render(sales)
  const id = /role="region" aria-labelledby="([^"]+)" tabindex="0"/i.exec(html)?.[1]
  expect(html).toContain(`<caption id="${id}"`)
  expect(html).toMatch(/<th scope="col"[^>]* aria-sort="ascending"[^>]*>.*?Name/)
  expect([...html.matchAll(/<th scope="row"[^>]*>(.*?)<\/th>/g)].map(([, name]) => name)).toEqual([
    'Ärmel',
    'order 9',
    'Order 10',
    'All',
  ])
  expect(html).toMatch(/<tfoot.*<td[^>]* class="[^"]*text-right[^"]*">11<\/td>/)
})

test('an empty table shows its message, without totals or sort buttons', () => {
  const html = render([])
  expect(html).toMatch(/<td[^>]* colSpan="2"/)
  expect(html).toContain('No orders in this period.')
  expect(html).not.toContain('<tfoot')
  expect(html).not.toContain('<button')
})

test('a stacked table keeps its roles, and names the column beside every cell except buttons', () => {
  const html = renderToString(
    <Table
      caption="Orders"
      columns={[
        { key: 'name', title: 'Name', cell: ({ name }) => name },
        { key: 'orders', title: 'Qty', cell: ({ orders }) => orders },
        { key: 'change', title: 'Change', cell: () => <button type="button">Change</button>, isAction: true },
      ]}
      rows={sales.slice(0, 1)}
      keyOf={({ name }) => name}
      empty="None."
      stacks
    />,
  )
  const countOf = (role: string) => html.split(`role="${role}"`).length - 1
  expect(['table', 'row', 'columnheader', 'rowheader', 'cell'].map(countOf)).toEqual([1, 2, 3, 1, 2])
  expect(html).toContain('data-cards="true"')
  expect([...html.matchAll(/data-title="([^"]*)"/g)].map(([, title]) => title)).toEqual(['Qty'])
})
