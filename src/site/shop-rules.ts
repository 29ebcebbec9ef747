import type { CollectionPicture } from '#domain/catalog/collection-theme.ts'
import type { ParcelDecision } from '#domain/claims/parcel-notice.ts'
import type { DeliveryMailChoice } from '#domain/orders/tracking.ts'
import type { ReportRhythm } from '#domain/reports/range.ts'
import { ZERO, type Cents } from '#shared/money.ts'
import { heroes } from './collections/heroes.ts'
import { defaultPageSettings, type PageSettings } from './settings.ts'

/** What the owner can change at `/admin/settings`, and pages need not carry: the shop acts by it, or sends it to the one that shows it. */
type ShopRules = {
  /** At the head of the home page. */
  openingPicture: CollectionPicture
  /** How long a paid order can be changed or canceled before it goes to the printer; 0: not at all. */
  changeWindowMinutes: number
  /**
   * Business days from the printer to the door, by country codes with spaces between them; `internationalDays` for all others.
   * Expected arrivals are computed from them, and texts on pages keep `standardDays` and `internationalDays`.
   */
  transitDays: { countries: string; from: number; to: number }[]
  /** Units of a currency for a US dollar, with the day of each rate as an ISO date: for comparing, never for money. */
  currencyRates: { currency: string; perDollar: number; day: string }[]
  /** Where the shop is registered for a tax: a country, `EU` for the One Stop Shop, or a state such as `US-NY`; since when, as an ISO date. */
  taxRegistrations: { place: string; number: string; since: string }[]
  /** The country that goods to the European Union are sent from, for One Stop Shop returns; empty if unknown. */
  ossDispatch: string
  /** US dollars for a euro as the European Central Bank published them, with their days as ISO dates, for One Stop Shop returns. */
  ecbRates: { day: string; perEuro: number }[]
  /** Who sells, on invoices; the country as its code. Without a name, street, city and country there are no invoices. */
  seller: { name: string; street: string; postalCode: string; city: string; state: string; country: string }
  /** The seller's numbers on invoices; each may be empty. */
  sellerNumbers: { vatId: string; taxNumber: string; register: string }
  /** Before the year in the numbers of invoices, such as `R` in `R-2026-000001`; may be empty. */
  invoicePrefix: string
  /** Whether sales without tax to other parts of the world are exports from the European Union. */
  untaxedAbroad: 'outside' | 'export'
  /** Why sales without tax within the European Union are exempt; empty if none are. */
  vatExemption: string
  /** Who pays the carrier; `environment` leaves it to the variable `SHIPPING`. */
  shipping: 'environment' | 'free' | 'partner'
  /** The least that a sale must leave; what goes below it waits for the owner's yes. */
  marginFloor: Cents
  /** The price that partners' commission is on: as paid, or as listed, before discounts. */
  commissionOn: 'paid' | 'list'
  /** What codes may do that partners make: the most percent off, where 0 is none at all, and how many a partner has at once. */
  partnerCodes: { percent: number; active: number }
  /** When shoppers see new reviews. */
  reviewsAppear: 'after_approval' | 'at_once'
  /** Days after delivery until buyers are asked for a review; 0: never. */
  reviewRequestDays: number
  /** How many emails of a newsletter are sent in a minute. */
  newsletterPerMinute: number
  /** Which emails shoppers get between shipping and delivery. */
  deliveryMails: DeliveryMailChoice
  /** Who decides about the refund or new parcel that a shopper chose for a late or lost one. */
  parcelDecision: ParcelDecision
  /** How often the owner gets an email with a link to a report. */
  salesMail: ReportRhythm | 'never'
  originsMail: ReportRhythm | 'never'
  reconciliationMail: ReportRhythm | 'never'
  taxMail: 'monthly' | 'never'
  closeMail: 'monthly' | 'never'
}

/** All of the owner's settings; `settingList` of the contract describes each. */
export type SiteSettings = PageSettings & ShopRules

export const defaultSettings: SiteSettings = {
  ...defaultPageSettings,
  openingPicture: {
    ...heroes.together,
    alt: 'Sherlock on a stack of books, Rudy asleep on gold bars, and Pip with a leaf in the meadow',
  },
  // Printful's published averages (printful.com/shipping, 2026). Elsewhere it names 10-20, within our `internationalDays`.
  transitDays: [
    { countries: 'US', from: 3, to: 4 },
    { countries: 'AT BE CH CZ DE DK ES FI FR GB GR HU IE IT NL NO PL PT SE', from: 6, to: 8 },
    { countries: 'AU', from: 2, to: 14 },
    { countries: 'JP', from: 4, to: 8 },
  ],
  currencyRates: [],
  taxRegistrations: [],
  ossDispatch: '',
  ecbRates: [],
  seller: { name: '', street: '', postalCode: '', city: '', state: '', country: '' },
  sellerNumbers: { vatId: '', taxNumber: '', register: '' },
  invoicePrefix: '',
  untaxedAbroad: 'outside',
  vatExemption: '',
  changeWindowMinutes: 60,
  shipping: 'environment',
  marginFloor: ZERO,
  commissionOn: 'paid',
  // A discount is the owner's to give.
  partnerCodes: { percent: 0, active: 3 },
  reviewsAppear: 'after_approval',
  reviewRequestDays: 7,
  newsletterPerMinute: 120,
  deliveryMails: 'failed_attempt',
  parcelDecision: 'owner',
  salesMail: 'never',
  originsMail: 'never',
  reconciliationMail: 'never',
  taxMail: 'never',
  closeMail: 'never',
}
