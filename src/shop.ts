import type { AddressInfo, Server } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Renderer } from '#contract/page.ts'
import type { OrderId } from '#shared/ids.ts'
import type { Clock } from '#shared/time.ts'
import '#words/all.ts'
import {
  createSessions,
  ensureUser,
  mailAccountLink,
  openAccountLink,
  refuseDemoPeople,
} from '#server/accounts/accounts.ts'
import { accountRoutes } from '#server/accounts/routes.ts'
import { staffRoutes } from '#server/accounts/staff-routes.ts'
import { moveCartLines } from '#server/cart/cart.ts'
import { cartForms } from '#server/cart/forms.ts'
import { cartRoutes } from '#server/cart/routes.ts'
import { readBlanks } from '#server/blanks/jobs.ts'
import { blankRoutes } from '#server/blanks/routes.ts'
import { copyMissingPictures, syncBySchedule } from '#server/catalog/jobs.ts'
import { writePrices } from '#server/catalog/variant-prices.ts'
import { clearListingCache } from '#server/catalog/listing-cache.ts'
import { importChangedCatalog } from '#server/catalog/catalog-setup.ts'
import { collectionRoutes } from '#server/catalog/collection-routes.ts'
import { catalogFileRoutes } from '#server/catalog/catalog-file-routes.ts'
import { addKnownCollections } from '#server/catalog/collections.ts'
import { productTypeRoutes } from '#server/catalog/product-type-routes.ts'
import { searchWordRoutes } from '#server/catalog/search-word-routes.ts'
import { catalogRoutes } from '#server/catalog/routes.ts'
import { countMiss } from '#server/catalog/search-words.ts'
import { claimRoutes } from '#server/claims/routes.ts'
import { holderToken, nextHolderToken } from '#server/drops/certificates.ts'
import { moveDropPlaces } from '#server/drops/session-moves.ts'
import { drawDropShare } from '#server/drops/share.ts'
import { dropRoutes } from '#server/drops/routes.ts'
import { offerToken } from '#server/drops/waiting-list.ts'
import { cancelIntent } from '#server/checkout/card.ts'
import { codeForms, codeLinks } from '#server/checkout/code-forms.ts'
import { formatGiftCardCode } from '#domain/gift-cards/gift-card.ts'
import { giftCardCodeOf } from '#server/gift-cards/gift-cards.ts'
import { listDiscounts, moveSessionCodes } from '#server/checkout/codes.ts'
import { moveEndedCheckouts, moveUnpaidCheckouts } from '#server/checkout/session-moves.ts'
import { moveCartReminder, openSavedCart } from '#server/checkout/saved-carts.ts'
import { savedCartRoutes } from '#server/checkout/saved-cart-routes.ts'
import { checkoutRoutes } from '#server/checkout/routes.ts'
import { clockOf } from '#server/config/clock.ts'
import type { Config } from '#server/config/config.ts'
import { endRefused } from '#server/messages/bounces.ts'
import { detachChat, mailChat, moveChat } from '#server/messages/chat.ts'
import { messageForms } from '#server/messages/forms.ts'
import { sendIssue } from '#server/messages/issues.ts'
import { openSubscription, mailSubscribers } from '#server/messages/newsletter.ts'
import { messageRoutes } from '#server/messages/routes.ts'
import { moveFormerMessages } from '#server/messages/former-messages.ts'
import { watchMessages } from '#server/messages/watch-messages.ts'
import { listenForChanges } from '#server/db/changes.ts'
import { hasPeople, withSetupLock, migrateSchema, openDatabase, type Database } from '#server/db/db.ts'
import { beginWithBackup } from '#server/db/owner-backup.ts'
import type { Embedded } from '#server/db/embedded.ts'
import { listenForOwner } from '#server/db/owner-socket.ts'
import { runDoctor, runDoctorLater } from '#server/admin/doctor.ts'
import { adminRoutes } from '#server/admin/routes.ts'
import { freeOrderRoutes } from '#server/fulfillment/free-order-routes.ts'
import { shopperChangeRoutes } from '#server/payments/shopper-change-routes.ts'
import { stopAtPrinter, submitPaid, submitWaiting } from '#server/fulfillment/fulfillment.ts'
import { followPrintfulEvent, printfulWebhook } from '#server/fulfillment/webhooks.ts'
import { applePayFileRoute } from '#server/admin/go-live.ts'
import { policyReportRoutes } from '#server/admin/policy-reports.ts'
import { createApp, type App } from '#server/http/app.ts'
import type { Sessions } from '#server/http/context.ts'
import { clearLegalVersionCache } from '#server/settings/legal-versions.ts'
import { clearSiteSettingsCache } from '#server/settings/site-settings.ts'
import { robotsAndManifestRoutes } from '#server/http/robots-and-manifest.ts'
import { healthRoutes } from '#server/http/health.ts'
import { metricsRoutes } from '#server/http/metrics.ts'
import { fetchPictures } from '#server/catalog/former-pictures.ts'
import { importRoutes } from '#server/imports/routes.ts'
import { findRedirect } from '#server/catalog/redirects.ts'
import { pageRoutes } from '#server/http/pages.ts'
import { publicConfigRoutes, readPublicConfig } from '#server/catalog/public-config.ts'
import { migrateJobs, startJobs } from '#server/jobs/jobs.ts'
import { startSchedule } from '#server/jobs/schedule.ts'
import type { Log } from '#server/log/log.ts'
import { sendMail } from '#server/mail/outbox.ts'
import { createMailTransport } from '#server/mail/transport.ts'
import { correctTax, rebookTax, recordTax, reverseTax } from '#server/orders/tax-record.ts'
import { handleEvent } from '#server/providers/events.ts'
import { attributionRoutes } from '#server/partners/attribution-routes.ts'
import { earningsRoutes } from '#server/reports/earnings-routes.ts'
import { ensurePartner } from '#server/partners/partner.ts'
import { payoutRoutes } from '#server/partners/payout-routes.ts'
import { sumSealedDays } from '#server/ledger/day-sums.ts'
import { sealHourly } from '#server/ledger/seals.ts'
import { listCommissionLines } from '#server/partners/sealed-lines.ts'
import { reconcileBooks, watchBooks } from '#server/reconciliation/jobs.ts'
import { updateExceptions } from '#server/reconciliation/reconciliation.ts'
import { bankRoutes } from '#server/reconciliation/bank-routes.ts'
import { reconciliationRoutes } from '#server/reconciliation/routes.ts'
import { phoneOrderToken } from '#server/checkout/phone-orders.ts'
import { giftCardRoutes } from '#server/payments/gift-card-routes.ts'
import { purchaseIn, purchaseToken } from '#server/payments/gift-card-purchases.ts'
import { phoneOrderRoutes } from '#server/payments/phone-order-routes.ts'
import { endOrderViews, movePaidOrders, openLink } from '#server/orders/access.ts'
import { mailDataLink, MY_DATA_MAIL, openDataLink } from '#server/privacy/privacy.ts'
import { runRetention } from '#server/privacy/retention.ts'
import { privacyRoutes } from '#server/privacy/routes.ts'
import { orderForms } from '#server/orders/forms.ts'
import { invoiceRoutes } from '#server/orders/invoice-routes.ts'
import { orderRoutes } from '#server/orders/routes.ts'
import { portalRoutes } from '#server/partners/portal-routes.ts'
import { makeComposition } from '#server/pictures/composer.ts'
import { createPictureProcess, type PictureProcess } from '#server/pictures/picture-process.ts'
import { pictureRoutes } from '#server/pictures/routes.ts'
import { createPayments } from '#server/providers/payments.ts'
import { createPaypal } from '#server/providers/paypal/paypal.ts'
import { createDrand } from '#server/providers/drand/drand.ts'
import { createPrintful } from '#server/providers/printful/client.ts'
import { createStripe } from '#server/providers/stripe/stripe.ts'
import { createUnknownValueLog } from '#server/providers/unknown-values.ts'
import { importDemoReviews } from '#server/reviews/demo-reviews.ts'
import { reviewRequestForms } from '#server/reviews/requests.ts'
import { openEntry } from '#server/raffles/raffles.ts'
import { raffleRoutes } from '#server/raffles/routes.ts'
import { reviewRoutes } from '#server/reviews/routes.ts'
import { rehearsalRoutes } from '#server/reports/rehearsal-routes.ts'
import { reportRoutes } from '#server/reports/routes.ts'
import { paymentRoutes } from '#server/payments/routes.ts'
import { lapseChange } from '#server/payments/order-changes.ts'
import { sendAnswer } from '#server/payments/dispute-answers.ts'
import { refundPayment } from '#server/payments/refunds.ts'
import { followPaypalEvent, followStripeEvent, paypalWebhook, stripeWebhook } from '#server/payments/webhooks.ts'
import type { Needs, Shop } from '#server/shop.ts'
import { makeProduct } from '#server/studio/make-product.ts'
import { studioRoutes } from '#server/studio/routes.ts'
import { visitRoutes } from '#server/visits/routes.ts'
import { createVisitCounter } from '#server/visits/visit-counter.ts'
import { ownerVerbs } from './owner-verbs.ts'
import { tasksOf } from './schedule.ts'

