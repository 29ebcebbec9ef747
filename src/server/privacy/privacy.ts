import { createHash, randomBytes } from 'node:crypto'
import { paths } from '#contract/paths.ts'
import type { PersonalDataCounts } from '#contract/privacy.ts'
import type { MailKind } from '#domain/messages/mail-kinds.ts'
import { needsCustomerData } from '#domain/privacy/anonymize.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { after, HOUR_MS } from '#shared/time.ts'
import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import { baseUrlOf } from '#server/config/config.ts'
import type { Reader } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import { LINK_TOKEN, mailLater } from '#server/mail/outbox.ts'
import { myDataMail } from '#server/mail/templates/account.ts'
import type { Needs } from '#server/shop.ts'
import {
  addDataLink,
  deleteMessagesOf,
  deleteDataLink,
  deleteErasure,
  emailOf,
  eraseMailsOf,
  eraseOrders,
  eraseUser,
  eraseVersions,
  findDataLink,
  findPayoutAccount,
  findSubscription,
  findUserOf,
  listChatsOf,
  listCorrectionsOf,
  listLinesOf,
  listMailsOf,
  listMessagesOf,
  listOrdersOf,
  listPayersOf,
  listVersionsOf,
  saveErasure,
  type Email,
  type StoredOrder,
} from './store.ts'

const LINK_LIFE_MS = 24 * HOUR_MS

const isInProgress = ({ fulfillmentStatus, paymentStatus }: StoredOrder) =>
  needsCustomerData(fulfillmentStatus, paymentStatus)

type Version = Awaited<ReturnType<typeof listVersionsOf>>[number]
const isBeingPaid = ({ state, isDisputed }: Version) => state === 'open' || state === 'held' || isDisputed

/** How much data the shop has about an email. */
export async function countPersonalData(db: Reader, typed: string): Promise<PersonalDataCounts> {
  const email = emailOf(typed)
  const orders = await listOrdersOf(db, email)
  const versions = await listVersionsOf(db, email)
  const checkouts = (list: readonly Version[]) => new Set(list.map(({ checkoutId }) => checkoutId)).size
  return {
    orders: orders.length,
    ordersUnderWay: orders.filter(isInProgress).length,
    checkouts: checkouts(versions),
    checkoutsUnderWay: checkouts(versions.filter(isBeingPaid)),
    mails: (await listMailsOf(db, email)).length,
    messages: (await listMessagesOf(db, email)).length,
    chats: new Set((await listChatsOf(db, email)).map(({ id }) => id)).size,
    subscriptions: (await findSubscription(db, email)) ? 1 : 0,
    accounts: (await findUserOf(db, email)) ? 1 : 0,
  }
}

