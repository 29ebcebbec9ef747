import { partnerTextsOf } from '#site/partnership.ts'
import { findCollection, shownCollections } from '#domain/catalog/collections.ts'
import type { PartnerTexts } from '#domain/catalog/collection-theme.ts'
import { readCollections } from '#server/catalog/collections.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Needs } from '#server/shop.ts'

/** A collection's own texts for partners, or those made from its name. @throws Refusal `unknown_collection` */
export async function textsAbout({ db }: Needs<'db'>, id: string): Promise<PartnerTexts> {
  const collection = findCollection(shownCollections(await readCollections(db)), id)
  if (!collection) throw new Refusal('unknown_collection')
  return collection.partnerTexts ?? partnerTextsOf(collection)
}