export type RunningShop = {
  shop: Shop
  app: App
  /** Starts serving requests and running jobs. @returns the address */
  listen(): Promise<string>
  /** Queues the doctor, which runs in half a minute. */
  examineLater(): Promise<void>
  /** Reports `closing` for the configured time, then accepts no connections, finishes running work and closes the database last. */
  close(): Promise<void>
}

type Parts = {
  config: Config
  log: Log
  clock?: Clock
  /** The schedule's clock, where it is not the shop's: tests run what is due themselves. */
  scheduleClock?: Clock | undefined
  /** The built renderer; without it there are API calls but no pages (tests). */
  renderer?: Renderer | undefined
  /** An embedded database that is already open, and stays open (tests). */
  embedded?: Embedded | undefined
  /** Without it, one at the lowest priority. */
  pictureProcess?: PictureProcess | undefined
}

/** The longest pause between retries of a job: two sweep intervals, within 30 seconds and ten minutes. */
const pauseMaxOf = ({ sweepIntervalMs }: Config): number =>
  Math.min(600, Math.max(30, Math.round((2 * sweepIntervalMs) / 1000)))

/** Migrates the database and creates queues, first users and catalog; one instance at a time. */
async function setUp(shop: Omit<Shop, 'jobs'>): Promise<void> {
  const { config, database, log } = shop
  await withSetupLock(database, async () => {
    if (config.initialBackup && !(await hasPeople(database))) await beginWithBackup(database, config.initialBackup)
    await migrateSchema(database)
    await migrateJobs({ database, leaseS: config.jobLeaseS, log, pauseMaxS: pauseMaxOf(config) })
    if (config.owner) await ensureUser(shop, { ...config.owner, role: 'owner', isPartner: false })
    if (config.demoPartner) {
      const { username, password, partner } = config.demoPartner
      await ensureUser(shop, { username, password, role: null, isPartner: true })
      await ensurePartner(shop, username, partner)
    }
    if (config.isGuarded) await refuseDemoPeople(shop)
    if (config.catalogFile) await importChangedCatalog(shop, config.catalogFile)
    if (config.demoReviewsFile) await importDemoReviews(shop, config.demoReviewsFile)
    await database.db.transaction((tx) => addKnownCollections(tx, shop.clock.now()))
    await database.db.transaction(moveFormerMessages)
  })
}

