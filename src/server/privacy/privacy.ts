import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { paths } from '#contract/paths.ts'
import type { PersonalDataCounts } from '#contract/privacy.ts'
import type { MailKind } from '#domain/messages/mail-kinds.ts'
import type { Language } from '#shared/language.ts'
import { after, HOUR_MS } from '#shared/time.ts'
import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import { baseUrlOf } from '#server/config/config.ts'
import type { Reader, Tx } from '#server/db/db.ts'
import type { Email, ErasedOrder, ErasedPerson } from '#server/db/personal-data.ts'
import { writeJson } from '#server/files/json-file.ts'
import { Refusal } from '#server/http/refusal.ts'
import { LINK_TOKEN, mailLater, writtenIn } from '#server/mail/outbox.ts'
import { myDataMail } from '#server/mail/templates/account.ts'
import { personalData as accounts } from '#server/accounts/personal-data.ts'
import { personalData as checkout } from '#server/checkout/personal-data.ts'
import { personalData as giftCards } from '#server/gift-cards/personal-data.ts'
import { personalData as mail } from '#server/mail/personal-data.ts'
import { moveFormerMessages } from '#server/messages/former-messages.ts'
import { personalData as messages } from '#server/messages/personal-data.ts'
import { personalData as claims } from '#server/claims/personal-data.ts'
import { personalData as orders } from '#server/orders/personal-data.ts'
import { personalData as partners } from '#server/partners/personal-data.ts'
import { personalData as payments } from '#server/payments/personal-data.ts'
import { personalData as reviews } from '#server/reviews/personal-data.ts'
import type { Needs } from '#server/shop.ts'
import { say } from '#words/say.ts'
import { owners } from './owners.ts'
import { addDataLink, deleteDataLink, deleteErasure, findDataLink, saveErasure } from './store.ts'

const LINK_LIFE_MS = 24 * HOUR_MS

const emailOf = (typed: string): Email => typed.trim().toLowerCase() as Email

const findCheckouts = async (db: Reader, email: Email) =>
  checkout.find(db, email, await payments.listDisputedCheckouts(db))

/** How much data the shop has about an email. */
export async function countPersonalData(db: Reader, typed: string): Promise<PersonalDataCounts> {
  const email = emailOf(typed)
  const found = await orders.find(db, email)
  const checkouts = await findCheckouts(db, email)
  const { conversations, subscription } = await messages.find(
    db,
    email,
    found.all.map(({ id }) => id),
  )
  return {
    orders: found.all.length,
    pastOrders: await orders.countPast(db, email),
    ordersUnderWay: found.active.length,
    checkouts: checkouts.all.size,
    checkoutsUnderWay: checkouts.active.size,
    mails: (await mail.find(db, email)).length,
    messages: conversations.length,
    subscriptions: subscription ? 1 : 0,
    accounts: (await accounts.findUser(db, email)) ? 1 : 0,
  }
}

/** All data about an email as JSON: amounts in US cents, times in UTC, photos as WebP in base64. Photos are read one at a time. */
export async function exportOf({ db, clock }: Needs<'db' | 'clock'>, typed: string): Promise<Readable> {
  const email = emailOf(typed)
  // An instance of the release before may have written some since the start.
  await db.transaction(moveFormerMessages)
  const { all } = await orders.find(db, email)
  const payers = await payments.findPayers(
    db,
    all.flatMap(({ paymentKey }) => paymentKey ?? []),
  )
  const user = await accounts.findUser(db, email)
  const everything = {
    about: email,
    madeAt: clock.now().toISOString(),
    amounts: 'whole US cents',
    ...(await orders.export(db, email, all, payers)),
    ...(await reviews.export(
      db,
      email,
      all.map(({ id }) => id),
    )),
    ...(await claims.export(
      db,
      all.map(({ id }) => id),
    )),
    ...(await checkout.export(db, email)),
    ...(await giftCards.export(db, email)),
    ...(await payments.export(db, email)),
    mails: await mail.find(db, email),
    ...(await messages.export(
      db,
      email,
      all.map(({ id }) => id),
    )),
    ...(await accounts.export(db, email)),
    ...(await partners.export(db, user?.id)),
  }
  return Readable.from(writeJson(everything), { objectMode: false })
}

export type ErasureResult = { orders: number; later: number }

/**
 * Erases a person's data for good; amounts, items, tax and commission stay. Orders still in production or disputed and checkouts being
 * paid keep what they need and are erased once done. Safe to repeat.
 * @param by null when an earlier request is carried out now
 * @throws Refusal `owner_not_erased`
 */
