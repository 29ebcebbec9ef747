/** `November 21, 2026`, by the reader's own calendar. */
export const formatDay = (at: string): string => new Date(at).toLocaleDateString('en-US', { dateStyle: 'long' })

/** With the hour, for appointments. */
export const formatMoment = (at: string): string =>
  new Date(at).toLocaleString('en-US', { dateStyle: 'full', timeStyle: 'short' })

export const ownTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'
