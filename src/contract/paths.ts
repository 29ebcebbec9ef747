import { readPaymentKey, type PaymentKey } from '#shared/ids.ts'

/** Anchors on an order's page for correcting its address and email. */
export const CORRECT_ADDRESS = 'correct-address'
export const CHANGE_ORDER = 'change-order'
export const CORRECT_EMAIL = 'correct-email'
/** An anchor on the pages of a product and of an order. */
export const REVIEWS = 'reviews'

/** From an email that asks for a review: to stop such emails, on a page or through the mail program; the token is an order's. */
export const stopReviewRequests = (token: string) => `${paths.newsletter}?token=${token}&said=stopping_reviews`
export const stopReviewRequestsAtOnce = (token: string) => `${paths.newsletter}/stop-review-emails?token=${token}`
/** Where the difference of a change is paid. */
export const PAY_CHANGE = 'pay-change'

/** Every page's path, in one place: links, redirects, emails and canonical URLs use it. */
export const paths = {
  home: '/',
  products: '/products',
  product: (idOrSlug: number | string) => `/product/${idOrSlug}`,
  variant: (product: number, variant: number) => `/product/${product}?variant=${variant}`,
  collection: (name: string) => `/collections/${name}`,
  /** The colors of all collections as one style sheet; a name that is not the present one gets the present sheet. */
  themeSheet: (name: string) => `/themes/${name}.css`,
  search: (query: string) => `/search?q=${encodeURIComponent(query)}`,
  about: '/about',
  contact: '/contact',
  auth: '/auth',
  /** An emailed link's token follows after `#`. */
  newPassword: '/new-password',
  account: '/account',
  cart: '/cart',
  checkout: '/checkout',
  /** Step 1, with Apple Pay or Google Pay asked for. */
  expressCheckout: '/checkout?express=sheet',
  /** Where PayPal sends a payer back to. */
  expressReturn: '/checkout?express=paypal',
  expressCanceled: '/checkout?express=canceled',
  directCheckout: '/direct-checkout',
  alternateCheckout: '/checkout-with-stripe-address',
  success: '/success',
  paymentSuccess: '/payment-success',
  /** Shows a payment's status. */
  payment: (key: PaymentKey) => {
    const { provider, id = '' } = readPaymentKey(key) ?? {}
    const name = provider === 'stripe' ? 'payment_intent' : 'paypal_order_id'
    return `/payment-success?${name}=${encodeURIComponent(id)}`
  },
  orderConfirmation: '/order-confirmation',
  /** For the session that paid for or tracked the order. */
  order: (orderNumber: string) => `/order-confirmation?order=${encodeURIComponent(orderNumber)}`,
  orderByToken: (token: string) => `/order-confirmation?token=${token}`,
  track: '/track',
  myData: '/my-data',
  myDataByToken: (token: string) => `/my-data?token=${token}`,
  /** With its subject prefilled. */
  contactAbout: (subject: string) => `/contact?about=${encodeURIComponent(subject)}`,
  newsletter: '/newsletter',
  /** From an email: confirms. */
  newsletterByToken: (token: string) => `/newsletter?token=${token}`,
  /** From an email: unsubscribes, on a page or through the mail program. */
  leaveNewsletter: (token: string) => `/newsletter?token=${token}&said=leaving`,
  leaveAtOnce: (token: string) => `/newsletter/unsubscribe?token=${token}`,
  privacyPolicy: '/privacy-policy',
  termsOfService: '/terms-of-service',
  shippingReturns: '/shipping-returns',
  partnership: '/partnership',
  earnings: '/partnership/earnings',
  statement: (month: string) => `/partnership/earnings/statement?month=${month}`,
  statementFile: (month: string, kind: 'pdf' | 'xlsx' | 'html') =>
    `/api/partnership/statement-file?month=${month}&kind=${kind}`,
  /** A partner's link: counts the click and redirects to one of our pages. */
  affiliate: (code: string) => `/r/${code}`,
  /** A partner's files. */
  callCalendar: (id: number) => `/partnership/calls/${id}.ics`,
  partnerAssets: (collection: string) => `/partnership/assets/${collection}.zip`,
  linkCode: (code: string, form: 'svg' | 'png') => `/partnership/links/${code}.${form}`,
  /** A picture with today's price; other sites may embed it. */
  card: (code: string) => `/embed/${code}.svg`,
  reports: '/reports',
  reportLines: '/reports/lines',
  admin: '/admin',
  adminOrders: '/admin/orders',
  adminNewOrder: '/admin/orders/new',
  adminOrder: (orderNumber: string) => `/admin/orders/${orderNumber}`,
  adminExceptions: '/admin/exceptions',
  adminReconciliation: '/admin/reconciliation',
  adminInbox: '/admin/inbox',
  adminPartners: '/admin/partners',
  adminPayouts: '/admin/payouts',
  payoutList: () => '/api/admin/payouts/list',
  adminSubscribers: '/admin/subscribers',
  adminCatalog: '/admin/catalog',
  adminCatalogFile: '/admin/catalog/file',
  adminProducts: '/admin/products',
  printerProducts: '/admin/products/printer',
  adminProductTypes: '/admin/product-types',
  /** `new` for one that is not there yet. */
  adminProductType: (key: string) => `/admin/product-types/${key}`,
  adminSettings: '/admin/settings',
  adminLegal: '/admin/legal',
  adminMails: '/admin/mails',
  /** Opened by a load of its own: its policy allows the styles of the email it shows. */
  adminMail: (mail: string) => `/admin/mails/${mail}`,
  adminCollections: '/admin/collections',
  adminNewCollection: '/admin/collections/new',
  adminCollection: (id: string) => `/admin/collections/${id}`,
  /** Opened by a load of its own: its policy allows the frame of the preview. */
  newProduct: '/admin/products/new',
  draft: (id: number) => `/admin/products/new?draft=${id}`,
  severalProducts: '/admin/products/several',
  copiesOf: (source: 'draft' | 'product', id: number) => `/admin/products/several?${source}=${id}`,
  /** The drafts of one drawing that were made together. */
  draftBatch: (batch: string) => `/admin/products/several?batch=${batch}`,
  productPreview: (draft: number | string) => `/admin/products/preview/${draft}`,
  adminImport: '/admin/import',
  adminRehearsal: '/admin/rehearsal',
  adminReviews: '/admin/reviews',
  adminSearch: '/admin/search',
  adminLog: '/admin/log',
  adminPrivacy: '/admin/privacy',
} as const