export async function erasePerson(
  shop: Needs<'db' | 'clock' | 'log'>,
  typed: string,
  by: Actor | null,
): Promise<ErasureResult> {
  const email = emailOf(typed)
  const at = shop.clock.now()
  const erased = await shop.db.transaction(async (tx) => {
    const user = await accounts.findUser(tx, email)
    if (user?.role) throw new Refusal('owner_not_erased')
    const { active, done } = await orders.find(tx, email)
    const checkouts = new Set([
      ...(await findCheckouts(tx, email)).active,
      ...active.flatMap(({ checkoutId }) => checkoutId ?? []),
    ])
    await eraseOrders(tx, done, at)
    const person: ErasedPerson = {
      email,
      // Random, so the name cannot be taken.
      user: user && { id: user.id, alias: `erased-${randomBytes(8).toString('hex')}` },
      except: { orders: active.map(({ id }) => id), checkouts },
    }
    for (const owner of owners) await owner.erasePerson?.(tx, person)
    // Orders without a payment have no checkout.
    const later = checkouts.size + active.filter(({ checkoutId }) => checkoutId === null).length
    await (later ? saveErasure(tx, email, at) : deleteErasure(tx, email))
    const result = { orders: done.length, later }
    // A code instead of the email, because the audit log is permanent.
    if (by)
      await recordAction(tx, { by, what: 'erased', about: { kind: 'person', id: numberOf(email) }, after: result, at })
    return result
  })
  shop.log.info(erased, 'A person’s data was erased.')
  return erased
}

/** Clears all personal data of these orders. */
export async function eraseOrders(tx: Tx, done: readonly ErasedOrder[], now: Date): Promise<void> {
  if (done.length) for (const owner of owners) await owner.eraseOrders?.(tx, done, now)
}

/** Distinguishes people without identifying them: part of a hash with a salt that is never stored. */
const salt = randomBytes(16)
const numberOf = (email: Email): string => createHash('sha256').update(salt).update(email).digest('hex').slice(0, 8)

/** The result of an erasure in sentences. */
export const formatErasure = ({ orders, later }: ErasureResult): string =>
  [
    say('Erased. Names, addresses, email and messages are gone for good.'),
    orders > 0 &&
      say(
        '{count, plural, one {# order keeps its} other {# orders keep their}} items, amounts and tax, as the law requires.',
        { count: orders },
      ),
    later > 0 &&
      say(
        '{count, plural, one {# order or checkout is} other {# orders or checkouts are}} still in progress and will be erased once done.',
        { count: later },
      ),
  ]
    .filter(Boolean)
    .join(' ')

// ---- by an emailed link

const newToken = (): string => randomBytes(24).toString('base64url')
const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')

/**
 * Requests a link to the data about an email. A job checks whether there is any, so the response and its timing reveal nothing.
 */
export async function askForDataLink(
  { db, clock, jobs }: Needs<'db' | 'clock' | 'jobs'>,
  typed: string,
  language: Language,
): Promise<void> {
  const now = clock.now()
  // Stored as a link whose token nobody has, because the job queue must not store emails.
  const tokenHash = hashOf(newToken())
  await db.transaction(async (tx) => {
    await addDataLink(tx, {
      tokenHash: tokenHash,
      email: emailOf(typed),
      language,
      createdAt: now,
      expiresAt: after(now, LINK_LIFE_MS),
    })
    await jobs.enqueue(tx, 'mail-data-link', { tokenHash })
  })
}

/** Emails the link if the shop has data about the email. */
export async function mailDataLink(shop: Needs<'db' | 'clock' | 'jobs' | 'config'>, tokenHash: string): Promise<void> {
  const now = shop.clock.now()
  const dataLink = await findDataLink(shop.db, tokenHash, now)
  if (!dataLink) return
  const email = emailOf(dataLink.email)
  const known = await countPersonalData(shop.db, email)
  const isKnown = Object.values(known).some((count) => count > 0)
  const link = `${baseUrlOf(shop.config)}${paths.myDataByToken(LINK_TOKEN)}`
  const hour = Math.floor(now.getTime() / HOUR_MS)
  const message = {
    kind: MY_DATA_MAIL,
    recipient: { email, name: '' },
    orderId: null,
    // At most one an hour.
    about: `${email} ${hour}`,
    ...writtenIn(dataLink.language, () => myDataMail(link)),
  }
  await shop.db.transaction(async (tx) => {
    if (isKnown) await mailLater(shop, tx, message, now)
    await deleteDataLink(tx, tokenHash)
  })
}

export const MY_DATA_MAIL: MailKind = 'my_data'

/** Creates a link for an email. @returns its token; only a hash of it is stored */
export async function openDataLink({ db, clock }: Needs<'db' | 'clock'>, typed: string): Promise<string> {
  const token = newToken()
  const now = clock.now()
  const row = { tokenHash: hashOf(token), email: emailOf(typed), createdAt: now, expiresAt: after(now, LINK_LIFE_MS) }
  await db.transaction((tx) => addDataLink(tx, row))
  return token
}

/** The email of a link. @throws Refusal `data_link_expired`, also for an unknown one */
export async function emailOfDataLink({ db, clock }: Needs<'db' | 'clock'>, token: string): Promise<string> {
  const link = await findDataLink(db, hashOf(token), clock.now())
  if (!link) throw new Refusal('data_link_expired')
  return link.email
}
