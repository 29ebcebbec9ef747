import { extractText } from 'unpdf'
import { beforeAll, afterAll, expect, test } from 'vitest'
import type { AdminDispute } from '#contract/admin-disputes.ts'
import { DAY_MS, HOUR_MS } from '#shared/time.ts'
import { sendAnswer } from '#server/payments/dispute-answers.ts'
import { updateExceptions } from '#server/reconciliation/reconciliation.ts'
import { openWorld, type World } from '#sandbox/world.ts'
import { ordersOf } from './invariants.ts'

// Disputes, answered with what the shop knows about the order, or accepted.

let world: World
let owner: ReturnType<World['shopper']>
beforeAll(async () => {
  world = await openWorld()
  owner = world.shopper()
})
afterAll(() => world[Symbol.asyncDispose]())

/** Again after days: a session ends. */
const signIn = () => owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })

type Provider = 'stripe' | 'paypal'
type Sent = { evidence_details: { submission_count: number }; evidence: Record<string, string> }
type Done = { done?: string; code?: string; message?: string }

const change = (provider: Provider, wanted: Record<string, unknown>) =>
  world.simulators[provider].change(wanted) as Promise<{ id: string; dispute_id: string }>

/** A sale and its dispute, as the owner sees and answers it. */
async function disputed(provider: Provider, { shipped = false } = {}) {
  const shopper = world.shopper()
  const bought =
    provider === 'stripe'
      ? await shopper.paysByCard({ buying: 'mug' }).then(async (payment) => {
          await payment.returnsToShop()
          return { payment_intent: payment.payment_intent }
        })
      : await shopper.approvesWallet({ buying: 'mug' }).then(async (order) => {
          await shopper.captures(order)
          return { order, chargeback: true }
        })
  await world.settled()
  const order = (await ordersOf(world)).find(({ customer_email: email }) => email === shopper.customer.email)
  const number = String(order?.order_number)
  if (shipped) {
    await world.simulators.printful.change({ change: 'ship', external_id: number })
    await world.settled()
  }
  const token = world.mailbox
    .list()
    .filter(({ to }) => JSON.stringify(to).includes(shopper.customer.email))
    .flatMap((mail) => /order-confirmation\?token=([\w-]+)/.exec(mail.text)?.[1] ?? [])[0]
  const opened = await change(provider, { change: 'dispute', reason: reasons[provider], ...bought })
  await world.settled()
  await signIn()
  const disputeId = provider === 'stripe' ? opened.id : opened.dispute_id
  const path = `/api/admin/disputes/${provider}/${disputeId}`
  return {
    ...{ shopper, number, token, name: { provider, disputeId } },
    show: async () => {
      const { body } = await owner.send<{ disputes: AdminDispute[] }>('GET', `/api/admin/orders/${number}/disputes`)
      return body.disputes[0]
    },
    press: () => owner.send<Done>('POST', `${path}/evidence`),
    accept: () => owner.send<Done>('POST', `${path}/acceptance`),
    pack: async () => {
      const answer = await fetch(`${world.address}${path}/pack`, { headers: { cookie: owner.cookie() } })
      expect(answer.status).toBe(200)
      return Buffer.from(await answer.arrayBuffer())
    },
    exceptions: async () => {
      await updateExceptions(world.shop)
      const { rows } = await world.shop.database.pool.query<{ kind: string; cause: string }>(
        `select kind, cause from shop_exception where about = $1 and resolved_at is null order by kind`,
        [`dispute:${provider}:${disputeId}`],
      )
      return rows
    },
  }
}

const reasons = { stripe: 'product_not_received', paypal: 'MERCHANDISE_OR_SERVICE_NOT_RECEIVED' }

/** Calls that gave evidence to a provider and were carried out. */
const submissions = (disputeId: string) =>
  world.simulators.kit.log
    .since(0)
    .filter(({ method, path }) => method === 'POST' && path.includes(disputeId) && !path.endsWith('/close'))

const textOf = async (pdf: Buffer): Promise<string> =>
  (await extractText(new Uint8Array(pdf), { mergePages: true })).text

test('a press sends all that the shop knows to Stripe, once; the outcome is noted', async () => {
  const { shopper, number, token, name, show, press, pack, exceptions } = await disputed('stripe', { shipped: true })
  expect((await shopper.send('GET', `/api/order?token=${token}`)).status).toBe(200)
  const before = await show()
  expect(before).toMatchObject({ status: 'open', reason: 'product_not_received', answer: null, objection: null })
  expect(before?.respondBy?.hours).toBeGreaterThan(8 * 24)
  expect(before?.gaps).toContain('No carrier has reported a delivery.')

  const text = await textOf(await pack())
  for (const fact of [
    ...[name.disputeId, shopper.customer.email, '350 5th Avenue', 'Version 1, at checkout'],
    ...['Security code', 'pass', 'Tracking', 'opened it in these hours', 'On its way'],
  ])
    expect(text, fact).toContain(fact)

  const [first, second] = await Promise.all([press(), press()])
  expect([first.status, second.status].toSorted((a, b) => a - b)).toEqual([200, 409])
  await world.settled()
  expect(await show()).toMatchObject({ status: 'open', answer: { kind: 'evidence', state: 'sent', failure: null } })
  expect((await press()).body).toMatchObject({
    code: 'dispute_not_answerable',
    message: 'The evidence was sent. It can be sent once. Nothing was sent.',
  })
  const [sent, ...more] = submissions(name.disputeId)
  expect(more).toEqual([])
  expect(sent?.answer as Sent).toMatchObject({
    status: 'under_review',
    evidence_details: { submission_count: 1 },
    evidence: { customer_email_address: shopper.customer.email, uncategorized_file: expect.stringMatching(/^file_/) },
  })
  expect((await pack()).equals(await pack())).toBe(true)
  expect(await exceptions()).toMatchObject([
    { kind: 'disputed', cause: expect.stringContaining('The evidence was sent; the bank decides.') as string },
  ])

  await change('stripe', { change: 'win_dispute', dispute: name.disputeId })
  await world.settled()
  expect(await show()).toMatchObject({ status: 'won', objection: 'This dispute is already decided.' })
  expect(await exceptions()).toEqual([])
  const log = (await owner.send<{ actions: { what: string }[] }>('GET', `/api/admin/orders/${number}`)).body.actions
  expect(log.filter(({ what }) => what === 'answered a dispute with evidence')).toHaveLength(1)
})

