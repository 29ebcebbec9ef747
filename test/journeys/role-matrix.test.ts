import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Access, Call } from '#contract/call.ts'
import { callGroups } from '#contract/calls.ts'
import { bookkeepingPaths } from '#contract/bookkeeping-paths.ts'
import { codePaths } from '#contract/code-paths.ts'
import { conversationPaths } from '#contract/conversation-paths.ts'
import { giftCardPaths } from '#contract/gift-card-paths.ts'
import { invoicePaths } from '#contract/invoice-paths.ts'
import { monthPaths } from '#contract/month-paths.ts'
import { needOfPage } from '#contract/page-access.ts'
import { ORIGINS_PATH } from '#contract/report-figures.ts'
import { taxPaths } from '#contract/tax-paths.ts'
import { explainNeed, staffRoles, type Permission, type StaffNeed, type StaffRole } from '#domain/accounts/roles.ts'
import { claimPaths } from '#contract/claim-paths.ts'
import { peoplePaths } from '#contract/people-paths.ts'
import { payPaths } from '#contract/pay-paths.ts'
import { paths } from '#contract/paths.ts'
import type { UserId } from '#shared/ids.ts'
import { after, HOUR_MS } from '#shared/time.ts'
import { createShopSessions } from '../../src/shop.ts'
import { openWorld, type World } from '#sandbox/world.ts'
import { appUser, session, staffRole } from '#server/accounts/schema.ts'

// Every method of every address, as a visitor, a user, a creator and each role of people who work here. Calls come from the contract; other routes are
// in the table below, and a route that is in neither fails the last test.

const everybody = ['anonymous', 'user', 'partner', ...staffRoles] as const
type Role = (typeof everybody)[number]

/** What each role may do beyond opening the admin, spelled out: a change of the table in `roles.ts` is a change here. */
const allowed: Record<Exclude<StaffRole, 'owner'>, readonly Permission[]> = {
  books: [
    ...['read_orders', 'read_claims', 'read_messages', 'read_reviews', 'read_partners', 'read_catalog'],
    ...['read_figures', 'read_settings', 'read_log', 'close_months'],
  ] as const,
  fulfillment: [
    ...['read_orders', 'edit_orders', 'fulfill_orders', 'refund_orders', 'read_claims', 'decide_claims'],
  ] as const,
  support: [
    ...['read_orders', 'edit_orders', 'refund_orders', 'read_claims'],
    ...['read_messages', 'answer_messages', 'read_reviews', 'moderate_reviews'],
  ] as const,
}

const isStaff = (role: Role): role is StaffRole => staffRoles.some((one) => one === role)

const mayNeed = (role: Role, need: StaffNeed): boolean =>
  role === 'owner' || (isStaff(role) && need !== 'owner' && (need === 'open_admin' || allowed[role].includes(need)))

/** The status that refuses a role; undefined if it may pass. */
function refusedWith(access: Access, role: Role): number | undefined {
  const need = access.replace(/_fresh$/, '')
  if (need === 'anyone') return undefined
  if (role === 'anonymous') return 401
  if (need === 'signed_in') return undefined
  // People who work here are creators only if their row says so.
  if (need === 'partner') return role === 'partner' ? undefined : 403
  if (need === 'staff') return isStaff(role) ? undefined : 403
  return mayNeed(role, need as StaffNeed) ? undefined : 403
}

/**
 * The routes outside the API and who may read them. `anyone`: the same for everybody. `key`: shows what the key in its address
 * or its session opens, whatever the role. `signature`: refuses requests without a valid signature.
 */
