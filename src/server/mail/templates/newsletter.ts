import { paths } from '#contract/paths.ts'
import { paragraph, type MailContent } from '../content.ts'
import { SITE } from '../site-facts.ts'

export type ToSubscriber = { publicUrl: string; confirmLink: string; leaveLink: string }

type NewsletterText = {
  subject: string
  title: string
  paragraphs: readonly string[]
  button?: { text: string; url: string }
  leaving: string
}

const newsletterMail = (
  { leaveLink }: ToSubscriber,
  { subject, title, paragraphs, button, leaving }: NewsletterText,
): MailContent => ({
  subject,
  title,
  preheader: paragraphs[0] ?? '',
  blocks: [
    ...paragraphs.map(paragraph),
    ...(button ? [{ kind: 'button' as const, ...button }] : []),
    {
      kind: 'small print',
      text: leaving,
      link: { text: 'Unsubscribe', url: leaveLink },
      asText: `${leaving} ${leaveLink}`,
    },
  ],
})

/** Double opt-in: anybody can type anybody's address. */
export const confirmNewsletterMail = (to: ToSubscriber): MailContent =>
  newsletterMail(to, {
    subject: `Please confirm your ${SITE.name} newsletter`,
    title: 'One click and you’re in.',
    paragraphs: [
      `Someone, most likely you, signed up for the ${SITE.name} newsletter with this address. Confirm, and you’ll hear from us when a collection opens or an animal has news.`,
      'If this wasn’t you, you can ignore this email. We won’t send anything else.',
    ],
    button: { text: 'Confirm my subscription', url: to.confirmLink },
    leaving: 'Never want to be asked again?',
  })

export const welcomeNewsletterMail = (to: ToSubscriber): MailContent =>
  newsletterMail(to, {
    subject: `Welcome to the ${SITE.name} newsletter`,
    title: 'You’re in.',
    paragraphs: [
      'Thank you. We’ll write when a collection opens, a design is retired, or an animal has done something worth an email. That isn’t often; most of them sleep.',
    ],
    button: { text: 'See what’s in the shop', url: to.publicUrl + paths.products },
    leaving: 'You can leave with one click, whenever you like.',
  })

/** @param body an empty line starts a new paragraph */
export const newsletterIssueMail = (
  to: ToSubscriber,
  { subject, body, path, button }: { subject: string; body: string; path: string | null; button: string | null },
): MailContent =>
  newsletterMail(to, {
    subject,
    title: subject,
    paragraphs: body
      .split(/\r?\n\s*\r?\n/)
      .map((text) => text.trim())
      .filter(Boolean),
    ...(path !== null && button && { button: { text: button, url: to.publicUrl + path } }),
    leaving: 'You’re getting this because you subscribed to our newsletter.',
  })
