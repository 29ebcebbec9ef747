import type { CollectionTheme } from '#domain/catalog/collection-theme.ts'
import { paragraph, salutation, type Item, type MailContent } from '../content.ts'

export type SimpleMail = {
  subject: string
  title: string
  /** The first follows the greeting. */
  paragraphs: readonly string[]
  facts?: readonly (readonly [name: string, value: string])[]
  items?: readonly [title: string, list: readonly Item[]]
  button: string
}

/** A short email: what happened, what it means, and a button to the page. */
export function simpleMail(
  { customerName, theme, link }: { customerName: string; theme?: CollectionTheme; link: string },
  { subject, title, paragraphs, facts = [], items: [itemsTitle, items] = ['', []], button }: SimpleMail,
): MailContent {
  const [first = '', ...more] = paragraphs
  return {
    subject,
    title,
    preheader: first,
    ...(theme && { theme }),
    blocks: [
      paragraph(salutation(customerName)),
      paragraph(first),
      { kind: 'facts', facts },
      { kind: 'items', title: itemsTitle, items },
      ...more.map(paragraph),
      { kind: 'button', text: button, url: link },
    ],
  }
}
