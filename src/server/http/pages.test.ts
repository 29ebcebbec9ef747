import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PageRequest } from '#contract/page.ts'
import type { PublicConfig } from '#contract/public-config.ts'
import { configWith } from '#sandbox/config.ts'
import type { Clock } from '#shared/time.ts'
import type { Database, Db } from '#server/db/db.ts'
import { build } from '../../../tools/build.ts'
import { createApp, type App } from './app.ts'
import { pageRoutes } from './pages.ts'

const config = configWith()

let app: App
const rendered: string[] = []
const told: (string | undefined)[] = []

/** Replaces React: `/mine` is a personal page, `/nobody/…` is unknown, everything else is shared. */
const renderer = {
  isShared: (path: string) => path !== '/mine',
  async render({ url, ask }: PageRequest) {
    rendered.push(url)
    told.push((await ask('/api/who')).body as string | undefined)
    const status = url.startsWith('/nobody') ? 404 : 200
    const cacheable = status === 200 && url !== '/mine'
    return { kind: 'page' as const, status, html: [`<p>${url}</p>`.padEnd(200_000)], cacheable }
  },
}

const clock: Clock = { now: () => new Date() }

beforeAll(async () => {
  await build()
  const db = { execute: async () => ({ rows: [] }) } as unknown as Db
  app = await createApp(
    { config, database: { db, embedded: true } as Database, db, clock, log: pino({ level: 'silent' }) },
    {
      find: async () => undefined,
    } as never,
  )
  app.http.get('/api/who', async ({ headers }) => JSON.stringify(headers.cookie ?? 'nobody'))
  await pageRoutes(
    app,
    { config, clock },
    renderer,
    async () => ({}) as PublicConfig,
    async () => undefined,
  )
})
afterAll(() => app.http.close())

const open = (url: string, headers: Record<string, string> = {}) =>
  app.http.inject({ method: 'GET', url, headers: { host: '127.0.0.1:3000', ...headers } })

test('a flood of queries, unknown pages and visitors does not push real pages out of the cache', async () => {
  for (const url of ['/', '/products', '/', '/products']) await open(url)
  rendered.length = 0
  for (let n = 0; n < 400; n += 1) {
    await open(`/products?utm=${n}`)
    await open(`/nobody/${n}`)
    await open(`/product/${n}?variant=${n}`)
    await open('/products', { cookie: `session=${n}` })
  }
  await open('/')
  expect(rendered.filter((url) => url === '/' || url === '/products')).toEqual([])
  expect(rendered).toHaveLength(800)
})

test('shared pages render without cookies; personal pages render with the visitor’s own', async () => {
  told.length = 0
  rendered.length = 0
  const visitors = ['a', 'b', 'c'].map((name) => ({ cookie: `session=${name}` }))
  await Promise.all(visitors.map((headers) => open('/about', headers)))
  expect(told).toEqual(['nobody'])
  told.length = 0
  await Promise.all(visitors.map((headers) => open('/mine', headers)))
  expect(new Set(told)).toEqual(new Set(['session=a', 'session=b', 'session=c']))
  expect((await open('/mine')).headers['cache-control']).toBe('no-store')
})

test('a page is rendered and cached per host name', async () => {
  rendered.length = 0
  for (const host of ['localhost:1', '127.0.0.1:1', 'localhost:1']) await open('/contact', { host })
  expect(rendered).toEqual(['/contact', '/contact'])
})

test('an unchanged page is answered with 304, and pages are compressed as the browser accepts', async () => {
  const first = await open('/terms')
  const etag = String(first.headers['etag'])
  for (const known of [etag, `W/${etag}`, `"another", ${etag}`])
    expect((await open('/terms', { 'if-none-match': known })).statusCode).toBe(304)
  const packed = await open('/terms', { 'accept-encoding': 'gzip, br' })
  expect([packed.headers['content-encoding'], packed.headers['vary'], packed.headers['etag']]).toEqual([
    'br',
    'accept-encoding',
    etag,
  ])
  expect(packed.rawPayload.byteLength).toBeLessThan(1000)
  expect((await open('/terms', { 'accept-encoding': 'gzip' })).headers['content-encoding']).toBe('gzip')
})
