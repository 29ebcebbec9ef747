export const SECOND_MS = 1000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** Where the time comes from, so that tests can move it. */
export type Clock = { now(): Date }

/** @param ms since 1970, as of `Date.getTime` */
export const dateOf = (ms: number): Date => new Date(ms)

export const after = (moment: Date, ms: number): Date => new Date(moment.getTime() + ms)
