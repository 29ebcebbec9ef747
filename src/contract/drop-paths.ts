import { paths } from './paths.ts'

/** Apart from `paths`, which every first page has. */
export const dropPaths = {
  admin: '/admin/drops',
  adminNew: '/admin/drops/new',
  adminDrop: (id: number) => `/admin/drops/${id}`,
  /** What happens on its day, now. */
  adminBoard: (id: number | string) => `/admin/drops/${id}/live`,
  /** With the token of an email: a piece that is set aside. */
  offer: '/drop/offer',
  /** With its holder's token. */
  certificate: '/edition',
  certificateOf: (token: string) => `/edition?token=${encodeURIComponent(token)}`,
  /** With the token of an email: somebody is to become its holder. */
  transfer: '/edition/accept',
  calendar: (id: number) => `/drop/${id}.ics`,
  /** Its waiting room. */
  room: (id: number) => `/drop/${id}/room`,
  /** Where forms without JavaScript post to. */
  notice: (id: number) => `/drop/${id}/notice`,
  wait: (id: number) => `/drop/${id}/waiting-list`,
  /** Keeps a waiting room's page up to date. */
  roomScript: '/drop/room.js',
  /** The page of its product or collection. @param slug of the collection */
  goodsOf: ({ productId, collectionId }: { productId: number | null; collectionId: string | null }, slug?: string) =>
    productId === null ? paths.collection(slug ?? collectionId ?? '') : paths.product(productId),
} as const
