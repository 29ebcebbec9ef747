import { asc, inArray } from 'drizzle-orm'
import type { OrderId } from '#shared/ids.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import type { Fates, PersonalData } from '#server/db/personal-data.ts'
import type { LaterFile } from '#server/files/json-file.ts'
import type * as schema from './schema.ts'
import { claim, claimMessage, claimPhoto, parcelNotice } from './schema.ts'
import { deleteUnusedPhotos, findPhoto, listMessages, listPhotos } from './store.ts'

export const personalData = {
  fates: {
    claim: {
      pieces: 'kept: lines and quantities',
      declaredName: 'erased',
    },
    parcelNotice: { pieces: 'kept: lines and quantities' },
    claimMessage: 'deleted',
    claimPhoto: 'deleted',
  } satisfies Fates<typeof schema>,

  /** Claims of these orders, with their photos as WebP. */
  async export(db: Reader, orders: readonly OrderId[]) {
    const claims = await db
      .select()
      .from(claim)
      .where(inArray(claim.orderId, [...orders]))
      .orderBy(asc(claim.id))
    const ids = claims.map(({ id }) => id)
    const messages = await listMessages(db, ids)
    const photos = await listPhotos(db, ids)
    const notices = await db
      .select()
      .from(parcelNotice)
      .where(inArray(parcelNotice.orderId, [...orders]))
      .orderBy(asc(parcelNotice.id))
    return {
      parcelNotices: notices.map(({ kind, toldAt, choice, chosenAt }) => ({ kind, toldAt, choice, chosenAt })),
      claims: claims.map(({ id, kind, reason, fit, pieces, declaredName, state, outcome, openedAt, resolvedAt }) => ({
        ...{ kind, reason, fit, pieces, declaredName, state, outcome, openedAt, resolvedAt },
        messages: messages
          .filter(({ claimId }) => claimId === id)
          .map(({ isOwner, words, writtenAt }) => ({ by: isOwner ? 'shop' : 'you', words, at: writtenAt })),
        photos: photos
          .filter(({ claimId }) => claimId === id)
          .map(
            (photo): LaterFile =>
              () =>
                findPhoto(db, photo.id),
          ),
      })),
    }
  },

  async eraseOrders(tx, orders) {
    const ids = orders.map(({ id }) => id)
    const ofOrders = inArray(claim.orderId, ids)
    await tx.delete(claimPhoto).where(inArray(claimPhoto.orderId, ids))
    await tx
      .delete(claimMessage)
      .where(inArray(claimMessage.claimId, tx.select({ id: claim.id }).from(claim).where(ofOrders)))
    await tx.update(claim).set({ declaredName: null }).where(ofOrders)
  },

  /** Photos that nobody sent. */
  deleteUnused: (tx: Tx, before: Date) => deleteUnusedPhotos(tx, before),
} satisfies PersonalData
