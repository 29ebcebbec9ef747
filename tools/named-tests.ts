import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// Tests that name attacks or faults by id at the end of their titles: `… (S01, F02)`.

/** @property hasPassed undefined when the test was left out, or cannot run on this machine */
export type NamedTest = { title: string; file: string; ids: string[]; hasPassed: boolean | undefined }

const ROOT = join(import.meta.dirname, '..')

/** @returns the ids at the end of a title */
const idsIn = (title: string): string[] => {
  const [, ids = ''] = /\(((?:(?:[A-Z]\d\d|FUZZ|CANARY)(?:, )?)+)\)$/.exec(title) ?? []
  return ids.split(', ').filter(Boolean)
}

/** @returns test files by the ids in their titles, read as text without running anything */
export function filesById(): Map<string, Set<string>> {
  const files = new Map<string, Set<string>>()
  for (const file of globSync(['{test,tools}/**/*.{test,e2e}.ts', 'src/**/*.test.{ts,tsx}'], { cwd: ROOT })) {
    const text = readFileSync(join(ROOT, file), 'utf8')
    for (const [title] of text.matchAll(/\((?:(?:[A-Z]\d\d|FUZZ|CANARY)(?:, )?)+\)(?=['`])/g))
      for (const id of idsIn(title)) files.set(id, (files.get(id) ?? new Set()).add(file))
  }
  return files
}

type VitestReport = { testResults: { name: string; assertionResults: { title: string; status: string }[] }[] }
type PlaywrightSuite = { file: string; suites?: PlaywrightSuite[]; specs: { title: string; ok: boolean }[] }

/**
 * Runs every test with one of these ids in its title, over HTTP and in a browser.
 * @param chromium its path; without it the tests in a browser are left out
 */
export function runNamedTests(
  ids: readonly string[],
  chromium: string | undefined,
  env: Record<string, string> = {},
): NamedTest[] {
  const byId = filesById()
  const files = [...new Set(ids.flatMap((id) => [...(byId.get(id) ?? [])]))]
  const [ofBrowser, others] = [true, false].map((is) => files.filter((file) => file.endsWith('.e2e.ts') === is))
  const pattern = `\\(([A-Z0-9]+, )*(${ids.join('|')})(, [A-Z0-9]+)*\\)$`
  const folder = mkdtempSync(join(tmpdir(), 'named-tests-'))
  const run = (program: string, args: readonly string[], more: Record<string, string>): unknown => {
    const stdio = ['ignore', 'inherit', 'inherit'] as const
    const bin = join(ROOT, 'node_modules/.bin', program)
    spawnSync(bin, args, { cwd: ROOT, stdio: [...stdio], env: { ...process.env, ...env, ...more } })
    return JSON.parse(readFileSync(join(folder, `${program}.json`), 'utf8'))
  }
  const tried: Omit<NamedTest, 'ids'>[] = []
  try {
    if (others?.length) {
      // With a server, some journeys run there alone.
      const hasServer = Boolean(env['TEST_DATABASE_URL'] ?? process.env['TEST_DATABASE_URL'])
      const projects = ['rules', 'embedded', ...(hasServer ? ['postgresql'] : [])].flatMap((name) => [
        '--project',
        name,
      ])
      const args = ['run', ...projects, '-t', pattern, '--reporter=default']
      const output = ['--reporter=json', `--outputFile.json=${join(folder, 'vitest.json')}`]
      const { testResults } = run('vitest', [...args, ...output, ...others], {}) as VitestReport
      for (const { name, assertionResults } of testResults)
        for (const { title, status } of assertionResults) {
          const hasPassed = status === 'passed' ? true : status === 'failed' ? false : undefined
          tried.push({ title, file: name.replace(`${ROOT}/`, ''), hasPassed })
        }
    }
    if (ofBrowser?.length && chromium) {
      const args = ['test', '--reporter=line,json', '--grep', pattern, ...ofBrowser]
      const report = { PLAYWRIGHT_JSON_OUTPUT_FILE: join(folder, 'playwright.json'), CHROMIUM: chromium }
      const collect = ({ file, suites = [], specs }: PlaywrightSuite): void => {
        for (const { title, ok } of specs) tried.push({ title, file: `test/e2e/${file}`, hasPassed: ok })
        suites.forEach(collect)
      }
      ;(run('playwright', args, report) as { suites: PlaywrightSuite[] }).suites.forEach(collect)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return tried
    .filter(({ hasPassed }) => hasPassed !== undefined)
    .map((result) => ({ ...result, ids: idsIn(result.title) }))
}
