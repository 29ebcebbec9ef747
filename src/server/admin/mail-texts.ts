import type { MailName, MailTexts } from '#domain/messages/mail-texts.ts'
import { MINUTE_MS } from '#shared/time.ts'
import { findUserContact } from '#server/accounts/users.ts'
import type { Actor } from '#server/audit-log/audit-log.ts'
import { readTheme } from '#server/catalog/collections.ts'
import { listBestSellers } from '#server/catalog/listing.ts'
import { baseUrlOf } from '#server/config/config.ts'
import type { Db } from '#server/db/db.ts'
import type { MailContent } from '#server/mail/content.ts'
import { exampleMail } from '#server/mail/examples.ts'
import { mailLater, renderMail } from '#server/mail/outbox.ts'
import { readSiteSettings } from '#server/settings/site-settings.ts'
import type { Needs } from '#server/shop.ts'
import { requirePlaceholders } from './settings.ts'

/** An email with these texts and example data. @throws Refusal `invalid` for a placeholder that it does not have */
export async function previewMail({ db, config }: Needs<'db' | 'config'>, name: MailName, texts: MailTexts) {
  const publicUrl = baseUrlOf(config)
  const { subject, textPart, htmlPart } = renderMail(
    await exampleWith(db, name, texts, publicUrl),
    await readSiteSettings(db),
    publicUrl,
  )
  return { subject, html: htmlPart, text: textPart }
}

/**
 * Sends that email to the owner who asks, or to the business address without a confirmed one; at most once a minute.
 * @throws Refusal as `previewMail`
 */
export async function sendTestMail(
  shop: Needs<'db' | 'clock' | 'jobs' | 'config'>,
  name: MailName,
  texts: MailTexts,
  by: Actor,
) {
  const now = shop.clock.now()
  const contact = by.userId === null ? undefined : await findUserContact(shop.db, by.userId)
  const email = contact?.userEmail ?? (await readSiteSettings(shop.db)).businessEmail
  const mail = await exampleWith(shop.db, name, texts, baseUrlOf(shop.config))
  const about = `${name} ${by.name} ${Math.floor(now.getTime() / MINUTE_MS)}`
  await shop.db.transaction((tx) =>
    mailLater(
      shop,
      tx,
      {
        ...mail,
        ...{ kind: 'mail_test', about, recipient: { email, name: by.name }, orderId: null },
        subject: `[Test] ${mail.subject}`,
      },
      now,
    ),
  )
  return { done: `A test is on its way to ${email}.` }
}

async function exampleWith(db: Db, name: MailName, texts: MailTexts, publicUrl: string): Promise<MailContent> {
  requirePlaceholders(name, texts, 'texts')
  const [bestSeller] = await listBestSellers(db)
  const goods = {
    productName: bestSeller?.name ?? 'Sherpa Blanket',
    variantName: bestSeller?.picture?.color ?? null,
    imageUrl: bestSeller?.picture?.src ?? null,
  }
  const { worded, ...example } = exampleMail(name, goods, await readTheme(db, ''), publicUrl)
  return worded ? worded.write(texts) : example
}
