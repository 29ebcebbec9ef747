import { say, sayKnown } from '#words/say.ts'
import type { SiteSettings } from '#site/shop-rules.ts'
import type { DayRange } from '#site/policies.ts'

/** Placeholders for what the owner can change at `/admin/settings`. Filled in when an email is queued. */
export const SITE = {
  name: '{site-name}',
  /** In HTML only: the logo with the name as its text, or the name. */
  logo: '{site-logo}',
  tagline: '{site-tagline}',
  supportEmail: '{site-support-email}',
  responseHours: '{site-response-hours}',
  responseDays: '{site-response-days}',
  makingDays: '{site-making-days}',
  deliveryDays: '{site-delivery-days}',
  refundDays: '{site-refund-days}',
  returnDays: '{site-return-days}',
} as const

/** @param escape for the part of the email, such as HTML */
export function fillSiteFacts(part: string, site: SiteSettings, escape: (text: string) => string): string {
  const facts: Record<keyof typeof SITE, string> = {
    name: site.name,
    logo: site.name,
    tagline: sayKnown(site.tagline),
    supportEmail: site.supportEmail,
    responseHours: String(site.responsePromise.withinHours),
    responseDays: sayKnown(site.responsePromise.days),
    makingDays: inWords(site.processingDays),
    deliveryDays: inWords(site.successDays),
    refundDays: inWords(site.refundDays),
    returnDays: String(site.returnDays),
  }
  const byPlaceholder = new Map(Object.entries(SITE).map(([name, placeholder]) => [placeholder as string, name]))
  return part.replaceAll(/\{site-[a-z-]+\}/g, (placeholder) => {
    const name = byPlaceholder.get(placeholder) as keyof typeof SITE | undefined
    return name ? escape(facts[name]) : placeholder
  })
}

/** `2 to 5`. */
const inWords = ({ from, to }: DayRange): string => say('{from} to {to}', { from, to })
