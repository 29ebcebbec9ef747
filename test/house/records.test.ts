import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT, sources } from './files.ts'

type DecisionRecord = { number: string; path: string; text: string }

const records: readonly DecisionRecord[] = sources('docs/decisions/*.md').map(({ path, text }) => ({
  number: /(\d{4})-[a-z0-9-]+\.md$/.exec(path)?.[1] ?? '',
  path,
  text,
}))

const HEAD = /^# .+\n\n- Date: \d{4}-\d\d-\d\d\n- Status: .+\n\n## Context\n/
const PARTS = ['Context', 'Decision', 'Consequences']

/** Other records that a status names, such as `amended by 0053`. */
const linksOf = ({ text }: DecisionRecord, verb: RegExp): string[] => {
  const status = /^- Status: (.+)$/m.exec(text)?.[1] ?? ''
  return status
    .split(';')
    .filter((clause) => verb.test(clause))
    .flatMap((clause) => clause.match(/\b\d{4}\b/g) ?? [])
}

/** @returns `0031 amends 0016` for each change between two records, whichever of them names it */
const changes = (all: readonly DecisionRecord[], passive: boolean): string[] =>
  all
    .flatMap((record) => [
      ...linksOf(record, passive ? /amended by/ : /amends/).map((other) => ['amends', record.number, other] as const),
      ...linksOf(record, passive ? /superseded by/ : /supersedes/).map(
        (other) => ['supersedes', record.number, other] as const,
      ),
    ])
    .map(([verb, own, other]) => (passive ? `${other} ${verb} ${own}` : `${own} ${verb} ${other}`))
    .toSorted()

test('every decision record has a number of its own, a date, a status, a context, a decision and consequences', () => {
  expect(records.length).toBeGreaterThan(50)
  expect(records.map(({ number }) => Number(number))).toEqual(records.map((_, index) => index + 1))
  for (const { path, text } of records) {
    expect(text, path).toMatch(HEAD)
    expect(
      [...text.matchAll(/^## (.+)$/gm)].map(([, title]) => title),
      path,
    ).toEqual(PARTS)
  }
})

test('a record that a later one changed names it, and the later one names the earlier', () => {
  expect(changes(records, false).length).toBeGreaterThan(5)
  expect(changes(records, true)).toEqual(changes(records, false))
  const oneSided: DecisionRecord = { number: '9999', path: '', text: '- Status: accepted; amends 0001' }
  expect(changes([oneSided], true)).not.toEqual(changes([oneSided], false))
})

test('documents and comments refer to decision records that exist, by file or by number', () => {
  const files = sources('{*.md,docs/**/*.md,{src,sandbox,test,tools}/**/*.{ts,tsx}}')
  const named = files.flatMap(({ path, text }) =>
    [...text.matchAll(/\bdecisions\/(\d{4}[a-z0-9-]*)|\b(?:decision|record)s? (\d{4})\b/gi)].map(
      ([, file, number]) => ({
        path,
        record: file ?? number ?? '',
      }),
    ),
  )
  const isKnown = (record: string) =>
    records.some(({ path, number }) => record === number || path === `docs/decisions/${record}.md`)
  expect(named.length).toBeGreaterThan(3)
  expect(named.filter(({ record }) => !isKnown(record))).toEqual([])
  expect(isKnown('9999')).toBe(false)
})

test('documents name files that exist', () => {
  const current = sources('*.md', 'docs/**/*.md').filter(({ text }) => !/^- Status: superseded by/m.test(text))
  const named = current.flatMap(({ path, text }) =>
    [...text.matchAll(/`((?:docs|pictures|sandbox|src|test|tools)\/[\w./-]+)`/g)].map(([, file = '']) => ({
      path,
      file,
    })),
  )
  expect(named.length).toBeGreaterThan(40)
  expect(named.filter(({ file }) => !existsSync(join(ROOT, file)))).toEqual([])
})
