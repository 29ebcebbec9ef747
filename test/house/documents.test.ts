import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { mailKinds } from '#domain/messages/mail-kinds.ts'
import { checkoutStates } from '#domain/checkout/status.ts'
import { fulfillmentStatuses, paymentStatuses } from '#domain/orders/status.ts'
import { differenceKinds } from '#domain/reconciliation/differences.ts'
import { localExceptionKinds } from '#domain/reconciliation/exceptions.ts'
import { ROOT, sources } from './files.ts'

// What documents list by name is compared with the code, both ways: nothing is missing, and nothing listed is gone.

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const operations = read('docs/operations.md')
const audit = read('docs/audit.md')
const commands = read('docs/commands.md')

/** From a heading, or any line that begins so, to the next heading of the same level. */
function part(text: string, heading: string): string {
  const from = text.indexOf(`\n${heading}`)
  if (from < 0) throw new Error(`no part begins with ${heading}`)
  const rank = /^#+ /.exec(heading)?.[0] ?? '\n'
  const to = text.indexOf(`\n${rank}`, from + heading.length)
  return text.slice(from, to < 0 ? undefined : to)
}

const codes = (text: string): string[] => [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code)
const cellsOf = (line: string): string[] => line.split(/(?<!\\)\|/).slice(1, -1)
const rowsOf = (text: string): string[][] =>
  text
    .split('\n')
    .filter((line) => /^ *\|/.test(line) && !/^ *\|[-|]+$/.test(line))
    .map(cellsOf)

