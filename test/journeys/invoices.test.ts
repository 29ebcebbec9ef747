import { extractText } from 'unpdf'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Invoice, Invoices } from '#contract/invoices.ts'
import { structuredInvoice } from '#domain/invoices/structured-invoice.ts'
import { readOrderNumber, type OrderNumber } from '#shared/ids.ts'
import { after, DAY_MS } from '#shared/time.ts'
import { COMMAND } from '#server/audit-log/audit-log.ts'
import { issueInvoice, issueMissing } from '#server/orders/invoices.ts'
import { contentOf, listInvoices } from '#server/orders/invoice-store.ts'
import { findOrderByNumber, type Order } from '#server/orders/orders.ts'
import { changeOrder } from '#server/payments/order-changes.ts'
import { refundOrder } from '#server/payments/refunds.ts'
import { exportOf } from '#server/privacy/privacy.ts'
import { eraseExpired } from '#server/privacy/retention.ts'
import { RETENTION } from '#site/policy-texts.ts'
import { addresses, openWorld, type World } from '#sandbox/world.ts'

let world: World
let owner: ReturnType<World['shopper']>

const SELLER = {
  name: 'Pawtelier GmbH',
  street: 'Kai 1',
  postalCode: '20095',
  city: 'Hamburg',
  state: '',
  country: 'DE',
}
const NUMBERS = { vatId: 'DE136695976', taxNumber: '', register: 'HRB 1, Hamburg' }
const paris = { line1: '1 Rue de Rivoli', line2: null, city: 'Paris', state: null, postal_code: '75001', country: 'FR' }
const company = { name: '山田 さくら', company: 'Käfer & Söhne', address: addresses.berlin }

const set = async (name: string, value: unknown): Promise<number> => {
  const { body } = await owner.send<{ values: Record<string, unknown> }>('GET', '/api/admin/settings')
  const { status } = await owner.send('PUT', '/api/admin/settings', { [name]: { was: body.values[name], value } })
  return status
}

beforeAll(async () => {
  world = await openWorld()
  owner = world.shopper()
  await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
})
afterAll(() => world[Symbol.asyncDispose]())

type Buyer = { shopper: ReturnType<World['shopper']>; number: OrderNumber; order: Order; key: string }

async function buys(
  address: (typeof addresses)[keyof typeof addresses] = addresses.berlin,
  quantity = 2,
): Promise<Buyer> {
  const shopper = world.shopper()
  const payment = await shopper.paysByCard({ buying: 'mug', quantity, to: address })
  const { orderId } = (await payment.returnsToShop()).body
  await world.settled()
  const number = readOrderNumber(orderId ?? '') as OrderNumber
  const order = await findOrderByNumber(world.shop.db, number)
  if (!order) throw new Error('no order')
  return { shopper, number, order, key: `session_id=${payment.payment_intent}` }
}

const asks = ({ shopper, key }: Buyer, body: object) => {
  const [, session_id] = key.split('=')
  return shopper.send<Invoices & { code?: string; fields?: Record<string, string> }>('POST', '/api/order/invoices', {
    ...body,
    session_id,
  })
}
const documentsOf = async ({ shopper, key }: Buyer): Promise<Invoice[]> =>
  (await shopper.send<Invoices>('GET', `/api/order/invoices?${key}`)).body.invoices

async function pdfOf({ shopper, key }: Buyer, { id }: Pick<Invoice, 'id'>): Promise<Buffer> {
  const answer = await fetch(`${world.address}/api/order/invoices/${id}/file?${key}`, {
    headers: { cookie: shopper.cookie() },
  })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('application/pdf')
  return Buffer.from(await answer.arrayBuffer())
}

const textOf = async (file: Buffer): Promise<string> => (await extractText(new Uint8Array(file))).text.join('\n')
const rowsOf = async (statement: string) =>
  (await world.shop.database.pool.query(statement)).rows as Record<string, unknown>[]

/** All numbers of the series, in order. */
const numbers = async () =>
  (await rowsOf('select number, position from invoice_document order by id')) as { number: string; position: number }[]

