import type { AddressInfo, Server } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Renderer } from '#contract/page.ts'
import type { OrderId } from '#shared/ids.ts'
import type { Clock } from '#shared/time.ts'
import {
  createSessions,
  ensureUser,
  mailAccountLink,
  openAccountLink,
  refuseDemoPeople,
} from '#server/accounts/accounts.ts'
import { accountRoutes } from '#server/accounts/routes.ts'
import { cartForms } from '#server/cart/forms.ts'
import { cartRoutes } from '#server/cart/routes.ts'
import { startSyncSchedule, syncBySchedule } from '#server/catalog/jobs.ts'
import { clearListingCache } from '#server/catalog/listing-cache.ts'
import { importChangedCatalog } from '#server/catalog/catalog-setup.ts'
import { catalogRoutes } from '#server/catalog/routes.ts'
import { cancelIntent } from '#server/checkout/checkout.ts'
import { checkoutRoutes } from '#server/checkout/routes.ts'
import type { Config } from '#server/config/config.ts'
import { mailChat } from '#server/messages/chat.ts'
import { messageForms } from '#server/messages/forms.ts'
import { sendIssue } from '#server/messages/issues.ts'
import { openSubscription, mailSubscribers } from '#server/messages/newsletter.ts'
import { messageRoutes } from '#server/messages/routes.ts'
import { listenForChanges } from '#server/db/changes.ts'
import { withSetupLock, migrateSchema, openDatabase, type Database } from '#server/db/db.ts'
import type { Embedded } from '#server/db/embedded.ts'
import { listenForOwner } from '#server/db/owner-socket.ts'
import { runDoctor, runDoctorLater, startDoctorSchedule } from '#server/admin/doctor.ts'
import { adminRoutes } from '#server/admin/routes.ts'
import { cancelAtPrinter } from '#server/fulfillment/cancellation.ts'
import { correctionRoutes } from '#server/fulfillment/correction-routes.ts'
import { submitPaid, submitWaiting } from '#server/fulfillment/fulfillment.ts'
import { followPrintfulEvent, printfulWebhook } from '#server/fulfillment/webhooks.ts'
import { applePayFileRoute } from '#server/admin/go-live.ts'
import { policyReportRoutes } from '#server/admin/policy-reports.ts'
import { createApp, type App } from '#server/http/app.ts'
import { clearSiteTextCache } from '#server/http/site-text.ts'
import { robotsAndManifestRoutes } from '#server/http/robots-and-manifest.ts'
import { healthRoutes } from '#server/http/health.ts'
import { metricsRoutes } from '#server/http/metrics.ts'
import { pageRoutes } from '#server/http/pages.ts'
import { publicConfigRoutes } from '#server/http/public-config.ts'
import { migrateJobs, startJobs } from '#server/jobs/jobs.ts'
import type { Log } from '#server/log/log.ts'
import { sendMail } from '#server/mail/outbox.ts'
import { createMailTransport } from '#server/mail/transport.ts'
import { rebookTax, recordTax, reverseTax } from '#server/orders/tax-record.ts'
import { handleEvent } from '#server/providers/events.ts'
import { attributionRoutes } from '#server/partners/attribution-routes.ts'
import { earningsRoutes } from '#server/partners/earnings-routes.ts'
import { ensurePartner } from '#server/partners/partner.ts'
import { payoutRoutes } from '#server/partners/payout-routes.ts'
import { reconcileBooks, startWatch, watchBooks } from '#server/reconciliation/jobs.ts'
import { reconciliationRoutes } from '#server/reconciliation/routes.ts'
import { openLink } from '#server/orders/access.ts'
import { mailDataLink, MY_DATA_MAIL, openDataLink } from '#server/privacy/privacy.ts'
import { runRetention, startRetentionSchedule } from '#server/privacy/retention.ts'
import { privacyRoutes } from '#server/privacy/routes.ts'
import { orderForms } from '#server/orders/forms.ts'
import { orderRoutes } from '#server/orders/routes.ts'
import { portalRoutes } from '#server/partners/portal-routes.ts'
import { createPayments } from '#server/providers/payments.ts'
import { createPaypal } from '#server/providers/paypal/paypal.ts'
import { createPrintful } from '#server/providers/printful/client.ts'
import { createStripe } from '#server/providers/stripe/stripe.ts'
import { createUnknownValueLog } from '#server/providers/unknown-values.ts'
import { reportRoutes } from '#server/reports/routes.ts'
import { paymentRoutes } from '#server/payments/routes.ts'
import { refundPayment } from '#server/payments/refunds.ts'
import { startSweep } from '#server/payments/sweep.ts'
import { followPaypalEvent, followStripeEvent, paypalWebhook, stripeWebhook } from '#server/payments/webhooks.ts'
import type { Shop } from '#server/shop.ts'
import { ownerVerbs } from './owner-verbs.ts'

