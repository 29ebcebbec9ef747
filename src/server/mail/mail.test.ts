import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { sql } from 'drizzle-orm'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { rudy } from '#site/collections/rudy.ts'
import { sherlock } from '#site/collections/sherlock.ts'
import { defaultSettings } from '#site/shop-rules.ts'
import { mailNames } from '#domain/messages/mail-texts.ts'
import type { OrderId } from '#shared/ids.ts'
import { cents } from '#shared/money.ts'
import { configWith } from '#sandbox/config.ts'
import { migrateSchema, openDatabase, type Database, type Tx } from '#server/db/db.ts'
import { mail } from './schema.ts'
import type { JobQueue } from '#server/jobs/jobs.ts'
import { openKit } from '#sandbox/kit/kit.ts'
import { startMailbox } from '#sandbox/mailbox/mailbox.ts'
import { firstNameOf, type MailContent } from './content.ts'
import { exampleMail } from './examples.ts'
import { html, trustedHtml } from '#server/http/html.ts'
import { LINK_TOKEN, mailLater, sendMail, type MailToQueue } from './outbox.ts'
import { renderHtml } from './render-html.ts'
import { renderText } from './render-text.ts'
import { simpleMail } from './templates/simple-mail.ts'
import { confirmationMail, type OrderToConfirm } from './templates/confirmation.ts'
import {
  canceledMail,
  deliveredMail,
  onHoldMail,
  trackingMail,
  correctedMail,
  orderLinkMail,
  refundedMail,
  type MentionedOrder,
} from './templates/order-status-mails.ts'
import { shippedMail, type ShippedParcel } from './templates/shipped.ts'
import { fillSiteFacts } from './site-facts.ts'
import { createMailTransport } from './transport.ts'

const now = new Date('2026-11-20T10:00:00Z')
const log = pino({ level: 'silent' })
const configOf = (url: string) => configWith({ SMTP_URL: url, MAIL_FROM: 'The Shop <care@shop.example>' })

const PUBLIC_URL = 'https://shop.example'
const filled = (part: string) => fillSiteFacts(part, defaultSettings, (text) => text)
/** Both parts of an email, as the outbox writes them. */
const written = (mail: MailContent) => ({
  subject: filled(mail.subject),
  text: filled(renderText(mail, PUBLIC_URL)),
  html: filled(renderHtml(mail, PUBLIC_URL)),
})

const anOrder = (more: Partial<OrderToConfirm> = {}): OrderToConfirm => ({
  orderNumber: 'K7QM-4T2X',
  customerName: 'Ada Byron',
  lines: [
    {
      productName: 'Rudy Pillow',
      variantName: 'Navy',
      quantity: 2,
      unitPrice: cents(3995),
      imageUrl: '/pictures/pillow.640.webp',
    },
  ],
  amounts: {
    subtotal: cents(7990),
    shipping: cents(0),
    surcharges: [{ productName: 'Rudy Pillow', amount: cents(6998) }],
    tax: cents(123_456),
    taxLabel: 'Sales Tax',
    vatProtection: cents(0),
    total: cents(138_444),
  },
  changeableUntil: null,
  arrival: 'Dec 3–9',
  recipientName: 'Ada Byron',
  shippingAddress: {
    line1: '1 Elm Street',
    line2: null,
    city: 'Austin',
    state: 'TX',
    postalCode: '78701',
    country: 'US',
  },
  theme: rudy,
  orderLink: 'https://shop.example/order-confirmation?token=abc',
  publicUrl: PUBLIC_URL,
  termsVersion: 1,
  ...more,
})
const aParcel = (more: Partial<ShippedParcel> = {}): ShippedParcel => ({
  orderNumber: 'K7QM-4T2X',
  customerName: 'Ada Byron',
  carrier: 'USPS',
  trackingNumber: '9400111',
  trackingUrl: 'https://track.example/9400111?a=1&b=2',
  items: [{ productName: 'Rudy Pillow', variantName: 'Navy', quantity: 2, imageUrl: '/pictures/pillow.640.webp' }],
  arrives: 'Dec 3–9',
  isReplacement: false,
  isLast: true,
  isRefunded: false,
  theme: sherlock,
  orderLink: 'https://shop.example/order-confirmation?token=abc',
  ...more,
})

