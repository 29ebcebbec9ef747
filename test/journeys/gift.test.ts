import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AdminOrder } from '#contract/admin-orders.ts'
import type { GiftView, ShownOrder } from '#contract/orders.ts'
import { followPrinterOrder } from '#server/fulfillment/fulfillment.ts'
import { addresses, openWorld, type World } from '#sandbox/world.ts'

// A gift: another name on the parcel, a message on its packing slip, and a page for its recipient that says nothing about money.

let world: World
beforeAll(async () => {
  world = await openWorld({ pages: true, env: { CHANGE_WINDOW_S: '1800' } })
})
afterAll(() => world[Symbol.asyncDispose]())

const MESSAGE = 'Happy birthday from Rudy & me <3'

async function bought(texts: object | undefined) {
  const shopper = world.shopper()
  const { email } = shopper.customer
  await shopper.adds('hat', 1)
  const customerInfo = { ...shopper.customerInfo(addresses.newYork), texts }
  const { body: payment } = await shopper.startsPayment(addresses.newYork, { customerInfo })
  await shopper.confirms(payment)
  const { body } = await shopper.returnsToShop(payment.payment_intent)
  await world.settled()
  const mails = () => world.mailbox.list().filter(({ to }) => JSON.stringify(to).includes(email))
  const token = /order-confirmation\?token=([\w-]+)/.exec(mails()[0]?.text ?? '')?.[1] ?? ''
  return { shopper, number: body.orderId ?? '', token, mails }
}

type Bought = Awaited<ReturnType<typeof bought>>

const shown = async (token: string) => (await world.shopper().send<ShownOrder>('GET', `/api/order?token=${token}`)).body

async function atPrinter({ number, token }: Bought) {
  expect((await world.shopper().send('POST', '/api/order/make-now', { token })).status).toBe(200)
  await world.settled()
  const { settings } = world.simulators
  const answer = await fetch(`${settings['PRINTFUL_API_BASE']}/orders/@${number}`, {
    headers: { authorization: `Bearer ${settings['PRINTFUL_TOKEN']}` },
  })
  const { result } = (await answer.json()) as { result: { recipient: { name: string; email: string }; gift: unknown } }
  return result
}

test('a gift ships in its recipient’s name with a message, and the customer gets the emails', async () => {
  const gift = await bought({ recipient: 'Ada Byron', gift_message: MESSAGE })
  expect(gift.mails()[0]?.text).toMatch(/Ships to\s+Ada Byron/)
  expect(gift.mails()[0]?.text).toContain(MESSAGE)
  const { recipient, gift: note } = await atPrinter(gift)
  expect(recipient).toMatchObject({ name: 'Ada Byron', email: gift.shopper.customer.email })
  expect(note).toEqual({ subject: 'For Ada Byron', message: MESSAGE })
})

test('the recipient’s page shows where the gift is, and nothing about money, address or who paid', async () => {
  const gift = await bought({ recipient: 'Ada Byron', gift_message: MESSAGE })
  const { giftPage } = await shown(gift.token)
  const page = new URL(giftPage ?? '', world.address)
  const visitor = world.shopper()
  const { status, body } = await visitor.send<GiftView>('GET', `/api/order/gift${page.search}`)
  expect(status).toBe(200)
  expect(body).toMatchObject({ note: { heading: 'For Ada Byron', message: MESSAGE }, goods: [{ quantity: 1 }] })
  const html = await (await fetch(page)).text()
  expect(html).toContain('Somebody has a gift made for you.')
  expect(html).toContain('Happy birthday from Rudy &amp; me &lt;3')
  const { customer } = gift.shopper
  for (const secret of [customer.email, customer.name, addresses.newYork.line1, 'unitPrice', 'amounts', gift.number]) {
    expect(JSON.stringify(body)).not.toContain(secret)
    expect(html).not.toContain(secret)
  }
  const changed = page.searchParams.get('token')?.replace(/^\d+/, (id) => String(Number(id) - 1))
  expect((await visitor.send('GET', `/api/order/gift?token=${changed}`)).status).toBe(404)
  expect((await fetch(new URL(`/order-confirmation/gift?token=${changed}`, world.address))).status).toBe(404)
})

test('an order that is no gift has no such page, and ships in the customer’s name', async () => {
  const order = await bought({ recipient: ' ', gift_message: '' })
  expect((await shown(order.token)).giftPage).toBeNull()
  const { recipient, gift } = await atPrinter(order)
  expect([recipient.name, gift]).toEqual([order.shopper.customer.name, null])
})

test('correcting the name on a gift’s parcel leaves the customer’s own', async () => {
  const gift = await bought({ recipient: 'Ada Biron' })
  const body = { token: gift.token, name: 'Ada Byron', shippingAddress: addresses.newYork }
  expect((await world.shopper().send('POST', '/api/order/address', body)).status).toBe(200)
  await world.settled()
  expect((await atPrinter(gift)).recipient.name).toBe('Ada Byron')
  const receipt = await gift.shopper.send<ShownOrder>('GET', `/api/order?order=${gift.number}`)
  expect(receipt.body.texts).toEqual([{ label: 'Recipient’s name', text: 'Ada Byron' }])
})

test('the owner’s correction begins with the recipient’s name, and a replacement is the same gift', async () => {
  const gift = await bought({ recipient: 'Ada Byron', gift_message: MESSAGE })
  const owner = world.shopper()
  await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
  const { body: order } = await owner.send<AdminOrder>('GET', `/api/admin/orders/${gift.number}`)
  expect([order.recipientName, order.customer.name]).toEqual(['Ada Byron', gift.shopper.customer.name])

  await atPrinter(gift)
  const change = (name: string) => world.simulators.printful.change({ change: name, external_id: gift.number })
  await change('ship')
  await world.settled()
  await followPrinterOrder(world.shop, gift.number)
  const { body: made } = await owner.send<{ orderNumber: string }>(
    'POST',
    `/api/admin/orders/${gift.number}/replacement`,
    {
      ...{ pieces: [{ position: 0, quantity: 1 }], seen: 1, reason: 'arrived torn', requestKey: randomUUID() },
    },
  )
  await world.settled()
  const { body: replacement } = await owner.send<AdminOrder>('GET', `/api/admin/orders/${made.orderNumber}`)
  expect(replacement).toMatchObject({
    recipientName: 'Ada Byron',
    customer: { name: gift.shopper.customer.name },
    texts: [{ text: 'Ada Byron' }, { text: MESSAGE }],
  })
  expect(replacement.shippingAddress[0]).toBe('Ada Byron')
})

test('a message that is too long, or has a card number, is refused beside its field', async () => {
  const shopper = world.shopper()
  await shopper.adds('hat', 1)
  for (const text of ['x'.repeat(201), '4242 4242 4242 4242']) {
    const customerInfo = { ...shopper.customerInfo(addresses.newYork), texts: { gift_message: text } }
    const answer = await shopper.send<{ fields: object }>('POST', '/api/create-payment-intent', {
      ...{ customerInfo, termsAccepted: true },
    })
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.body.fields)).toEqual(['customerInfo.texts.gift_message'])
  }
})
