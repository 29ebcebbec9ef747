import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Access, Call } from '#contract/call.ts'
import { callGroups } from '#contract/calls.ts'
import { claimPaths } from '#contract/claim-paths.ts'
import { payPaths } from '#contract/pay-paths.ts'
import { paths } from '#contract/paths.ts'
import type { UserId } from '#shared/ids.ts'
import { after, HOUR_MS } from '#shared/time.ts'
import { createShopSessions } from '../../src/shop.ts'
import { openWorld, type World } from '#sandbox/world.ts'
import { appUser, session } from '#server/accounts/schema.ts'

// Every method of every address, as a visitor, a user, a creator and the owner. Calls come from the contract; other routes are
// in the table below, and a route that is in neither fails the last test.

const roles = ['anonymous', 'user', 'partner', 'owner'] as const
type Role = (typeof roles)[number]

/** The status that refuses a role; undefined if it may pass. */
const refusedWith: Record<Access, Record<Role, number | undefined>> = {
  anyone: { anonymous: undefined, user: undefined, partner: undefined, owner: undefined },
  signed_in: { anonymous: 401, user: undefined, partner: undefined, owner: undefined },
  // The owner is a creator only if the user's row says so.
  partner: { anonymous: 401, user: 403, partner: undefined, owner: 403 },
  partner_fresh: { anonymous: 401, user: 403, partner: undefined, owner: 403 },
  owner: { anonymous: 401, user: 403, partner: 403, owner: undefined },
  owner_fresh: { anonymous: 401, user: 403, partner: 403, owner: undefined },
}

/**
 * The routes outside the API and who may read them. `anyone`: the same for everybody. `key`: shows what the key in its address
 * or its session opens, whatever the role. `signature`: refuses requests without a valid signature.
 */
const besidesCalls: Readonly<Record<string, 'anyone' | 'key' | 'signature'>> = {
  'GET /*': 'anyone',
  'GET /.well-known/apple-developer-merchantid-domain-association': 'anyone',
  'GET /admin/content': 'anyone',
  'GET /api/openapi.json': 'anyone',
  'GET /apple-touch-icon.png': 'anyone',
  'GET /assets/*': 'anyone',
  'GET /desk': 'anyone',
  'GET /desk/*': 'anyone',
  'GET /embed/:file': 'anyone',
  'GET /favicon.svg': 'anyone',
  'GET /feed.xml': 'anyone',
  'GET /files/claim/:token': 'key',
  'GET /files/print/:token': 'key',
  'GET /healthz': 'anyone',
  'GET /icons/icon-192.png': 'anyone',
  'GET /icons/icon-512.png': 'anyone',
  'GET /icons/maskable-512.png': 'anyone',
  'GET /icons/touch-180.png': 'anyone',
  'GET /manifest.webmanifest': 'anyone',
  'GET /order-confirmation/arrival.ics': 'key',
  'GET /order-confirmation/receipt.pdf': 'key',
  'GET /partnership/assets/:file': 'key',
  'GET /partnership/calls/:file': 'key',
  'GET /partnership/links/:file': 'key',
  'GET /pictures/:file': 'anyone',
  'GET /pictures/default.webp': 'anyone',
  'GET /r/:code': 'anyone',
  'GET /readyz': 'anyone',
  'GET /robots.txt': 'anyone',
  'GET /sitemap.xml': 'anyone',
  'GET /sitemap/:file': 'anyone',
  'GET /themes/:file': 'anyone',
  'POST /cart': 'key',
  'POST /cart/code': 'key',
  'POST /newsletter': 'key',
  'POST /newsletter/stop-review-emails': 'key',
  'POST /newsletter/unsubscribe': 'key',
  'POST /order-confirmation': 'key',
  'POST /order-confirmation/messages': 'key',
  'POST /policy-reports': 'anyone',
  'POST /product/:id': 'key',
  'POST /track': 'key',
  'POST /webhooks/paypal': 'signature',
  'POST /webhooks/printful/:secret': 'signature',
  'POST /webhooks/stripe': 'signature',
}

/** Pages of the owner. All others are the same for everybody; their calls load personal data. */
const isOwnersPage = (path: string) => /^\/(?:admin|reports)(?:\/|$)/.test(path)

/** Pages of creators beyond the portal, which is open to every signed-in user. */
const isPartnersPage = (path: string) => path.startsWith('/partnership/')

