import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './files.ts'

// Words that are always wrong are flagged in cspell.json. This file has what takes more than a word to see.

const read = (patterns: string, isRead: (path: string) => boolean = () => true) =>
  globSync(patterns, { cwd: ROOT })
    .filter((path) => isRead(path) && path !== 'test/house/words.test.ts')
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))

const documents = read('{*.md,docs/**/*.md,deploy/**/*.{yml,yaml,json},pictures/README.md}')
const sources = read('{src,sandbox,tools,test,pictures}/**/*.{ts,tsx}')

type File = { path: string; text: string }

/** A phrase of a comment or a string may be broken over lines, each with its own comment marks. */
const onOneLine = (text: string) => text.replaceAll(/\n\s*(?:\*|\/\/)?\s*/g, ' ')

/** Translated phrases, each with what a native would say. */
const phrases = [
  [/\bstands? in for\b/i, 'replaces, is used for'],
  [/\b(?<!\] )of ours\b/i, 'our'],
  [/\bthat which\b/i, 'what'],
  [/\bat the moment (?:of|at which|when)\b/i, 'when'],
  [/\bthere (?:is|are|was|were) none\b/i, 'no orders, no products'],
  [/\b(?:a|one|each|every|this|that|the first|the last) mail\b/i, 'an email'],
  [/\bwhat is sold\b/i, 'the products'],
  [/\bput right\b/i, 'fixed'],
  [/\bwherever (?:it|they) (?:stand|lie)s?\b/i, 'everywhere'],
] as const

const phrasesIn = (files: readonly File[]): string[] =>
  files.flatMap(({ path, text }) =>
    phrases.flatMap(([phrase, better]) => {
      const found = phrase.exec(onOneLine(text))
      return found ? [`${path}: "${found[0]}"; better: ${better}`] : []
    }),
  )

test('documents, comments and screens are free of translated phrases', () => {
  expect(phrasesIn([...documents, ...sources])).toEqual([])
  const planted = [
    { path: 'docs/a.md', text: 'A job of ours stands in\nfor the answer.' },
    { path: 'src/web/a.tsx', text: '// A copy is sent in\n// a mail.' },
    { path: 'src/web/b.tsx', text: 'An email is sent.' },
  ]
  expect(phrasesIn(planted)).toHaveLength(3)
})

const cspell = (text: string) =>
  spawnSync(join(ROOT, 'node_modules/.bin/cspell'), ['stdin://docs/planted.md', '--no-progress', '--no-summary'], {
    cwd: ROOT,
    input: text,
    encoding: 'utf8',
  })

test('the linter refuses a British spelling, a misspelling and a banned word, each by its line', () => {
  const refused = cspell('The order is priced anew.\nIts colour is gray.\nThe shpo is open.\n')
  expect(refused.status).toBe(1)
  expect(refused.stdout.match(/:\d+:\d+ - .*?\)/g)).toHaveLength(3)
  expect(cspell('The order is priced again. Its color is gray. The shop is open.\n').status).toBe(0)
})

/** Where a partner is a creator, and nobody could mean anybody else. */
const ofCreators =
  /^src\/(?:web|server|domain)\/partners\/|^src\/web\/admin\/(?:Partner|Payouts)|^src\/contract\/(?:earnings|partners|partner-codes|payouts|payout-accounts)\.ts$|^src\/site\/partnership\.ts$/

const withoutComments = (text: string) => text.replaceAll(/\/\*.*?\*\/|(?<=^|\s)\/\/ .*?$/gms, '')
const withoutNames = (text: string) => text.replaceAll(/`[^`\n]*`/g, '')

/** @returns where Printful is called a partner */
const printerAsPartner = (files: readonly File[]): string[] =>
  files
    .filter(({ path }) => !ofCreators.test(path))
    .flatMap(({ path, text }) =>
      [
        ...text
          .replaceAll(/\s+/g, ' ')
          .matchAll(/\b(?:print|the|our|every) partner\b(?! portal| program| earns|’s own)|\bpartner cost/gi),
      ]
        // The word that events were stored with stays: it is a value, and pages say otherwise.
        .filter(({ index, input }) => !input.slice(0, index).endsWith("'unknown to "))
        .map(({ index, input }) => `${path}: ${input.slice(Math.max(0, index - 30), index + 30)}`),
    )

test('Printful is the printer wherever people read of it; a partner is a creator', () => {
  const people = [
    ...read('{src,sandbox,tools}/**/*.{ts,tsx}', (path) => !/\.test\.tsx?$/.test(path)).map(({ path, text }) => ({
      path,
      text: withoutComments(text),
    })),
    ...read('{*.md,docs/*.md,deploy/**/*.{yml,yaml,json},pictures/README.md}').map(({ path, text }) => ({
      path,
      text: withoutNames(text),
    })),
  ]
  expect(printerAsPartner(people)).toEqual([])
  const planted = [
    { path: 'src/web/orders/OrderPage.tsx', text: 'Your order is with the\n  partner.' },
    { path: 'docs/operations.md', text: 'The print partner takes it.' },
    { path: 'src/web/admin/PayoutsPage.tsx', text: 'The partner is paid.' },
  ]
  expect(printerAsPartner(planted)).toHaveLength(2)
})
