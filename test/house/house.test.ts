import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { callGroups } from '#contract/calls.ts'
import { secretsIn } from '../../tools/attacks/secrets.ts'
import { ROOT, sources } from './files.ts'

const src = sources('src/**/*.{ts,tsx}')

const lines = (files: readonly { path: string; text: string }[]) =>
  files.flatMap(({ path, text }) =>
    text.split('\n').map((line, index) => ({ where: `${path}:${index + 1}`, path, line })),
  )

test('only shared/money.ts converts between cents and decimals', () => {
  const converters = lines(src)
    .filter(({ path }) => path !== 'src/shared/money.ts')
    .filter(({ line }) => /[*/] ?100\b(?!0)|toFixed\(|parseFloat\(/.test(line))
    .map(({ where, line }) => `${where} ${line.trim()}`)
  expect(converters).toEqual([])
})

test('only mode, log and ribbon of the shop, with its words, know that a sandbox exists', () => {
  expect(lines(src).filter(({ line }) => /from ['"](?:#sandbox|(?:\.\.\/)+sandbox)/.test(line))).toEqual([])
  const speaking = new Set(
    lines(src)
      // PayPal calls its own test mode a sandbox, and HTML an attribute of frames.
      .filter(({ line }) => /sandbox/i.test(line.replaceAll(/PayPal’s sandbox|iframe-missing-sandbox|sandbox=""/g, '')))
      .map(({ path }) => path),
  )
  expect(
    [...speaking].filter(
      (path) =>
        !/^src\/(?:main|shop)\.ts$|^src\/server\/(?:config|log)\/|^src\/server\/catalog\/public-config\.ts$|^src\/contract\/public-config\.ts$|^src\/server\/providers\/paypal\/|^src\/web\/app\/|^src\/words\/catalog\/shop\.ts$/.test(
          path,
        ),
    ),
  ).toEqual([])
})

test('only the configuration reads environment variables', () => {
  const readers = lines(src)
    .filter(({ line }) => /process\.env/.test(line))
    .map(({ path }) => path)
  expect([...new Set(readers)].filter((path) => !['src/run.ts', 'src/owner.ts'].includes(path))).toEqual([])
})

/** Who may ask the machine, or the database, for the time, and why. Everything else is given the shop's clock. */
const machineTime: Readonly<Record<string, string>> = {
  'src/server/config/clock.ts': 'is the shop’s clock',
  'src/server/jobs/jobs.ts': 'leases and retries of jobs follow the database, when they are due follows the shop',
  'src/server/db/columns.ts': 'defaults for the release before',
  'src/server/db/backup.ts': 'when a file was written, which is not the shop’s business',
  'src/server/http/events.ts': 'a limit that protects this process',
  'src/server/limits/concurrency-limit.ts': 'durations',
  'src/server/limits/provider-cache.ts': 'durations',
  'src/server/limits/rate-counter.ts': 'the clock it is given',
  'src/server/providers/printful/limiter.ts': 'durations',
  'src/server/reconciliation/queues.ts': 'how long ago the database ran jobs',
  'src/shared/time-zone.ts': 'whether a zone exists, at any time',
  'src/web/api/use-shop-time.ts': 'is the shop’s clock in a browser',
  'sandbox/kit/clock.ts': 'is the providers’ clock',
  'sandbox/beginning.ts': 'how far the clock is from the machine’s where the demo’s days end',
  'sandbox/world.ts': 'how long a test waits',
  'sandbox/main.ts': 'how long a start waits',
  'sandbox/printful/production.ts': 'ids that are never repeated',
}

test('the time is the shop’s clock, not the machine’s or the database’s', () => {
  const asking =
    /\bDate\.now\b|\bnew Date\(\)|(?<![.\w])now\(\)(?!:)|defaultNow|current_(?:timestamp|date)|clock_timestamp|Temporal\.Now/i
  const all = lines([...src, ...sources('sandbox/**/*.ts')])
    .filter(({ path, line }) => !path.includes('.test.') && asking.test(line))
    .map(({ path }) => path)
  expect([...new Set(all)].toSorted()).toEqual(Object.keys(machineTime).toSorted())
})

test('only src/site contains the brand’s name', () => {
  const spelled = lines(src).filter(
    ({ line, path }) => /Pawtelier|pawtelier\.example/.test(line) && !path.startsWith('src/site/'),
  )
  expect(
    spelled.map(({ where, line }) => `${where} ${line.trim()}`).filter((line) => !line.includes('application_name')),
  ).toEqual([])
})

test('no style depends on what lies anywhere below the page’s root', () => {
  // With one, browsers style the whole page again after every change in it. `usePageMark` marks the root instead.
  const fromRoot = /(?:^|[\s,[(])(?:html|body|:root)\S*:has\(|\[:has\(/
  expect(lines(sources('src/web/**/*.{ts,tsx,css}')).filter(({ line }) => fromRoot.test(line))).toEqual([])
})

test('no committed file contains a secret (S90)', () => {
  const tracked = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' })
    .split('\n')
    .filter((path) => path && existsSync(join(ROOT, path)))
  const secrets = tracked
    .filter((path) => !/\.(?:webp|png|jpg|woff2)$/.test(path))
    .flatMap((path) => secretsIn(readFileSync(join(ROOT, path), 'utf8')).map(({ kind }) => `${path}: ${kind}`))
  expect(secrets).toEqual([])
})

test('only one statement changes a checkout’s state, and it asks the table of transitions', () => {
  const stateWrites = (files: readonly { path: string; text: string }[]) =>
    files.flatMap(({ path, text }) =>
      [
        ...text.matchAll(/\.update\(checkout\)(?:(?!\.where\()[^;])*?\bstate\b|update checkout set [^`;]*\bstate =/g),
      ].map(() => path),
    )
  expect(stateWrites(src)).toEqual(['src/server/checkout/checkout.ts'])
  const planted = [
    "tx.update(checkout).set({ updatedAt: now, state: 'paid' })",
    "sql`update checkout set state = 'paid'`",
  ]
  for (const text of planted) expect(stateWrites([{ path: 'planted', text }])).toEqual(['planted'])
})

test('the list of calls has every group of the contract', async () => {
  const listed = new Set<unknown>(Object.values(callGroups))
  const missing: string[] = []
  for (const file of globSync('src/contract/*.ts', { cwd: ROOT }).filter((name) => !name.endsWith('.test.ts'))) {
    const contents = (await import(/* @vite-ignore */ join(ROOT, file))) as Record<string, unknown>
    for (const [name, group] of Object.entries(contents))
      if (name.endsWith('Calls') && !listed.has(group)) missing.push(`${file}: ${name}`)
  }
  expect(listed.size).toBeGreaterThan(10)
  expect(missing).toEqual([])
})

test('the container, the systemd unit and `npm start` start the shop with the same memory settings', () => {
  const settingsIn = (file: string) =>
    readFileSync(join(ROOT, file), 'utf8').match(/MALLOC_\w+=\d+|--(?:max-semi-space-size|heap-growing-percent)=\d+/g)
  const settings = settingsIn('deploy/pawtelier@.service') ?? []
  expect(settings).toHaveLength(5)
  expect(settingsIn('deploy/shop.dockerfile')).toEqual(settings)
  expect(settingsIn('package.json')).toEqual(settings)
})

test('the container has every file outside of the source that the shop reads', () => {
  const copied = [
    ...readFileSync(join(ROOT, 'deploy/shop.dockerfile'), 'utf8').matchAll(/^COPY --from=\w+ \/shop\/(\S+)/gm),
  ]
  const read = src.flatMap(({ path, text }) =>
    [...text.matchAll(/new URL\('(\.\.\/[^']*)', import\.meta\.url\)/g)].map(([, to = '']) => join(path, '..', to)),
  )
  expect(read).toContain('pictures/designs/mark.svg')
  expect(
    read.filter((path) => !copied.some(([, folder = '']) => path === folder || path.startsWith(`${folder}/`))),
  ).toEqual([])
})

test('every path that a document names exists', () => {
  const paths = sources('*.md', 'docs/*.md', 'pictures/README.md').flatMap(({ path: document, text }) =>
    [...text.matchAll(/`((?:src|sandbox|test|tools|pictures|docs|deploy)\/[^`*<>…\s]*)`/g)].flatMap(([, path = '']) =>
      expandBraces(path).map((one) => ({ document, path: one })),
    ),
  )
  expect(paths.length).toBeGreaterThan(300)
  expect(paths.filter(({ path }) => !existsSync(join(ROOT, path)))).toEqual([])
  expect(expandBraces('a/{b,c}.ts')).toEqual(['a/b.ts', 'a/c.ts'])
})

/** At most one pair of braces, expanded as in a shell. */
function expandBraces(path: string): string[] {
  const [, before = '', choices = '', after = ''] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(path) ?? []
  return choices ? choices.split(',').map((choice) => `${before}${choice}${after}`) : [path]
}
