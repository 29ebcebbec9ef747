import type { Kit } from '#sandbox/kit/types.ts'
import type { Books } from './books.ts'

/** What the work behind a call needs. */
export type Needs = {
  kit: Kit
  books: Books
  /** Where the simulator listens: redirects lead there. */
  base: () => string
  /** As the clock's own, but forgotten at a reset. */
  later: Kit['clock']['later']
  /** Records an event and sends it to the shop; `changed` holds the former values of what changed. */
  tell: (type: string, object: { id: string | null }, changed?: Record<string, unknown>) => void
}