/** Pending connections. Beyond it clients retry only after one second, then three, and Node's default of 511 is soon full in a rush. */
const BACKLOG = 4096

type WithoutDatabase = Pick<Parts, 'config' | 'log' | 'clock' | 'pictureProcess'>

/** All parts of a shop except the job queue, for an open database. */
export const createShopParts = ({
  database,
  config,
  clock = clockOf(config),
  log,
  pictureProcess,
}: WithoutDatabase & { database: Database }): Omit<Shop, 'jobs'> => ({
  ...createProviderParts(
    { config, clock, log, pictureProcess },
    createUnknownValueLog({ db: database.db, clock, log }),
  ),
  database,
  db: database.db,
  visits: createVisitCounter({ db: database.db, clock, log }, config.reportTimeZone),
})

/** The parts that need no database; without one, unknown values of providers are not recorded. */
export function createProviderParts(
  { config, log, clock = clockOf(config), pictureProcess = createPictureProcess() }: WithoutDatabase,
  reportUnknownValueOf: ReturnType<typeof createUnknownValueLog> = () => () => undefined,
) {
  const stripe = createStripe({ stripe: config.stripe, clock, reportUnknownValue: reportUnknownValueOf('stripe') })
  const paypal = createPaypal({ paypal: config.paypal, clock, reportUnknownValue: reportUnknownValueOf('paypal') })
  return {
    config,
    clock,
    log,
    stripe,
    paypal,
    payments: createPayments({ stripe, paypal }),
    printful: createPrintful({ config, log, clock, reportUnknownValue: reportUnknownValueOf('printful') }),
    drand: createDrand(config),
    mailTransport: createMailTransport(config),
    pictureProcess,
  }
}

