// cspell:ignore Bookg Buchungstag CRDT DBIT Betrag GUTSCHRIFT Ntry PDNG Pties Rltd Svcr Verwendungszweck XFER
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BankOverview, PayoutContent } from '#contract/admin-bank.ts'
import { isoOfDay } from '#shared/calendar-day.ts'
import { decimalFromCents } from '#shared/money.ts'
import { DAY_MS, HOUR_MS } from '#shared/time.ts'
import { dayIn } from '#shared/time-zone.ts'
import { reconcile, updateExceptions } from '#server/reconciliation/reconciliation.ts'
import { openWorld, type World } from '#sandbox/world.ts'
import { ordersOf } from './invariants.ts'

// Deposits of the bank's statements and the payouts that they are, down to the orders.

let world: World
let owner: ReturnType<World['shopper']>
let payouts: { stripe: { id: string; amount: number }; paypal: { id: string; amount: number } }
let numbers: string[]

const dayAfter = (days: number): string => isoOfDay(dayIn('America/New_York', world.shop.clock.now().getTime()) + days)

beforeAll(async () => {
  world = await openWorld()
  await (await world.shopper().paysByCard({ buying: 'mug' })).returnsToShop()
  await (await world.shopper().paysByCard({ buying: 'hat' })).returnsToShop()
  const shopper = world.shopper()
  const order = await shopper.approvesWallet({ buying: 'pillow' })
  await shopper.captures(order)
  await world.settled()
  numbers = (await ordersOf(world)).map(({ order_number: number }) => number).toSorted()
  await world.advance(4 * DAY_MS)
  const sent = (await world.simulators.stripe.change({ change: 'payout' })) as { id: string; amount: number }
  const withdrawn = (await world.simulators.paypal.change({ change: 'withdraw', amount: 1000 })) as { id: string }
  await world.settled()
  await world.advance(4 * HOUR_MS)
  await world.sweep()
  await reconcile(world.shop, 'owner')
  await world.settled()
  payouts = { stripe: sent, paypal: { id: withdrawn.id, amount: 1000 } }
  owner = world.shopper()
  await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
})
afterAll(() => world[Symbol.asyncDispose]())

type Told = { done?: string; added?: number; known?: number; matched?: number; message?: string; code?: string }

const upload = (file: string | Uint8Array, name = 'bank.csv') =>
  owner.send<Told>('POST', `/api/admin/bank/statements?name=${name}`, Buffer.from(file))
const show = async () => (await owner.send<BankOverview>('GET', '/api/admin/bank')).body
const contentOf = async (provider: string, id: string) =>
  (await owner.send<PayoutContent>('GET', `/api/admin/bank/payouts/${provider}/${id}`)).body

type Entry = { amount: number; day: string; text: string; status?: string; reference?: string }

/** A statement as banks write it, in either version. */
function camt(version: '02' | '08', entries: readonly Entry[]): string {
  const name = (text: string) => (version === '02' ? `<Nm>${text}</Nm>` : `<Pty><Nm>${text}</Nm></Pty>`)
  const rows = entries.map(
    ({ amount, day, text, status = 'BOOK', reference }) =>
      `<Ntry><Amt Ccy="USD">${decimalFromCents(Math.abs(amount) as never)}</Amt>` +
      `<CdtDbtInd>${amount < 0 ? 'DBIT' : 'CRDT'}</CdtDbtInd>` +
      `<Sts>${version === '02' ? status : `<Cd>${status}</Cd>`}</Sts><BookgDt><Dt>${day}</Dt></BookgDt>` +
      (reference ? `<AcctSvcrRef>${reference}</AcctSvcrRef>` : '') +
      `<NtryDtls><TxDtls><Refs><EndToEndId>NOTPROVIDED</EndToEndId></Refs><RltdPties><Dbtr>${name(text)}</Dbtr></RltdPties>` +
      `<RmtInf><Ustrd>SETTLEMENT</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`,
  )
  return (
    `<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}">` +
    `<BkToCstmrStmt><GrpHdr><MsgId>1</MsgId></GrpHdr><Stmt><Id>1</Id><Acct><Id><IBAN>DE89370400440532013000</IBAN></Id></Acct>` +
    `${rows.join('')}</Stmt></BkToCstmrStmt></Document>`
  )
}

test('wrong files get a sentence that says where, and add nothing', async () => {
  const bomb = '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "bbbb">]><Document>&b;</Document>'
  const good = camt('08', [{ amount: 100, day: '2026-11-21', text: 'STRIPE' }])
  for (const [file, sentence] of [
    ['', 'This file is empty.'],
    ['Name,Amount\nx,1', 'Row 1 needs a column for the date'],
    ['Date,Amount\n2026-11-21,1.00\n2026-11-22,lots', 'Row 3: “lots” is not an amount.'],
    [bomb, 'has a document type'],
    ['<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.052.001.02"/>', 'This is ‘camt.052.001.02’.'],
    ['<html></html>', 'This is no CAMT file'],
    [good.replace('</Stmt>', ''), 'is not valid XML'],
    [good.replace('2026-11-21', '2026-02-30'), 'Entry 1: ‘2026-02-30’ is not a date.'],
    [good.replace('CRDT', 'BOTH'), 'Entry 1 is incomplete'],
    [camt('02', [{ amount: 100, day: '2026-11-21', text: 'STRIPE', status: 'PDNG' }]), 'no booked lines'],
  ] as const) {
    const { status, body } = await upload(file)
    expect([status, body.message], sentence).toEqual([422, expect.stringContaining(sentence)])
    expect(body.message).toContain('Nothing was added.')
  }
  expect((await show()).statements).toEqual([])
})

