import { SECOND_MS } from '#shared/time.ts'

/** A shopper is answered within 8 seconds, however many slow answers the work is made of. */
const TIMEOUT_MS = 7 * SECOND_MS

/**
 * Waits as long as a shopper does. The work itself goes on, and is found done by whoever asks next.
 * @param late what there is to say by then; may throw
 */
export async function withTimeout<Done, Late>(work: Promise<Done>, late: () => Late): Promise<Done | Late> {
  work.catch(() => {
    // Told to whoever waits below; afterwards nobody does.
  })
  let timer: ReturnType<typeof setTimeout> | undefined
  const isOver = Symbol('over')
  const timeout = new Promise<typeof isOver>((resolve) => {
    timer = setTimeout(() => resolve(isOver), TIMEOUT_MS)
  })
  try {
    const done = await Promise.race([work, timeout])
    return done === isOver ? late() : done
  } finally {
    clearTimeout(timer)
  }
}
