import { expect, test } from 'vitest'
import { sources } from './files.ts'

/** Each table's owner, a folder of the server, by the table's name in SQL. */
const owners = new Map(
  sources('src/server/*/*schema.ts').flatMap(({ path, text }) =>
    [...text.matchAll(/pgTable\(\s*'(\w+)'/g)].map(([, table = '']) => [table, roomOf(path)] as const),
  ),
)

function roomOf(path: string): string {
  return path.split('/')[2] ?? ''
}

/** Tables of other rooms that SQL text writes; the linter sees only imports. */
const foreignWritesIn = (path: string, text: string): string[] =>
  [...text.matchAll(/\b(?:insert\s+into|update|delete\s+from)\s+"?(\w+)/gi)].flatMap(([, table = '']) => {
    const owner = owners.get(table.toLowerCase())
    return owner === undefined || owner === roomOf(path) ? [] : [`${path} writes ${table} of ${owner}`]
  })

test('SQL text writes only the tables of its own area', () => {
  expect(owners.size).toBeGreaterThan(60)
  expect(foreignWritesIn('src/server/cart/a.ts', 'sql`update shop_order set id = 1`')).toHaveLength(1)
  // A restore fills every table.
  const found = sources('src/server/**/*.ts').filter(({ path }) => path !== 'src/server/db/backup.ts')
  expect(found.flatMap(({ path, text }) => foreignWritesIn(path, text))).toEqual([])
})
