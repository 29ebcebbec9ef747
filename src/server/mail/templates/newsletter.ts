import { label } from '#site/label.ts'
import type { CollectionTheme } from '#site/collections/theme.ts'
import { paths } from '#contract/paths.ts'
import { html } from '../html.ts'
import type { WrittenMail } from './confirmation.ts'
import { buttonRow, letter, mailTheme, opening, textFooter } from './layout.ts'

export type ToSubscriber = { theme: CollectionTheme; publicUrl: string; confirmLink: string; leaveLink: string }

type NewsletterText = {
  subject: string
  title: string
  paragraphs: readonly string[]
  /** None where there is nothing to open. */
  button: string | null
  link: string
  leaving: string
}

function newsletterMail({ theme, publicUrl, leaveLink }: ToSubscriber, words: NewsletterText): WrittenMail {
  const { subject, title, paragraphs, button, link, leaving } = words
  const look = mailTheme(theme)
  const rows = html`${opening(
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
    html: letter({ theme, publicUrl, title: subject, preview: paragraphs[0] ?? '', rows }),
  }
}

/** Asks once more whether somebody means it: an address can be typed by anybody. */
export const confirmNewsletterMail = (to: ToSubscriber): WrittenMail =>
  newsletterMail(to, {
    subject: `Please confirm: the ${label.name} newsletter`,
    title: 'One press, and you are in.',
    paragraphs: [
      `Somebody, most likely you, asked for the ${label.name} newsletter at this address. Say yes, and you hear from us when a collection opens or an animal has news.`,
      'If it was not you, do nothing. Without a yes we send nothing.',
    ],
    button: 'Confirm my subscription',
    link: to.confirmLink,
    leaving: 'Not you, and you never want to be asked again?',
  })

/** The subscription has begun. */
export const welcomeNewsletterMail = (to: ToSubscriber): WrittenMail =>
  newsletterMail(to, {
    subject: `Welcome to the ${label.name} newsletter`,
    title: 'You are in.',
    paragraphs: [
      'Thank you. We write when a collection opens, a design is retired, or an animal has done something worth a mail. That is not often; most of them sleep.',
    ],
    button: 'See what there is now',
    link: to.publicUrl + paths.products,
    leaving: 'You can leave with one press, whenever you like.',
  })

/** What the owner wrote; an empty line begins a paragraph. */
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
    leaving: 'You get this because you asked for our newsletter.',
  })
