import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT } from './files.ts'

/** Each breaks one rule of the architecture; the linter must report it. */
const violations: readonly [file: string, line: string, rule: string][] = [
  ['src/shared/a.ts', `import { x } from '#domain/x.ts'`, 'no-restricted-imports'],
  ['src/shared/b.ts', `import { readFileSync } from 'node:fs'`, 'no-restricted-imports'],
  ['src/words/a.ts', `import { x } from '#domain/x.ts'`, 'no-restricted-imports'],
  ['src/site/a.ts', `import { x } from '#contract/x.ts'`, 'no-restricted-imports'],
  ['src/domain/a.ts', `import { x } from '#contract/x.ts'`, 'no-restricted-imports'],
  ['src/domain/b.ts', `export const now = () => new Date()`, 'no-restricted-globals'],
  ['src/domain/c.ts', `export const chance = () => Math.random()`, 'no-restricted-properties'],
  ['src/contract/a.ts', `import { x } from '#server/x.ts'`, 'no-restricted-imports'],
  ['src/server/http/a.ts', `import { x } from '#web/x.tsx'`, 'no-restricted-imports'],
  ['src/server/http/b.ts', `import { x } from '#server/cart/cart.ts'`, 'no-restricted-imports'],
  ['src/server/cart/a.ts', `import { x } from '#server/checkout/checkout.ts'`, 'no-restricted-imports'],
  ['src/server/cart/b.ts', `import { x } from '#server/catalog/store.ts'`, 'no-restricted-imports'],
  ['src/server/cart/c.ts', `import { x } from '#sandbox/world.ts'`, 'no-restricted-imports'],
  ['src/server/cart/d.ts', `import { x } from '../../../test/house/files.ts'`, 'no-restricted-imports'],
  ['src/server/cart/e.ts', `import { x } from '../../domain/cart/cart.ts'`, 'no-restricted-imports'],
  ['src/server/cart/f.ts', `import { x } from '#server/catalog/schema.ts'`, 'no-restricted-imports'],
  ['src/server/orders/a.ts', `import { x } from '#server/payments/outcome-schema.ts'`, 'no-restricted-imports'],
  ['src/server/http/c.ts', `import { x } from '#server/settings/schema.ts'`, 'no-restricted-imports'],
  ['src/web/a.ts', `import { x } from '#server/x.ts'`, 'no-restricted-imports'],
  ['src/web/ui/a.ts', `import { x } from '#web/cart/use-cart.ts'`, 'no-restricted-imports'],
  ['src/web/b.ts', `export default 1`, 'no-default-export'],
  ['src/server/log/a.ts', `export const x = (a: any): string => a`, 'no-explicit-any'],
  ['src/server/log/b.ts', `export const x = (a?: string): string => a!`, 'no-non-null-assertion'],
]

/** Two files that import each other through their # names. */
const circle: readonly [file: string, text: string][] = [
  ['src/domain/one.ts', `import { two } from '#domain/two.ts'\nexport const one = () => two()\n`],
  ['src/domain/two.ts', `import { one } from '#domain/one.ts'\nexport const two = (): unknown => one()\n`],
]

/** Each uses the outside world in a room that must stay pure. */
const leaks = ['fetch', 'process', 'console', 'setTimeout', 'window']

const planted = mkdtempSync(join(tmpdir(), 'pawtelier-house-'))
let report = ''
let types = ''

function write(file: string, text: string): void {
  mkdirSync(dirname(join(planted, file)), { recursive: true })
  writeFileSync(join(planted, file), `${text}\n`)
}

beforeAll(() => {
  for (const file of ['package.json', '.oxlintrc.json', 'tsconfig.base.json', 'tsconfig.pure.json'])
    cpSync(join(ROOT, file), join(planted, file))
  for (const [file, line] of [...violations, ...circle]) write(file, line)
  for (const name of leaks) write(`src/domain/leak-${name}.ts`, `export const leak = ${name}`)
  report = spawnSync(join(ROOT, 'node_modules/.bin/oxlint'), ['-f', 'unix'], { cwd: planted, encoding: 'utf8' }).stdout
  types = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', 'tsconfig.pure.json', '--pretty', 'false'], {
    cwd: planted,
    encoding: 'utf8',
  }).stdout
})
afterAll(() => rmSync(planted, { recursive: true, force: true }))

test.each(violations)('the linter reports in %s: %s', (file, _line, rule) => {
  const complaint = report.split('\n').find((line) => line.startsWith(`${file}:`) && line.includes(`(${rule})`))
  expect(complaint, `${rule} in ${file}`).toBeDefined()
})

test('the linter reports a circular import', () => expect(report).toContain('(no-cycle)'))

test.each(leaks)('a pure room cannot use %s', (name) => {
  expect(types).toMatch(new RegExp(`leak-${name}\\.ts\\(1,\\d+\\): error TS2\\d+`))
})
