import type { CollectionPicture } from '#domain/catalog/collection-theme.ts'
import { heroes } from '#site/collections/heroes.ts'
import { say } from '#words/say.ts'

/** The picture of pages about parcels, and of those that would otherwise show nothing. */
export const doorstep = (): CollectionPicture => ({
  ...heroes.parcel,
  alt: say('Rudy asleep on a parcel on the doorstep'),
})
