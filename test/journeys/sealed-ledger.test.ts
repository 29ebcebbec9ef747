import { runInThisContext } from 'node:vm'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { formatOrderNumber, type OrderNumber } from '#shared/ids.ts'
import { HOUR_MS } from '#shared/time.ts'
import { COMMAND } from '#server/audit-log/audit-log.ts'
import { sealHourly, sealPostings, verifySeals, type Verification } from '#server/ledger/seals.ts'
import { verifyByOwner } from '#server/partners/owner-verify.ts'
import { listCommissionLines } from '#server/partners/sealed-lines.ts'
import { refundOrder } from '#server/payments/refunds.ts'
import { openWorld, type World } from '#sandbox/world.ts'
import { buysByLink } from './buys-by-link.ts'

type Proof = {
  month: string
  postings: { text: string; order: string; seal: number; path: { side: string; hash: string }[] }[]
  seals: { number: number; previous: string; sealedAt: string; root: string; hash: string }[]
  booked: number
  unsealed: number
}
type Check = (proof: Proof, earlier?: Proof) => Promise<string[]>

let world: World
let first: { proof: Proof; check: Check }
let saleOrder: OrderNumber
beforeAll(async () => {
  world = await openWorld()
  saleOrder = await buysByLink(world)
  await (await world.shopper().paysByCard()).returnsToShop()
  await world.settled()
  await sealPostings(world.shop, listCommissionLines)
  first = await download()
  await refundOrder(
    world.shop,
    saleOrder,
    { kind: 'pieces', pieces: [{ position: 0, quantity: 1 }] },
    'the shopper asked',
    COMMAND,
  )
  await world.settled()
  await buysByLink(world)
  await sealPostings(world.shop, listCommissionLines)
})
afterAll(() => world[Symbol.asyncDispose]())

/** The partner downloads the check of this month; its script runs here as it does in a browser. */
async function download(): Promise<{ proof: Proof; check: Check }> {
  const partner = world.shopper()
  await partner.send('POST', '/api/login', { username: 'partner', password: 'partner-demo' })
  const month = world.shop.clock.now().toISOString().slice(0, 7)
  const answer = await fetch(`${world.address}/api/partnership/statement-file?month=${month}&kind=html`, {
    headers: { cookie: partner.cookie() },
  })
  expect(answer.headers.get('content-disposition')).toContain(`commission-${month}.html`)
  const page = await answer.text()
  const inside = (id: string) => new RegExp(`<script[^>]* id="${id}">(.*?)</script>`, 's').exec(page)?.[1] ?? ''
  return {
    proof: JSON.parse(inside('proof')) as Proof,
    check: runInThisContext(`(() => {${inside('check')}; return check })()`) as Check,
  }
}

const copyOf = <T>(value: T): T => structuredClone(value)

test('all postings are sealed, and nothing was changed since', async () => {
  const answer = await verifyByOwner(world.shop.db, [])
  const postings = new Set((await world.audit<{ posting_id: string }>('ledger')).map((row) => row.posting_id)).size
  expect(answer).toMatchObject({ intact: true, postings, unsealed: 0, lastSeal: { number: 2 } })
  const seals = await world.audit<{ hash: string; postings: string }>('seals')
  expect(seals.reduce((all, row) => all + Number(row.postings), 0)).toBe(postings)
  expect(await verifyByOwner(world.shop.db, ['--seal', '1', '--hash', seals[0]?.hash ?? ''])).toMatchObject({
    intact: true,
  })
})

test('the partner’s file is right by its own script, and a later file says the same about earlier orders', async () => {
  const { proof, check } = await download()
  expect(await first.check(first.proof)).toEqual([])
  expect(await check(proof)).toEqual([])
  expect(await check(proof, first.proof)).toEqual([])
  expect(proof.postings.length).toBe(first.proof.postings.length + 2)
  expect(proof.postings.map(({ order }) => order)).toContain(formatOrderNumber(saleOrder))
  expect([proof.booked > first.proof.booked, proof.unsealed]).toEqual([true, 0])
})

