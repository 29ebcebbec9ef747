import type { Permission, StaffNeed } from '#domain/accounts/roles.ts'
import { bankPaths } from './bank-paths.ts'
import { bookkeepingPaths } from './bookkeeping-paths.ts'
import { claimPaths } from './claim-paths.ts'
import { codePaths } from './code-paths.ts'
import { conversationPaths } from './conversation-paths.ts'
import { dropPaths } from './drop-paths.ts'
import { giftCardPaths } from './gift-card-paths.ts'
import { invoicePaths } from './invoice-paths.ts'
import { monthPaths } from './month-paths.ts'
import { paths } from './paths.ts'
import { FUNNEL_PATH, ORIGINS_PATH } from './report-figures.ts'
import { taxPaths } from './tax-paths.ts'

/** What a page of the admin requires of the person who opens it. A page that is not here is for owners alone. */
const needs: Readonly<Record<string, Permission>> = {
  [paths.admin]: 'open_admin',
  [paths.adminOrders]: 'read_orders',
  [paths.adminOrder(':number')]: 'read_orders',
  [paths.adminNewOrder]: 'edit_orders',
  [claimPaths.admin]: 'read_claims',
  [paths.adminExceptions]: 'read_figures',
  [paths.adminInbox]: 'read_messages',
  [conversationPaths.thread(':id')]: 'read_messages',
  [conversationPaths.replies]: 'read_messages',
  [paths.adminReviews]: 'read_reviews',
  [paths.adminPartners]: 'read_partners',
  [paths.reports]: 'read_figures',
  [paths.reportLines]: 'read_figures',
  [ORIGINS_PATH]: 'read_figures',
  [FUNNEL_PATH]: 'read_figures',
  [paths.adminReconciliation]: 'read_figures',
  [paths.adminPayouts]: 'read_figures',
  [giftCardPaths.admin]: 'read_figures',
  [taxPaths.admin]: 'read_figures',
  [taxPaths.lines]: 'read_figures',
  [invoicePaths.admin]: 'read_figures',
  [monthPaths.admin]: 'read_figures',
  [bankPaths.admin]: 'read_figures',
  [bankPaths.payout(':provider', ':id')]: 'read_figures',
  [bookkeepingPaths.admin]: 'read_figures',
  [paths.adminProducts]: 'read_catalog',
  [paths.adminCollections]: 'read_catalog',
  [paths.adminCollection(':id')]: 'read_catalog',
  [paths.adminProductTypes]: 'read_catalog',
  [paths.adminProductType(':key')]: 'read_catalog',
  [paths.adminCatalog]: 'read_catalog',
  [paths.adminSearch]: 'read_catalog',
  [codePaths.admin]: 'read_catalog',
  [dropPaths.admin]: 'read_catalog',
  '/admin/drops/:id': 'read_catalog',
  [dropPaths.adminBoard(':id')]: 'read_figures',
  [paths.adminSettings]: 'read_settings',
  [paths.adminMails]: 'read_settings',
  [paths.adminMail(':mail')]: 'read_settings',
  [paths.adminLegal]: 'read_settings',
  [claimPaths.adminWithdrawal]: 'read_settings',
  [paths.adminLog]: 'read_log',
}

/** What changing needs on pages that are all form: somebody who may only read sees them locked. */
const formNeeds: Readonly<Record<string, StaffNeed>> = {
  ...Object.fromEntries(
    [
      ...[
        paths.adminSettings,
        paths.adminMails,
        paths.adminMail(':mail'),
        paths.adminLegal,
        claimPaths.adminWithdrawal,
      ],
      ...[paths.adminProducts, paths.adminCollections, paths.adminCollection(':id'), paths.adminProductTypes],
      ...[paths.adminProductType(':key'), paths.adminCatalog, paths.adminSearch, codePaths.admin],
    ].map((path) => [path, 'owner' as const]),
  ),
  [conversationPaths.replies]: 'answer_messages',
}

/** @param path as `needOfPage`'s @returns undefined for a page that is more than a form */
export const needOfForm = (path: string): StaffNeed | undefined => formNeeds[path]

/** @param path of a route, with `:name` for what differs */
export const needOfPage = (path: string): StaffNeed => needs[path] ?? 'owner'
