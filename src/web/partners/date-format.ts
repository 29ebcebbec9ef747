/** `November 21, 2026`, in the reader's time zone. */
export const formatDay = (at: string): string => new Date(at).toLocaleDateString('en-US', { dateStyle: 'long' })

/** Day and time, for calls. */
export const formatMoment = (at: string): string =>
  new Date(at).toLocaleString('en-US', { dateStyle: 'full', timeStyle: 'short' })

export const ownTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'
