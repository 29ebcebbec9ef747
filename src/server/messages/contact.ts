import { label } from '#site/label.ts'
import type { ContactMessage } from '#contract/messages.ts'
import { maskCardNumbers } from '#domain/messages/card-numbers.ts'
import { mailLater } from '#server/mail/outbox.ts'
import { contactMail } from '#server/mail/templates/contact.ts'
import type { Needs } from '#server/shop.ts'
import { addMessage } from './store.ts'

/** Keeps what somebody wrote and mails it to customer care. Card numbers are masked before either. */
export async function takeMessage(
  { db, clock, jobs, config }: Needs<'db' | 'clock' | 'jobs' | 'config'>,
  written: ContactMessage,
): Promise<void> {
  const masked: ContactMessage = {
    email: written.email,
    name: maskCardNumbers(written.name),
    subject: maskCardNumbers(written.subject),
    message: maskCardNumbers(written.message),
  }
  const now = clock.now()
  const recipient = { email: label.supportEmail, name: label.name }
  await db.transaction(async (tx) => {
    await addMessage(tx, { ...masked, createdAt: now })
    await mailLater({ jobs, config }, tx, { kind: 'contact', recipient, orderId: null, ...contactMail(masked) }, now)
  })
}
