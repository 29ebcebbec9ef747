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

/** A logo in the size of pages, emails and papers; `/pictures/<file>.<width>.webp` and `.png`. */
export type Logo = {
  file: string
  /** In pixels. */
  width: number
  height: number
  /** Where it can be told from its ground. On the other one it gets a plate. */
  ground: 'any' | 'light' | 'dark'
}

type Link = { name: string; url: string }

/** What the owner can change at `/admin/settings`, and pages say; every page carries its defaults. */
export type PageSettings = {
  name: string
  /** In place of the name and the house's mark. */
  logo: Logo | null
  tagline: string
  banner: string
  /** Announced collections that do not exist yet. */
  upcoming: { title: string; text: string }[]
  footerNote: string
  /** Who sells: company, town and registration; may be empty. */
  imprint: string
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
  /** A new partner's share, and the most that the owner can agree to, in percent. */
  commission: { usual: number; most: number }
}

const { contactPage, successPage, policyPage } = DELIVERY_BUSINESS_DAYS

export const defaultPageSettings: PageSettings = {
  name: label.name,
  logo: null,
  tagline: label.tagline,
  banner: label.bannerText,
  upcoming: [...upcomingCollections],
  footerNote: label.footerNote,
  imprint: label.imprint,
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
  commission: { usual: REVENUE_SHARE.usual.percent, most: REVENUE_SHARE.most.percent },
}