export const createShopSessions = (shop: Needs<'db' | 'clock'>): Sessions =>
  createSessions(shop, {
    // Checkout before cart, in the order that settling a payment locks them; the reverse would deadlock.
    cart: [moveUnpaidCheckouts, moveCartLines, moveSessionCodes, moveCartReminder, moveDropPlaces],
    purchases: [moveEndedCheckouts, movePaidOrders, moveChat],
    signOut: [moveEndedCheckouts, movePaidOrders, detachChat, endOrderViews],
  })

/** Assembles the shop from its areas. */
export async function createShop({
  config,
  log,
  clock = clockOf(config),
  scheduleClock = clock,
  renderer,
  embedded,
  pictureProcess,
}: Parts): Promise<RunningShop> {
  const database = await openDatabase(config.databaseUrl?.reveal(), config.dataDir, {
    embedded,
    replicaUrl: config.databaseReplicaUrl?.reveal(),
    waitMs: config.databaseWaitMs,
  })
  const parts = createShopParts({ database, config, log, clock, pictureProcess })
  try {
    await setUp(parts)
  } catch (error) {
    await database.close()
    throw error
  }
  const jobs = await startJobs({ database, leaseS: config.jobLeaseS, log, clock })
  const shop: Shop = { ...parts, jobs }

  const changes = await listenForChanges(database, () => {
    clearSiteSettingsCache(shop.db)
    clearLegalVersionCache(shop.db)
    clearListingCache(shop.db)
    clearListingCache(database.replica)
  })
  const app = await createApp(shop, createShopSessions(shop))
  await metricsRoutes(app, shop)
  publicConfigRoutes(app, shop)
  accountRoutes(app, shop)
  staffRoutes(app, shop)
  // For pages that may be a minute old, the read replica is good enough.
  const onReplica = { ...shop, db: database.replica }
  collectionRoutes(app, shop)
  await pictureRoutes(app, shop)
  catalogRoutes(app, onReplica, (query) => countMiss(shop, query))
  productTypeRoutes(app, shop)
  searchWordRoutes(app, shop)
  attributionRoutes(app, shop)
  visitRoutes(app, shop)
  earningsRoutes(app, shop)
  payoutRoutes(app, shop, (tx) => listDiscounts(tx, shop))
  cartRoutes(app, shop)
  await cartForms(app, shop)
  checkoutRoutes(app, shop)
  await codeForms(app, shop)
  await savedCartRoutes(app, shop)
  codeLinks(app, shop)
  paymentRoutes(app, shop)
  phoneOrderRoutes(app, shop)
  giftCardRoutes(app, shop)
  await dropRoutes(app, shop)
  orderRoutes(app, shop)
  invoiceRoutes(app, shop)
  freeOrderRoutes(app, shop)
  await reviewRoutes(app, shop)
  await reviewRequestForms(app, shop)
  await claimRoutes(app, shop)
  await raffleRoutes(app, shop)
  shopperChangeRoutes(app, shop)
  await orderForms(app, shop)
  messageRoutes(app, shop)
  await messageForms(app, shop)
  portalRoutes(app, shop)
  adminRoutes(app, shop)
  blankRoutes(app, shop)
  studioRoutes(app, shop)
  await catalogFileRoutes(app, shop)
  await importRoutes(app, shop)
  privacyRoutes(app, shop)
  reconciliationRoutes(app, shop)
  await bankRoutes(app, shop)
  reportRoutes(app, onReplica)
  rehearsalRoutes(app, onReplica)
  stripeWebhook(app, shop)
  paypalWebhook(app, shop)
  printfulWebhook(app, shop)
  robotsAndManifestRoutes(app, shop)
  applePayFileRoute(app, shop)
  policyReportRoutes(app, shop)
  let isClosing = false
  healthRoutes(
    app,
    shop,
    () => renderer !== undefined,
    () => isClosing,
  )
  if (renderer)
    await pageRoutes(
      app,
      shop,
      renderer,
      () => readPublicConfig(shop),
      (path) => findRedirect(shop.db, path),
    )

  let schedule: ReturnType<typeof startSchedule> | undefined
  let ownerSocket: Server | undefined
  return {
    shop,
    app,
    async listen() {
      await work(shop)
      await copyMissingPictures(shop)
      schedule = startSchedule({ log, clock: scheduleClock }, tasksOf(shop))
      if (database.embedded && !config.dataDir.startsWith('memory://'))
        ownerSocket = await listenForOwner(
          config.dataDir,
          ownerVerbs(database, async () => shop),
        )
      await app.http.listen({ host: config.host, port: config.port, backlog: BACKLOG })
      const { port } = app.http.server.address() as AddressInfo
      return `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`
    },
    examineLater: () => runDoctorLater(shop),
    async close() {
      isClosing = true
      if (config.drainMs > 0) await pause(config.drainMs)
      await app.http.close()
      ownerSocket?.close()
      // A sync may wait for the rate limit longer than a stop may take; its job continues at the next start.
      shop.printful.stopWaiting()
      await schedule?.stop()
      await shop.visits.flush()
      // Its job continues at the next start, with the picture that is not made yet.
      shop.pictureProcess.stop()
      await jobs.stop()
      await changes.stop()
      await database.close()
    },
  }
}

