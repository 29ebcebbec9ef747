import { label } from './label.ts'
import {
  DELIVERY_BUSINESS_DAYS,
  PROCESSING_BUSINESS_DAYS,
  RAFFLE,
  REFUND_BUSINESS_DAYS,
  RESPONSE_PROMISE,
  RETURN_WINDOW_DAYS,
  REVENUE_SHARE,
  SUPPORT_HOURS,
  type DayRange,
} from './policies.ts'
import { upcomingCollections } from './upcoming.ts'

/** The home page's sections below the header, by name. */
export type HomeSection = 'hero' | 'collections' | 'making'

/** Shares are percent in settings, and basis points in the database. */
export const BASIS_POINTS_PER_PERCENT = 100

type Link = { name: string; url: string }

/** What the owner can change at `/admin/settings`; `settingList` of the contract describes each. */
export type SiteSettings = {
  name: string
  tagline: string
  banner: string
  /** Announced collections that do not exist yet. */
  upcoming: { title: string; text: string }[]
  footerNote: string
  supportEmail: string
  businessEmail: string
  supportHours: { days: string; hours: string }[]
  responsePromise: { withinHours: number; days: string; hours: string }
  channel: Link & { handle: string }
  social: Link[]
  /** Those that are shown, in order. */
  homeSections: HomeSection[]
  processingDays: DayRange
  standardDays: DayRange
  internationalDays: DayRange
  contactDomesticDays: DayRange
  contactInternationalDays: DayRange
  successDays: DayRange
  returnDays: number
  refundDays: DayRange
  raffleWinnerDays: DayRange
  raffleClaimDays: number
  raffleAgeMin: number
  /** How long a paid order can be changed or canceled before it goes to the printer; 0: not at all. */
  changeWindowMinutes: number
  /** Who pays the carrier; `environment` leaves it to the variable `SHIPPING`. */
  shipping: 'environment' | 'free' | 'partner'
  /** A new partner's share, and the most that the owner can agree to, in percent. */
  commission: { usual: number; most: number }
  /** When shoppers see new reviews. */
  reviewsAppear: 'after_approval' | 'at_once'
  /** Days after delivery until buyers are asked for a review; 0: never. */
  reviewRequestDays: number
}

const { contactPage, successPage, policyPage } = DELIVERY_BUSINESS_DAYS

export const defaultSettings: SiteSettings = {
  name: label.name,
  tagline: label.tagline,
  banner: label.bannerText,
  upcoming: [...upcomingCollections],
  footerNote: label.footerNote,
  supportEmail: label.supportEmail,
  businessEmail: label.businessEmail,
  supportHours: [...SUPPORT_HOURS],
  responsePromise: RESPONSE_PROMISE,
  channel: label.channel,
  social: [...label.social],
  homeSections: ['hero', 'collections', 'making'],
  processingDays: PROCESSING_BUSINESS_DAYS,
  standardDays: policyPage.standard,
  internationalDays: policyPage.international,
  contactDomesticDays: contactPage.domestic,
  contactInternationalDays: contactPage.international,
  successDays: successPage,
  returnDays: RETURN_WINDOW_DAYS,
  refundDays: REFUND_BUSINESS_DAYS,
  raffleWinnerDays: RAFFLE.winnerPickedAfterDays,
  raffleClaimDays: RAFFLE.claimWithinDays,
  raffleAgeMin: RAFFLE.entrantAgeMin,
  changeWindowMinutes: 60,
  shipping: 'environment',
  commission: { usual: REVENUE_SHARE.usual.percent, most: REVENUE_SHARE.most.percent },
  reviewsAppear: 'after_approval',
  reviewRequestDays: 7,
}
