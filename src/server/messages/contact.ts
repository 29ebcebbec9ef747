import type { ContactMessage } from '#contract/messages.ts'
import { maskCardNumbers } from '#domain/messages/card-numbers.ts'
import { mailLater } from '#server/mail/outbox.ts'
import { contactMail } from '#server/mail/templates/owner-mail.ts'
import type { Needs } from '#server/shop.ts'
import { addMessage } from './store.ts'

/** Stores a contact message and emails it to customer care, with card numbers masked. */
export async function receiveMessage(
  { db, clock, jobs, config }: Needs<'db' | 'clock' | 'jobs' | 'config'>,
  message: ContactMessage,
): Promise<void> {
  const masked: ContactMessage = {
    email: message.email,
    name: maskCardNumbers(message.name),
    subject: maskCardNumbers(message.subject),
    message: maskCardNumbers(message.message),
  }
  const now = clock.now()
  const recipient = 'support' as const
  await db.transaction(async (tx) => {
    await addMessage(tx, { ...masked, createdAt: now })
    await mailLater({ jobs, config }, tx, { kind: 'contact', recipient, orderId: null, ...contactMail(masked) }, now)
  })
}
