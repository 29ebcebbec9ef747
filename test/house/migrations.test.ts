import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ROOT } from './files.ts'

// While instances are replaced one by one, the old version runs on the database that the new one has migrated
// (docs/operations.md, Upgrading). So a migration only adds; a later release removes what is no longer needed.

/** The first one creates the schema in an empty database. */
const FIRST_JUDGED = 1
/** The comment before a statement that removes what the previous release has stopped using. */
const CONTRACTS = /^-- nobody uses it since \d{4}/m

const breaking: readonly [why: string, pattern: RegExp][] = [
  ['takes something away', /\bdrop\s+(?:table|column|view|type|schema|sequence)\b/i],
  ['renames what the old version asks for', /\brename\s+(?:to|column|constraint)\b/i],
  ['changes a type under the old version', /\balter\s+column\s+\S+\s+(?:set\s+data\s+)?type\b/i],
  ['insists on a value that the old version does not write', /\balter\s+column\s+\S+\s+set\s+not\s+null\b/i],
  [
    'insists on a value that the old version does not write',
    /\badd\s+column\b(?:(?!\bdefault\b|\bgenerated\b)[^,;])*\bnot\s+null\b(?!.*\b(?:default|generated)\b)/i,
  ],
  ['loses rows', /^\s*(?:truncate|delete\s+from)\b/i],
]

function breaksIn(sql: string): string[] {
  return sql.split('--> statement-breakpoint').flatMap((statement) => {
    if (CONTRACTS.test(statement)) return []
    const bare = statement.replaceAll(/^--.*$/gm, '')
    return breaking.flatMap(([why, pattern]) => (pattern.test(bare) ? [why] : []))
  })
}

test('the old version of the shop keeps working after a migration', () => {
  const judged = globSync('src/server/db/migrations/*.sql', { cwd: ROOT }).filter(
    (path) => Number(/(\d{4})_/.exec(path)?.[1]) >= FIRST_JUDGED,
  )
  const broken = judged.flatMap((path) =>
    breaksIn(readFileSync(`${ROOT}/${path}`, 'utf8')).map((why) => `${path}: ${why}`),
  )
  expect(broken).toEqual([])
})

test.each([
  'DROP TABLE "mail"',
  'ALTER TABLE "mail" DROP COLUMN "kind"',
  'ALTER TABLE "mail" RENAME COLUMN "kind" TO "sort"',
  'ALTER TABLE "mail" RENAME TO "letter"',
  'ALTER TABLE "mail" ALTER COLUMN "kind" SET DATA TYPE integer',
  'ALTER TABLE "mail" ALTER COLUMN "kind" SET NOT NULL',
  'ALTER TABLE "mail" ADD COLUMN "weight" integer NOT NULL',
  'DELETE FROM mail',
  'TRUNCATE mail',
])('a migration with %s is refused', (statement) => {
  expect(breaksIn(`CREATE TABLE "x" ();\n--> statement-breakpoint\n${statement};`)).toHaveLength(1)
})

test.each([
  'ALTER TABLE "mail" ADD COLUMN "weight" integer',
  'ALTER TABLE "mail" ADD COLUMN "weight" integer DEFAULT 0 NOT NULL',
  'CREATE TABLE "x" ("a" text NOT NULL)',
  'CREATE TRIGGER t AFTER INSERT OR DELETE OR TRUNCATE ON mail FOR EACH STATEMENT EXECUTE FUNCTION f()',
  '-- nobody uses it since 0041\nALTER TABLE "mail" DROP COLUMN "kind"',
])('a migration with %s is allowed', (statement) => expect(breaksIn(statement)).toEqual([]))
