import { SECOND_MS } from '#shared/time.ts'

/** Shoppers get a response within 8 seconds, even if several slow calls are involved. */
const TIMEOUT_MS = 7 * SECOND_MS

/**
 * Waits for work as long as a shopper would, by default. The work continues after the timeout.
 * @param late the result on timeout; may throw
 */
export async function withTimeout<Done, Late>(
  work: Promise<Done>,
  late: () => Late,
  timeoutMs = TIMEOUT_MS,
): Promise<Done | Late> {
  work.catch(() => {
    // Handled below, unless the timeout came first.
  })
  let timer: ReturnType<typeof setTimeout> | undefined
  const TIMED_OUT = Symbol('timed out')
  const timeout = new Promise<typeof TIMED_OUT>((resolve) => {
    timer = setTimeout(() => resolve(TIMED_OUT), timeoutMs)
  })
  try {
    const done = await Promise.race([work, timeout])
    return done === TIMED_OUT ? late() : done
  } finally {
    clearTimeout(timer)
  }
}
