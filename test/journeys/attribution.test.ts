import { afterAll, beforeAll, expect, test } from 'vitest'
import { DAY_MS } from '#shared/time.ts'
import { openWorld, type World } from '#sandbox/world.ts'

const BROWSER = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0', 'sec-fetch-dest': 'document' }

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

type Click = { link: string; path: string; carted: boolean }

async function clicks(): Promise<Click[]> {
  const { rows } = await world.shop.database.pool.query<Click>(
    `select l.code as link, c.path, c.carted_at is not null as carted
     from affiliate_click c join affiliate_link l on l.id = c.link_id order by c.clicked_at, c.id`,
  )
  return rows
}

/** The newest checkout's creator, and why it earns nothing. */
async function newestAttribution(): Promise<{ link: string; objection: string | null } | undefined> {
  const { rows } = await world.shop.database.pool.query<{ link: string | null; objection: string | null }>(
    `select l.code as link, a.objection from checkout k left join attribution a on a.checkout_id = k.id
     left join affiliate_link l on l.id = a.link_id order by k.created_at desc limit 1`,
  )
  const [row] = rows
  return row?.link ? { link: row.link, objection: row.objection } : undefined
}

/** A browser that keeps all its cookies, not only the session. */
function visitor() {
  const shopper = world.shopper()
  let click = ''
  const headers = () => ({ ...BROWSER, cookie: [shopper.cookie(), click].filter(Boolean).join('; ') })
  return {
    shopper,
    async follows(code: string, more: Record<string, string> = {}) {
      const answer = await fetch(`${world.address}/r/${code}`, {
        redirect: 'manual',
        headers: { ...headers(), ...more },
      })
      const set = answer.headers.getSetCookie().find((cookie) => cookie.startsWith('click='))
      if (set) click = set.split(';', 1)[0] ?? ''
      return {
        status: answer.status,
        to: answer.headers.get('location'),
        set,
        cache: answer.headers.get('cache-control'),
      }
    },
    send: async <Body>(method: string, path: string, body?: unknown) => {
      const answer = await shopper.send<Body>(method, path, body, { cookie: headers().cookie })
      return answer
    },
    remembers: (value: string) => {
      click = value
    },
    async beginsToPay(email?: string) {
      const hat = await shopper.find('hat')
      const { headers: answered } = await this.send('POST', '/api/cart', {
        productId: String(hat.id),
        variantId: await shopper.firstVariant(hat),
      })
      const session = answered.getSetCookie().find((cookie) => cookie.includes('session='))
      if (session) shopper.usesCookie(session.split(';', 1)[0] ?? '')
      const info = shopper.customerInfo({
        line1: '350 5th Avenue',
        city: 'New York',
        state: 'NY',
        postal_code: '10118',
        country: 'US',
      })
      const customerInfo = { ...info, ...(email && { email }) }
      const started = await this.send('POST', '/api/create-payment-intent', { customerInfo, termsAccepted: true })
      expect(started.status).toBe(200)
    },
  }
}

test('a creator’s link opens its page, is never cached, and is remembered for 30 days', async () => {
  const somebody = visitor()
  const { status, to, set, cache } = await somebody.follows('Bullion-Rudy')
  expect({ status, to, cache }).toEqual({ status: 302, to: '/RudyCollection', cache: 'no-store' })
  expect(set).toMatch(/^click=[0-9a-f-]{36}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/)
  expect((await clicks()).at(-1)).toEqual({ link: 'bullion-rudy', path: '/RudyCollection', carted: false })
})

test.each([
  ['an unknown code', 'nobody', {}],
  ['a code that is an address', encodeURIComponent('//evil.example'), {}],
])('%s leads to the home page and is not remembered', async (_, code, more) => {
  const before = (await clicks()).length
  expect(await visitor().follows(code, more)).toMatchObject({ status: 302, to: '/', set: undefined })
  expect(await clicks()).toHaveLength(before)
})

