import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ruleOf, type ExceptionKind } from '#domain/reconciliation/exceptions.ts'
import { openWorld, type World } from '#sandbox/world.ts'

const TOKEN = 'a-token-for-those-who-count'
let world: World
beforeAll(async () => {
  world = await openWorld({ env: { METRICS_TOKEN: TOKEN } })
})
afterAll(() => world[Symbol.asyncDispose]())

const ask = (authorization?: string) =>
  fetch(`${world.address}/metrics`, { headers: authorization ? { authorization } : {} })

test('metrics need the token; for everybody else the page does not exist', async () => {
  for (const wrong of [undefined, 'Bearer', `Bearer ${TOKEN}x`, `Bearer ${TOKEN.replace('a', 'b')}`, TOKEN])
    expect((await ask(wrong)).status, String(wrong)).toBe(404)
  const answer = await ask(`Bearer ${TOKEN}`)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain/)
  expect(answer.headers.get('cache-control')).toBe('no-store')
})

test('metrics cover answers by route and queue lengths, and name no person', async () => {
  await fetch(`${world.address}/api/products?from=${encodeURIComponent('ada@mail.example')}`)
  const shopper = world.shopper()
  await shopper.adds('hat')
  await world.shop.database.pool.query(
    `insert into mail (kind, recipient, subject, text_part, html_part, message_id, created_at)
     values ('late', 'ada@mail.example', '', '', '', 'metrics', now() + interval '1 day')`,
  )
  const text = await (await ask(`Bearer ${TOKEN}`)).text()
  expect(text).toMatch(/http_request_duration_seconds_count\{method="GET",route="\/api\/products",status="200"\} \d+/)
  expect(text).toMatch(/http_request_duration_seconds_count\{method="POST",route="\/api\/cart",status="20[01]"\} 1/)
  expect(text).toMatch(/shop_open\{of="mails",label="queued"\} 1/)
  expect(text).toMatch(/shop_database_connections\{state="waiting"\} 0/)
  expect(text).toMatch(/shop_requests\{state="paying"\} 1/)
  expect(text).toMatch(/shop_requests\{state="rejected"\} 0/)
  expect(text).toMatch(/process_resident_memory_bytes \d+/)
  expect(text).not.toContain('mail.example')
})

/** Keywords of PromQL, and label names. */
const LANGUAGE = new Set(
  'sum by le rate increase histogram_quantile max topk label of state status route job instance up'.split(' '),
)

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const alerts = [...read('deploy/prometheus/alerts.yml').matchAll(/^ *expr: (.+)$/gm)].map(([, expr]) => expr ?? '')
const panelsWithLegend = (
  JSON.parse(read('deploy/grafana/dashboard.json')) as {
    panels: { targets: { expr: string; legendFormat: string }[] }[]
  }
).panels.flatMap(({ targets }) => targets)
const panels = panelsWithLegend.map(({ expr }) => expr)

test('alerts and dashboard query only metrics that exist', async () => {
  const text = await (await ask(`Bearer ${TOKEN}`)).text()
  expect([alerts.length, panels.length]).toEqual([14, 17])
  const isReported = (name: string) => new RegExp(`^(?:# TYPE )?${name}[ {]`, 'm').test(text)
  const queries = [...alerts, ...panels].flatMap((expr) => [
    ...expr.replaceAll(/"[^"]*"|\[\w+\]|\{\{\w+\}\}/g, '').matchAll(/[a-z][a-z0-9_]+/g),
  ])
  const names = new Set(queries.map(([name]) => name).filter((name) => !LANGUAGE.has(name)))
  expect(names.size).toBeGreaterThan(6)
  expect([...names].filter((name) => !isReported(name))).toEqual([])
  for (const of of ['order', 'mail', 'event'])
    expect(text).toMatch(new RegExp(`shop_oldest_seconds\\{of="${of}"\\} [\\d.]+`))
  expect(text).toMatch(/shop_unbalanced_postings 0/)
})

test('alerts and dashboard say the same with any number of instances', () => {
  for (const expr of [...alerts, ...panels]) {
    // Each instance reads these from the one database: the most of equal figures is the figure, their sum is not.
    expect(
      expr.replaceAll(/max(?: by \(\w+\))? ?\((?:shop_open|shop_oldest_seconds|shop_unbalanced_postings)\b/g, ''),
      expr,
    ).not.toMatch(/shop_(?:open|oldest_seconds|unbalanced_postings)/)
    // What only grows begins again with each process: rates may be added, counts may not.
    expect(expr.replaceAll(/(?:rate|increase)\([a-z_]+(?:\{[^}]*\})?\[\w+\]\)/g, ''), expr).not.toMatch(
      /_(?:count|bucket|sum|total)\b|state="rejected"/,
    )
  }
  // What is left belongs to an instance: added up, or a line each.
  const ofInstances = panelsWithLegend.filter(({ expr }) => /^(?!.*\b(?:sum|max)\b)/.test(expr))
  expect(ofInstances.length).toBeGreaterThan(2)
  for (const { expr, legendFormat } of ofInstances) expect(legendFormat, expr).toContain('{{instance}}')
})

test('without an answer of the database the metrics of the process still come, and none of the database', async () => {
  const { pool } = world.shop.database
  expect(await (await ask(`Bearer ${TOKEN}`)).text()).toMatch(/^shop_unbalanced_postings 0$/m)
  await pool.query('alter view audit_ledger rename to audit_elsewhere')
  try {
    const text = await (await ask(`Bearer ${TOKEN}`)).text()
    expect(text).toMatch(/^shop_database_connections\{state="waiting"\} 0$/m)
    expect(text).not.toMatch(/^shop_(?:open|oldest_seconds|unbalanced_postings)[ {]/m)
  } finally {
    await pool.query('alter view audit_elsewhere rename to audit_ledger')
  }
})

test('alerts about exceptions name only kinds that exist', () => {
  const kinds = alerts.flatMap((expr) =>
    expr.includes('of="exceptions"') ? (/label=~?"([^"]+)"/.exec(expr)?.[1]?.split('|') ?? []) : [],
  )
  expect(kinds.length).toBeGreaterThan(15)
  // An unknown kind has no rule, and would never be opened.
  expect(kinds.filter((kind) => (ruleOf(kind as ExceptionKind) as object | undefined) === undefined)).toEqual([])
})
