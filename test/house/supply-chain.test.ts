import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { filesById } from '../../tools/named-tests.ts'
import { isAllowed, lockedPackages } from '../../tools/attacks/packages.ts'
import { attacks } from '../../tools/attacks/rows.ts'
import { historyByCommit, secretsIn } from '../../tools/attacks/secrets.ts'
import { ROOT } from './files.ts'

const packages = lockedPackages()
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

test('every package comes from the registry, in one version, with a digest (S89)', () => {
  expect(packages.length).toBeGreaterThan(100)
  expect(
    packages.filter(({ integrity, resolved }) => !integrity?.startsWith('sha512-') || resolved !== undefined),
  ).toEqual([])
  const { dependencies, devDependencies, optionalDependencies, overrides } = JSON.parse(read('package.json')) as Record<
    string,
    Record<string, string>
  >
  const wanted = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies, ...overrides })
  expect(wanted.filter(([, version]) => !/^(?:npm:[\w-]+@)?\d+\.\d+\.\d+$/.test(version))).toEqual([])
})

test('no package needs to run a script during installation, and none may (S89)', () => {
  // The binary is a package of its own; its script would only check that it is there.
  const withScript = packages.filter(({ hasInstallScript }) => hasInstallScript)
  expect(withScript.filter(({ name, isProduction }) => name !== 'esbuild' || isProduction)).toEqual([])
  expect(read('tools/setup.mjs')).toContain("const options = ['--ignore-scripts',")
})

test('every license allows our use of its package (S89)', () => {
  expect(packages.filter((one) => !isAllowed(one)).map(({ name, license }) => `${name} ${license}`)).toEqual([])
  expect(isAllowed({ license: 'GPL-3.0-only', isProduction: false })).toBe(false)
  expect(isAllowed({ license: 'LGPL-3.0-or-later', isProduction: true })).toBe(false)
  expect(isAllowed({ license: '(GPL-2.0-only OR MIT)', isProduction: true })).toBe(true)
  expect(isAllowed({ license: '', isProduction: true })).toBe(false)
})

test('nothing in the commit history looks like a key (S90)', () => {
  const planted = [
    `sk_live_${'a'.repeat(24)}`,
    `whsec_${'b'.repeat(32)}`,
    `AKIA${'Q'.repeat(16)}`,
    `-----BEGIN RSA PRIVATE KEY-----\n${'c'.repeat(64)}`,
    `postgres://shop:${'d'.repeat(12)}@db.internal:5432/shop`,
    `ghp_${'e'.repeat(36)}`,
  ]
  for (const one of planted) expect(secretsIn(`key = "${one}"`), one).toHaveLength(1)
  expect(secretsIn('sk_test_sandbox, postgres://postgres@127.0.0.1:5432/postgres')).toEqual([])
  const held = historyByCommit().flatMap(({ commit, text }) => secretsIn(text).map(({ kind }) => `${commit}: ${kind}`))
  expect(held).toEqual([])
})

test('every attack in the table has a test, and every attack named in a test is in the table', () => {
  const named = filesById()
  expect(Object.keys(attacks).filter((id) => !named.has(id))).toEqual([])
  expect([...named.keys()].filter((id) => /^S\d/.test(id) && !(id in attacks))).toEqual([])
})