const besidesCalls: Readonly<Record<string, 'anyone' | 'key' | 'signature'>> = {
  'GET /*': 'anyone',
  'GET /.well-known/apple-developer-merchantid-domain-association': 'anyone',
  'GET /admin/content': 'anyone',
  'GET /api/cart/saved.svg': 'key',
  'GET /api/openapi.json': 'anyone',
  'GET /api/raffles/:slug/draw.json': 'anyone',
  'GET /api/raffles/:slug/entries.txt': 'anyone',
  'GET /apple-touch-icon.png': 'anyone',
  'GET /assets/*': 'anyone',
  'GET /desk': 'anyone',
  'GET /desk/*': 'anyone',
  'GET /embed/:file': 'anyone',
  'GET /favicon.svg': 'anyone',
  'GET /feed.xml': 'anyone',
  'GET /files/claim/:token': 'key',
  'GET /files/print/:token': 'key',
  'GET /fonts/fraunces.woff2': 'anyone',
  'GET /fonts/instrument-sans.woff2': 'anyone',
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
  'GET /raffle-draw-check.mjs': 'anyone',
  'GET /readyz': 'anyone',
  'GET /robots.txt': 'anyone',
  'GET /sitemap.xml': 'anyone',
  'GET /sitemap/:file': 'anyone',
  'GET /themes/:file': 'anyone',
  'POST /cart': 'key',
  'POST /cart/code': 'key',
  'POST /cart/restore': 'key',
  'POST /newsletter': 'key',
  'POST /newsletter/stop-review-emails': 'key',
  'POST /newsletter/unsubscribe': 'key',
  'POST /order-confirmation': 'key',
  'POST /order-confirmation/messages': 'key',
  'POST /policy-reports': 'anyone',
  'POST /raffle-entry': 'key',
  'POST /raffle/:slug': 'key',
  'POST /product/:id': 'key',
  'POST /track': 'key',
  'POST /visits': 'anyone',
  'GET /drop/:id.ics': 'anyone',
  'GET /drop/:id/room': 'anyone',
  'GET /drop/room.js': 'anyone',
  'POST /drop/:id/notice': 'key',
  'POST /drop/:id/room': 'key',
  'POST /drop/:id/waiting-list': 'key',
  'POST /webhooks/paypal': 'signature',
  'POST /webhooks/printful/:secret': 'signature',
  'POST /webhooks/stripe': 'signature',
}

/** Pages of the admin. All others are the same for everybody; their calls load personal data. */
const isAdminPage = (path: string) => /^\/(?:admin|reports)(?:\/|$)/.test(path)

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
  const hire = async (role: StaffRole) => {
    const user = {
      username: `works-as-${role}`,
      shownName: role,
      passwordHash: '',
      role,
      createdAt: world.shop.clock.now(),
    }
    const [made] = await world.shop.db.insert(appUser).values(user).returning()
    return made?.id as UserId
  }
  await world.shop.db.update(staffRole).set({ requiresSecondFactor: false })
  users = {
    ...{ user: await idOf('just-a-fan'), partner: await idOf('partner'), owner: await idOf('owner') },
    ...{ books: await hire('books'), fulfillment: await hire('fulfillment'), support: await hire('support') },
  }
})
afterAll(() => world[Symbol.asyncDispose]())

const signIn = async (role: Exclude<Role, 'anonymous'>) =>
  `session=${(await createShopSessions(world.shop).replace(undefined, users[role])).token}`

/** Signed in once for requests that are refused, and so change nothing. */
const refusedSessions = new Map<Role, string>()
async function sharedCookie(role: Exclude<Role, 'anonymous'>): Promise<string> {
  const cookie = refusedSessions.get(role) ?? (await signIn(role))
  refusedSessions.set(role, cookie)
  return cookie
}

/** A request by a role. @param isRefused otherwise in a new session, so that requests do not affect each other */
async function ask(role: Role, method: string, path: string, isRefused = false) {
  const cookie = role === 'anonymous' ? '' : await (isRefused ? sharedCookie(role) : signIn(role))
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
  return { status, code, body, isJson: String(headers['content-type']).includes('json') }
}

const somewhere = (path: string) => path.replace(/:\w+/g, '1').replace('*', 'nothing-here')

