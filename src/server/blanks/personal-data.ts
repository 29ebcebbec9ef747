import type { Fates } from '#server/db/personal-data.ts'
import type * as schema from './schema.ts'

const PRINTER = 'about nobody: the printer’s catalog'

export const personalData = {
  fates: { blank: PRINTER, blankCategory: PRINTER, blankShipping: PRINTER } satisfies Fates<typeof schema>,
}
