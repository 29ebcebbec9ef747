import type { ComponentType } from 'react'
import { data, redirect, type RouteObject } from 'react-router'
import { bankPaths } from '#contract/bank-paths.ts'
import { bookkeepingPaths } from '#contract/bookkeeping-paths.ts'
import { claimPaths } from '#contract/claim-paths.ts'
import { conversationPaths } from '#contract/conversation-paths.ts'
import { codePaths } from '#contract/code-paths.ts'
import { dropPaths } from '#contract/drop-paths.ts'
import { GIFT_PATH } from '#contract/gift-path.ts'
import { giftCardPaths } from '#contract/gift-card-paths.ts'
import { monthPaths } from '#contract/month-paths.ts'
import { invoicePaths } from '#contract/invoice-paths.ts'
import { taxPaths } from '#contract/tax-paths.ts'
import { needOfPage } from '#contract/page-access.ts'
import { paths } from '#contract/paths.ts'
import { rafflePaths } from '#contract/raffle-paths.ts'
import { peoplePaths } from '#contract/people-paths.ts'
import { portalPaths } from '#contract/portal-paths.ts'
import { payPaths } from '#contract/pay-paths.ts'
import { FUNNEL_PATH, ORIGINS_PATH } from '#contract/report-figures.ts'
import { roleMay, type StaffNeed } from '#domain/accounts/roles.ts'
import { signInPath } from '#web/accounts/return-to.ts'
import type { pageLoaders } from '#web/admin/page-loaders.ts'
import { collectionsQuery, userQuery } from '#web/api/queries.ts'
import type { pageLoaders as partnerLoads } from '#web/partners/page-loaders.ts'
import { orderClaimsQuery } from '#web/claims/claim-queries.ts'
import { loadCertificate, loadOffer } from '#web/drops/drop-loader.ts'
import { loadGift } from '#web/gift/gift-loader.ts'
import { orderConversationQuery } from '#web/messages/conversation-query.ts'
import { orderLoader } from '#web/orders/order-loader.ts'
import { loadRaffle, loadRaffleEntry } from '#web/raffles/raffle-queries.ts'
import { loadChangeToPay, loadGiftCard, loadToPay } from '#web/pay/pay-loader.ts'
import { ADMIN_LAYOUT, routeOf, type Load, type PageHandle, type PageRow } from './page-route.ts'

/** The account shows one of the animals. Not shared with `routes.tsx`, which is in every first script. */
const loadAnimals: Load = async (queries) => {
  await queries.prefetchQuery(collectionsQuery)
  return {}
}

const chunks = import.meta.glob<Record<string, ComponentType>>([
  '../admin/*Page.tsx',
  '../claims/*Page.tsx',
  '../drops/*Page.tsx',
  '../gift/*Page.tsx',
  '../pay/*Page.tsx',
  '../messages/*Page.tsx',
  '../privacy/*Page.tsx',
  '../raffles/*Page.tsx',
  '../reports/*Page.tsx',
  '../studio/*Page.tsx',
  '../partners/*Page.tsx',
  '../accounts/{Account,Invitation,NewPassword}Page.tsx',
])

/**
 * Loads a page of the admin. Visitors sign in first and come back; users whose role may not open it get a 403 page that says who may.
 */
const adminLoader =
  (name: keyof typeof pageLoaders, need: StaffNeed = 'owner'): Load =>
  async (queries, request) => {
    const user = await queries.ensureQueryData(userQuery)
    if (!user) {
      const { pathname, search } = new URL(request.request.url)
      throw redirect(signInPath(`${pathname}${search}`))
    }
    if (!roleMay(user.role, need) || user.needsSecondFactor) return data({ failed: 403 }, { status: 403 })
    const { loadCounts, pageLoaders } = await import('#web/admin/page-loaders.ts')
    await Promise.all([pageLoaders[name](queries, request), import.meta.env.SSR && loadCounts(queries)])
    return {}
  }

/** Loads a partner's page. Users who are not partners get a 403 page that shows how to apply. */
const partnerLoader =
  (name: keyof typeof partnerLoads): Load =>
  async (queries, { request }) => {
    const user = await queries.ensureQueryData(userQuery)
    const { pathname, search, searchParams } = new URL(request.url)
    if (!user) throw redirect(signInPath(`${pathname}${search}`))
    if (!user.isPartner) return data({ failed: 403 }, { status: 403 })
    const { pageLoaders } = await import('#web/partners/page-loaders.ts')
    await pageLoaders[name](queries, searchParams)
    return {}
  }

