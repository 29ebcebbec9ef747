import { parseAddress } from '#domain/catalog/redirects.ts'
import { CellProblem, requiredLine, type Row } from './cells.ts'
import { createRowReader, type Reader, type Sink } from './reader.ts'

export type RedirectField = 'from' | 'to' | 'regex' | 'type' | 'status'

/** Old addresses, as paths; where they lead may also be an address of the former shop. */
export function createRedirectReader(
  rowOf: (row: number, cells: readonly string[]) => Row<RedirectField>,
  sink: Sink,
): Reader {
  const seen = new Set<string>()
  return createRowReader(rowOf, sink, (row) => {
    if (!['', '0', 'false'].includes(row.text('regex').toLowerCase()))
      throw new CellProblem(row.title('regex'), 'This redirect is a pattern. We take single addresses only.')
    if (!['', 'url'].includes(row.text('type').toLowerCase()))
      throw new CellProblem(row.title('type'), 'This redirect depends on more than the address.')
    if (row.text('status').toLowerCase() === 'disabled')
      throw new CellProblem(row.title('status'), 'This redirect was turned off.')
    const from = parseAddress(requiredLine(row, 'from', 2000))?.path
    if (from === undefined || from === '/')
      throw new CellProblem(row.title('from'), 'This is not the address of a page, such as /products/cap.')
    if (seen.has(from)) throw new CellProblem(row.title('from'), 'This address appears more than once in the file.')
    seen.add(from)
    const to = requiredLine(row, 'to', 2000)
    if (!parseAddress(to))
      throw new CellProblem(row.title('to'), 'This is not the address of a page, such as /products/cap.')
    return { kind: 'redirects', value: { row: row.number, from, to } }
  })
}
