import { SECOND_MS } from '#kernel/time.ts'

/** A shopper is answered within 8 seconds, however many slow answers the work is made of. */
const PATIENCE_MS = 7 * SECOND_MS

/**
 * Waits as long as a shopper does. The work itself goes on, and is found done by whoever asks next.
 * @param late what there is to say by then; may throw
 */
export async function inPatience<Done, Late>(work: Promise<Done>, late: () => Late): Promise<Done | Late> {
  work.catch(() => {
    // Told to whoever waits below; afterwards nobody does.
  })
  let timer: ReturnType<typeof setTimeout> | undefined
  const isOver = Symbol('over')
  const patience = new Promise<typeof isOver>((tell) => {
    timer = setTimeout(() => tell(isOver), PATIENCE_MS)
  })
  try {
    const done = await Promise.race([work, patience])
    return done === isOver ? late() : done
  } finally {
    clearTimeout(timer)
  }
}