/** Quoted texts between two texts of a source. */
function quoted(path: string, from: string, to: string): string[] {
  const text = read(path).replaceAll(/\/\*.*?\*\//gs, '')
  const start = text.indexOf(from)
  if (start < 0) throw new Error(`${path} has no ${from}`)
  const body = text.slice(start + from.length, text.indexOf(to, start + from.length))
  return [...body.matchAll(/'([^'\n]+)'/g)].map(([, word = '']) => word)
}

/** The values of a column of the audit views, from the table of values; a row without a name continues the one above. */
function valuesOf(column: string, text = audit): string[] {
  let current = ''
  return rowsOf(part(text, '## Values')).flatMap(([where = '', value = '']) => {
    current = where.trim() || current
    return current.includes(column) ? codes(value) : []
  })
}

const differences = (documented: readonly string[], known: readonly string[]) => ({
  'left out': known.filter((one) => !documented.includes(one)),
  'no longer there': documented.filter((one) => !known.includes(one)),
})
const none = { 'left out': [], 'no longer there': [] }

const exceptions = rowsOf(part(operations, '## Exceptions')).flatMap(([kind = '']) => codes(kind))

const scripts = Object.keys((JSON.parse(read('package.json')) as { scripts: object }).scripts).filter(
  (name) => !/^pre(?!sent)/.test(name),
)
const verbs = quoted('src/owner-verbs.ts', 'const verbs = [', '\n]').map((verb) => verb.split(' ')[0] ?? '')
const settings = rowsOf(part(operations, '## Settings'))
  .flatMap(([name = '']) => codes(name))
  .filter((name) => /^[A-Z][A-Z_0-9]+$/.test(name))
const environment = globSync(['{sandbox,test,tools}/**/*.ts', '*.config.ts'], { cwd: ROOT })
  .map(read)
  .flatMap((text) => [...text.matchAll(/process\.env\['([A-Z_0-9]+)'\]/g)].map(([, name = '']) => name))
const configured = [
  ...new Set([...read('src/server/config/config.ts').matchAll(/'([A-Z][A-Z_0-9]{3,})'/g)].map(([, one = '']) => one)),
]

const findings = [
  ...new Set(
    ['src/domain/doctor/findings.ts', ...globSync('src/server/admin/doctor*.ts', { cwd: ROOT })].flatMap((path) =>
      [
        ...read(path).matchAll(
          /(?:const name = |(?:passed|failed|inconclusive|runCheck)\(|webhookFinding\(\s*)'([a-z ]+)'/g,
        ),
      ].map(([, name = '']) => name),
    ),
  ),
]

const lists: readonly [string, readonly string[], readonly string[]][] = [
  ['settings', settings.filter((name) => configured.includes(name) || !environment.includes(name)), configured],
  ['kinds of mail', valuesOf('audit_mails.kind'), mailKinds],
  [
    'jobs',
    valuesOf('audit_jobs.name'),
    quoted('src/server/jobs/jobs.ts', 'const jobNames: readonly JobName[] = [', ']'),
  ],
  [
    'alerts',
    rowsOf(part(operations, '## Alerts')).flatMap(([alert = '']) => codes(alert)),
    [...read('deploy/prometheus/alerts.yml').matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name),
  ],
  [
    'npm scripts',
    rowsOf(commands)
      .flatMap(([command = '']) => codes(command))
      .map((command) => command.replace('npm run ', '').replace(/ -- .*/, '')),
    scripts.filter((name) => name !== 'start' && name !== 'test'),
  ],
  [
    'verbs of the owner',
    codes(/\| `npm run owner -- <verb>` \|(.*)\|/.exec(commands)?.[1] ?? '').map((one) => one.split(' ')[0] ?? ''),
    verbs,
  ],
  [
    'verbs of the owner, in operations',
    [
      ...new Set(
        [...operations.matchAll(/npm run (?:-s )?owner -- ([a-z-]+)(?:`, `([a-z-]+)`, `([a-z-]+)`)?/g)].flatMap(
          ([, ...found]) => found.filter(Boolean),
        ),
      ),
    ],
    verbs,
  ],
  [
    'findings of the doctor',
    rowsOf(part(operations, '## The doctor')).flatMap(([finding = '']) => codes(finding)),
    findings,
  ],
  [
    'kinds of exceptions',
    exceptions,
    [
      ...differenceKinds,
      ...localExceptionKinds,
      ...quoted('src/domain/payments/objection.ts', 'export type PaymentObjection =', '\n\n'),
      'setup',
    ],
  ],
  ['states of a checkout', valuesOf('audit_checkouts.state'), checkoutStates],
  ['payment statuses', valuesOf('audit_orders.payment_status'), paymentStatuses],
  ['fulfillment statuses', valuesOf('audit_orders.fulfilment_status'), fulfillmentStatuses],
  [
    'statuses of a refund',
    valuesOf('audit_refunds.status'),
    quoted('src/domain/payments/returns.ts', 'export type RefundStatus =', '\n'),
  ],
  [
    'accounts of the ledger',
    valuesOf('audit_ledger.account'),
    quoted('src/domain/ledger/ledger.ts', 'export const ledgerAccounts = [', ']'),
  ],
  [
    'kinds of postings',
    valuesOf('kind of a posting'),
    quoted('src/domain/ledger/ledger.ts', 'export const postingKinds = [', ']'),
  ],
]

describe('a document’s list is complete and has nothing that no longer exists:', () => {
  test.each(lists)('%s', (_, documented, known) => {
    expect(known.length).toBeGreaterThan(3)
    expect(differences(documented, known)).toEqual(none)
  })

  test('a row that is missing from a document is found', () => {
    const without = audit.replace(/^\| `audit_jobs\.name` \|.*\n/m, '')
    const jobs = quoted('src/server/jobs/jobs.ts', 'const jobNames: readonly JobName[] = [', ']')
    expect(differences(valuesOf('audit_jobs.name', without), jobs)['left out']).toEqual(jobs)
    expect(differences(['confirmation', 'telegram'], ['confirmation', 'shipped'])).toEqual({
      'left out': ['shipped'],
      'no longer there': ['telegram'],
    })
  })
})

test('every log message and button in operations.md and selling.md is in the source', () => {
  const text = `${operations}\n${read('docs/selling.md')}`
  const commands = /^(?:npm|node|select|GET|POST|DELETE|PUT) /
  const messages = codes(text).filter((code) => /^[\w’':./]+(?: [\w’':.…]+){2,}$/.test(code) && !commands.test(code))
  const buttons = [...text.matchAll(/(?<!\*)\*([A-Z][^*\n]*(?:\.\.\.|\)))\*/g)].map(([, label = '']) => label)
  expect(messages.length).toBeGreaterThan(12)
  expect(buttons.length).toBeGreaterThan(4)
  const texts = sources('src/**/*.{ts,tsx}').map((source) => source.text.replaceAll(/\s+/g, ' '))
  // A value such as `back_in_stock` is printed with spaces.
  const formsOf = (piece: string) => [piece.trim(), piece.trim().replaceAll(' ', '_')]
  const isInSource = (message: string) =>
    message
      .split(/…| \.\.\./)
      .every((piece) => formsOf(piece).some((form) => texts.some((source) => source.includes(form))))
  expect([...messages, ...buttons].filter((message) => !isInSource(message))).toEqual([])
})

/** As GitHub derives it from a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

test('every link between documents leads to a file, and to a heading in it', () => {
  const anchorsIn = (path: string): string[] => [
    ...[...read(path).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading)),
    ...[...read(path).matchAll(/<a id="([\w-]+)">/g)].map(([, id = '']) => id),
  ]
  const links = globSync(['*.md', 'docs/**/*.md', 'pictures/*.md'], { cwd: ROOT }).flatMap((from) =>
    [...read(from).matchAll(/\]\(((?!https?:)[^)#\s]*)(?:#([^)\s]+))?\)/g)].map(([, to = '', anchor]) => ({
      from,
      to: to ? join(dirname(from), to) : from,
      anchor,
    })),
  )
  expect(links.length).toBeGreaterThan(30)
  const broken = links.filter(
    ({ to, anchor }) => !existsSync(join(ROOT, to)) || (anchor !== undefined && !anchorsIn(to).includes(anchor)),
  )
  expect(broken).toEqual([])
})

test('every npm command in a document exists', () => {
  const texts = sources('*.md', 'docs/*.md', 'pictures/README.md', 'deploy/**/*.{yml,yaml,service}')
  const named = texts.flatMap(({ text }) =>
    [...text.matchAll(/npm run (?:-s )?([a-z][a-z:-]+)/g)].map(([, one = '']) => one),
  )
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter((one) => !scripts.includes(one))).toEqual([])
})

test('each command of CONTRIBUTING that runs one test finds its files and title', () => {
  const lines = [...read('CONTRIBUTING.md').matchAll(/npx (?:vitest|playwright) .*/g)].map(([line]) =>
    line.replace(/ +#.*/, ''),
  )
  expect(lines.length).toBeGreaterThan(3)
  for (const line of lines) {
    const path = line.split(' ').at(-1) ?? ''
    const files = globSync(path.endsWith('.ts') ? path : `${path}/**/*.test.ts`, { cwd: ROOT })
    expect(files, line).not.toEqual([])
    const [title = ''] = /(?<=-t ')[^']+/.exec(line) ?? []
    expect(
      files.some((file) => read(file).includes(title)),
      line,
    ).toBe(true)
  }
})
