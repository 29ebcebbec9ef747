import type { Certificate } from '#contract/drops.ts'
import { dropPaths } from '#contract/drop-paths.ts'
import { editionLabel } from '#domain/drops/drop.ts'
import type { Language } from '#shared/language.ts'
import type { OrderId } from '#shared/ids.ts'
import { after, DAY_MS, MINUTE_MS } from '#shared/time.ts'
import { baseUrlOf, type Config } from '#server/config/config.ts'
import { readSignedToken, signedToken } from '#server/config/signature.ts'
import { piecesToday, findProductNames } from '#server/catalog/catalog.ts'
import type { Reader } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import { LINK_TOKEN, mailLater, writtenIn } from '#server/mail/outbox.ts'
import { dropMail } from '#server/mail/templates/drop-mails.ts'
import type { Needs } from '#server/shop.ts'
import {
  addSteps,
  findDrop,
  findEdition,
  listEditions,
  listSteps,
  lockEdition,
  updateEdition,
  type Drop,
  type Addressee,
  type Edition,
} from './store.ts'

// A certificate's link names its piece and how many holders it has had: with the next holder, the links of former ones open nothing.

const [HOLDER, NEXT] = ['edition', 'edition to accept']

type Named = Pick<Edition, 'dropId' | 'number' | 'holder'>

const nameOf = ({ dropId, number, holder }: Named): string => `${dropId}:${number}:${holder}`

function readName(name: string | undefined): Named | undefined {
  const [dropId, number, holder] = (name ?? '').split(':').map(Number)
  return dropId && number && holder ? { dropId, number, holder } : undefined
}

/** A numbered piece of an order. */
export type NumberedPiece = Pick<Edition, 'dropId' | 'number' | 'holder' | 'position' | 'state' | 'isGiven'> & {
  title: string
  /** Such as `No. 12 of 500`. */
  label: string
}

/** By line, then by number. */
export async function listNumbered(db: Reader, orderId: OrderId): Promise<NumberedPiece[]> {
  const numbered: NumberedPiece[] = []
  for (const { dropId, number, holder, position, state, isGiven } of await listEditions(db, orderId)) {
    const drop = await findDrop(db, dropId)
    const [title, label] = [drop?.title ?? '', editionLabel(number, drop?.pieces ?? null)]
    numbered.push({ dropId, number, holder, position, state, isGiven, title, label })
  }
  return numbered
}

export const certificateLink = ({ config }: Needs<'config'>, piece: Named): string =>
  dropPaths.certificateOf(signedToken(config, HOLDER, nameOf(piece)))

type Found = { edition: Edition; drop: Drop }

/** @throws Refusal `unknown_certificate`, also for the link of a former holder */
async function openCertificate(db: Reader, config: Config, purpose: string, token: string): Promise<Found> {
  const named = readName(readSignedToken(config, purpose, token))
  const edition = named && (await findEdition(db, named.dropId, named.number))
  const drop = edition && (await findDrop(db, edition.dropId))
  if (!drop || edition.holder !== named.holder) throw new Refusal('unknown_certificate')
  return { edition, drop }
}

/** @throws Refusal `unknown_certificate` */
export async function showCertificate({ db, config }: Needs<'db' | 'config'>, token: string): Promise<Certificate> {
  const { edition, drop } = await openCertificate(db, config, HOLDER, token)
  const piece = (await piecesToday(db, [edition.variantId])).get(edition.variantId)
  const name = (await findProductNames(db, [edition.productId])).get(edition.productId)
  return {
    title: drop.title,
    label: editionLabel(edition.number, drop.pieces),
    ...{ number: edition.number, pieces: drop.pieces, state: edition.state },
    productName: piece?.productName ?? name ?? drop.title,
    variantName: piece?.variantName ?? null,
    imageUrl: piece?.imageUrl ?? '',
    collection: piece?.collection ?? drop.collectionId ?? '',
    isOffered: edition.nextEmail !== null,
    steps: (await listSteps(db, edition)).map(({ kind, at }) => ({ kind, at: at.toISOString() })),
  }
}

