import type { Fates } from '#server/db/personal-data.ts'
import type * as schema from './schema.ts'

export const personalData = {
  fates: { setting: 'about nobody: the shop’s own state' } satisfies Fates<typeof schema>,
}
