import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { validateXML } from 'xmllint-wasm'
import type { AmountDue, Payout } from '#contract/payouts.ts'
import { DAY_MS, HOUR_MS } from '#shared/time.ts'
import { addresses, openWorld, type World } from '#sandbox/world.ts'

const BROWSER = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0', 'sec-fetch-dest': 'document' }
const IBAN = 'DE89370400440532013000'
const EMAIL = 'bullion-hour@mail.example'
const PATH = '/api/partnership/payout-account'
const bank = { method: 'iban', holder: 'Łukasz & Rudy', iban: 'de89 3704 0044 0532 0130 00', bic: '' }

let world: World
let partner: ReturnType<World['shopper']>
let owner: ReturnType<World['shopper']>
beforeAll(async () => {
  world = await openWorld({ env: { PAYOUT_IBAN: 'GB29 NWBK 6016 1331 9268 19', PAYOUT_NAME: 'Pawtelier Inc.' } })
  await world.shop.database.pool.query(`update app_user set email = $1 where username = 'partner'`, [EMAIL])
  await signIn()
})
afterAll(() => world[Symbol.asyncDispose]())

async function signIn() {
  partner = world.shopper()
  await partner.send('POST', '/api/login', { username: 'partner', password: 'partner-demo' })
  owner = world.shopper()
  await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
}

const mailsTo = (address: string) => world.mailbox.list().filter(({ to }) => to === address)
type Files = { name: string; text: string }
const fileOf = (kind: string) => owner.send<Files>('GET', `/api/admin/payouts/payable-file?kind=${kind}`)
const desk = async () => (await owner.send<{ due: AmountDue[]; payouts: Payout[] }>('GET', '/api/admin/payouts')).body

test.each([
  ['an IBAN with a wrong digit', { ...bank, iban: 'DE89370400440532013001' }, 'iban'],
  ['a missing account holder', { ...bank, holder: '' }, 'holder'],
  ['an invalid BIC', { ...bank, bic: 'BANK' }, 'bic'],
  [
    'a routing number with a wrong digit',
    { method: 'account', holder: 'Rudy', routingNumber: '021000022', accountNumber: '12345678' },
    'routingNumber',
  ],
  [
    'an account number with letters',
    { method: 'account', holder: 'Rudy', routingNumber: '021000021', accountNumber: '12AB' },
    'accountNumber',
  ],
  ['a wallet without an email', { method: 'wallet', holder: 'Rudy', email: 'rudy' }, 'email'],
  ['an unknown payout method', { method: 'cash', holder: 'Rudy' }, 'method'],
])('%s is refused with a sentence beside its field', async (_, wanted, field) => {
  const { status, body } = await partner.send<{ fields: Record<string, string> }>('PUT', PATH, wanted)
  expect(status).toBe(422)
  expect(Object.keys(body.fields)).toEqual([field])
  expect((await partner.send('GET', PATH)).body).toEqual({ account: null })
})

