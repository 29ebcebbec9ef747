import { after, MINUTE_MS } from '#shared/time.ts'

// What a crowd does at once waits in line, and waiting in line is nothing wrong. A line that moves is one sentence for the owner; only
// what stands out from it is an exception.

export const queueNames = ['printer', 'emails', 'tax'] as const
export type QueueName = (typeof queueNames)[number]

/** Up to this many of a kind are told one by one. More of them are a crowd, and one line. */
export const CROWD_MIN = 10

/** Printful allows 120 calls a minute, and an order takes two: a draft and its confirmation. */
export const PRINTER_ORDERS_PER_MINUTE = 60

/** Retries and other calls share the limit, so the printer may take this many times as long before an order stands out. */
const SLACK = 2

/** An order in line at the printer. */
export type InLine = {
  /** Since it could be sent. */
  waitedMs: number
  /** Orders that wait, and could be sent before it. */
  ahead: number
  /** Orders that the printer accepted while it waited. */
  passed: number
  /** Whether the printer accepted an order that could be sent later than this one, by more than the grace. */
  isOvertaken: boolean
}

/**
 * Whether an order waits for another reason than the line. Without others its grace alone decides.
 * @param graceMs how long a job and its first retries may take
 */
export const standsOut = ({ waitedMs, ahead, passed, isOvertaken }: InLine, graceMs: number): boolean =>
  waitedMs > graceMs &&
  (isOvertaken || waitedMs > graceMs + (SLACK * (ahead + passed) * MINUTE_MS) / PRINTER_ORDERS_PER_MINUTE)

/** When the last in line is through; null if nothing moves. @param perMinute how many get through */
export const endOfQueue = (waiting: number, perMinute: number, now: Date): Date | null =>
  perMinute <= 0 ? null : after(now, Math.ceil((waiting / perMinute) * MINUTE_MS))