const rows: readonly PageRow[] = [
  { path: claimPaths.problem, page: 'claims/ProblemPage', load: orderLoader(orderClaimsQuery) },
  { path: claimPaths.withdraw, page: 'claims/WithdrawPage', load: orderLoader(orderClaimsQuery) },
  { path: GIFT_PATH, page: 'gift/GiftPage', load: loadGift },
  { path: dropPaths.certificate, page: 'drops/CertificatePage', load: loadCertificate },
  { path: dropPaths.transfer, page: 'drops/AcceptPage' },
  { path: dropPaths.offer, page: 'drops/OfferPage', load: loadOffer },
  { path: payPaths.phoneOrder, page: 'pay/PayPage', load: loadToPay },
  { path: conversationPaths.messages, page: 'messages/MessagesPage', load: orderLoader(orderConversationQuery) },
  { path: rafflePaths.page(':slug'), page: 'raffles/RafflePage', load: loadRaffle },
  { path: rafflePaths.entry, page: 'raffles/RaffleEntryPage', load: loadRaffleEntry },
  { path: paths.account, page: 'accounts/AccountPage', load: loadAnimals },
  { path: peoplePaths.invitation, page: 'accounts/InvitationPage', cacheable: true },
  { path: paths.newPassword, page: 'accounts/NewPasswordPage', cacheable: true },
  { path: paths.partnership, page: 'partners/PartnershipPage' },
  { path: paths.newsletter, page: 'messages/NewsletterPage' },
  { path: paths.myData, page: 'privacy/MyDataPage' },
  { path: payPaths.giftCard, page: 'pay/GiftCardPage', load: loadGiftCard },
  { path: payPaths.change, page: 'pay/PayChangePage', load: loadChangeToPay },
  { path: paths.earnings, page: 'partners/EarningsPage', load: partnerLoader('earnings') },
  { path: portalPaths.links, page: 'partners/LinksPage', load: partnerLoader('links') },
  { path: portalPaths.orders, page: 'partners/EarnedOrdersPage', load: partnerLoader('orders') },
  { path: portalPaths.statements, page: 'partners/StatementsPage', load: partnerLoader('statements') },
  { path: `${paths.earnings}/statement`, page: 'partners/StatementPage', load: partnerLoader('statement') },
  // As shoppers will see it.
  { path: paths.productPreview(':draft'), page: 'studio/DraftPreviewPage', load: adminLoader('draftPreview') },
]