describe('every call', () => {
  test('accepts the roles its contract names, and nobody else (S28, I12)', async () => {
    expect(calls.length).toBeGreaterThan(20)
    for (const { method, path, access } of calls)
      for (const role of everybody) {
        const refused = refusedWith(access, role)
        const { status, code } = await ask(role, method, somewhere(path), refused !== undefined)
        const label = `${method} ${path} as ${role}`
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
    const isOfStaff = ({ access }: Call) => access.endsWith('_fresh') && access !== 'partner_fresh'
    const asking = calls.filter(isOfStaff).map(({ method, path }) => `${method} ${path}`)
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
      for (const { method, path } of calls.filter((call) =>
        role === 'owner' ? isOfStaff(call) : call.access === 'partner_fresh',
      )) {
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
    // `/issues/audience` is also an `/issues/:id`, whose methods it answers.
    const isAlso = (path: string, other: string) => new RegExp(`^${other.replace(/:\w+/g, '[^/]+')}$`).test(path)
    for (const path of new Set(calls.map((call) => call.path))) {
      const named = calls.filter((call) => isAlso(path, call.path))
      const methods = new Set<string>(named.map(({ method }) => method))
      const reading = calls.find((call) => call.path === path && call.method === 'GET')
      for (const role of ['anonymous', 'user', 'owner'] as const) {
        if (reading && refusedWith(reading.access, role))
          expect((await ask(role, 'HEAD', somewhere(path), true)).status, `HEAD ${path} as ${role}`).toBe(
            refusedWith(reading.access, role),
          )
        for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'].filter(
          (other) => !methods.has(other),
        ))
          expect([404, 405], `${method} ${path} as ${role}`).toContain(
            (await ask(role, method, somewhere(path), true)).status,
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
  const addresses = Object.values({
    ...{ ...paths, ...claimPaths, ...payPaths, ...bookkeepingPaths, ...codePaths, ...conversationPaths },
    ...{ ...giftCardPaths, ...invoicePaths, ...monthPaths, ...taxPaths, origins: ORIGINS_PATH },
    ...{ people: peoplePaths.admin, invitation: peoplePaths.invitation },
  }).flatMap((path) => (typeof path === 'string' && !path.startsWith('/api/') ? [path] : []))

  test('of the admin sends visitors to sign in, opens for its roles, and tells everybody else who may (I12)', async () => {
    const pages = addresses.filter(isAdminPage)
    expect(pages.filter((path) => needOfPage(path) !== 'owner').length).toBeGreaterThan(20)
    for (const path of pages)
      for (const role of everybody) {
        const { status, body } = await ask(role, 'GET', path)
        const label = `${path} as ${role}`
        if (role === 'anonymous') expect(status, label).toBe(302)
        else if (mayNeed(role, needOfPage(path))) expect(status, label).toBe(200)
        else {
          expect(status, label).toBe(403)
          expect(body, label).toContain(explainNeed(needOfPage(path)))
        }
      }
  })

  test('of a creator sends visitors to sign in, and refuses everybody else (I12)', async () => {
    for (const path of addresses.filter(isPartnersPage)) {
      const statuses = await Promise.all(everybody.map(async (role) => (await ask(role, 'GET', path)).status))
      expect(statuses, path).toEqual([302, 403, 200, 403, 403, 403, 403])
    }
  })

  test('that is public answers everybody alike (I12)', async () => {
    for (const path of addresses.filter((page) => !isAdminPage(page) && !isPartnersPage(page))) {
      const answers = await Promise.all(everybody.map((role) => ask(role, 'GET', path)))
      expect(new Set(answers.map(({ status }) => status)).size, path).toBe(1)
      expect(answers[0]?.status, path).toBeLessThan(500)
    }
  })
})

test('routes outside the API answer every role alike, and show nothing without their key or signature (I12)', async () => {
  for (const [route, kind] of Object.entries(besidesCalls)) {
    const [method = '', path = ''] = route.split(' ')
    for (const role of everybody) {
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