test('a statement explains each deposit down to its orders; again, and overlapping, it changes nothing', async () => {
  const entries: Entry[] = [
    { amount: payouts.stripe.amount, day: dayAfter(2), text: 'STRIPE PAYMENTS', reference: 'B1' },
    { amount: 5000, day: dayAfter(2), text: 'AUNT MAY', reference: 'B2' },
    { amount: -70_000, day: dayAfter(2), text: 'RENT', reference: 'B3' },
  ]
  const file = camt('02', entries)
  expect((await upload(file, 'march.xml')).body).toMatchObject({ added: 2, known: 0, matched: 1 })
  expect((await upload(file, 'march.xml')).body).toMatchObject({ added: 0, matched: 0 })
  const more = [...entries, { amount: 1000, day: dayAfter(3), text: 'PAYPAL INST XFER', reference: 'B4' }]
  expect((await upload(camt('08', more), 'later.xml')).body).toMatchObject({ added: 1, known: 2, matched: 1 })

  const { statements, matched, unmatched, missing, expected } = await show()
  expect(statements.map(({ name, lines }) => [name, lines])).toEqual([
    ['later.xml', 4],
    ['march.xml', 3],
  ])
  expect(matched.map(({ text, payout, by }) => [text, payout.id, by])).toEqual([
    ['PAYPAL INST XFER SETTLEMENT', payouts.paypal.id, 'rule'],
    ['STRIPE PAYMENTS SETTLEMENT', payouts.stripe.id, 'rule'],
  ])
  expect(unmatched.map(({ text }) => text)).toEqual(['AUNT MAY SETTLEMENT'])
  expect([missing, expected]).toEqual([[], []])

  const stripe = await contentOf('stripe', payouts.stripe.id)
  expect(stripe).toMatchObject({ source: 'provider', net: payouts.stripe.amount, rest: 0 })
  expect(stripe.lines.map(({ kind }) => kind)).toEqual(['charge', 'charge'])
  const paypal = await contentOf('paypal', payouts.paypal.id)
  expect(paypal.source).toBe('time')
  expect(paypal.net + paypal.rest).toBe(1000)
  const orders = [...stripe.lines, ...paypal.lines].flatMap(({ orderNumber }) => orderNumber ?? [])
  expect(orders.toSorted()).toEqual(numbers)
})

test('the owner takes a pair apart and matches by hand; a rule never makes it again', async () => {
  const [line] = (await show()).matched.filter(({ payout }) => payout.provider === 'stripe')
  const id = line?.id ?? 0
  expect((await owner.send('POST', `/api/admin/bank/lines/${id}/unmatch`)).status).toBe(200)
  expect((await owner.send('POST', `/api/admin/bank/lines/${id}/unmatch`)).status).toBe(404)
  await upload(`Date,Description,Amount\n${dayAfter(4)},INTEREST,0.12\n`)
  const open = (await show()).unmatched.find((one) => one.id === id)
  expect(open?.candidates.map((payout) => payout.id)).toEqual([payouts.stripe.id])

  const match = (payoutId: string) =>
    owner.send<Told>('POST', `/api/admin/bank/lines/${id}/match`, { provider: 'stripe', payoutId })
  expect((await match('po_none')).body.code).toBe('bank_match_taken')
  expect((await match(payouts.stripe.id)).status).toBe(200)
  expect((await match(payouts.stripe.id)).body.code).toBe('bank_match_taken')
  expect((await show()).matched.find((one) => one.id === id)?.by).toBe('owner')
})

test('a payout that no statement shows is missing once they go beyond it', async () => {
  const lost = (await world.simulators.paypal.change({ change: 'withdraw', amount: 700 })) as { id: string }
  await world.advance(4 * HOUR_MS)
  await world.sweep()
  await world.settled()
  // The statements so far begin after it.
  expect((await show()).expected).toEqual([])
  await upload(`Date,Description,Amount\n${dayAfter(-30)},INTEREST,0.10\n`)
  expect((await show()).expected.map(({ id }) => id)).toEqual([lost.id])
  await upload(
    `Buchungstag;Verwendungszweck;Betrag\n${dayAfter(20).split('-').toReversed().join('.')};GUTSCHRIFT;1.234,56\n`,
  )
  expect((await show()).missing.map(({ id }) => id)).toEqual([lost.id])
  const missing = async () => {
    await updateExceptions(world.shop)
    const all = await world.audit<{ kind: string; amount_cents: string; resolved_at: Date | null }>('exceptions')
    return all.filter(({ kind, resolved_at: at }) => kind === 'deposit_missing' && at === null)
  }
  expect(await missing()).toMatchObject([{ amount_cents: '700' }])
  // It came under another name and late: the owner matches it by hand.
  await upload(`Date,Description,Amount\n${dayAfter(21)},LATE CREDIT,7.00\n`)
  const line = (await show()).unmatched.find(({ text }) => text === 'LATE CREDIT')
  const by = { provider: 'paypal', payoutId: lost.id }
  expect((await owner.send('POST', `/api/admin/bank/lines/${line?.id}/match`, by)).status).toBe(200)
  expect(await missing()).toEqual([])
})
