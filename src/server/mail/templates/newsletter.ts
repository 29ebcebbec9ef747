import { label } from '#site/label.ts'
import type { CollectionTheme } from '#site/collections/theme.ts'
import { paths } from '#contract/paths.ts'
import { html } from '../html.ts'
import type { WrittenMail } from './confirmation.ts'
import { buttonRow, mailPage, mailTheme, textFooter, titleRow } from './layout.ts'

export type ToSubscriber = { theme: CollectionTheme; publicUrl: string; confirmLink: string; leaveLink: string }

type NewsletterText = {
  subject: string
  title: string
  paragraphs: readonly string[]
  /** Null when there is no page to open. */
  button: string | null
  link: string
  leaving: string
}

function newsletterMail({ theme, publicUrl, leaveLink }: ToSubscriber, content: NewsletterText): WrittenMail {
  const { subject, title, paragraphs, button, link, leaving } = content
  const look = mailTheme(theme)
  const rows = html`${titleRow(
      theme,
      title,
      html`${paragraphs.map((paragraph, index) => html`<p style="margin:${index === 0 ? 0 : 10}px 0 0;">${paragraph}</p>`)}`,
    )}
    ${button && buttonRow(theme, link, button)}
    <tr>
      <td class="pad" style="padding:18px 40px 34px;">
        <p class="quiet" style="margin:0;${look.small}">
          ${leaving}
          <a class="link" href="${leaveLink}" style="color:${theme.colors.textPrimary};text-decoration:underline;"
            >Unsubscribe</a
          >
        </p>
      </td>
    </tr>`
  return {
    subject,
    text: [
      ...paragraphs,
      ...(button ? [`${button}: ${link}`] : []),
      `${leaving} ${leaveLink}`,
      textFooter(publicUrl),
    ].join('\n\n'),
    html: mailPage({ theme, publicUrl, title: subject, preview: paragraphs[0] ?? '', rows }),
  }
}

/** Double opt-in: anybody can type anybody's address. */
export const confirmNewsletterMail = (to: ToSubscriber): WrittenMail =>
  newsletterMail(to, {
    subject: `Please confirm your ${label.name} newsletter`,
    title: 'One click and you’re in.',
    paragraphs: [
      `Someone, most likely you, signed up for the ${label.name} newsletter with this address. Confirm, and you’ll hear from us when a collection opens or an animal has news.`,
      'If this wasn’t you, you can ignore this email. We won’t send anything else.',
    ],
    button: 'Confirm my subscription',
    link: to.confirmLink,
    leaving: 'Never want to be asked again?',
  })

export const welcomeNewsletterMail = (to: ToSubscriber): WrittenMail =>
  newsletterMail(to, {
    subject: `Welcome to the ${label.name} newsletter`,
    title: 'You’re in.',
    paragraphs: [
      'Thank you. We’ll write when a collection opens, a design is retired, or an animal has done something worth an email. That isn’t often; most of them sleep.',
    ],
    button: 'See what’s in the shop',
    link: to.publicUrl + paths.products,
    leaving: 'You can leave with one click, whenever you like.',
  })

/** @param body an empty line starts a new paragraph */
export const newsletterIssueMail = (
  to: ToSubscriber,
  { subject, body, path, button }: { subject: string; body: string; path: string | null; button: string | null },
): WrittenMail =>
  newsletterMail(to, {
    subject,
    title: subject,
    paragraphs: body
      .split(/\r?\n\s*\r?\n/)
      .map((paragraph) => paragraph.trim())
      .filter(Boolean),
    button: path === null ? null : button,
    link: to.publicUrl + (path ?? ''),
    leaving: 'You’re getting this because you subscribed to our newsletter.',
  })
