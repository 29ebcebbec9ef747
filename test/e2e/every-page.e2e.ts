import { pathToFileURL } from 'node:url'
import type { Page } from '@playwright/test'
import { bankPaths } from '#contract/bank-paths.ts'
import { bookkeepingPaths } from '#contract/bookkeeping-paths.ts'
import { claimPaths } from '#contract/claim-paths.ts'
import { codePaths } from '#contract/code-paths.ts'
import { conversationPaths } from '#contract/conversation-paths.ts'
import { dropPaths } from '#contract/drop-paths.ts'
import { giftCardPaths } from '#contract/gift-card-paths.ts'
import { GIFT_PATH } from '#contract/gift-path.ts'
import { invoicePaths } from '#contract/invoice-paths.ts'
import { monthPaths } from '#contract/month-paths.ts'
import { paths } from '#contract/paths.ts'
import { payPaths } from '#contract/pay-paths.ts'
import { peoplePaths } from '#contract/people-paths.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import { rafflePaths } from '#contract/raffle-paths.ts'
import { FUNNEL_PATH, ORIGINS_PATH } from '#contract/report-figures.ts'
import { taxPaths } from '#contract/tax-paths.ts'
import type * as renderer from '#web/app/render.tsx'
import { DAY_MS, HOUR_MS } from '#shared/time.ts'
import { openWorld, type World } from '#sandbox/world.ts'
import { expect, findInaccessible, test as base } from './browser.ts'

// Every page of the route table, in a shop that has lived 90 days: bright on a desktop and dark on a phone, and nowhere wider than
// the screen.