/** Creates the secret link for an email; undefined for kinds of email without a link. */
function openLinkOf(
  shop: Shop,
  { kind, about, orderId, recipient }: { kind: string; about: string; orderId: OrderId | null; recipient: string },
): Promise<string> | undefined {
  if (kind === 'account_password' || kind === 'account_email' || kind === 'account_invitation')
    return openAccountLink(shop, about)
  if (kind === MY_DATA_MAIL) return openDataLink(shop, recipient)
  if (kind === 'gift_card') return giftCardCodeOf(shop, { about, recipient }).then(formatGiftCardCode)
  if (kind === 'gift_card_bought') return Promise.resolve(purchaseToken(shop, purchaseIn(about)))
  if (kind === 'cart_reminder') return openSavedCart(shop, about)
  if (kind === 'drop_offer') return Promise.resolve(offerToken(shop, about))
  if (kind === 'edition_offered') return Promise.resolve(nextHolderToken(shop, about))
  if (kind === 'edition_held') return Promise.resolve(holderToken(shop, about))
  if (kind === 'payment_link') return Promise.resolve(phoneOrderToken(shop, about))
  if (kind.startsWith('newsletter_')) return openSubscription(shop, about)
  if (kind.startsWith('raffle_')) return openEntry(shop, about)
  return orderId === null ? undefined : openLink(shop, orderId)
}

