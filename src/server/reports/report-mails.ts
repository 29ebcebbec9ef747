import { monthPaths } from '#contract/month-paths.ts'
import { paths } from '#contract/paths.ts'
import { ORIGINS_PATH } from '#contract/report-figures.ts'
import { taxPaths } from '#contract/tax-paths.ts'
import { lastPeriod } from '#domain/reports/range.ts'
import { formatDates, isoOfDay } from '#shared/calendar-day.ts'
import { HOUR_MS } from '#shared/time.ts'
import { dayIn } from '#shared/time-zone.ts'
import type { SiteSettings } from '#site/shop-rules.ts'
import { baseUrlOf } from '#server/config/config.ts'
import { mailLater } from '#server/mail/outbox.ts'
import { ownerMail } from '#server/mail/templates/owner-mail.ts'
import { readSiteSettings } from '#server/settings/site-settings.ts'
import type { Needs } from '#server/shop.ts'

/** In the report's time zone. What happened at night has arrived by then. */
const MAILED_FROM_HOUR = 7

/** As ISO dates. */
type Days = { from: string; to: string }
type MailedReport = {
  setting: 'salesMail' | 'originsMail' | 'reconciliationMail' | 'taxMail' | 'closeMail'
  name: string
  pathOf: (days: Days) => string
}

const daysOf = ({ from, to }: Days): string => `start_date=${from}&end_date=${to}`
const monthOf = ({ from }: Days): string => from.slice(0, 7)

const reports: readonly MailedReport[] = [
  { setting: 'salesMail', name: 'Business report', pathOf: (days) => `${paths.reports}?${daysOf(days)}` },
  { setting: 'originsMail', name: 'Who brought it', pathOf: (days) => `${ORIGINS_PATH}?${daysOf(days)}` },
  { setting: 'reconciliationMail', name: 'Reconciliation', pathOf: () => paths.adminReconciliation },
  { setting: 'taxMail', name: 'Tax report', pathOf: (days) => taxPaths.of(monthOf(days)) },
  { setting: 'closeMail', name: 'Month to close', pathOf: (days) => `${monthPaths.admin}?month=${monthOf(days)}` },
]

/** Emails links to the reports of the last week or month that the owner wants, each once. */
export async function mailReports(shop: Needs<'db' | 'clock' | 'jobs' | 'config'>): Promise<void> {
  const { db, clock, config } = shop
  const site: SiteSettings = await readSiteSettings(db)
  const now = clock.now()
  const today = dayIn(config.reportTimeZone, now.getTime() - MAILED_FROM_HOUR * HOUR_MS)
  for (const { setting, name, pathOf } of reports) {
    const rhythm = site[setting]
    if (rhythm === 'never') continue
    const period = lastPeriod(rhythm, today)
    const days = { from: isoOfDay(period.from), to: isoOfDay(period.to) }
    const mail = ownerMail({
      subject: `${name}, ${formatDates(days)}`,
      paragraphs: ['You asked for this report by email. The figures are on its page, as of when you open it.'],
      link: baseUrlOf(config) + pathOf(days),
      action: 'Open the report',
    })
    // The outbox takes an email about the same only once.
    const about = `${setting} ${days.from} ${days.to}`
    const recipient = 'business' as const
    await db.transaction((tx) => mailLater(shop, tx, { kind: 'report', about, recipient, orderId: null, ...mail }, now))
  }
}
