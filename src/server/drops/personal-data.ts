import type { Reader } from '#server/db/db.ts'
import type { Email, Fates, PersonalData } from '#server/db/personal-data.ts'
import { personOfEmail } from './persons.ts'
import type * as schema from './schema.ts'
import {
  deleteNoticesOf,
  erasePlacesOf,
  forgetBuyers,
  forgetNextHolder,
  forgetPersons,
  listNoticesOf,
  listPlacesOf,
} from './store.ts'

export const personalData = {
  fates: {
    drop: 'about nobody: a sale',
    dropPiece: 'about nobody: a piece',
    dropHold: { persons: 'erased' },
    edition: { nextEmail: 'erased' },
    editionStep: 'about nobody: what happened to a piece',
    dropNotice: 'deleted',
    dropPlace: { email: 'erased' },
    dropRoom: 'about nobody: how far a waiting room is',
    dropGuest: { network: 'kept: a digest, deleted with its row a day later' },
  } satisfies Fates<typeof schema>,

  export: async (db: Reader, email: Email) => ({
    dropNotices: await listNoticesOf(db, email),
    waitingLists: await listPlacesOf(db, email),
  }),

  eraseOrders: (tx, orders) => forgetBuyers(tx, orders),

  async erasePerson(tx, { email }) {
    await deleteNoticesOf(tx, email)
    await erasePlacesOf(tx, email)
    await forgetNextHolder(tx, email)
    await forgetPersons(tx, [personOfEmail(email)])
  },
} satisfies PersonalData
