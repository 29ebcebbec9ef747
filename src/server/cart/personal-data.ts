import type { Fates } from '#server/db/personal-data.ts'
import type * as schema from './schema.ts'

export const personalData = {
  // With its session.
  fates: { cartLine: 'deleted' } satisfies Fates<typeof schema>,
}
