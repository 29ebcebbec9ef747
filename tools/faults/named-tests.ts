import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { idsIn } from '../attacks/named.ts'

/** A test with ids of faults in its title. */
export type TestResult = { title: string; file: string; ids: string[]; hasPassed: boolean }

const ROOT = join(import.meta.dirname, '../..')

type VitestReport = { testResults: { name: string; assertionResults: { title: string; status: string }[] }[] }
type PlaywrightSuite = { file: string; suites?: PlaywrightSuite[]; specs: { title: string; ok: boolean }[] }

/** The ids at the end of titles, read as text without running anything. */
const titlesIn = (file: string): string[] =>
  [...readFileSync(join(ROOT, file), 'utf8').matchAll(/\((?:[A-Z]\d\d(?:, )?)+\)(?=['`])/g)].map(([title]) => title)

/** Runs every test with such an id in its title, over HTTP and in a browser. */
export function runNamedTests(wanted: RegExp, root: string = ROOT): TestResult[] {
  const files = globSync(['test/**/*.{test,e2e}.ts', 'src/**/*.test.{ts,tsx}', 'tools/**/*.test.ts'], {
    cwd: ROOT,
  }).filter((file) => titlesIn(file).some((title) => idsIn(title).some((id) => wanted.test(id))))
  const ids = [...new Set(files.flatMap(titlesIn).flatMap(idsIn))].filter((id) => wanted.test(id))
  const pattern = `\\(([A-Z0-9]+, )*(${ids.join('|')})(, [A-Z0-9]+)*\\)$`
  const folder = mkdtempSync(join(tmpdir(), 'named-tests-'))
  const run = (program: string, args: readonly string[], env: Record<string, string> = {}) =>
    spawnSync(join(root, 'node_modules/.bin', program), args, {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...env },
    })
  try {
    const ofVitest = join(folder, 'vitest.json')
    const ofBrowser = files.filter((file) => file.endsWith('.e2e.ts'))
    const others = files.filter((file) => !file.endsWith('.e2e.ts'))
    run('vitest', [
      'run',
      '--project',
      'rules',
      '--project',
      'embedded',
      '-t',
      pattern,
      '--reporter=dot',
      '--reporter=json',
      `--outputFile.json=${ofVitest}`,
      ...others,
    ])
    const { testResults } = JSON.parse(readFileSync(ofVitest, 'utf8')) as VitestReport
    const tried = testResults.flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter(({ status }) => status === 'passed' || status === 'failed')
        .map(({ title, status }) => ({ title, file: name.replace(`${root}/`, ''), hasPassed: status === 'passed' })),
    )
    if (ofBrowser.length > 0) {
      const ofPlaywright = join(folder, 'playwright.json')
      run('playwright', ['test', '--reporter=line,json', '--grep', pattern, ...ofBrowser], {
        PLAYWRIGHT_JSON_OUTPUT_FILE: ofPlaywright,
      })
      const flat = ({ file, suites = [], specs }: PlaywrightSuite): typeof tried => [
        ...specs.map(({ title, ok }) => ({ title, file: `test/e2e/${file}`, hasPassed: ok })),
        ...suites.flatMap(flat),
      ]
      tried.push(
        ...(JSON.parse(readFileSync(ofPlaywright, 'utf8')) as { suites: PlaywrightSuite[] }).suites.flatMap(flat),
      )
    }
    return tried.map((result) => ({ ...result, ids: idsIn(result.title) }))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
