import { createHash } from 'node:crypto'
import PostalMime from 'postal-mime'
import { readMailReport } from '#domain/messages/bounce.ts'
import type { Tx } from '#server/db/db.ts'
import type { Needs } from '#server/shop.ts'
import { markRead } from './conversation-store.ts'
import { changeSubscriber, findSubscriberOfLink, lockSubscriberById } from './store.ts'

/** In the address that a subscriber's bounces come back to. Letters that no order number and no other reference has. */
export const bounceReference = (subscriberId: number): string => `bounce${subscriberId}`

/** In the address to which mail providers send complaints, once it is registered with them. */
export const COMPLAINTS = 'complaints'

const BOUNCE = /^bounce(\d{1,9})$/
/** The one-click link of one of our emails, which only its recipient has. */
const OWN_LINK = /\/newsletter\/unsubscribe\?token=([\w-]{20,100})/

/** Whether an address of this reference gets reports of mail programs, and no words of people. */
export const isForReports = (reference: string): boolean => reference === COMPLAINTS || BOUNCE.test(reference)

/**
 * Takes a report about a newsletter: who can't be reached or calls it spam gets no more. The signed address or the emailed link says who it
 * is about, so nobody can unsubscribe others.
 * @param source undefined if it is too large to be one
 */
export async function receiveReport(
  { db, clock, log }: Needs<'db' | 'clock' | 'log'>,
  reference: string,
  emailId: string,
  source: Buffer | undefined,
): Promise<void> {
  const report = source ? await reportIn(source) : 'other'
  const token = OWN_LINK.exec(source?.toString('latin1') ?? '')?.[1]
  await db.transaction(async (tx) => {
    const now = clock.now()
    if (!(await markRead(tx, emailId, now)) || report === 'other') return
    const addressed = BOUNCE.exec(reference)?.[1]
    const linked = token === undefined ? undefined : await findSubscriberOfLink(tx, hashOf(token))
    const id = addressed === undefined ? linked?.id : Number(addressed)
    if (id === undefined) log.warn({ report }, 'A report about an email names no subscriber.')
    else await endForReport(tx, id, report, now)
  })
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')

async function reportIn(source: Buffer) {
  const { attachments } = await PostalMime.parse(source, { forceRfc822Attachments: true, attachmentEncoding: 'utf8' })
  return readMailReport(
    attachments.map(({ mimeType, content }) => ({
      type: mimeType,
      text: typeof content === 'string' ? content : Buffer.from(content as ArrayBuffer).toString('utf8'),
    })),
  )
}

async function endForReport(tx: Tx, id: number, report: 'bounced' | 'complained', now: Date): Promise<void> {
  const subscriber = await lockSubscriberById(tx, id)
  if (subscriber && subscriber.leftAt === null) await changeSubscriber(tx, id, { leftAt: now, leftBecause: report })
}

/** The mail server refused an email of the newsletter for good. @param about the email's, which begins with the subscriber's id */
export async function endRefused({ db, clock }: Needs<'db' | 'clock'>, about: string): Promise<void> {
  const id = Number.parseInt(about, 10)
  await db.transaction((tx) => endForReport(tx, id, 'bounced', clock.now()))
}