export type RunningShop = {
  shop: Shop
  app: App
  /** Begins to take requests and to work. @returns where */
  listen(): Promise<string>
  /** Has keys, addresses and the machine looked at, by a job, in half a minute. */
  examineLater(): Promise<void>
  /** Says that it is closing for as long as is set; then no new connections, work in hand finished, database closed last. */
  close(): Promise<void>
}

type Parts = {
  config: Config
  log: Log
  clock?: Clock
  /** The built renderer; without one there are calls, but no pages (tests). */
  renderer?: Renderer | undefined
  /** An embedded database that is open already, and stays open (tests). */
  embedded?: Embedded | undefined
}

/** A job that failed often is tried again about as soon as the sweep looks twice, ten minutes later at most. */
const pauseMaxOf = ({ sweepIntervalMs }: Config): number =>
  Math.min(600, Math.max(30, Math.round((2 * sweepIntervalMs) / 1000)))

/** The database, migrated, with its queues, first people and catalog; one instance at a time. */
async function setUp(shop: Omit<Shop, 'jobs'>): Promise<void> {
  const { config, database, log } = shop
  await withSetupLock(database, async () => {
    await migrateSchema(database)
    await migrateJobs({ database, leaseS: config.jobLeaseS, log, pauseMaxS: pauseMaxOf(config) })
    if (config.owner) await ensureUser(shop, { ...config.owner, isOwner: true, isPartner: false })
    if (config.demoPartner) {
      const { username, password, partner } = config.demoPartner
      await ensureUser(shop, { username, password, isOwner: false, isPartner: true })
      await ensurePartner(shop, username, partner)
    }
    if (config.isGuarded) await refuseDemoPeople(shop)
    if (config.catalogFile) await importChangedCatalog(shop, config.catalogFile)
  })
}

/** Connections that wait to be taken. Whoever finds no place comes back after a second, then three: in a crowd 511 are soon full. */
const BACKLOG = 4096

const systemClock: Clock = { now: () => new Date() }

type WithoutDatabase = Pick<Parts, 'config' | 'log' | 'clock'>

/** Everything that an operation can be given but the queue, over a database that is open. */
export const partsOver = ({ database, ...settings }: WithoutDatabase & { database: Database }): Omit<Shop, 'jobs'> => ({
  ...outsideParts(
    settings,
    createUnknownValueLog({ db: database.db, clock: settings.clock ?? systemClock, log: settings.log }),
  ),
  database,
  db: database.db,
})

/** Of them, what needs no database: without one, words that are not known are noted nowhere. */
export function outsideParts(
  { config, log, clock = systemClock }: WithoutDatabase,
  reportUnknownValueOf: ReturnType<typeof createUnknownValueLog> = () => () => undefined,
) {
  const stripe = createStripe({ stripe: config.stripe, reportUnknownValue: reportUnknownValueOf('stripe') })
  const paypal = createPaypal({ paypal: config.paypal, clock, reportUnknownValue: reportUnknownValueOf('paypal') })
  return {
    config,
    clock,
    log,
    stripe,
    paypal,
    payments: createPayments({ stripe, paypal }),
    printful: createPrintful({ config, log, clock, reportUnknownValue: reportUnknownValueOf('printful') }),
    mailTransport: createMailTransport(config),
  }
}

