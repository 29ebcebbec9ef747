import type { SavedReply } from '#contract/admin-conversations.ts'
import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Needs } from '#server/shop.ts'
import { countReplies, deleteReply, insertReply, listReplies, lockReply, updateReply } from './conversation-store.ts'

const REPLIES_MAX = 100

type Draft = Pick<SavedReply, 'title' | 'words'>
type ReplyNeeds = Needs<'db' | 'clock'>

export const listSavedReplies = (db: Reader): Promise<SavedReply[]> => listReplies(db)

/** @throws Refusal `too_many_replies` */
export const addSavedReply = (shop: ReplyNeeds, by: Actor, draft: Draft): Promise<number> =>
  shop.db.transaction(async (tx) => {
    if ((await countReplies(tx)) >= REPLIES_MAX) throw new Refusal('too_many_replies')
    const id = await insertReply(tx, draft)
    await record(tx, shop, { by, what: 'added', id })
    return id
  })

/** @throws Refusal `unknown_reply`, `reply_changed` */
export const changeSavedReply = (
  shop: ReplyNeeds,
  by: Actor,
  id: number,
  { version, ...draft }: Draft & { version: number },
): Promise<void> =>
  shop.db.transaction(async (tx) => {
    const before = await lockReply(tx, id)
    if (!before) throw new Refusal('unknown_reply')
    if (before.version !== version) throw new Refusal('reply_changed')
    await updateReply(tx, { id, ...draft, version: version + 1 })
    await record(tx, shop, { by, what: 'changed', id })
  })

/** @throws Refusal `unknown_reply` */
export const deleteSavedReply = (shop: ReplyNeeds, by: Actor, id: number): Promise<void> =>
  shop.db.transaction(async (tx) => {
    if (!(await lockReply(tx, id))) throw new Refusal('unknown_reply')
    await deleteReply(tx, id)
    await record(tx, shop, { by, what: 'deleted', id })
  })

const record = (tx: Tx, { clock }: Needs<'clock'>, { by, what, id }: { by: Actor; what: string; id: number }) =>
  recordAction(tx, { by, what, about: { kind: 'saved reply', id }, at: clock.now() })