/** A new holder can be asked once a minute. */
const ASK_AGAIN_MS = MINUTE_MS
/** Somebody who was asked has this long to accept. */
const ACCEPT_MS = 14 * DAY_MS

type GiveNeeds = Needs<'db' | 'config' | 'clock' | 'jobs'>

/**
 * Asks somebody to become the holder. Until they accept, nothing changes; asking somebody else takes it back.
 * @throws Refusal `unknown_certificate`; `certificate_retired`; `too_many` within a minute
 */
export async function giveCertificate(
  shop: GiveNeeds,
  token: string,
  { email, language }: Addressee,
): Promise<{ label: string }> {
  const { db, config, clock } = shop
  const { edition, drop } = await openCertificate(db, config, HOLDER, token)
  const label = editionLabel(edition.number, drop.pieces)
  await db.transaction(async (tx) => {
    const now = clock.now()
    const locked = await lockEdition(tx, edition.dropId, edition.number)
    if (locked?.holder !== edition.holder) throw new Refusal('unknown_certificate')
    if (locked.state !== 'issued') throw new Refusal('certificate_retired')
    if (locked.nextAskedAt && locked.nextAskedAt > after(now, -ASK_AGAIN_MS)) throw new Refusal('too_many')
    await updateEdition(tx, locked, { nextEmail: email.toLowerCase(), nextAskedAt: now })
    const mail = writtenIn(language, () =>
      dropMail('edition_offered', {
        ...{ title: drop.title, number: editionLabel(edition.number, drop.pieces), button: 'Accept it' },
        link: `${baseUrlOf(config)}${dropPaths.transfer}?token=${LINK_TOKEN}`,
      }),
    )
    // Part of the link, which a space would end.
    const about = `${nameOf(locked)}-${now.getTime()}`
    const recipient = { email, name: '' }
    await mailLater(shop, tx, { kind: 'edition_offered', recipient, orderId: null, about, ...mail }, now)
  })
  return { label }
}

/** @param about of the email */
export const nextHolderToken = ({ config }: Needs<'config'>, about: string): string => signedToken(config, NEXT, about)

/** @param about of the email: the piece with its holder */
export const holderToken = ({ config }: Needs<'config'>, about: string): string => signedToken(config, HOLDER, about)

/**
 * The person who was asked becomes the holder, and gets the link by email.
 * @returns the link's token
 * @throws Refusal `unknown_certificate`, also when somebody else was asked since; `certificate_retired`
 */
export async function acceptCertificate(shop: GiveNeeds, token: string, language: Language): Promise<string> {
  const { db, config, clock } = shop
  const [name = '', askedAt = ''] = (readSignedToken(config, NEXT, token) ?? '').split('-')
  const named = readName(name)
  if (!named) throw new Refusal('unknown_certificate')
  const next = { ...named, holder: named.holder + 1 }
  return db.transaction(async (tx) => {
    const now = clock.now()
    const locked = await lockEdition(tx, named.dropId, named.number)
    const drop = await findDrop(tx, named.dropId)
    const isAsked =
      locked?.holder === named.holder && locked.nextEmail !== null && locked.nextAskedAt?.getTime() === Number(askedAt)
    if (!drop || !locked || !isAsked || Number(askedAt) + ACCEPT_MS < now.getTime())
      throw new Refusal('unknown_certificate')
    if (locked.state !== 'issued' || locked.nextEmail === null) throw new Refusal('certificate_retired')
    await updateEdition(tx, locked, { holder: next.holder, isGiven: true, nextEmail: null, nextAskedAt: null })
    await addSteps(tx, [{ dropId: named.dropId, number: named.number, kind: 'given', at: now }])
    const mail = writtenIn(language, () =>
      dropMail('edition_held', {
        ...{ title: drop.title, number: editionLabel(named.number, drop.pieces), button: 'See your certificate' },
        link: `${baseUrlOf(config)}${dropPaths.certificate}?token=${LINK_TOKEN}`,
      }),
    )
    const recipient = { email: locked.nextEmail, name: '' }
    await mailLater(shop, tx, { kind: 'edition_held', recipient, orderId: null, about: nameOf(next), ...mail }, now)
    return signedToken(config, HOLDER, nameOf(next))
  })
}