/** Puts the rooms together: the only place, with `main.ts`, where they meet. */
export async function createShop({
  config,
  log,
  clock = systemClock,
  renderer,
  embedded,
}: Parts): Promise<RunningShop> {
  const database = await openDatabase(config.databaseUrl?.reveal(), config.dataDir, {
    embedded,
    replicaUrl: config.databaseReplicaUrl?.reveal(),
    waitMs: config.databaseWaitMs,
  })
  const parts = partsOver({ database, config, log, clock })
  try {
    await setUp(parts)
  } catch (error) {
    await database.close()
    throw error
  }
  const jobs = await startJobs({ database, leaseS: config.jobLeaseS, log })
  const shop: Shop = { ...parts, jobs }

  const changes = await listenForChanges(database, () => {
    clearSiteTextCache(shop.db)
    clearListingCache(shop.db)
    clearListingCache(database.replica)
  })
  const app = await createApp(shop, createSessions(shop))
  await metricsRoutes(app, shop)
  publicConfigRoutes(app, shop)
  accountRoutes(app, shop)
  // What follows behind is good enough where a page may be a minute old, and where nothing is decided by it.
  const behind = { ...shop, db: database.replica }
  catalogRoutes(app, behind)
  attributionRoutes(app, shop)
  earningsRoutes(app, shop)
  payoutRoutes(app, shop)
  cartRoutes(app, shop)
  await cartForms(app, shop)
  checkoutRoutes(app, shop)
  paymentRoutes(app, shop)
  orderRoutes(app, shop)
  correctionRoutes(app, shop)
  await orderForms(app, shop)
  messageRoutes(app, shop)
  await messageForms(app, shop)
  portalRoutes(app, shop)
  adminRoutes(app, shop)
  privacyRoutes(app, shop)
  reconciliationRoutes(app, shop)
  reportRoutes(app, behind)
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
  if (renderer) await pageRoutes(app, shop, renderer)

  let sweeping: ReturnType<typeof startSweep> | undefined
  let forgetting: ReturnType<typeof startRetentionSchedule> | undefined
  let syncing: ReturnType<typeof startSyncSchedule> | undefined
  let watching: ReturnType<typeof startWatch> | undefined
  let examining: ReturnType<typeof startDoctorSchedule> | undefined
  let ownerSocket: Server | undefined
  return {
    shop,
    app,
    async listen() {
      await work(shop)
      sweeping = startSweep(shop)
      syncing = startSyncSchedule(shop)
      forgetting = startRetentionSchedule(shop)
      watching = startWatch(shop)
      examining = startDoctorSchedule(shop)
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
      syncing?.stop()
      forgetting?.stop()
      watching?.stop()
      examining?.stop()
      // A synchronization waits for its turn longer than a stop may take; its job is taken up at the next start.
      shop.printful.stopWaiting()
      await sweeping?.stop()
      await jobs.stop()
      await changes.stop()
      await database.close()
    },
  }
}

/** The secret of the link that a mail speaks of; undefined where mails of the kind have no link. */
function openLinkOf(
  shop: Shop,
  { kind, about, orderId, recipient }: { kind: string; about: string; orderId: OrderId | null; recipient: string },
): Promise<string> | undefined {
  if (kind === 'account_password' || kind === 'account_email') return openAccountLink(shop, about)
  if (kind === MY_DATA_MAIL) return openDataLink(shop, recipient)
  if (kind.startsWith('newsletter_')) return openSubscription(shop, about)
  return orderId === null ? undefined : openLink(shop, orderId)
}

/** What each job does. */
async function work(shop: Shop): Promise<void> {
  const { jobs } = shop
  await jobs.work('submit-order', ({ orderId }) => submitPaid(shop, orderId as OrderId))
  await jobs.work('submit-waiting', () => submitWaiting(shop))
  await jobs.work('send-mail', ({ mailId }) => sendMail(shop, mailId, (mail) => openLinkOf(shop, mail)))
  await jobs.work('mail-account-link', ({ requestId }) => mailAccountLink(shop, requestId))
  await jobs.work('mail-data-link', ({ tokenHash }) => mailDataLink(shop, tokenHash))
  await jobs.work('refund-payment', ({ refundId }) => refundPayment(shop, refundId))
  await jobs.work('record-tax', ({ orderId }) => recordTax(shop, orderId as OrderId))
  await jobs.work('reverse-tax', ({ refundId }) => reverseTax(shop, refundId))
  await jobs.work('rebook-tax', ({ refundId }) => rebookTax(shop, refundId))
  await jobs.work('cancel-at-partner', ({ orderId }) => cancelAtPrinter(shop, orderId as OrderId))
  await jobs.work('cancel-intent', async ({ intentId }) => {
    await cancelIntent(shop, intentId)
  })
  await jobs.work('mail-chat', ({ chatId }) => mailChat(shop, chatId))
  await jobs.work('tell-subscribers', () => mailSubscribers(shop))
  await jobs.work('send-issue', ({ issueId }) => sendIssue(shop, issueId))
  await jobs.work('sync-catalog', () => syncBySchedule(shop))
  await jobs.work('forget-expired', () => runRetention(shop))
  await jobs.work('watch-books', () => watchBooks(shop))
  await jobs.work('reconcile-books', () => reconcileBooks(shop))
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
