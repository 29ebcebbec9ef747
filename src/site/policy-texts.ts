// What only the policy pages state, apart from the figures of every page in `policies.ts`.

/** How long personal data is kept, in days: the privacy policy promises it, and a nightly job deletes it. */
export const RETENTION = {
  /** Names and addresses of unpaid checkouts. */
  unpaidCheckoutDays: 30,
  /** Our copies of emails. */
  mailCopyDays: 730,
  /** Clicks on partner links (no personal data): long enough to compare a month with the same month a year ago. */
  clickDays: 400,
  /** How often pages were opened, by day (no personal data): for the same comparison. */
  visitDays: 400,
  /** Searches that found nothing (no personal data). */
  searchMissDays: 90,
  /** Messages, chats and call requests, after they are closed. */
  settledLetterDays: 365,
  /** Names and addresses of orders: ten years, the longest period a customer's tax law requires. */
  orderDays: 3653,
} as const