/** An order's documents sum to its bookings of the tax report, which tie to the ledger. */
async function expectDocumentsTie({ order }: Pick<Buyer, 'order'>): Promise<void> {
  const [documents] = await rowsOf(`select
    sum(case kind when 'invoice' then net_cents else -net_cents end)::int as net,
    sum(case kind when 'invoice' then tax_cents else -tax_cents end)::int as tax,
    sum(case kind when 'invoice' then vat_protection_cents else -vat_protection_cents end)::int as protection
    from invoice_document where order_id = ${order.id}`)
  const [bookings] = await rowsOf(`select sum(net_cents)::int as net, sum(tax_cents)::int as tax,
    sum(vat_protection_cents)::int as protection from tax_booking where order_id = ${order.id}`)
  expect(documents).toEqual(bookings)
}

test('without a seller in the settings there is no invoice, and the owner is told', async () => {
  const buyer = await buys()
  expect((await documentsOf(buyer)).length).toBe(0)
  expect((await asks(buyer, company)).body).toMatchObject({ code: 'invoice_unavailable' })
  const { body } = await owner.send<{ hasSeller: boolean }>('GET', '/api/admin/invoices')
  expect(body.hasSeller).toBe(false)
  expect(await set('seller', { ...SELLER, city: '' })).toBe(422)
  expect(await set('seller', SELLER)).toBe(200)
  expect(await set('sellerNumbers', NUMBERS)).toBe(200)
  expect(await set('invoicePrefix', 'r')).toBe(200)
})

