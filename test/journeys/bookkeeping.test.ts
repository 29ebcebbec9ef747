import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MonthBooks } from '#contract/admin-months.ts'
import type { BookkeepingDraft } from '#contract/admin-bookkeeping.ts'
import { ledgerAccounts } from '#domain/ledger/ledger.ts'
import { centsFromDecimal } from '#shared/money.ts'
import { DAY_MS } from '#shared/time.ts'
import { COMMAND } from '#server/audit-log/audit-log.ts'
import { openZip } from '#server/files/unzip.ts'
import { refundOrder } from '#server/payments/refunds.ts'
import { openWorld, type World } from '#sandbox/world.ts'
import { buysByLink } from './buys-by-link.ts'

let world: World
let owner: ReturnType<World['shopper']>
beforeAll(async () => {
  world = await openWorld()
  const order = await buysByLink(world)
  await world.advance(DAY_MS)
  await refundOrder(world.shop, order, { kind: 'pieces', pieces: [{ position: 0, quantity: 1 }] }, 'asked', COMMAND)
  await world.settled()
  owner = world.shopper()
  await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
})
afterAll(() => world[Symbol.asyncDispose]())

type Shown = { draft: BookkeepingDraft; version: number; months: { month: string; isClosed: boolean }[] }
type Refused = { code: string; message: string; fields?: Record<string, string> }

const show = async () => (await owner.send<Shown>('GET', '/api/admin/bookkeeping')).body
const save = (draft: Partial<BookkeepingDraft>, version: number) =>
  owner.send<Refused>('PUT', '/api/admin/bookkeeping', { ...draft, version })
const refusalOf = async (path: string) => (await owner.send<Refused>('GET', path)).body

/** The files of a month's journals, by name. */
async function journals(path: string): Promise<Map<string, Buffer>> {
  const answer = await fetch(`${world.address}${path}`, { headers: { cookie: owner.cookie() } })
  expect(answer.status, path).toBe(200)
  const file = join(tmpdir(), `journals-${process.pid}.zip`)
  await writeFile(file, Buffer.from(await answer.arrayBuffer()))
  const archive = await openZip(file, 10_000_000)
  const files = new Map<string, Buffer>()
  for (const name of archive.names()) files.set(name, await archive.read(name, 10_000_000))
  archive.close()
  return files
}

const rowsOf = (files: ReadonlyMap<string, Buffer>, name: string) =>
  parse(files.get(name) ?? '', { columns: true }) as Record<string, string>[]

test('every month with postings has journals; their accounts change by what the month’s books say', async () => {
  const { months } = await show()
  expect(months.length).toBeGreaterThan(0)
  const changed = new Map<string, number>()
  for (const { month } of months) {
    const files = await journals(`/api/admin/journals/${month}/plain`)
    const { body } = await owner.send<MonthBooks>('GET', `/api/admin/months/${month}`)
    const changes = Object.fromEntries(
      rowsOf(files, 'accounts.csv').map((row) => [row['Account'], centsFromDecimal(row['Change'] ?? '')]),
    )
    const booked = body.figures.filter(({ change }) => change !== 0).map(({ account, change }) => [account, change])
    expect(Object.fromEntries(Object.entries(changes).filter(([, change]) => change !== 0))).toEqual(
      Object.fromEntries(booked),
    )
    for (const row of rowsOf(files, 'check-sums.csv'))
      expect(row['SHA-256']).toBe(
        createHash('sha256')
          .update(files.get(row['File'] ?? '') ?? '')
          .digest('hex'),
      )
    for (const row of rowsOf(files, `journal-${month}-plain.csv`))
      changed.set(row['Text']?.split(',')[0] ?? '', (changed.get(row['Text']?.split(',')[0] ?? '') ?? 0) + 1)
  }
  expect([...changed.keys()]).toEqual(expect.arrayContaining(['Sale', 'Refund', 'Fee', 'Commission']))
})

test('Xero and DATEV wait for the numbers of accounts; a number that DATEV can’t have is refused by name', async () => {
  const { draft, version, months } = await show()
  const month = months[0]?.month ?? ''
  const { code, message } = await refusalOf(`/api/admin/journals/${month}/xero`)
  expect(code).toBe('account_number_missing')
  expect(message).toContain('Stripe')
  expect((await refusalOf(`/api/admin/journals/${month}/datev`)).code).toBe('datev_incomplete')
  const numbered = Object.fromEntries(ledgerAccounts.map((account, index) => [`number ${account}`, `12${10 + index}`]))
  const changed = { ...draft, ...numbered, datevConsultant: '29098', datevClient: '55003' }
  expect((await save({ ...changed, datevClient: 'x' }, version)).body.fields).toHaveProperty('datevClient')
  expect(await save(changed, version)).toMatchObject({ status: 200 })
  expect(await save(draft, version)).toMatchObject({ status: 409, body: { code: 'bookkeeping_changed' } })
  expect((await show()).draft).toEqual(changed)
  expect((await refusalOf(`/api/admin/journals/${month}/datev`)).code).toBe('euro_rate_missing')
  expect((await refusalOf(`/api/admin/journals/${month}/datev?dollarsPerEuro=3`)).code).toBe('invalid')
  expect([...(await journals(`/api/admin/journals/${month}/xero`)).keys()]).toContain(`journal-${month}-xero.csv`)
  const datev = await journals(`/api/admin/journals/${month}/datev?dollarsPerEuro=1.1621`)
  expect(datev.get(`EXTF_Buchungsstapel_${month}.csv`)?.toString('latin1')).toMatch(
    /^"EXTF";700;21;"Buchungsstapel";13;/,
  )
})

test('a month without postings, and what is no month or layout, is refused in a sentence', async () => {
  expect(await refusalOf('/api/admin/journals/2020-01/plain')).toMatchObject({
    ...{ code: 'nothing_booked', message: 'Nothing was booked in January 2020.' },
  })
  expect((await refusalOf('/api/admin/journals/2026-13/plain')).code).toBe('unknown_month')
  expect((await owner.send('GET', '/api/admin/journals/2026-11/sage')).status).toBeGreaterThanOrEqual(400)
})