test('only the code decides where a link leads', async () => {
  expect((await visitor().follows('bullion?to=https://evil.example&next=//evil.example')).to).toBe('/')
})

test('bots, prefetching browsers and embedded images are redirected, but do not count', async () => {
  const before = (await clicks()).length
  for (const more of [
    { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' },
    { 'sec-purpose': 'prefetch' },
    { 'sec-fetch-dest': 'image' },
  ])
    expect(await visitor().follows('bullion-all', more)).toMatchObject({ to: '/products', set: undefined })
  const head = await fetch(`${world.address}/r/bullion`, { method: 'HEAD', redirect: 'manual', headers: BROWSER })
  expect(head.headers.getSetCookie()).toEqual([])
  expect(await clicks()).toHaveLength(before)
})

test('the last click before payment counts, and its cart is recorded', async () => {
  const somebody = visitor()
  await somebody.follows('bullion-rudy')
  await somebody.follows('bullion-all')
  await somebody.beginsToPay()
  expect(await newestAttribution()).toEqual({ link: 'bullion-all', objection: null })
  expect((await clicks()).slice(-2).map(({ carted }) => carted)).toEqual([false, true])
})

test('a forged click counts for nobody', async () => {
  const somebody = visitor()
  for (const forged of [
    'click=00000000-0000-4000-8000-000000000000',
    "click='; drop table partner; --",
    'click=bullion',
  ]) {
    somebody.remembers(forged)
    await somebody.beginsToPay()
    expect(await newestAttribution()).toBeUndefined()
  }
})

test('a creator earns nothing on their own purchases, signed in or by their own email', async () => {
  const signedIn = visitor()
  const { headers } = await signedIn.shopper.send('POST', '/api/login', {
    username: 'partner',
    password: 'partner-demo',
  })
  signedIn.shopper.usesCookie(headers.getSetCookie()[0]?.split(';', 1)[0] ?? '')
  await signedIn.follows('bullion')
  await signedIn.beginsToPay()
  expect(await newestAttribution()).toEqual({ link: 'bullion', objection: 'own_account' })

  await world.shop.database.pool.query(`update app_user set email = 'hour@mail.example' where username = 'partner'`)
  const guest = visitor()
  await guest.follows('bullion')
  await guest.beginsToPay('Hour+gold@mail.example')
  expect(await newestAttribution()).toEqual({ link: 'bullion', objection: 'own_email' })
})

test('an ended partnership earns nothing new, and its links still open the shop', async () => {
  await world.shop.database.pool.query(`update partner set state = 'ended'`)
  const somebody = visitor()
  expect(await somebody.follows('bullion-all')).toMatchObject({ to: '/products' })
  await somebody.beginsToPay()
  expect(await newestAttribution()).toEqual({ link: 'bullion-all', objection: 'partner_ended' })
  await world.shop.database.pool.query(`update partner set state = 'active'`)
})

test('a click stops counting after 30 days', async () => {
  const somebody = visitor()
  await somebody.follows('bullion')
  await world.advance(30 * DAY_MS + 1000)
  await somebody.beginsToPay()
  expect(await newestAttribution()).toBeUndefined()
})

test('more than a few clicks a minute from one address are redirected, and not recorded', async () => {
  await using strict = await openWorld({ env: { RATE_LIMIT_SCALE: '0.05' } })
  const follow = async () => {
    const { status, headers } = await fetch(`${strict.address}/r/bullion-all`, { redirect: 'manual', headers: BROWSER })
    return { status, to: headers.get('location'), isNoted: headers.getSetCookie().length > 0 }
  }
  const answers = [await follow(), await follow(), await follow(), await follow()]
  expect(answers.map(({ isNoted }) => isNoted)).toEqual([true, true, true, false])
  expect(answers[3]).toEqual({ status: 302, to: '/products', isNoted: false })
  const { rows } = await strict.shop.database.pool.query('select id from affiliate_click')
  expect(rows).toHaveLength(3)
})
