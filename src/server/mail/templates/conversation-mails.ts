import { dateFormat } from '#shared/language.ts'
import { say } from '#words/say.ts'
import { REPLY_LINE } from '#domain/messages/inbound-mail.ts'
import { paragraph, type MailContent } from '../content.ts'
import { orderMail, type MentionedOrder } from './order-status-mails.ts'
import { simpleMail } from './simple-mail.ts'

type QuotedMessage = { by: 'you' | 'shop'; words: string; at: Date }

const dayOf = (at: Date) => dateFormat({ month: 'long', day: 'numeric', timeZone: 'UTC' }).format(at)

type Answer = {
  words: string
  /** What was written before, latest first. */
  earlier: readonly QuotedMessage[]
  /** Replies to this email are read by the shop. */
  isRead: boolean
}

/** Below the answer, as in any correspondence. */
const quotedOf = ({ words, earlier }: Answer): string[] => [
  words,
  ...earlier.map(({ by, words: before, at }) => {
    const day = dayOf(at)
    return `${by === 'you' ? say('On {day} you wrote:', { day }) : say('On {day} we wrote:', { day })}\n${before}`
  }),
]

/** With the line above which people reply. */
const withReplyLine = (mail: MailContent, { isRead }: Answer): MailContent => {
  if (!isRead) return mail
  const write = mail.worded?.write
  const marked = ({ blocks, ...rest }: MailContent): MailContent => ({
    ...rest,
    blocks: [paragraph(say(REPLY_LINE)), ...blocks],
  })
  return {
    ...marked(mail),
    ...(mail.worded && write && { worded: { ...mail.worded, write: (own) => marked(write(own)) } }),
  }
}

/** `order.orderLink` leads to the messages of the order. */
export const orderAnswerMail = (order: MentionedOrder, answer: Answer): MailContent =>
  withReplyLine(
    orderMail(order, { mail: 'order_answer', quoted: quotedOf(answer), button: say('See the conversation') }),
    answer,
  )

export const contactAnswerMail = (
  { name, subject, link }: { name: string; subject: string; link: string },
  answer: Answer,
): MailContent =>
  withReplyLine(
    simpleMail(
      { customerName: name, link },
      {
        mail: 'contact_answer',
        values: { 'their-subject': subject },
        quoted: quotedOf(answer),
        button: say('Write to us again'),
      },
    ),
    answer,
  )
