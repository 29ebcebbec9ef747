import { say } from '#words/say.ts'
import { paths } from '#contract/paths.ts'
import { paragraph, paragraphs, worded, type Block, type MailContent } from '../content.ts'

export type ToSubscriber = { publicUrl: string; confirmLink: string; leaveLink: string }

type NewsletterText = {
  subject: string
  title: string
  preheader: string
  blocks: readonly Block[]
  button?: { text: string; url: string }
  leaving: string
}

const newsletterMail = (
  { leaveLink }: ToSubscriber,
  { subject, title, blocks, preheader, button, leaving }: NewsletterText,
): MailContent => ({
  subject,
  title,
  preheader,
  blocks: [
    ...blocks,
    ...(button ? [{ kind: 'button' as const, ...button }] : []),
    {
      kind: 'small print',
      text: leaving,
      link: { text: say('Unsubscribe'), url: leaveLink },
      asText: `${leaving} ${leaveLink}`,
    },
  ],
})

/** Double opt-in: anybody can type anybody's address. */
export const confirmNewsletterMail = (to: ToSubscriber): MailContent =>
  worded('newsletter_confirm', {}, ({ subject, title, greeting, opening, closing }) =>
    newsletterMail(to, {
      subject,
      title,
      preheader: opening,
      blocks: [...paragraphs(greeting), ...paragraphs(opening), ...paragraphs(closing)],
      button: { text: say('Confirm my subscription'), url: to.confirmLink },
      leaving: say('Never want to be asked again?'),
    }),
  )

export const welcomeNewsletterMail = (to: ToSubscriber): MailContent =>
  worded('newsletter_welcome', {}, ({ subject, title, greeting, opening, closing }) =>
    newsletterMail(to, {
      subject,
      title,
      preheader: opening,
      blocks: [...paragraphs(greeting), ...paragraphs(opening), ...paragraphs(closing)],
      button: { text: say('See what’s in the shop'), url: to.publicUrl + paths.products },
      leaving: say('You can leave with one click, whenever you like.'),
    }),
  )

/** @param body an empty line starts a new paragraph */
export const newsletterIssueMail = (
  to: ToSubscriber,
  { subject, body, path, button }: { subject: string; body: string; path: string | null; button: string | null },
): MailContent => {
  const parts = body
    .split(/\r?\n\s*\r?\n/)
    .map((text) => text.trim())
    .filter(Boolean)
  return newsletterMail(to, {
    subject,
    title: subject,
    preheader: parts[0] ?? '',
    blocks: parts.map(paragraph),
    ...(path !== null && button && { button: { text: button, url: to.publicUrl + path } }),
    leaving: say('You’re getting this because you subscribed to our newsletter.'),
  })
}
