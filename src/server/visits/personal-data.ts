import type { Fates } from '#server/db/personal-data.ts'
import type * as schema from './schema.ts'

export const personalData = {
  fates: {
    visitCount: 'about nobody: how often something happened on a day',
    visitMinute: 'about nobody: how often something happened in a minute',
  } satisfies Fates<typeof schema>,
}
