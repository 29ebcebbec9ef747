import { createHash, randomBytes } from 'node:crypto'
import type { SubscriberRow, Subscription } from '#contract/messages.ts'
import { paths } from '#contract/paths.ts'
import { maskCardNumbers } from '#domain/messages/card-numbers.ts'
import type { MailKind } from '#domain/messages/mail-kinds.ts'
import type { Language } from '#shared/language.ts'
import { after, HOUR_MS, MINUTE_MS } from '#shared/time.ts'
import { recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import { baseUrlOf } from '#server/config/config.ts'
import type { Tx } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { MailContent } from '#server/mail/content.ts'
import { SITE } from '#server/mail/site-facts.ts'
import { LINK_TOKEN, mailLater, writtenIn } from '#server/mail/outbox.ts'
import { confirmNewsletterMail, welcomeNewsletterMail, type ToSubscriber } from '#server/mail/templates/newsletter.ts'
import { ownerMail } from '#server/mail/templates/owner-mail.ts'
import type { Needs } from '#server/shop.ts'
import { bounceReference } from './bounces.ts'
import {
  addSubscriberLink,
  changeSubscriber,
  countSubscribed,
  findSubscriberOfLink,
  listSubscribers,
  lockSubscriber,
  lockSubscriberById,
  lockUnreported,
  markReported,
  type StoredSubscriber,
} from './store.ts'

type NewsletterNeeds = Needs<'db' | 'clock' | 'jobs' | 'config'>

/** The owner gets one email about all new subscribers within this time. */
const COLLECTED_MS = 10 * MINUTE_MS
const REPORTED_AT_ONCE = 200
const A_PAGE = 100

/**
 * Stores the request and emails a confirmation link, at most once an hour per address. Subscribers get no email and the same
 * response, so nobody learns whether an address is subscribed.
 */
export async function subscribe(
  shop: NewsletterNeeds,
  { email, name }: Subscription,
  language: Language,
): Promise<void> {
  const now = shop.clock.now()
  await shop.db.transaction(async (tx) => {
    const found = await lockSubscriber(tx, email.toLowerCase(), now)
    if (!found || isSubscribed(found)) return
    await changeSubscriber(tx, found.id, { askedAt: now, language, ...(name && { name: maskCardNumbers(name) }) })
    const hour = String(Math.floor(now.getTime() / HOUR_MS))
    const mail = { kind: 'newsletter_confirm' as const, about: hour, write: confirmNewsletterMail }
    await mailSubscriberLater(shop, tx, { ...found, language }, mail, now)
  })
}

const isSubscribed = ({ confirmedAt, leftAt }: StoredSubscriber): boolean => confirmedAt !== null && leftAt === null

/**
 * Every newsletter email has an unsubscribe link, for people and for email clients (RFC 8058).
 * @param mail its kind must begin with `newsletter_`: the outbox then creates its link's token
 */
export async function mailSubscriberLater(
  shop: Needs<'jobs' | 'config'>,
  tx: Tx,
  { id, email, name, language }: StoredSubscriber,
  { kind, about, write }: { kind: MailKind; about: string; write: (to: ToSubscriber) => MailContent },
  now: Date,
): Promise<void> {
  const publicUrl = baseUrlOf(shop.config)
  const written = writtenIn(language, () =>
    write({
      publicUrl,
      confirmLink: publicUrl + paths.newsletterByToken(LINK_TOKEN),
      leaveLink: publicUrl + paths.leaveNewsletter(LINK_TOKEN),
    }),
  )
  const headers = {
    'List-Unsubscribe': `<${publicUrl}${paths.leaveAtOnce(LINK_TOKEN)}>, <mailto:${SITE.supportEmail}?subject=unsubscribe>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }
  const recipient = { email, name: name ?? '' }
  const mail = { kind, about: `${id}:${about}`, recipient, orderId: null, bouncesTo: bounceReference(id) }
  await mailLater(shop, tx, { ...mail, ...written, headers }, now)
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')

/**
 * Creates the token of an email's links to a subscription. It does not expire.
 * @param about the email's `about`, which begins with the subscriber's id
 */
export async function openSubscription({ db, clock }: Needs<'db' | 'clock'>, about: string): Promise<string> {
  const token = randomBytes(24).toString('base64url')
  const subscriberId = Number.parseInt(about, 10)
  await db.transaction((tx) =>
    addSubscriberLink(tx, { tokenHash: hashOf(token), subscriberId, createdAt: clock.now() }),
  )
  return token
}

/** Completes the double opt-in; confirming again changes nothing. @throws Refusal `unknown_subscriber` */
export async function confirmSubscription(shop: NewsletterNeeds, token: string): Promise<void> {
  const now = shop.clock.now()
  await shop.db.transaction(async (tx) => {
    const found = await lockByToken(tx, token)
    if (isSubscribed(found)) return
    await changeSubscriber(tx, found.id, { confirmedAt: now, leftAt: null, leftBecause: null, toldAt: null })
    const mail = { kind: 'newsletter_welcome' as const, about: now.toISOString(), write: welcomeNewsletterMail }
    await mailSubscriberLater(shop, tx, found, mail, now)
    await shop.jobs.enqueue(tx, 'tell-subscribers', {}, after(now, COLLECTED_MS))
  })
}

/** Unsubscribes immediately. @throws Refusal `unknown_subscriber` */
export async function endSubscription({ db, clock }: Needs<'db' | 'clock'>, token: string): Promise<void> {
  await db.transaction(async (tx) => {
    const found = await lockByToken(tx, token)
    if (found.leftAt === null) await changeSubscriber(tx, found.id, { leftAt: clock.now() })
  })
}

async function lockByToken(tx: Tx, token: string): Promise<StoredSubscriber> {
  const link = await findSubscriberOfLink(tx, hashOf(token))
  const found = link && (await lockSubscriberById(tx, link.id))
  if (!found) throw new Refusal('unknown_subscriber')
  return found
}

/** Emails the owner a list of new subscribers. */
export async function mailSubscribers(shop: NewsletterNeeds): Promise<void> {
  const now = shop.clock.now()
  await shop.db.transaction(async (tx) => {
    const fresh = await lockUnreported(tx, REPORTED_AT_ONCE)
    if (fresh.length === 0) return
    await markReported(
      tx,
      fresh.map(({ id }) => id),
      now,
    )
    const note = ownerMail({
      subject: fresh.length === 1 ? '1 new subscriber' : `${fresh.length} new subscribers`,
      paragraphs: [fresh.map(({ email, name }) => (name ? `${name} <${email}>` : email)).join('\n')],
      link: baseUrlOf(shop.config) + paths.adminSubscribers,
      action: 'See all subscribers',
    })
    const recipient = 'support' as const
    await mailLater(shop, tx, { kind: 'subscribers', recipient, orderId: null, ...note }, now)
  })
}

/** A page of everybody who ever signed up, newest first. */
export async function readSubscribers(
  { db }: Needs<'db'>,
  after: number | undefined,
): Promise<{ subscribers: SubscriberRow[]; next: number | null; subscribed: number }> {
  const rows = await listSubscribers(db, after, A_PAGE + 1)
  const page = rows.slice(0, A_PAGE)
  return {
    subscribers: page.map(toSubscriberRow),
    next: rows.length > A_PAGE ? (page.at(-1)?.id ?? null) : null,
    subscribed: await countSubscribed(db),
  }
}

const toSubscriberRow = (subscriber: StoredSubscriber): SubscriberRow => ({
  id: subscriber.id,
  email: subscriber.email,
  name: subscriber.name,
  state: isSubscribed(subscriber) ? 'subscribed' : subscriber.leftAt ? (subscriber.leftBecause ?? 'left') : 'asked',
  askedAt: subscriber.askedAt.toISOString(),
  confirmedAt: subscriber.confirmedAt?.toISOString() ?? null,
  leftAt: subscriber.leftAt?.toISOString() ?? null,
})

/** The owner unsubscribes somebody who asked for it, such as by email. @throws Refusal `unknown_subscriber` */
export async function endSubscriptionFor({ db, clock }: Needs<'db' | 'clock'>, by: Actor, id: number): Promise<void> {
  const now = clock.now()
  await db.transaction(async (tx) => {
    const found = await lockSubscriberById(tx, id)
    if (!found) throw new Refusal('unknown_subscriber')
    if (found.leftAt !== null) return
    await changeSubscriber(tx, id, { leftAt: now })
    await recordAction(tx, { by, what: 'ended a subscription', about: { kind: 'subscriber', id }, at: now })
  })
}