describe('an order', () => {
  let buyer: Buyer
  beforeAll(async () => {
    buyer = await buys()
  })

  test('gets one invoice, however often it is asked for at once, and the same bytes every time', async () => {
    const answers = await Promise.all(Array.from({ length: 4 }, () => asks(buyer, company)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const documents = await documentsOf(buyer)
    expect(documents).toMatchObject([{ kind: 'invoice', total: buyer.order.totalCents, withoutStructure: null }])
    const number = documents[0]?.number ?? ''
    expect(number).toMatch(/^R-\d{4}-000001$/)
    const [first = { id: 0 }] = documents
    const file = await pdfOf(buyer, first)
    const text = await textOf(file)
    for (const part of ['Invoice', number, 'Pawtelier GmbH', 'DE136695976', 'Käfer & Söhne', '山田 さくら', 'VAT 19%'])
      expect(text).toContain(part)
    expect((await pdfOf(buyer, first)).equals(file)).toBe(true)
    expect(file.toString('latin1')).toContain('factur-x.xml')
    await expectDocumentsTie(buyer)
  })

  test('gets a credit note for each refund', async () => {
    await refundOrder(
      world.shop,
      buyer.number,
      { kind: 'pieces', pieces: [{ position: 0, quantity: 1 }] },
      'asked',
      COMMAND,
    )
    await world.settled()
    await world.sweep()
    await world.sweep()
    const documents = await documentsOf(buyer)
    expect(documents.map(({ kind }) => kind)).toEqual(['invoice', 'credit_note'])
    const text = await textOf(await pdfOf(buyer, documents[1] ?? { id: 0 }))
    for (const part of ['Credit note', 'Corrects', 'Refund of order', '1 × $']) expect(text).toContain(part)
    await expectDocumentsTie(buyer)
  })

  test('gets a credit note and a new invoice for another buyer, never an edit', async () => {
    const before = await documentsOf(buyer)
    const file = await pdfOf(buyer, before[0] ?? { id: 0 })
    const wrong = await asks(buyer, { ...company, company_number: 'DE136695977' })
    expect(wrong.status).toBe(422)
    expect(wrong.body.fields).toHaveProperty('company_number')
    const { body } = await asks(buyer, { ...company, company_number: 'de 136 695 976' })
    expect(body.invoices.map(({ kind }) => kind)).toEqual(['invoice', 'credit_note', 'credit_note', 'invoice'])
    expect(body.invoices[3]?.total).toBe(body.invoices[2]?.total)
    expect(await textOf(await pdfOf(buyer, body.invoices[3] ?? { id: 0 }))).toContain('Tax number DE136695976')
    expect((await pdfOf(buyer, before[0] ?? { id: 0 })).equals(file)).toBe(true)
    await expectDocumentsTie(buyer)
  })

  test('has its rest refunded: nothing is left to correct', async () => {
    await refundOrder(world.shop, buyer.number, { kind: 'rest' }, 'asked', COMMAND)
    await world.settled()
    await issueMissing(world.shop, new Date(0), 10)
    expect((await documentsOf(buyer)).length).toBe(5)
    await expectDocumentsTie(buyer)
    expect((await asks(buyer, company)).body).toMatchObject({ code: 'invoice_nothing_left' })
    expect((await documentsOf(buyer)).length).toBe(5)
  })
})

test('refunds before the invoice have their credit notes with it', async () => {
  const buyer = await buys()
  await refundOrder(
    world.shop,
    buyer.number,
    { kind: 'pieces', pieces: [{ position: 0, quantity: 1 }] },
    'asked',
    COMMAND,
  )
  await world.settled()
  const { body } = await asks(buyer, company)
  expect(body.invoices.map(({ kind, total }) => [kind, total < buyer.order.totalCents])).toEqual([
    ['invoice', false],
    ['credit_note', true],
  ])
  await expectDocumentsTie(buyer)
})

test('a refund that the bank sends back is an invoice again', async () => {
  const buyer = await buys()
  await asks(buyer, company)
  await refundOrder(world.shop, buyer.number, { kind: 'rest' }, 'asked', COMMAND)
  await world.settled()
  await issueMissing(world.shop, new Date(0), 10)
  const [made] = await rowsOf(`select provider_refund_id as id from refund where order_id = ${buyer.order.id}`)
  await world.simulators.stripe.change({ change: 'fail_refund', refund: made?.['id'] })
  await world.settled()
  await issueMissing(world.shop, new Date(0), 10)
  const documents = await documentsOf(buyer)
  expect(documents.map(({ kind, total }) => [kind, total])).toEqual(
    ['invoice', 'credit_note', 'invoice'].map((kind) => [kind, buyer.order.totalCents]),
  )
  expect(await textOf(await pdfOf(buyer, documents[2] ?? { id: 0 }))).toContain('did not arrive')
  await expectDocumentsTie(buyer)
})

test('a change after the invoice has a credit note and an invoice, one before it neither', async () => {
  const [early, late] = [await buys(addresses.berlin, 1), await buys(addresses.berlin, 1)]
  await asks(late, company)
  const wish = { recipient: { name: 'Ada Fan', shippingAddress: paris } }
  for (const { order } of [early, late]) await changeOrder(world.shop, order, wish, { kind: 'shopper' })
  await world.settled()
  await issueMissing(world.shop, new Date(0), 10)
  await asks(early, company)
  for (const buyer of [early, late]) await expectDocumentsTie(buyer)
  const [first] = await listInvoices(world.shop.db, early.order.id)
  expect(first && contentOf(first)?.lines.length).toBeGreaterThan(0)
  expect((await documentsOf(late)).map(({ kind }) => kind).slice(0, 3)).toEqual(['invoice', 'credit_note', 'invoice'])
})

test('many orders at once get numbers without gaps, also where one fails midway', async () => {
  const buyers = await Promise.all(Array.from({ length: 5 }, () => buys(addresses.berlin, 1)))
  const { name, company: firm, address } = { ...company }
  const who = {
    name,
    company: firm,
    taxNumber: null,
    address: { ...address, line2: null, state: null, postalCode: '10119' },
  }
  const failing = { ...who, name: { toString: () => 'fails' } as unknown as string }
  const results = await Promise.allSettled(
    buyers.flatMap(({ order }, index) => [
      issueInvoice(world.shop, order.id, index === 2 ? failing : who),
      issueInvoice(world.shop, order.id, who),
    ]),
  )
  expect(results.filter(({ status }) => status === 'rejected').length).toBe(1)
  const all = await numbers()
  expect(all.map(({ position }) => position)).toEqual(all.map((_, index) => index + 1))
  expect(new Set(all.map(({ number }) => number)).size).toBe(all.length)
  for (const buyer of buyers) await expectDocumentsTie(buyer)
})

test('the database refuses every change of a document, and a gap', async () => {
  const { pool } = world.shop.database
  await expect(pool.query(`update invoice_document set number = 'X' where id = 1`)).rejects.toThrow('never changes')
  await expect(pool.query(`update invoice_document set content = '{}' where id = 1`)).rejects.toThrow('never changes')
  await expect(pool.query('delete from invoice_document where id = 1')).rejects.toThrow('never changes')
  await expect(
    pool.query(`insert into invoice_document (order_id, kind, year, position, number, is_whole, content, file_hash, net_cents, tax_cents, vat_protection_cents, issued_at)
      select order_id, 'invoice', year, 99999, 'Y', true, '', '', 0, 0, 0, issued_at from invoice_document where id = 1`),
  ).rejects.toThrow('leaves a gap')
})

test('sales tax of the United States is no VAT: a PDF alone, and it says so', async () => {
  const buyer = await buys(addresses.newYork)
  const { body } = await asks(buyer, { name: 'Ada', address: addresses.newYork })
  expect(body.invoices).toMatchObject([{ kind: 'invoice', buyer: 'Ada' }])
  expect(body.invoices[0]?.withoutStructure).toContain('VAT alone')
  expect((await pdfOf(buyer, body.invoices[0] ?? { id: 0 })).toString('latin1')).not.toContain('factur-x.xml')
  await expectDocumentsTie(buyer)
})

test('strangers, and who only knows number and email, see nothing', async () => {
  const buyer = await buys()
  const { body } = await asks(buyer, company)
  const id = body.invoices[0]?.id ?? 0
  const stranger = world.shopper()
  expect((await stranger.send('GET', `/api/order/invoices?${buyer.key}`)).status).toBe(404)
  await stranger.send('POST', '/api/track', { orderNumber: buyer.number, email: buyer.shopper.customer.email })
  expect((await stranger.send('GET', `/api/order/invoices?order=${buyer.number}`)).status).toBe(404)
  const other = await buys()
  expect((await other.shopper.send('GET', `/api/order/invoices/${id}/file?${other.key}`)).body).toMatchObject({
    code: 'unknown_invoice',
  })
})

test('the owner issues them too, lists a month, and takes it as CSV and archive', async () => {
  const buyer = await buys()
  const path = `/api/admin/orders/${buyer.number}/invoices`
  expect((await owner.send('POST', path, { ...company, name: '' })).status).toBe(422)
  const { body: issued } = await owner.send<{ done: string }>('POST', path, company)
  expect(issued.done).toMatch(/^Invoice R-\d{4}-\d{6} of order PF/)
  const { body: shown } = await owner.send<Invoices>('GET', path)
  expect(shown.invoices.length).toBe(1)
  const { body: month } = await owner.send<{ month: string; invoices: (Invoice & { orderNumber: string })[] }>(
    'GET',
    '/api/admin/invoices',
  )
  expect(month.invoices.length).toBe((await numbers()).length)
  expect(month.invoices.at(-1)).toMatchObject({ orderNumber: buyer.number, buyer: 'Käfer & Söhne' })
  const get = (address: string) => fetch(world.address + address, { headers: { cookie: owner.cookie() } })
  const csv = await (await get(`/api/admin/invoices/file?month=${month.month}&layout=csv`)).text()
  expect(csv.trimEnd().split('\r\n').length).toBe(month.invoices.length + 1)
  const archive = await get(`/api/admin/invoices/file?month=${month.month}&layout=zip`)
  expect(archive.headers.get('content-type')).toBe('application/zip')
  const bytes = Buffer.from(await archive.arrayBuffer())
  // Each file has an entry in the archive's directory.
  expect(bytes.toString('latin1').split('PK\u0001\u0002').length - 1).toBe(month.invoices.length + 1)
  const file = await get(`/api/admin/invoices/${month.invoices[0]?.id}/file`)
  expect(file.headers.get('content-disposition')).toContain(`invoice-${month.invoices[0]?.number}.pdf`)
  expect((await owner.send('GET', '/api/admin/invoices?month=2026-13')).status).toBe(422)
})

test('a person’s export has their invoices; erasing keeps them until tax law no longer wants them', async () => {
  const buyer = await buys()
  await asks(buyer, company)
  const { email } = buyer.shopper.customer
  const chunks: Buffer[] = []
  for await (const chunk of await exportOf(world.shop, email)) chunks.push(Buffer.from(chunk as Uint8Array))
  expect(Buffer.concat(chunks).toString()).toContain('Käfer & Söhne')
  const [stored] = await listInvoices(world.shop.db, buyer.order.id)
  const content = stored && contentOf(stored)
  expect(content && 'category' in content.vat && structuredInvoice(content, content.vat)).toContain('Käfer &amp; Söhne')
  const later = { now: () => after(world.shop.clock.now(), (RETENTION.orderDays + 1) * DAY_MS) }
  await eraseExpired({ ...world.shop, clock: later })
  expect(
    await rowsOf(`select count(*)::int as count from invoice_document where content <> '' or file is not null`),
  ).toEqual([{ count: 0 }])
  const all = await numbers()
  expect(all.map(({ position }) => position)).toEqual(all.map((_, index) => index + 1))
})