test('from payout account to payout email: every cent, one reference, and nobody sees the full account', async () => {
  const shopper = world.shopper()
  await shopper.adds('hat', 3)
  const clicked = await fetch(`${world.address}/r/bullion`, { redirect: 'manual', headers: BROWSER })
  shopper.usesCookie(`${shopper.cookie()}; ${clicked.headers.getSetCookie()[0]?.split(';', 1)[0]}`)
  const { body: started } = await shopper.startsPayment(addresses.newYork)
  await shopper.confirms(started)
  await shopper.returnsToShop(started.payment_intent)
  await world.settled()
  expect((await fileOf('csv')).body).toMatchObject({ code: 'nothing_to_pay' })
  await world.advance(31 * DAY_MS)
  await signIn()

  // An hour after sign-in, the password is required again.
  await world.advance(HOUR_MS)
  expect((await partner.send('PUT', PATH, bank)).body).toMatchObject({ code: 'password_needed' })
  expect((await fileOf('csv')).body).toMatchObject({ code: 'password_needed' })
  await partner.send('POST', '/api/account/confirm', { password: 'partner-demo' })
  await owner.send('POST', '/api/account/confirm', { password: 'owner-demo' })

  const saved = await partner.send('PUT', PATH, bank)
  expect(saved.body).toMatchObject({ account: { holder: bank.holder, masked: 'IBAN ending in 3000' } })
  expect(JSON.stringify(saved.body)).not.toContain(IBAN)
  const payoutMail = await world.mailbox.arrival(({ to }) => to === EMAIL)
  expect(payoutMail.text).toContain('IBAN ending in 3000')
  expect(payoutMail.text).not.toContain(IBAN)

  const [due] = (await desk()).due
  expect(due).toMatchObject({ account: { masked: 'IBAN ending in 3000' } })
  expect(JSON.stringify(await desk())).not.toContain(IBAN)
  const { body: whole } = await owner.send('GET', `/api/admin/payouts/accounts/${due?.partnerId}`)
  expect(whole).toMatchObject({ facts: expect.arrayContaining([{ name: 'IBAN', value: IBAN }]) })

  const amount = due?.payable ?? 0
  const dollars = `${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, '0')}`
  const { body: xml } = await fileOf('pain001')
  const schema = readFileSync('test/conformance/published/pain.001.001.09.xsd', 'utf8')
  const { errors } = await validateXML({
    xml: { fileName: 'file.xml', contents: xml.text },
    schema: { fileName: 'pain.xsd', contents: schema },
  })
  expect(errors).toEqual([])
  for (const part of [
    `<EndToEndId>${due?.reference}</EndToEndId>`,
    `<InstdAmt Ccy="USD">${dollars}</InstdAmt>`,
    `<CtrlSum>${dollars}</CtrlSum>`,
    `<IBAN>${IBAN}</IBAN>`,
    '<Nm>Lukasz + Rudy</Nm>',
    '<IBAN>GB29NWBK60161331926819</IBAN>',
  ])
    expect(xml.text).toContain(part)
  // A repeated download has the same message id, so the bank does not pay twice.
  const idIn = (text: string) => /<MsgId>(\w+)</.exec(text)?.[1]
  expect(idIn((await fileOf('pain001')).body.text)).toBe(idIn(xml.text))
  expect((await fileOf('csv')).body.text).toContain(
    `${due?.reference},"The Bullion Hour",${dollars},USD,"Bank (IBAN)"`.replace(
      '"The Bullion Hour"',
      `"${due?.displayName}"`,
    ),
  )

  const paid = await owner.send<{ reference: string }>('POST', '/api/admin/payouts', {
    partnerId: due?.partnerId,
    amount,
  })
  expect(paid.body.reference).toBe(due?.reference)
  const went = await world.mailbox.arrival(({ subject }) => subject.includes(paid.body.reference))
  expect(went).toMatchObject({ to: EMAIL })
  for (const part of [`$${dollars}`, 'IBAN ending in 3000', paid.body.reference]) expect(went.text).toContain(part)
  const after = await desk()
  expect(after.payouts[0]).toMatchObject({ reference: due?.reference, destination: 'IBAN ending in 3000' })
  expect(after.due[0]?.reference).not.toBe(due?.reference)

  await owner.send('POST', `/api/admin/payouts/${after.payouts[0]?.id}/return`)
  await world.settled()
  const back = mailsTo(EMAIL).filter(({ subject }) => subject.includes(paid.body.reference))
  expect(back).toHaveLength(2)
  const log = await owner.send<{ actions: { what: string }[] }>('GET', '/api/admin/log')
  const did = log.body.actions.map(({ what }) => what)
  for (const what of ['viewed the payout account of', 'downloaded the bank file of what is payable', 'paid'])
    expect(did).toContain(what)
  expect(JSON.stringify(log.body)).not.toContain(IBAN)
})

test('changing a payout wallet warns the old address, and the CSV has the new one alone', async () => {
  const wallet = { method: 'wallet', holder: 'Rudy', email: 'old-wallet@mail.example' }
  await partner.send('PUT', PATH, wallet)
  await partner.send('PUT', PATH, { ...wallet, email: 'new-wallet@mail.example' })
  await world.settled()
  expect(mailsTo('old-wallet@mail.example')).toHaveLength(1)
  expect(mailsTo('new-wallet@mail.example')).toHaveLength(0)
  expect((await fileOf('csv')).body.text).toContain('"new-wallet@mail.example"')
  expect((await fileOf('pain001')).body).toMatchObject({ code: 'nothing_to_pay' })
})

test('payout account data is exported, and erased with the creator', async () => {
  const { body: file } = await owner.send('POST', '/api/admin/privacy/export', { email: EMAIL })
  expect(file['payoutAccount']).toMatchObject({ method: 'wallet', email: 'new-wallet@mail.example' })
  const erased = await owner.send('POST', '/api/admin/privacy/erase', { email: EMAIL, repeated: EMAIL })
  expect(erased.status).toBe(200)
  const { rows } = await world.shop.database.pool.query(
    'select 1 from payout_account union all select 1 from payout where destination is not null',
  )
  expect(rows).toEqual([])
})