let world: World
const calls = Object.values(callGroups).flatMap((group) => Object.values<Call>(group))
let users: Record<Exclude<Role, 'anonymous'>, UserId>

beforeAll(async () => {
  world = await openWorld({ pages: true })
  const visitor = world.shopper()
  await visitor.send('POST', '/api/register', { username: 'just-a-fan', password: 'sleeps all day' })
  const idOf = async (username: string) => {
    const [user] = await world.shop.db.select().from(appUser).where(eq(appUser.username, username))
    return user?.id as UserId
  }
  users = { user: await idOf('just-a-fan'), partner: await idOf('partner'), owner: await idOf('owner') }
})
afterAll(() => world[Symbol.asyncDispose]())

/** A request by a role in a new session, so requests do not affect each other. */
async function ask(role: Role, method: string, path: string) {
  const cookie =
    role === 'anonymous'
      ? ''
      : `session=${(await createShopSessions(world.shop).replace(undefined, users[role])).token}`
  const {
    statusCode: status,
    body,
    headers,
  } = await world.running.app.http.inject({
    method: method as 'GET',
    url: path,
    headers: { cookie, host: '127.0.0.1' },
    ...(/^(?:POST|PUT|PATCH)$/.test(method) && { payload: {} }),
  })
  const code = body.startsWith('{') ? (JSON.parse(body) as { code?: string }).code : undefined
  return { status, code, isJson: String(headers['content-type']).includes('json') }
}

const somewhere = (path: string) => path.replace(/:\w+/g, '1').replace('*', 'nothing-here')

describe('every call', () => {
  test('accepts the roles its contract names, and nobody else (S28, I12)', async () => {
    expect(calls.length).toBeGreaterThan(20)
    for (const { method, path, access } of calls)
      for (const role of roles) {
        const { status, code } = await ask(role, method, somewhere(path))
        const label = `${method} ${path} as ${role}`
        const refused = refusedWith[access][role]
        if (refused) expect({ status, code }, label).toMatchObject({ status: refused })
        else {
          expect(code === undefined || !/^not_(?:signed_in|allowed)$|^password_needed$|^bug$/.test(code), label).toBe(
            true,
          )
          expect(status, label).not.toBe(500)
        }
      }
  })

  test('that needs a recent password refuses an hour-old sign-in: money, rates, people’s data (I12, L04)', async () => {
    const asking = calls.filter(({ access }) => access === 'owner_fresh').map(({ method, path }) => `${method} ${path}`)
    expect(asking).toEqual(
      expect.arrayContaining([
        ...['POST /api/admin/orders/:number/refund', 'POST /api/admin/payouts', 'POST /api/admin/payouts/:id/return'],
        ...['POST /api/admin/partner-rates', 'GET /api/admin/payouts/list', 'GET /api/reports/orders'],
        ...['GET /api/reports/recovery', 'POST /api/admin/privacy/export', 'POST /api/admin/privacy/erase'],
      ]),
    )
    for (const role of ['owner', 'partner'] as const) {
      const stale = await createShopSessions(world.shop).replace(undefined, users[role])
      await world.shop.db
        .update(session)
        .set({ confirmedAt: after(world.shop.clock.now(), -HOUR_MS) })
        .where(eq(session.id, stale.id))
      for (const { method, path } of calls.filter(({ access }) => access === `${role}_fresh`)) {
        const answer = await world.running.app.http.inject({
          method,
          url: somewhere(path),
          headers: { cookie: `session=${stale.token}`, host: '127.0.0.1' },
          ...(method !== 'GET' && { payload: {} }),
        })
        expect(answer.json<{ code: string }>(), `${method} ${path}`).toMatchObject({ code: 'password_needed' })
      }
    }
  })

  test('answers HEAD as GET, and no method outside its contract (S85, S55)', async () => {
    const methodsAt = Map.groupBy(calls, ({ path }) => path)
    for (const [path, named] of methodsAt) {
      const methods = new Set<string>(named.map(({ method }) => method))
      const reading = named.find(({ method }) => method === 'GET')
      for (const role of ['anonymous', 'user', 'owner'] as const) {
        if (reading && refusedWith[reading.access][role])
          expect((await ask(role, 'HEAD', somewhere(path))).status, `HEAD ${path} as ${role}`).toBe(
            refusedWith[reading.access][role],
          )
        for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'].filter(
          (other) => !methods.has(other),
        ))
          expect([404, 405], `${method} ${path} as ${role}`).toContain(
            (await ask(role, method, somewhere(path))).status,
          )
      }
    }
  })

  test('is reached only by its exact address (S31)', async () => {
    const owners = calls.find(({ method, access }) => method === 'GET' && access === 'owner')?.path ?? ''
    expect(owners).toMatch(/^\/api\//)
    const rest = owners.slice('/api'.length)
    const tricks = [
      `/API${rest}`,
      `/${owners}`,
      `${owners}/`,
      `/api/.${rest}`,
      `/api/%2e${rest}`,
      `${owners};x=1`,
      `/cart/..;${owners}`,
      `/api${rest.replaceAll('/', '%2f')}`,
      `/api\\${rest.slice(1)}`,
    ]
    for (const role of ['anonymous', 'user', 'partner'] as const)
      for (const trick of tricks) {
        const { status, isJson } = await ask(role, 'GET', trick)
        expect(status === 200 && isJson, `${trick} as ${role}`).toBe(false)
      }
    const overruled = await world.running.app.http.inject({
      url: '/healthz',
      headers: {
        host: '127.0.0.1',
        'x-original-url': owners,
        'x-rewrite-url': owners,
        'x-http-method-override': 'DELETE',
      },
    })
    expect(overruled.json()).toEqual(
      (await world.running.app.http.inject({ url: '/healthz', headers: { host: '127.0.0.1' } })).json(),
    )
  })
})

