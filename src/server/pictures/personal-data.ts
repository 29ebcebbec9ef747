import type { Fates } from '#server/db/personal-data.ts'
import type * as schema from './schema.ts'

const PICTURES = 'about nobody: pictures of products'

export const personalData = {
  fates: {
    picture: PICTURES,
    pictureFile: PICTURES,
    composition: PICTURES,
  } satisfies Fates<typeof schema>,
}