test('PayPal gets the tracking number, the file and a note, and a lost response sends nothing twice', async () => {
  const { name, show, press } = await disputed('paypal', { shipped: true })
  world.simulators.kit.rules.add({
    provider: 'paypal',
    match: { path: `/v1/customer/disputes/${name.disputeId}/provide-evidence` },
    when: 'after',
    do: 'reset',
    times: 1,
  })
  expect((await press()).status).toBe(200)
  // The first attempt arrived, and the shop doesn't know; the next one looks.
  await expect.poll(async () => submissions(name.disputeId).length, { timeout: 10_000 }).toBe(1)
  await sendAnswer(world.shop, name)
  expect(await show()).toMatchObject({ status: 'open', answer: { state: 'sent' } })
  await sendAnswer(world.shop, name)
  expect(submissions(name.disputeId)).toHaveLength(1)
  const known = world.simulators.kit.log.since(0).findLast(({ path }) => path.endsWith(name.disputeId))
  expect(known?.answer).toMatchObject({
    status: 'UNDER_REVIEW',
    evidences: [
      { evidence_type: 'PROOF_OF_FULFILLMENT', evidence_info: { tracking_info: [{ carrier_name: 'USPS' }] } },
      { evidence_type: 'OTHER', documents: [{ name: expect.stringMatching(/^dispute-[0-9a-f]{24}\.pdf$/) }] },
    ],
  })
})

test('an answer that Stripe got while it was down for us is found, not sent again', async () => {
  const { name, show, press } = await disputed('stripe')
  world.simulators.kit.rules.add({
    provider: 'stripe',
    match: { method: 'POST', path: `/v1/disputes/${name.disputeId}` },
    when: 'after',
    do: 'reset',
    times: 2,
  })
  await press()
  await expect.poll(async () => submissions(name.disputeId).length, { timeout: 10_000 }).toBe(2)
  await sendAnswer(world.shop, name)
  expect(await show()).toMatchObject({ answer: { state: 'sent' } })
  const done = submissions(name.disputeId).filter(({ key }) => key)
  expect(new Set(done.map(({ key }) => key)).size).toBe(1)
})

test('a deadline that nears is an exception and an email; after it, and after an answer elsewhere, nothing is sent', async () => {
  const late = await disputed('stripe')
  const elsewhere = await disputed('stripe')
  const queued = await disputed('stripe')
  expect((await late.exceptions()).map(({ kind }) => kind)).toEqual(['disputed'])
  await world.advance(6 * DAY_MS + HOUR_MS)
  await signIn()
  expect(await late.exceptions()).toMatchObject([{ kind: 'dispute_unanswered' }, { kind: 'disputed' }])
  await world.settled()
  expect(world.mailbox.list().some(({ text }) => text.includes('Dispute without an answer'))).toBe(true)

  const evidence = { file: Buffer.from('%PDF'), fileName: 'own.pdf', reference: 'own', texts: {}, parts: [] }
  await world.shop.stripe.submitEvidence(elsewhere.name.disputeId, evidence, 1)
  await elsewhere.press()
  await world.settled()
  expect((await elsewhere.show())?.answer).toMatchObject({
    state: 'refused',
    failure: 'Somebody already answered this dispute at Stripe, which takes one answer.',
  })

  world.simulators.kit.rules.add({
    provider: 'stripe',
    match: { path: `/v1/disputes/${queued.name.disputeId}` },
    when: 'before',
    do: { status: 503, body: {} },
    times: 1000,
  })
  await queued.press()
  await world.advance(4 * DAY_MS)
  await signIn()
  world.simulators.kit.rules.clear()
  await sendAnswer(world.shop, queued.name)
  expect((await queued.show())?.answer).toMatchObject({ state: 'refused' })
  expect(await queued.exceptions()).toMatchObject([{ kind: 'dispute_unanswered' }, { kind: 'disputed' }])

  expect((await late.press()).body).toMatchObject({
    message: 'The deadline for evidence has passed. Nothing was sent.',
  })
  expect(submissions(late.name.disputeId)).toEqual([])
})

test('an accepted dispute is lost at once, at either provider', async () => {
  for (const provider of ['stripe', 'paypal'] as const) {
    const { number, show, accept, press } = await disputed(provider)
    expect((await accept()).status).toBe(200)
    await world.settled()
    expect(await show(), provider).toMatchObject({ status: 'lost', answer: { kind: 'acceptance', state: 'sent' } })
    expect((await press()).status).toBe(409)
    expect((await ordersOf(world)).find((order) => order.order_number === number)?.payment_status).toBe('refunded')
  }
})

test('while the provider is away, the pack is not made without its checks', async () => {
  const { press, show } = await disputed('stripe')
  world.simulators.kit.rules.add({
    provider: 'stripe',
    match: { method: 'GET', path: '/v1/payment_intents/*' },
    when: 'before',
    do: { status: 503, body: {} },
    times: 10,
  })
  expect((await press()).body).toMatchObject({ code: 'dispute_facts_missing' })
  world.simulators.kit.rules.clear()
  expect(await show()).toMatchObject({ answer: null })
})
