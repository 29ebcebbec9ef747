import { say } from '#words/say.ts'
import { paragraphs, worded, type MailContent } from '../content.ts'

/** One email about a cart, for a shopper who asked for it. */
export const cartReminderMail = ({ link, pieces, days }: { link: string; pieces: number; days: number }): MailContent =>
  worded(
    'cart_reminder',
    { pieces: say('{pieces, plural, one {one piece} other {# pieces}}', { pieces }), days: String(days) },
    ({ subject, title, greeting, opening, closing }) => ({
      ...{ subject, title, preheader: opening },
      blocks: [
        ...paragraphs(greeting),
        ...paragraphs(opening),
        { kind: 'button', text: say('Open my cart'), url: link },
        ...paragraphs(closing),
      ],
    }),
  )
