import type { Fates } from '#server/db/personal-data.ts'
import type * as schema from './schema.ts'

const PICTURES = 'about nobody: pictures of products'
/** The areas whose customers sent photos delete them: see `deleteCustomerPhotos`. */
const PHOTOS = `${PICTURES}, and customers’ photos` as const

export const personalData = {
  fates: {
    picture: PHOTOS,
    pictureFile: PHOTOS,
    composition: PICTURES,
  } satisfies Fates<typeof schema>,
}
