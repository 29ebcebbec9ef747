import type { Kit } from '#sandbox/kit/types.ts'
import type { Books } from './books.ts'

/** Dependencies of the work behind a call. */
export type Needs = {
  kit: Kit
  books: Books
  /** Where the simulator listens, for redirects. */
  base: () => string
  /** Like the clock's own, but canceled at a reset. */
  later: Kit['clock']['later']
  /** Records an event and sends it to the shop; `changed` holds the previous values of what changed. */
  sendEvent: (type: string, object: { id: string | null }, changed?: Record<string, unknown>) => void
}
