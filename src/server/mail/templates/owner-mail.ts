import type { ContactMessage } from '#contract/messages.ts'
import { paragraph, type MailContent } from '../content.ts'

type OwnerMail = {
  subject: string
  /** Line breaks are kept. */
  paragraphs: readonly string[]
  facts?: readonly (readonly [name: string, value: string | null])[]
  /** The admin page to act on. */
  link: string
  action?: string
}

/** A plain email to the shop's own people. */
export const ownerMail = ({
  subject,
  paragraphs,
  facts = [],
  link,
  action = 'Answer in the admin',
}: OwnerMail): MailContent => ({
  subject,
  title: subject,
  isPlain: true,
  blocks: [{ kind: 'facts', facts }, ...paragraphs.map(paragraph), { kind: 'button', text: action, url: link }],
})

/** A contact form message, as the support inbox gets it. */
export const contactMail = ({ name, email, subject, message }: ContactMessage, link: string): MailContent => ({
  subject: `Contact form: ${subject}`,
  title: subject,
  isPlain: true,
  blocks: [
    {
      kind: 'small print',
      text: `From ${name},`,
      link: { text: email, url: `mailto:${email}` },
      asText: `From: ${name} <${email}>\n\nSubject: ${subject}`,
    },
    paragraph(message),
    { kind: 'button', text: 'Answer in the admin', url: link },
  ],
})