/** Whom the newsletter can't reach gets no more of it. */
async function onRefused(shop: Shop, { kind, about }: { kind: string; about: string }): Promise<void> {
  if (kind.startsWith('newsletter_')) await endRefused(shop, about)
}

async function work(shop: Shop): Promise<void> {
  const { jobs } = shop
  await jobs.work('submit-order', ({ orderId }) => submitPaid(shop, orderId))
  await jobs.work('submit-waiting', () => submitWaiting(shop))
  await jobs.work('send-mail', ({ mailId }) =>
    sendMail(
      shop,
      mailId,
      (mail) => openLinkOf(shop, mail),
      (mail) => onRefused(shop, mail),
    ),
  )
  await jobs.work('mail-account-link', ({ requestId }) => mailAccountLink(shop, requestId))
  await jobs.work('mail-data-link', ({ tokenHash }) => mailDataLink(shop, tokenHash))
  await jobs.work('refund-payment', ({ refundId }) => refundPayment(shop, refundId))
  await jobs.work('answer-dispute', (name) => sendAnswer(shop, name))
  await jobs.work('record-tax', ({ orderId }) => recordTax(shop, orderId))
  await jobs.work('reverse-tax', ({ refundId }) => reverseTax(shop, refundId))
  await jobs.work('correct-tax', ({ changeId }) => correctTax(shop, changeId))
  await jobs.work('lapse-change', ({ changeId }) => lapseChange(shop, changeId))
  await jobs.work('rebook-tax', ({ refundId }) => rebookTax(shop, refundId))
  await jobs.work('cancel-at-partner', ({ orderId }) => stopAtPrinter(shop, orderId))
  await jobs.work('cancel-intent', async ({ intentId }) => {
    await cancelIntent(shop, intentId)
  })
  await jobs.work('mail-conversation', ({ conversationId }) => mailChat(shop, conversationId))
  await jobs.work('watch-messages', () => watchMessages(shop))
  await jobs.work('tell-subscribers', () => mailSubscribers(shop))
  await jobs.work('send-issue', ({ issueId }) => sendIssue(shop, issueId))
  await jobs.work('make-product', ({ draftId }) => makeProduct(shop, draftId))
  await jobs.work('write-prices', ({ productId }) => writePrices(shop, productId))
  await jobs.work('sync-catalog', () => syncBySchedule(shop))
  await jobs.work('read-blanks', () => readBlanks(shop))
  await jobs.work('fetch-pictures', () => fetchPictures(shop))
  await jobs.work('compose-pictures', ({ compositionId }) => makeComposition(shop, compositionId))
  await jobs.work('draw-drop-share', ({ dropId }) => drawDropShare(shop, dropId))
  await jobs.work('forget-expired', () => runRetention(shop))
  await jobs.work('watch-books', () => watchBooks(shop))
  await jobs.work('check-exceptions', () => updateExceptions(shop))
  await jobs.work('reconcile-books', () => reconcileBooks(shop))
  await jobs.work('seal-ledger', async () => {
    await sealHourly(shop, listCommissionLines)
    await sumSealedDays(shop)
  })
  await jobs.work('examine-setup', async () => {
    await runDoctor(shop)
  })
  await jobs.work('provider-event', ({ eventRowId }) =>
    handleEvent(shop, eventRowId, {
      stripe: (event) => followStripeEvent(shop, event),
      paypal: (event) => followPaypalEvent(shop, event),
      printful: (event) => followPrintfulEvent(shop, event),
    }),
  )
}
