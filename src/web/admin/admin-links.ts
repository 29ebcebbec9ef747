import type { ToDoCounts } from '#contract/admin.ts'
import { bankPaths } from '#contract/bank-paths.ts'
import { bookkeepingPaths } from '#contract/bookkeeping-paths.ts'
import { claimPaths } from '#contract/claim-paths.ts'
import { codePaths } from '#contract/code-paths.ts'
import { dropPaths } from '#contract/drop-paths.ts'
import { giftCardPaths } from '#contract/gift-card-paths.ts'
import { monthPaths } from '#contract/month-paths.ts'
import { paths } from '#contract/paths.ts'
import { FUNNEL_PATH, ORIGINS_PATH } from '#contract/report-figures.ts'
import { peoplePaths } from '#contract/people-paths.ts'
import { invoicePaths } from '#contract/invoice-paths.ts'
import { rafflePaths } from '#contract/raffle-paths.ts'
import { taxPaths } from '#contract/tax-paths.ts'

type AdminLink = {
  to: string
  text: string
  /** Its own page alone, since other links lead to pages below it. */
  isExact?: boolean
  /** How many items wait there. */
  count?: (counts: ToDoCounts) => number
}

/** The side bar, in its order. */
export const adminGroups: readonly { name: string; links: readonly AdminLink[] }[] = [
  {
    name: 'Today',
    links: [
      { to: paths.admin, text: 'Home', isExact: true },
      { to: paths.adminOrders, text: 'Orders', count: ({ heldOrders }) => heldOrders },
      { to: claimPaths.admin, text: 'Claims', count: ({ claims }) => claims },
      { to: paths.adminExceptions, text: 'Exceptions', count: ({ exceptions }) => exceptions },
    ],
  },
  {
    name: 'People',
    links: [
      { to: paths.adminInbox, text: 'Inbox', count: ({ messages, calls }) => messages + calls },
      { to: paths.adminReviews, text: 'Reviews', count: ({ reviews }) => reviews },
      { to: paths.adminPartners, text: 'Partners', count: ({ applications }) => applications },
      { to: paths.adminSubscribers, text: 'Subscribers' },
      { to: rafflePaths.admin, text: 'Raffles' },
    ],
  },
  {
    name: 'Money',
    links: [
      { to: paths.reports, text: 'Reports', isExact: true },
      { to: ORIGINS_PATH, text: 'Who brought it' },
      { to: FUNNEL_PATH, text: 'Where people leave' },
      { to: paths.adminReconciliation, text: 'Reconciliation' },
      { to: bankPaths.admin, text: 'Bank' },
      { to: paths.adminPayouts, text: 'Payouts' },
      { to: giftCardPaths.admin, text: 'Gift cards' },
      { to: taxPaths.admin, text: 'Tax' },
      { to: invoicePaths.admin, text: 'Invoices' },
      { to: monthPaths.admin, text: 'Month close' },
      { to: bookkeepingPaths.admin, text: 'Bookkeeping' },
    ],
  },
  {
    name: 'Catalog',
    links: [
      { to: paths.adminProducts, text: 'Products' },
      { to: paths.adminCollections, text: 'Collections' },
      { to: paths.adminProductTypes, text: 'Product types' },
      { to: paths.adminCatalog, text: 'Catalog', count: ({ changes }) => changes },
      { to: paths.adminSearch, text: 'Search' },
      { to: codePaths.admin, text: 'Discount codes' },
      { to: dropPaths.admin, text: 'Drops' },
    ],
  },
  {
    name: 'Shop',
    links: [
      { to: paths.adminSettings, text: 'Settings' },
      { to: paths.adminMails, text: 'Email texts' },
      { to: paths.adminLegal, text: 'Legal pages' },
      { to: paths.adminImport, text: 'Move here' },
      { to: peoplePaths.admin, text: 'People' },
      { to: paths.adminLog, text: 'Log' },
      { to: paths.adminPrivacy, text: 'Privacy' },
    ],
  },
]
