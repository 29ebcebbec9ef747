import type { ContentWish } from '#contract/desk-goods.ts'
import type { ShopContent } from '#contract/public-config.ts'
import { recordAction, type Actor } from '#server/actions/actions.ts'
import { contentOf, findOwnContent, forgetContent, labelContent, putOwnContent } from '#server/http/content.ts'
import { forgetPages } from '#server/http/page-cache.ts'
import type { Db } from '#server/db/db.ts'
import type { Needs } from '#server/shop.ts'

export async function readDeskContent(db: Db) {
  const own = await findOwnContent(db)
  return { own, label: labelContent, shown: contentOf(own) }
}

/** Puts the owner's words where shoppers see them, at once. */
export async function setContent({ db, clock }: Needs<'db' | 'clock'>, own: ContentWish, by: Actor) {
  await db.transaction(async (tx) => {
    const before = contentOf(await findOwnContent(tx))
    await putOwnContent(tx, own)
    const facts = [factsOf(before), factsOf(contentOf(own))] as const
    const about = { kind: 'page', id: 'words' }
    await recordAction(tx, { by, what: 'changed', about, before: facts[0], after: facts[1], at: clock.now() })
  })
  forgetContent(db)
  forgetPages(db)
  return { done: 'Shoppers see it now.' }
}

const factsOf = ({ banner, upcoming }: ShopContent) => ({
  banner,
  announced: upcoming.map(({ title, text }) => `${title}: ${text}`).join(' / ') || null,
})
