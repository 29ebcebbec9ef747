import type { Fates } from '#server/db/personal-data.ts'
import type * as schema from './schema.ts'

const CATALOG = 'about nobody: the catalog'

export const personalData = {
  fates: {
    productType: CATALOG,
    collection: CATALOG,
    searchMiss: 'about nobody: words that found nothing, without emails and long numbers, counted per day',
    product: CATALOG,
    formerSlug: CATALOG,
    catalogRevision: {
      key: 'kept: the catalog',
      by: 'kept: of an owner, who is not erased',
      content: 'kept: the catalog',
    },
    productPicture: CATALOG,
    variant: CATALOG,
    listedProduct: CATALOG,
    facetCount: CATALOG,
    catalogSync: CATALOG,
    catalogChange: CATALOG,
    copiedPicture: CATALOG,
    formerPicture: CATALOG,
    redirect: CATALOG,
  } satisfies Fates<typeof schema>,
}