describe('every page', () => {
  const addresses = Object.values({ ...paths, ...claimPaths, ...payPaths }).flatMap((path) =>
    typeof path === 'string' ? [path] : [],
  )

  test('of the owner sends visitors to sign in, and refuses everybody else (I12)', async () => {
    for (const path of addresses.filter(isOwnersPage)) {
      for (const role of ['anonymous', 'user', 'partner'] as const) {
        const { status } = await ask(role, 'GET', path)
        expect(status, `${path} as ${role}`).not.toBe(200)
      }
    }
  })

  test('of a creator sends visitors to sign in, and refuses everybody else (I12)', async () => {
    for (const path of addresses.filter(isPartnersPage)) {
      const statuses = await Promise.all(roles.map(async (role) => (await ask(role, 'GET', path)).status))
      expect(statuses, path).toEqual([302, 403, 200, 403])
    }
  })

  test('that is public answers everybody alike (I12)', async () => {
    for (const path of addresses.filter((page) => !isOwnersPage(page) && !isPartnersPage(page))) {
      const answers = await Promise.all(roles.map((role) => ask(role, 'GET', path)))
      expect(new Set(answers.map(({ status }) => status)).size, path).toBe(1)
      expect(answers[0]?.status, path).toBeLessThan(500)
    }
  })
})

test('routes outside the API answer every role alike, and show nothing without their key or signature (I12)', async () => {
  for (const [route, kind] of Object.entries(besidesCalls)) {
    const [method = '', path = ''] = route.split(' ')
    for (const role of roles) {
      const { status } = await ask(role, method, somewhere(path))
      if (kind === 'anyone') expect([200, 204, 301, 302, 404], `${route} as ${role}`).toContain(status)
      else expect(status, `${route} as ${role}`).toBeGreaterThanOrEqual(400)
      expect(status, `${route} as ${role}`).not.toBe(500)
    }
  }
})

test('every address is in the contract or in the table above (S84)', () => {
  const named = new Set([...calls.map(({ method, path }) => `${method} ${path}`), ...Object.keys(besidesCalls)])
  expect(
    routesOf(world.running.app.http.printRoutes({ commonPrefix: false })).filter((route) => !named.has(route)),
  ).toEqual([])
})

/** The router's own list, a tree of addresses. Every GET has a HEAD beside it. */
function routesOf(tree: string): string[] {
  const above: string[] = []
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', part = '', methods = ''] = /^([│├└─\s]*)(\/?\S*) \(([A-Z, ]+)\)$/.exec(line) ?? []
    if (!methods) return []
    const depth = indent.length / 4
    above.length = depth - 1
    above.push(part === '*' ? '/*' : part)
    return methods
      .split(', ')
      .filter((method) => method !== 'HEAD')
      .map((method) => `${method} ${above.join('')}`)
  })
}