const adminRows: readonly (Omit<PageRow, 'load'> & { load: keyof typeof pageLoaders })[] = [
  { path: paths.admin, page: 'admin/HomePage', load: 'home' },
  { path: paths.adminOrders, page: 'admin/OrdersPage', load: 'orders' },
  { path: paths.adminNewOrder, page: 'admin/NewOrderPage', load: 'nothing' },
  { path: paths.adminOrder(':number'), page: 'admin/OrderPage', load: 'order' },
  { path: paths.reports, page: 'reports/ReportsPage', load: 'reports' },
  { path: ORIGINS_PATH, page: 'reports/OriginsPage', load: 'origins' },
  { path: FUNNEL_PATH, page: 'reports/FunnelPage', load: 'funnel' },
  { path: paths.reportLines, page: 'reports/LinesPage', load: 'reportLines' },
  { path: paths.adminProducts, page: 'admin/ProductsPage', load: 'products' },
  { path: paths.adminProductTypes, page: 'admin/ProductTypesPage', load: 'productTypes' },
  { path: paths.adminProductType(':key'), page: 'admin/ProductTypePage', load: 'productTypes' },
  { path: paths.adminSettings, page: 'admin/SettingsPage', load: 'settings' },
  { path: paths.adminMails, page: 'admin/MailsPage', load: 'mails' },
  { path: paths.adminLegal, page: 'admin/LegalPagesPage', load: 'legal' },
  { path: paths.adminMail(':mail'), page: 'admin/MailPage', load: 'mails' },
  { path: paths.adminCollections, page: 'admin/CollectionsPage', load: 'collections' },
  { path: paths.adminNewCollection, page: 'admin/NewCollectionPage', load: 'nothing' },
  { path: paths.adminCollection(':id'), page: 'admin/CollectionEditPage', load: 'collection' },
  { path: paths.printerProducts, page: 'studio/PrinterProductsPage', load: 'nothing' },
  { path: paths.newProduct, page: 'studio/NewProductPage', load: 'nothing' },
  { path: paths.severalProducts, page: 'studio/SeveralProductsPage', load: 'nothing' },
  { path: paths.adminCatalog, page: 'admin/CatalogSyncPage', load: 'catalog' },
  { path: paths.adminCatalogFile, page: 'admin/CatalogFilePage', load: 'nothing' },
  { path: paths.adminRehearsal, page: 'reports/RehearsalPage', load: 'nothing' },
  { path: paths.adminReviews, page: 'admin/ReviewsPage', load: 'reviews' },
  { path: rafflePaths.admin, page: 'admin/RafflesPage', load: 'raffles' },
  { path: codePaths.admin, page: 'admin/CodesPage', load: 'codes' },
  { path: dropPaths.admin, page: 'admin/DropsPage', load: 'drops' },
  { path: dropPaths.adminNew, page: 'admin/NewDropPage', load: 'drops' },
  { path: '/admin/drops/:id', page: 'admin/DropPage', load: 'drops' },
  { path: dropPaths.adminBoard(':id'), page: 'admin/DropBoardPage', load: 'nothing' },
  { path: giftCardPaths.admin, page: 'admin/GiftCardsPage', load: 'giftCards' },
  { path: bankPaths.admin, page: 'admin/BankPage', load: 'bank' },
  { path: bankPaths.payout(':provider', ':id'), page: 'admin/BankPayoutPage', load: 'nothing' },
  { path: bookkeepingPaths.admin, page: 'admin/BookkeepingPage', load: 'bookkeeping' },
  { path: monthPaths.admin, page: 'admin/ClosePage', load: 'close' },
  { path: invoicePaths.admin, page: 'admin/InvoicesPage', load: 'invoices' },
  { path: taxPaths.admin, page: 'reports/TaxPage', load: 'tax' },
  { path: taxPaths.lines, page: 'reports/TaxLinesPage', load: 'taxLines' },
  { path: paths.adminSearch, page: 'admin/SearchWordsPage', load: 'searchWords' },
  { path: paths.adminImport, page: 'admin/ImportPage', load: 'nothing' },
  { path: paths.adminPrivacy, page: 'admin/PrivacyPage', load: 'nothing' },
  { path: paths.adminExceptions, page: 'admin/ExceptionsPage', load: 'exceptions' },
  { path: claimPaths.admin, page: 'admin/ClaimsPage', load: 'claims' },
  { path: claimPaths.adminWithdrawal, page: 'admin/WithdrawalRightsPage', load: 'withdrawal' },
  { path: paths.adminReconciliation, page: 'admin/ReconciliationPage', load: 'reconciliation' },
  { path: paths.adminInbox, page: 'admin/InboxPage', load: 'nothing' },
  { path: conversationPaths.replies, page: 'admin/RepliesPage', load: 'nothing' },
  { path: conversationPaths.thread(':id'), page: 'admin/ConversationPage', load: 'nothing' },
  { path: paths.adminPartners, page: 'admin/PartnersPage', load: 'partners' },
  { path: paths.adminSubscribers, page: 'admin/SubscribersPage', load: 'nothing' },
  { path: paths.adminPayouts, page: 'admin/PayoutsPage', load: 'payouts' },
  { path: peoplePaths.admin, page: 'admin/PeoplePage', load: 'people' },
  { path: paths.adminLog, page: 'admin/LogPage', load: 'log' },
]

/** Pages of the owner and of partners, and those that few shoppers open: a chunk of its own. */
export const staffRoutes: RouteObject[] = [
  ...rows.map((row) => routeOf(chunks, row)),
  {
    id: ADMIN_LAYOUT,
    handle: { module: 'src/web/admin/AdminLayout.tsx', cacheable: false } satisfies PageHandle,
    lazy: async () => ({ Component: (await import('#web/admin/AdminLayout.tsx')).AdminLayout }),
    children: adminRows.map((row) => routeOf(chunks, { ...row, load: adminLoader(row.load, needOfPage(row.path)) })),
  },
]