/** All data about an email: amounts in US cents, times in UTC. */
export async function exportOf({ db, clock }: Needs<'db' | 'clock'>, typed: string): Promise<Record<string, unknown>> {
  const email = emailOf(typed)
  const orders = await listOrdersOf(db, email)
  const lines = Map.groupBy(
    orders.length
      ? await listLinesOf(
          db,
          orders.map(({ id }) => id),
        )
      : [],
    ({ orderId }) => orderId,
  )
  // Hashes that recognize later purchases with the same card or wallet.
  const payers = await listPayersOf(
    db,
    orders.map((order) => order.paymentKey),
  )
  const user = await findUserOf(db, email)
  const account = user && (await findPayoutAccount(db, user.id))
  const subscription = await findSubscription(db, email)
  return {
    about: email,
    madeAt: clock.now().toISOString(),
    amounts: 'whole US cents',
    orders: orders.map((order) => ({
      orderNumber: formatOrderNumber(order.orderNumber),
      paidAt: order.createdAt,
      payment: order.paymentKey,
      cardOrWallet: payers.get(order.paymentKey) ?? null,
      status: { money: order.paymentStatus, making: order.fulfillmentStatus },
      customer: { name: order.customerName, email: order.customerEmail, phone: order.customerPhone },
      taxNumber: order.taxNumber,
      shippingAddress: order.shippingAddress,
      billingAddress: order.billingAddress,
      lines: (lines.get(order.id) ?? []).map(({ productName, variantName, quantity, unitPrice }) => ({
        ...{ productName, variantName, quantity, unitPriceCents: unitPrice },
      })),
      subtotalCents: order.subtotalCents,
      shippingCents: order.shippingCents,
      taxCents: order.taxCents,
      vatProtectionCents: order.vatProtectionCents,
      totalCents: order.totalCents,
    })),
    corrections: (
      await listCorrectionsOf(
        db,
        email,
        orders.map(({ id }) => id),
      )
    ).map(({ orderId, madeBy, before, after, correctedAt }) => ({
      ...{ madeBy, correctedAt },
      // The order's former email does not get the new one's data.
      ...(orders.some(({ id }) => id === orderId) ? { before, after } : { before }),
    })),
    checkouts: (await listVersionsOf(db, email)).map(({ frozen, frozenAt, state }) => ({
      ...{ state, frozenAt },
      customer: frozen.customer,
      shippingAddress: frozen.shippingAddress,
      billingAddress: frozen.billingAddress,
    })),
    mails: (await listMailsOf(db, email)).map(({ recipient, subject, textPart, createdAt, sentAt }) => ({
      ...{ recipient, subject, createdAt, sentAt },
      text: textPart,
    })),
    messages: (await listMessagesOf(db, email)).map(({ message, answer }) => ({
      name: message.name,
      subject: message.subject,
      message: message.message,
      sentAt: message.createdAt,
      answer: answer && { words: answer.answer, at: answer.answeredAt },
    })),
    chats: await listChatsOf(db, email),
    newsletter: subscription && {
      name: subscription.name,
      askedAt: subscription.askedAt,
      confirmedAt: subscription.confirmedAt,
      leftAt: subscription.leftAt,
    },
    account: user && { username: user.shownName, isPartner: user.isPartner, createdAt: user.createdAt },
    payoutAccount: account && { ...account.details, changedAt: account.changedAt },
  }
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
    const user = await findUserOf(tx, email)
    if (user?.isOwner) throw new Refusal('owner_not_erased')
    const orders = await listOrdersOf(tx, email)
    const versions = await listVersionsOf(tx, email)
    const active = orders.filter(isInProgress)
    const activeCheckouts = new Set([
      ...versions.filter(isBeingPaid).map(({ checkoutId }) => checkoutId),
      ...active.map(({ checkoutId }) => checkoutId),
    ])
    const done = orders.filter((order) => !isInProgress(order))
    await eraseOrders(tx, done, at)
    await eraseVersions(
      tx,
      versions.filter(({ checkoutId }) => !activeCheckouts.has(checkoutId)),
    )
    await eraseMailsOf(
      tx,
      email,
      active.map(({ id }) => id),
    )
    await deleteMessagesOf(tx, email)
    if (user) await eraseUser(tx, user.id)
    await (activeCheckouts.size ? saveErasure(tx, email, at) : deleteErasure(tx, email))
    const result = { orders: done.length, later: activeCheckouts.size }
    // A code instead of the email, because the audit log is permanent.
    if (by)
      await recordAction(tx, { by, what: 'erased', about: { kind: 'person', id: numberOf(email) }, after: result, at })
    return result
  })
  shop.log.info(erased, 'A person’s data was erased.')
  return erased
}

/** Distinguishes people without identifying them: part of a hash with a salt that is never stored. */
const salt = randomBytes(16)
const numberOf = (email: Email): string => createHash('sha256').update(salt).update(email).digest('hex').slice(0, 8)

/** The result of an erasure in sentences. */
export const formatErasure = ({ orders, later }: ErasureResult): string =>
  [
    'Erased. Names, addresses, email and messages are gone for good.',
    orders > 0 &&
      `${orders} ${orders === 1 ? 'order keeps its' : 'orders keep their'} items, amounts and tax, as the law requires.`,
    later > 0 &&
      `${later} ${later === 1 ? 'order or checkout is' : 'orders or checkouts are'} still in progress and will be erased once done.`,
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
): Promise<void> {
  const now = clock.now()
  // Stored as a link whose token nobody has, because the job queue must not store emails.
  const tokenHash = hashOf(newToken())
  await db.transaction(async (tx) => {
    await addDataLink(tx, {
      tokenHash: tokenHash,
      email: emailOf(typed),
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
  const mail = {
    kind: MY_DATA_MAIL,
    recipient: { email, name: '' },
    orderId: null,
    // At most one an hour.
    about: `${email} ${hour}`,
    ...myDataMail(link),
  }
  await shop.db.transaction(async (tx) => {
    if (isKnown) await mailLater(shop, tx, mail, now)
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
