import { accountCalls } from './accounts.ts'
import { cartCalls } from './cart.ts'
import { catalogCalls } from './catalog.ts'
import { collectionCalls } from './collections.ts'
import { checkoutCalls } from './checkout.ts'
import { codeCalls } from './codes.ts'
import { claimCalls, claimPhotoCalls } from './claims.ts'
import { adminLegalCalls, legalCalls } from './legal.ts'
import { conversationCalls } from './conversations.ts'
import { messageCalls } from './messages.ts'
import { adminBlankCalls } from './admin-blanks.ts'
import { adminClaimCalls } from './admin-claims.ts'
import { adminCodeCalls } from './admin-codes.ts'
import { adminGiftCardCalls } from './admin-gift-cards.ts'
import { adminBookkeepingCalls } from './admin-bookkeeping.ts'
import { adminBankCalls, bankUploadCalls } from './admin-bank.ts'
import { adminDisputeCalls } from './admin-disputes.ts'
import { adminMonthCalls } from './admin-months.ts'
import { adminInvoiceCalls, invoiceCalls } from './invoices.ts'
import { adminTaxCalls } from './admin-tax.ts'
import { giftCardCalls } from './gift-cards.ts'
import { adminConversationCalls } from './admin-conversations.ts'
import { adminCatalogFileCalls, catalogFileUploadCalls } from './admin-catalog-file.ts'
import { adminRedirectCalls, importPictureCalls, importUploadCalls } from './admin-imports.ts'
import { adminPictureCalls, pictureUploadCalls, productPictureCalls } from './admin-pictures.ts'
import { adminPrinterProductCalls } from './admin-printer-products.ts'
import { adminReviewCalls } from './admin-reviews.ts'
import { adminPriceCalls } from './admin-prices.ts'
import { adminProductCalls } from './admin-products.ts'
import { adminProductTypeCalls } from './admin-product-types.ts'
import { adminSearchCalls } from './admin-search.ts'
import { adminStudioCalls } from './admin-studio.ts'
import { adminCollectionCalls } from './admin-collections.ts'
import { adminMailCalls } from './admin-mails.ts'
import { adminOrderCalls } from './admin-orders.ts'
import { adminFindCalls } from './admin-find.ts'
import { savedViewCalls } from './saved-views.ts'
import { adminOverviewCalls } from './admin-overview.ts'
import { adminCalls } from './admin.ts'
import { adminDropCalls } from './admin-drops.ts'
import { dropBoardCalls } from './drop-board.ts'
import { dropCalls } from './drops.ts'
import { earningsCalls } from './earnings.ts'
import { freeOrderCalls } from './free-orders.ts'
import { changePaymentCalls, orderChangeCalls } from './order-changes.ts'
import { adminParcelCalls, parcelChoiceCalls } from './parcel-choices.ts'
import { correctionCalls, orderCalls } from './orders.ts'
import { partnerCodeCalls } from './partner-codes.ts'
import { partnerCalls } from './partners.ts'
import { invitationCalls, peopleCalls } from './people.ts'
import { payoutAccountCalls } from './payout-accounts.ts'
import { payoutCalls } from './payouts.ts'
import { privacyCalls, adminPrivacyCalls } from './privacy.ts'
import { publicConfigCalls } from './public-config.ts'
import { reconciliationCalls } from './reconciliation.ts'
import { rehearsalCalls } from './rehearsals.ts'
import { adminRaffleCalls, raffleCalls } from './raffles.ts'
import { reviewCalls, reviewPhotoCalls } from './reviews.ts'
import { reportCalls } from './reports.ts'
import { adminPhoneOrderCalls, phoneOrderCalls } from './phone-orders.ts'
import { paymentCalls } from './payments.ts'
import { settingCalls } from './settings.ts'
import { toDoorCalls } from './to-door.ts'
import { savedCartCalls } from './saved-carts.ts'
import { shopperChangeCalls } from './shopper-changes.ts'

/**
 * Every call between browser and server, by the group that one `serve` binds. The browser's client, the routes and the
 * tests use this list.
 */
export const callGroups = {
  accounts: accountCalls,
  cart: cartCalls,
  catalog: catalogCalls,
  collections: collectionCalls,
  checkout: checkoutCalls,
  codes: codeCalls,
  toDoor: toDoorCalls,
  changePayment: changePaymentCalls,
  corrections: correctionCalls,
  claims: claimCalls,
  parcelChoices: parcelChoiceCalls,
  adminParcels: adminParcelCalls,
  claimPhotos: claimPhotoCalls,
  adminClaims: adminClaimCalls,
  adminCodes: adminCodeCalls,
  adminGiftCards: adminGiftCardCalls,
  adminDrops: adminDropCalls,
  dropBoard: dropBoardCalls,
  drops: dropCalls,
  adminMonths: adminMonthCalls,
  adminDisputes: adminDisputeCalls,
  adminBank: adminBankCalls,
  bankUploads: bankUploadCalls,
  adminBookkeeping: adminBookkeepingCalls,
  adminTax: adminTaxCalls,
  invoices: invoiceCalls,
  adminInvoices: adminInvoiceCalls,
  giftCards: giftCardCalls,
  messages: messageCalls,
  conversations: conversationCalls,
  adminConversations: adminConversationCalls,
  admin: adminCalls,
  adminOverview: adminOverviewCalls,
  adminBlanks: adminBlankCalls,
  adminPictures: adminPictureCalls,
  pictureUploads: pictureUploadCalls,
  productPictures: productPictureCalls,
  adminPrinterProducts: adminPrinterProductCalls,
  adminProducts: adminProductCalls,
  adminCatalogFile: adminCatalogFileCalls,
  catalogFileUploads: catalogFileUploadCalls,
  adminRedirects: adminRedirectCalls,
  importUploads: importUploadCalls,
  importPictures: importPictureCalls,
  adminCollections: adminCollectionCalls,
  adminProductTypes: adminProductTypeCalls,
  adminReviews: adminReviewCalls,
  adminSearch: adminSearchCalls,
  legal: legalCalls,
  adminLegal: adminLegalCalls,
  adminMails: adminMailCalls,
  adminOrders: adminOrderCalls,
  adminStudio: adminStudioCalls,
  freeOrders: freeOrderCalls,
  adminPrices: adminPriceCalls,
  earnings: earningsCalls,
  orderChanges: orderChangeCalls,
  shopperChanges: shopperChangeCalls,
  orders: orderCalls,
  partners: partnerCalls,
  partnerCodes: partnerCodeCalls,
  people: peopleCalls,
  invitations: invitationCalls,
  payoutAccounts: payoutAccountCalls,
  payouts: payoutCalls,
  privacy: privacyCalls,
  adminPrivacy: adminPrivacyCalls,
  publicConfig: publicConfigCalls,
  raffles: raffleCalls,
  adminRaffles: adminRaffleCalls,
  rehearsals: rehearsalCalls,
  reconciliation: reconciliationCalls,
  reports: reportCalls,
  reviews: reviewCalls,
  reviewPhotos: reviewPhotoCalls,
  payments: paymentCalls,
  phoneOrders: phoneOrderCalls,
  adminPhoneOrders: adminPhoneOrderCalls,
  savedCarts: savedCartCalls,
  adminFind: adminFindCalls,
  savedViews: savedViewCalls,
  settings: settingCalls,
} as const

export type CallGroups = typeof callGroups