const noLink = () => Promise.reject(new Error('this email has no link'))

describe('markup', () => {
  test('every value is escaped', () => {
    const name = `<img src=x onerror='alert(1)'>&"`
    expect(html`<b title="${name}">${name}</b>`.toString()).toBe(
      '<b title="&lt;img src=x onerror=&#39;alert(1)&#39;&gt;&amp;&quot;">&lt;img src=x onerror=&#39;alert(1)&#39;&gt;&amp;&quot;</b>',
    )
  })

  test('nested markup is kept, lists are joined, and null and false render nothing', () => {
    const nobody: string | null = null
    const list = ['a', '<'].map((item) => html`<li>${item}</li>`)
    expect(html`${list}${nobody}${false}${0}${trustedHtml('<hr>')}`.toString()).toBe('<li>a</li><li>&lt;</li>0<hr>')
  })
})

describe('the confirmation email', () => {
  test('shows the same amounts as the order page, in HTML and text', () => {
    const { subject, text, html: page } = written(confirmationMail(anOrder()))
    expect(subject).toBe('Order Confirmation PFK7QM-4T2X - The Rudy Collection')
    for (const part of [text, page])
      for (const amount of ['$39.95', '$79.90', '$69.98', 'Free', '$1,234.56', '$1,384.44'])
        expect(part).toContain(amount)
    expect(text).toContain('Ada Byron\n1 Elm Street\nAustin, TX 78701\nUnited States')
    expect(page).toContain('src="https://shop.example/pictures/pillow.640.webp"')
  })

  test('shows the animal with its size and its text, and the order number above the goods', () => {
    const { html: page } = written(confirmationMail(anOrder()))
    const [picture = ''] = /<img\s+class="animal"[^>]*>/.exec(page) ?? []
    expect(picture).toMatch(/src="https:\/\/shop\.example\/pictures\/hero\.rudy\.\w+\.480\.webp"/)
    for (const attribute of ['width="200"', 'height="113"', 'alt="Rudy asleep on gold bars"'])
      expect(picture).toContain(attribute)
    expect(page.indexOf('Order number')).toBeGreaterThan(0)
    expect(page.indexOf('Order number')).toBeLessThan(page.indexOf('Rudy Pillow'))
    const noPicture = { ...rudy, hero: null }
    expect(written(confirmationMail(anOrder({ theme: noPicture }))).html).not.toContain('class="animal"\n')
  })

  test('names a product as the pages do', () => {
    const [line] = anOrder().lines
    if (!line) throw new Error('an order without lines')
    const { text, html: page } = written(
      confirmationMail(anOrder({ lines: [{ ...line, productName: 'Rudy Hat "After Hours"' }] })),
    )
    expect(text).toContain('Rudy Hat “After Hours”')
    expect(page).toMatch(/>Rudy Hat<[^]*>After Hours</)
  })

  test('a name with markup or dollar signs in it is shown as typed (S59)', () => {
    const { subject, html: page } = written(
      confirmationMail(anOrder({ customerName: '<script>x</script>', orderNumber: "$&$'" })),
    )
    expect(page).not.toContain('<script>')
    expect(page).toContain('&lt;script&gt;x&lt;/script&gt;')
    expect(subject).toBe("Order Confirmation PF$&$' - The Rudy Collection")
  })

  test('pictures on other hosts are left out', () => {
    const [line] = anOrder().lines
    const elsewhere = ['https://evil.example/x.png', '//evil.example/x.png', null].map((imageUrl) => ({
      ...(line ?? { productName: '', variantName: null, quantity: 1, unitPrice: cents(1) }),
      imageUrl,
    }))
    expect(written(confirmationMail(anOrder({ lines: elsewhere }))).html).not.toContain('class="picture"')
  })

  test('consumption tax that the printer will charge has its own line, unless it is zero', () => {
    const { amounts } = anOrder()
    expect(written(confirmationMail(anOrder())).text).not.toContain('Country Consumption Tax')
    const { text } = written(confirmationMail(anOrder({ amounts: { ...amounts, vatProtection: cents(250) } })))
    expect(text).toMatch(/Country Consumption Tax:\s+\$2\.50/)
  })
})