/** A change that an intruder with every right makes to the database, and what `verify` says. */
const planted: readonly (readonly [plant: string, problem: RegExp])[] = [
  [`update ledger_posting set kind = 'change' where id = 1`, /^Posting 1 \(.*\) was changed after/],
  [`update ledger_posting set key = key || 'x' where id = 2`, /^Posting 2 /],
  [`update ledger_posting set order_id = null where id = 3`, /^Posting 3 /],
  [`update ledger_posting set payment_key = null where id = 1`, /^Posting 1 /],
  [`update ledger_posting set booked_at = booked_at + interval '1 second' where id = 2`, /^Posting 2 /],
  [`update ledger_posting set partner_id = null where kind = 'commission'`, /^Posting \d+ \(commission:/],
  [`update ledger_entry set amount_cents = amount_cents + 1 where posting_id = 1`, /^Posting 1 /],
  [`update ledger_entry set account = 'bank' where posting_id = 1 and account like 'provider:%'`, /^Posting 1 /],
  [`delete from ledger_entry where posting_id = 3`, /^Posting 3 /],
  [`insert into ledger_entry values (1, 'bank', 5)`, /^Posting 1 /],
  [`delete from ledger_posting where id = 2`, /^Posting 2 of seal 1 is missing/],
  [`update commission_entry set basis_points = basis_points - 1`, /^Posting \d+ \(commission:/],
  [`update commission_entry set base_cents = base_cents - 1`, /^Posting \d+ \(commission:/],
  [`update commission_entry set amount_cents = amount_cents - 1`, /^Posting \d+ \(commission:/],
  [`update commission_entry set position = position + 5`, /^Posting \d+ \(commission:/],
  [`delete from commission_entry`, /^Posting \d+ \(commission:/],
  [`update sealed_posting set hash = repeat('a', 64) where posting_id = 1`, /^Posting 1 /],
  [`update sealed_posting set position = position + 100 where position = 0`, /^Seal 1 does not stand for/],
  [`delete from sealed_posting where posting_id = 1`, /^Seal 1 does not stand for/],
  [`update ledger_seal set root = repeat('a', 64) where number = 2`, /^Seal 2 does not stand for/],
  [`update ledger_seal set hash = repeat('a', 64) where number = 1`, /^Seal 1 was changed/],
  [`update ledger_seal set sealed_at = sealed_at - interval '1 day' where number = 2`, /^Seal 2 was changed/],
  [`update ledger_seal set number = 3 where number = 2`, /^Seal 2 is missing/],
]

test.each(planted)('the owner’s check finds: %s', async (plant, problem) => {
  expect((await verifyAfter(plant)).problem).toMatch(problem)
})

class Undone extends Error {}

/** Checks the books with a change that is undone afterward. */
async function verifyAfter(plant: string): Promise<Verification> {
  let answer: Verification | undefined
  await world.shop.db
    .transaction(async (tx) => {
      for (const table of ['ledger_posting', 'ledger_entry', 'ledger_seal', 'sealed_posting', 'commission_entry'])
        await tx.execute(sql.raw(`alter table ${table} disable trigger all`))
      await tx.execute(sql.raw(plant))
      answer = await verifySeals(tx, listCommissionLines)
      throw new Undone()
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undone)) throw error
    })
  if (!answer) throw new Error('the books were not checked')
  return answer
}

test('books that were replaced as a whole do not have the hash that was noted', async () => {
  const db = world.shop.db
  await expect(verifyByOwner(db, ['--seal', '2', '--hash', 'a'.repeat(64)])).rejects.toThrow(/^Seal 2 has another hash/)
  await expect(verifyByOwner(db, ['--seal', '9', '--hash', 'a'.repeat(64)])).rejects.toThrow(/^Seal 9 is missing/)
  for (const args of [['--seal', 'x'], ['--hash', 'abc'], ['--all']])
    await expect(verifyByOwner(db, args)).rejects.toThrow(/^Usage: /)
})

/** A shop that lies to its partner. */
const lies: readonly (readonly [what: string, lie: (proof: Proof) => void])[] = [
  ['an order that is gone', ({ postings }) => void postings.shift()],
  ['another rate', ({ postings }) => change(postings[0], 'text', ',1200,', ',1100,')],
  ['another amount', ({ postings }) => change(postings[0], 'text', '"expense:commission",', '"expense:commission",1')],
  ['another time', ({ postings }) => change(postings[0], 'text', 'T', 'T0')],
  ['an order in another seal', ({ postings }) => void Object.assign(postings[0] ?? {}, { seal: 2 })],
  ['a path that was cut', ({ postings }) => void postings[0]?.path.pop()],
  ['a path that was changed', ({ postings }) => change(postings[0]?.path[0], 'hash', /^./, 'x')],
  ['a root that was changed', ({ seals }) => change(seals[0], 'root', /^./, 'x')],
  ['a time of sealing that was changed', ({ seals }) => change(seals[0], 'sealedAt', '20', '19')],
  ['a seal that is gone', ({ seals }) => void seals.shift()],
  ['a sum that is wrong', (proof) => void (proof.booked -= 1)],
]
const change = (target: object | undefined, key: string, from: string | RegExp, to: string): void => {
  const before = String(Reflect.get(target ?? {}, key))
  expect(before).toMatch(from)
  Reflect.set(target ?? {}, key, before.replace(from, to))
}

test.each(lies)('the partner’s script finds %s', async (_what, lie) => {
  const { proof, check } = await download()
  lie(proof)
  expect(await check(proof)).not.toEqual([])
})

test('history that was rewritten with seals that fit is found beside the earlier file', async () => {
  const { proof, check } = await download()
  const [seal] = first.proof.seals
  const earlier = copyOf(first.proof)
  change(earlier.seals[0], 'hash', seal?.hash ?? '', 'b'.repeat(64))
  change(earlier.postings[0], 'text', ',1200,', ',1500,')
  expect(await check(proof, earlier)).toEqual([
    `Order ${formatOrderNumber(saleOrder)}: a booking of the earlier file is gone or was changed.`,
    'Seal 1 is another one than in the earlier file.',
  ])
  expect(await check(proof, { ...earlier, month: '2020-01' })).toHaveLength(1)
})

test('an hour later a seal is made, also without a posting; several instances make one', async () => {
  const seal = () => Promise.all([1, 2, 3].map(() => sealHourly(world.shop, listCommissionLines)))
  await seal()
  expect(await world.audit('seals')).toHaveLength(2)
  await world.advance(HOUR_MS)
  await seal()
  expect((await world.audit<{ postings: string }>('seals')).map((row) => Number(row.postings))[2]).toBe(0)
  expect(await world.audit('seals')).toHaveLength(3)
  expect(await verifyByOwner(world.shop.db, [])).toMatchObject({ intact: true, lastSeal: { number: 3 } })
})