const test = base.extend<object, { lived: Lived }>({
  lived: [
    // oxlint-disable-next-line eslint/no-empty-pattern -- Playwright reads what a fixture needs from its first parameter
    async ({}, use) => {
      await using world = await openWorld({ pages: true, isLived: true })
      await use(await prepare(world))
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: async ({ lived }, use) => use(lived.world.address),
})

test.describe.configure({ mode: 'parallel' })
test.use({ expected: [/status of (?:401|403|404|409|410|422)/] })

/** What addresses are made of. */
type Lived = { world: World; order: string; email: string; drop: number; draft: number; thread: number }

async function prepare(world: World): Promise<Lived> {
  const { shop, shopper } = world
  const first = async <Row>(statement: string): Promise<Row> => {
    const { rows } = await shop.database.pool.query(statement)
    if (!rows[0]) throw new Error(`nothing found: ${statement}`)
    return rows[0] as Row
  }
  const { order, email } = await first<{ order: string; email: string }>(
    `select order_number as "order", customer_email as email from shop_order
     where fulfilment_status = 'delivered' and kind = 'sale' order by created_at desc limit 1`,
  )
  const { thread } = await first<{ thread: number }>('select id as thread from conversation limit 1')
  const owner = shopper()
  await owner.send('POST', '/api/login', { username: 'owner', password: 'owner-demo' })
  const made = async (path: string, body: object): Promise<number> => {
    const { status, body: answer } = await owner.send<{ id: number }>('POST', path, body)
    if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(answer)}`)
    return answer.id
  }
  const { id: productId } = await owner.find('vented hat')
  const at = (ms: number) => new Date(shop.clock.now().getTime() + ms).toISOString()
  const drop = await made('/api/admin/drops', {
    ...{ title: 'Rudy’s Midnight Hat', productId, startsAt: at(HOUR_MS) },
    ...{ pieces: 50, limitPerPerson: 1, numberRule: 'retire', roomPerMinute: 60 },
  })
  await made(`/api/admin/drops/${drop}/schedule`, {})
  await made('/api/admin/raffles', {
    ...{ slug: 'a-hat', title: 'Rudy’s hat', words: 'One hat, for one of you.', countries: ['US', 'CA'] },
    ...{ startsAt: at(-HOUR_MS), endsAt: at(2 * DAY_MS), drawAfterDays: 7, productId },
  })
  const { body: all } = await owner.send<{ raffles: { id: number }[] }>('GET', '/api/admin/raffles')
  await made(`/api/admin/raffles/${all.raffles[0]?.id}/announce`, {})
  const { body: copied } = await owner.send<{ content: object }>('GET', `/api/admin/products/${productId}/draft`)
  const draft = await made('/api/admin/drafts', { content: copied.content })
  return { world, order, email, drop, draft, thread }
}

/** Addresses by the path of their page: a page in several states has several. */
type Addresses = Record<string, readonly string[]>

const PRODUCT = '/product/rudy-vented-hat-low-visibility'

const shopPages = (): Addresses => ({
  '/': ['/'],
  '/products': ['/products', '/products?color=black&sort=price', '/products?color=none'],
  '/product/:id': [PRODUCT, '/product/none'],
  '/collection/:collection': ['/collection/rudy'],
  '/collections/:collection': [
    '/collections/rudy',
    '/collections/sherlock',
    '/collections/example',
    '/collections/none',
  ],
  '/:collection': ['/pipcollection'],
  '/search': ['/search', '/search?q=mug', '/search?q=submarine'],
  '*': ['/not/there'],
  ...alone(paths.about, paths.contact, paths.privacyPolicy, paths.termsOfService, paths.shippingReturns, paths.auth),
  ...alone(paths.cart, paths.checkout, paths.directCheckout, paths.alternateCheckout),
  ...alone(paths.success, paths.paymentSuccess, paths.track),
  ...alone(peoplePaths.invitation, paths.newPassword, paths.newsletter, paths.myData, payPaths.giftCard),
  [rafflePaths.page(':slug')]: ['/raffle/a-hat', '/raffle/none'],
  // Without a link these pages refuse.
  ...alone(GIFT_PATH, dropPaths.certificate, dropPaths.transfer, dropPaths.offer, payPaths.phoneOrder, payPaths.change),
  ...alone(rafflePaths.entry),
})

const orderPages = ({ order }: Lived): Addresses => {
  const of = (path: string) => [`${path}?order=${order}`]
  return {
    [paths.orderConfirmation]: of(paths.orderConfirmation),
    [claimPaths.problem]: of(claimPaths.problem),
    [claimPaths.withdraw]: of(claimPaths.withdraw),
    [conversationPaths.messages]: of(conversationPaths.messages),
  }
}

const partnerPages = (): Addresses => ({
  ...alone(paths.account, paths.partnership, paths.earnings),
  ...alone(portalPaths.links, portalPaths.orders, portalPaths.statements, `${paths.earnings}/statement`),
})

const ownerPages = ({ order, drop, draft, thread }: Lived): Addresses => ({
  ...alone(paths.admin, paths.adminOrders, paths.adminNewOrder, paths.reports, ORIGINS_PATH, FUNNEL_PATH),
  ...alone(paths.reportLines, paths.adminProducts, paths.adminProductTypes, paths.adminSettings, paths.adminMails),
  ...alone(paths.adminLegal, paths.adminCollections, paths.adminNewCollection, paths.printerProducts),
  ...alone(paths.severalProducts, paths.adminCatalog, paths.adminCatalogFile, paths.adminRehearsal),
  ...alone(paths.adminReviews, rafflePaths.admin, codePaths.admin, dropPaths.admin, dropPaths.adminNew),
  ...alone(giftCardPaths.admin, bankPaths.admin, bookkeepingPaths.admin, monthPaths.admin, invoicePaths.admin),
  ...alone(taxPaths.admin, taxPaths.lines, paths.adminSearch, paths.adminImport, paths.adminPrivacy),
  ...alone(paths.adminExceptions, claimPaths.admin, claimPaths.adminWithdrawal, paths.adminReconciliation),
  ...alone(paths.adminInbox, conversationPaths.replies, paths.adminPartners, paths.adminSubscribers),
  ...alone(paths.adminPayouts, peoplePaths.admin, paths.adminLog),
  [paths.adminOrder(':number')]: [paths.adminOrder(order), paths.adminOrder('NONE-NONE')],
  [paths.adminProductType(':key')]: [paths.adminProductType('new')],
  [paths.adminMail(':mail')]: [paths.adminMail('order_confirmed')],
  [paths.adminCollection(':id')]: [paths.adminCollection('rudy')],
  [paths.newProduct]: [paths.newProduct, paths.draft(draft)],
  [paths.productPreview(':draft')]: [paths.productPreview(draft)],
  '/admin/drops/:id': [dropPaths.adminDrop(drop)],
  [dropPaths.adminBoard(':id')]: [dropPaths.adminBoard(drop)],
  [bankPaths.payout(':provider', ':id')]: [bankPaths.payout('stripe', 'none')],
  [conversationPaths.thread(':id')]: [conversationPaths.thread(thread)],
})

/** Pages that have one state here. */
const alone = (...all: readonly string[]): Addresses => Object.fromEntries(all.map((path) => [path, [path]]))

const screens = [
  { colorScheme: 'light', width: 1280, height: 900 },
  { colorScheme: 'dark', width: 390, height: 844 },
] as const

/** Something to buy, to press or to fill in begins on the first screen. The admin's menu leads on from its pages. */
const hasNextStep = (page: Page) =>
  page
    .getByRole('main')
    .locator('a[href], button, form, article, input')
    .evaluateAll((found) =>
      found.some((one) => one.checkVisibility() && one.getBoundingClientRect().top + scrollY < innerHeight),
    )

const isWiderThanScreen = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth > innerWidth)

/** Without reloading: only styles change the layout. */
async function isWideAt(page: Page, widths: readonly number[]): Promise<boolean> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    if (await isWiderThanScreen(page)) return true
  }
  return false
}

/** @returns what is wrong with each address */
async function look(page: Page, addresses: Addresses): Promise<object[]> {
  const wrong: object[] = []
  for (const address of Object.values(addresses).flat())
    for (const { colorScheme, width, height } of screens) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize({ width, height })
      if (colorScheme === 'light') await page.goto(address)
      const found = await findInaccessible(page)
      const isWide = (await isWiderThanScreen(page)) || (colorScheme === 'dark' && (await isWideAt(page, [360, 768])))
      if (found.length > 0 || isWide) wrong.push({ address, colorScheme, found, ...(isWide && { isWide }) })
      const isAdmin = address.startsWith('/admin')
      if (colorScheme === 'light' && !isAdmin && !(await hasNextStep(page))) wrong.push({ address, hasNextStep: false })
    }
  return wrong
}

async function signIn(page: Page, username: string): Promise<void> {
  const signedIn = await page.request.post('/api/login', { data: { username, password: `${username}-demo` } })
  expect(signedIn.status()).toBe(200)
}

test('no page of the route table is missing here', async ({ lived }) => {
  const { pagePaths } = (await import(pathToFileURL('dist/server/render.js').href)) as typeof renderer
  const listed = Object.keys({ ...shopPages(), ...orderPages(lived), ...partnerPages(), ...ownerPages(lived) })
  expect(listed.toSorted()).toEqual(pagePaths().toSorted())
})

test('pages of the shop are accessible', async ({ page, lived: { world } }) => {
  test.setTimeout(480_000)
  const wrong = await look(page, shopPages())
  const shopper = world.shopper()
  await shopper.adds('mug')
  await page
    .context()
    .addCookies([{ name: 'session', value: shopper.cookie().split('=')[1] ?? '', url: world.address }])
  const filled = alone(paths.cart, paths.checkout, paths.directCheckout, paths.alternateCheckout)
  expect([...wrong, ...(await look(page, filled))]).toEqual([])
})

test('pages of an order, and of a partner, are accessible', async ({ page, lived }) => {
  test.setTimeout(480_000)
  const { order, email } = lived
  await page.request.post('/api/track', { data: { orderNumber: order, email } })
  const wrong = await look(page, orderPages(lived))
  await signIn(page, 'partner')
  expect([...wrong, ...(await look(page, partnerPages()))]).toEqual([])
})

test('pages of the owner are accessible', async ({ page, lived }) => {
  test.setTimeout(480_000)
  await signIn(page, 'owner')
  expect(await look(page, ownerPages(lived))).toEqual([])
})