describe('the shipping email', () => {
  test('names the carrier, tracking number, link and contents', () => {
    const { subject, text, html: page } = written(shippedMail(aParcel()))
    expect(subject).toBe('On its way: your order PFK7QM-4T2X - The Sherlock Collection')
    expect(text).toContain(
      'Carrier: USPS\nTracking number: 9400111\nOrder number: PFK7QM-4T2X\nTrack your parcel: https://track.example/9400111?a=1&b=2',
    )
    expect(text).toContain('2 x Rudy Pillow (Navy)')
    expect(text).toContain('Arrives: Dec 3–9')
    expect(page).toContain('src="https://shop.example/pictures/pillow.640.webp"')
    expect(page).toContain('href="https://track.example/9400111?a=1&amp;b=2"')
  })

  test('is complete without a tracking link or number', () => {
    const { text, html: page } = written(
      shippedMail(aParcel({ carrier: '', trackingNumber: null, trackingUrl: null, items: [] })),
    )
    expect(text).not.toContain('Track your parcel')
    expect(page).not.toContain('Track your parcel')
    expect(`${text}${page}`).not.toMatch(/null|undefined|\[object/)
  })
})

const mention: MentionedOrder = {
  orderNumber: 'K7QM-4T2X',
  customerName: '<b>Ada</b> Byron',
  theme: rudy,
  publicUrl: 'https://shop.example',
  orderLink: 'https://shop.example/order-confirmation?token=abc',
}
const hatParcel = { carrier: 'USPS', trackingNumber: '9400111', items: aParcel().items.slice(), isLast: true }

describe('emails about an order', () => {
  test.each([
    [
      'delivered',
      deliveredMail(mention, hatParcel, 'https://shop.example/order-confirmation/problem?token=abc'),
      ['USPS delivered your parcel.', '9400111', '2 x Rudy Pillow (Navy)', '30 days'],
    ],
    [
      'on hold',
      onHoldMail(mention, ['1 Elm Street', 'Austin']),
      ['needs your address', '1 Elm Street, Austin', 'The dates we gave you may move', 'Correct the address'],
    ],
    ['a corrected address', correctedMail(mention, 'address'), ['was corrected', 'See your order']],
    [
      'out for delivery',
      trackingMail(mention, 'out_for_delivery', { ...hatParcel, arrives: 'Dec 3' }),
      ['has your parcel out for delivery', 'Arrives: Dec 3', '9400111'],
    ],
    [
      'failed attempt',
      trackingMail(mention, 'failed_attempt', { ...hatParcel, arrives: 'Dec 3–9' }),
      ['couldn’t hand it over', 'Arrives: Dec 3–9'],
    ],
    ['canceled', canceledMail(mention, cents(3995), false), ['was canceled', '$39.95', '5 to 10 business days']],
    ['refunded', refundedMail(mention, cents(3995), cents(3995)), ['Your refund', 'in full', '$39.95']],
    ['partly refunded', refundedMail(mention, cents(500), cents(3995)), ['A partial refund', 'part of order', '$5.00']],
    ['a new link', orderLinkMail(mention), ['A new link']],
  ])('the "%s" email says the same in HTML and text, and links to the order', (_, mail, phrases) => {
    const { subject, text, html: page } = written(mail)
    expect(subject).toContain('PFK7QM-4T2X')
    expect(subject).toContain('The Rudy Collection')
    for (const phrase of phrases) expect(`${subject}\n${text}`).toContain(phrase)
    expect(text).toContain('https://shop.example/order-confirmation?token=abc')
    expect(page).toContain('href="https://shop.example/order-confirmation?token=abc"')
    expect(page).toContain('Hi &lt;b&gt;Ada&lt;/b&gt;')
    expect(`${text}${page}`).not.toMatch(/null|undefined|\[object/)
  })

  test('a canceled order that is already refunded promises no further email', () => {
    expect(written(canceledMail(mention, cents(3995), false)).text).toContain(
      'email you when your refund is on its way',
    )
    expect(written(canceledMail(mention, cents(3995), true)).text).not.toContain('email you')
  })

  test('what somebody typed keeps its line breaks and paragraphs', () => {
    const { html: page } = written(
      simpleMail(
        { ...mention, link: mention.publicUrl },
        {
          mail: 'contact_answer',
          quoted: ['Dear <b>Ada</b>,\n\nit fits.\nSleep well.'],
          button: 'Open',
        },
      ),
    )
    const paragraphs = [...page.matchAll(/<p class="ink"[^>]*>(.*?)<\/p>/gs)].map(([, inside = '']) => inside.trim())
    expect(paragraphs.slice(2)).toEqual(['Dear &lt;b&gt;Ada&lt;/b&gt;,', 'it fits.<br />Sleep well.'])
  })

  test('a replacement and the last parcel do not announce another parcel', () => {
    expect(written(shippedMail(aParcel({ isReplacement: true }))).text).toContain(
      'A replacement for part of your order has shipped.',
    )
    expect(written(shippedMail(aParcel({ isLast: true }))).text).toContain('That’s everything in this order.')
    expect(written(shippedMail(aParcel({ isLast: false }))).text).toContain('The rest ships separately')
    expect(written(shippedMail(aParcel({ isLast: false }))).subject).toContain('part of your order')
  })

  test('of a refunded order that the printer could not stop, it says that both may be kept', () => {
    expect(written(shippedMail(aParcel({ isRefunded: true }))).text).toContain('what arrives is yours to keep')
    expect(written(shippedMail(aParcel())).text).not.toContain('yours to keep')
  })
})

const goods = { productName: 'Rudy Pillow', variantName: 'Navy', imageUrl: '/pictures/pillow.640.webp' }

test.each(['confirmation', 'changed', 'order_replacement', 'order_sample', 'order_gift', 'shipped'] as const)(
  'the email "%s", before a delivery, says when it arrives',
  (name) => {
    const { html, text } = written(exampleMail(name, goods, rudy, PUBLIC_URL))
    expect(html).toMatch(/Dec \d+–\d+/)
    expect(text).toMatch(/Dec \d+–\d+/)
  },
)

describe('on a dark screen, and without the shop’s fonts', () => {
  const pageOf = (name: (typeof mailNames)[number]) => written(exampleMail(name, goods, rudy, PUBLIC_URL)).html
  const colored = /(?<![\w-])color:(?!#ffffff)/

  test.each(mailNames)('every text of the email "%s" changes its color, and its titles are in Georgia', (name) => {
    const page = pageOf(name)
    const [, dark = ''] = /@media \(prefers-color-scheme: dark\) \{(.*?)<\/style>/s.exec(page) ?? []
    const changed = [...dark.matchAll(/\.([\w-]+) \{ color:/g)].map(([, one = '']) => one)
    expect(changed).not.toEqual([])
    const tags = [...page.matchAll(/<\w[^>]*\sstyle="[^"]*"[^>]*>/g)].map(([tag]) => tag)
    const inColor = tags.filter((tag) => colored.test(tag))
    expect(inColor.length).toBeGreaterThan(3)
    const classesOf = (tag: string) => /class="([^"]*)"/.exec(tag)?.[1]?.split(' ') ?? []
    expect(inColor.filter((tag) => !classesOf(tag).some((one) => changed.includes(one)))).toEqual([])
    const fonts = [...page.replaceAll('&#39;', '’').matchAll(/font-family:([^;]*Times[^;]*);/g)].map(
      ([, fonts = '']) => fonts,
    )
    expect(fonts.length).toBeGreaterThan(0)
    expect(fonts.filter((stack) => !/Georgia.*Times/.test(stack))).toEqual([])
  })
})

test('the delivered email shows the goods', () => {
  const { html: page } = written(deliveredMail(mention, hatParcel, PUBLIC_URL))
  expect(page).toMatch(/<img\s+class="picture"\s+src="https:\/\/shop\.example\/pictures\/pillow\.640\.webp"/)
})

test.each([
  ['Ada Lovelace', 'Ada'],
  ['  José Luis Álvarez', 'José'],
  ['ada_92', 'ada_92'],
  ['J. Doe', 'J. Doe'],
  ['山田 太郎', '山田 太郎'],
])('%s is greeted by first name where there is one', (name, expected) => expect(firstNameOf(name)).toBe(expected))

describe('the outbox', () => {
  let database: Database
  beforeAll(async () => {
    database = await openDatabase(undefined, 'memory://')
    await migrateSchema(database)
  }, 60_000)
  afterAll(() => database.close())
  beforeEach(() => database.db.execute(sql`truncate mail`))

  const closing: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0)) await close()
  })

  const aMail = (more: Partial<MailToQueue> = {}): MailToQueue => ({
    kind: 'payment_exception',
    recipient: { email: 'ada@mail.example', name: 'Ada Byron' },
    orderId: null,
    about: 'stripe:pi_1',
    subject: 'Hello',
    blocks: [{ kind: 'paragraph', text: 'In words.' }],
    ...more,
  })

  /** A shop with an SMTP server and a queue that only records its jobs. */
  async function aShop() {
    const kit = openKit({ speed: 0, log: () => {} })
    const mailbox = await startMailbox(kit, { port: 0 })
    closing.push(
      () => mailbox.close(),
      () => kit.close(),
    )
    const config = configOf(mailbox.url)
    await database.db.execute(sql`create temp table if not exists queued_mail (place serial, mail_id int)`)
    await database.db.execute(sql`truncate queued_mail`)
    const jobs = {
      enqueue: (tx: Tx, _name: string, { mailId }: { mailId: number }) =>
        tx.execute(sql`insert into queued_mail (mail_id) values (${mailId})`),
    } as unknown as JobQueue
    const queued = async () => {
      const { rows } = await database.db.execute<{ mail_id: number }>(
        sql`select mail_id from queued_mail order by place`,
      )
      return rows.map(({ mail_id: id }) => id)
    }
    const shop = {
      db: database.db,
      clock: { now: () => now },
      log,
      config,
      jobs,
      mailTransport: createMailTransport(config),
    }
    const later = (email: MailToQueue) => database.db.transaction((tx) => mailLater(shop, tx, email, now))
    const states = async () => (await database.db.select().from(mail).orderBy(mail.id)).map(({ state }) => state)
    return { shop, mailbox, queued, later, states }
  }

  test('an email is sent once, even if it is queued and tried twice', async () => {
    const { shop, mailbox, queued, later, states } = await aShop()
    await later(aMail())
    await later(aMail())
    const ids = await queued()
    expect(ids).toHaveLength(1)
    for (const id of [...ids, ...ids]) await sendMail(shop, id, noLink)
    expect(mailbox.list()).toHaveLength(1)
    expect(mailbox.list()[0]).toMatchObject({ subject: 'Hello' })
    expect(await states()).toEqual(['sent'])
  })

  test('a Message-ID reveals no count of orders or emails and stays the same on every retry', async () => {
    const { later } = await aShop()
    await later(aMail())
    await later(aMail({ about: 'stripe:pi_2' }))
    const ids = (await database.db.select().from(mail)).map(({ messageId }) => messageId)
    expect(ids.every((id) => /^<payment_exception-[0-9a-f]{32}@shop\.example>$/.test(id))).toBe(true)
    expect(new Set(ids).size).toBe(2)
  })

  test('an email of a transaction that is rolled back is not sent', async () => {
    const { shop, queued } = await aShop()
    await expect(
      database.db.transaction(async (tx) => {
        await mailLater(shop, tx, aMail(), now)
        throw new Error('no order')
      }),
    ).rejects.toThrow('no order')
    expect(await queued()).toEqual([])
    expect(await database.db.select().from(mail)).toEqual([])
  })

  test('an email that the server refuses for now is retried; one refused for good is not', async () => {
    const { shop, mailbox, queued, later, states } = await aShop()
    await later(aMail())
    await later(aMail({ about: 'other' }))
    const [first = 0, second = 0] = await queued()
    await mailbox.change({ change: 'fail_next', to: 'ada@mail.example', code: 451 })
    await expect(sendMail(shop, first, noLink)).rejects.toMatchObject({ name: 'ProviderUnavailable' })
    expect(await states()).toEqual(['queued', 'queued'])
    await sendMail(shop, first, noLink)
    await mailbox.change({ change: 'fail_next', to: 'ada@mail.example', code: 550 })
    await sendMail(shop, second, noLink)
    await sendMail(shop, second, noLink)
    expect(await states()).toEqual(['sent', 'bounced'])
    expect(mailbox.list()).toHaveLength(1)
  })

  test('several addresses in one field reach nobody (S65)', async () => {
    const { shop, mailbox, queued, later } = await aShop()
    await later(
      aMail({ recipient: { email: 'ada@mail.example, evil@mail.example', name: 'Ada\r\nBcc: evil@mail.example' } }),
    )
    for (const id of await queued()) await sendMail(shop, id, noLink).catch(() => {})
    expect(JSON.stringify(mailbox.list())).not.toMatch(/"to":[^}]*"evil@mail\.example"/)
  })

  test('an email is retried when the mail server is down or never responds', async () => {
    const mailOf = {
      fromName: 'The Shop',
      to: { name: '', address: 'a@mail.example' },
      subject: 's',
      text: 't',
      html: 'h',
      messageId: '<1@shop.example>',
    }
    await expect(createMailTransport(configOf('smtp://127.0.0.1:1')).send(mailOf)).rejects.toMatchObject({
      name: 'ProviderUnavailable',
    })
    const server = createServer((socket) => socket.end())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    closing.push(() => new Promise((resolve) => server.close(resolve)))
    const { port } = server.address() as AddressInfo
    await expect(createMailTransport(configOf(`smtp://127.0.0.1:${port}`)).send(mailOf)).rejects.toMatchObject({
      name: 'ProviderUnavailable',
    })
  })

  test('the token in an order link is created when the email is sent and is never stored', async () => {
    const { shop, mailbox, later, queued } = await aShop()
    await database.db.execute(sql`alter table mail drop constraint if exists mail_order_id_shop_order_id_fk`)
    const link = `https://shop.example/order-confirmation?token=${LINK_TOKEN}`
    const blocks = [{ kind: 'button' as const, text: 'Open', url: link }]
    await later(aMail({ kind: 'confirmation', orderId: 9 as OrderId, blocks }))
    for (const id of await queued()) await sendMail(shop, id, async ({ orderId }) => `secret-of-${orderId}`)
    const [sent] = mailbox.list()
    const whole = JSON.stringify(sent)
    expect(whole).toContain('token=secret-of-9')
    expect(whole).not.toContain(LINK_TOKEN)
    expect(JSON.stringify(await database.db.select().from(mail))).not.toContain('secret-of-9')
  })

  test('an order gets one email of each kind per parcel', async () => {
    const { later, queued } = await aShop()
    await database.db.execute(sql`alter table mail drop constraint if exists mail_order_id_shop_order_id_fk`)
    const orderId = 7 as OrderId
    await later(aMail({ kind: 'shipped', orderId, about: '1' }))
    await later(aMail({ kind: 'shipped', orderId, about: '1' }))
    await later(aMail({ kind: 'shipped', orderId, about: '2' }))
    expect(await queued()).toHaveLength(2)
  })
})
