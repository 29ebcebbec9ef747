import type { Fates } from '#server/db/personal-data.ts'
import type * as schema from './schema.ts'

export const personalData = {
  fates: {
    setting: 'about nobody: the shop’s own state',
    legalFigures: 'about nobody: what the shop promised',
    legalTranslation: 'about nobody: what the shop published, and who signed it for the shop',
    legalVersion: 'about nobody: what the shop published',
  } satisfies Fates<typeof schema>,
}
