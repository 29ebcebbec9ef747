import type { CollectionTheme } from '#site/collections/theme.ts'
import { html, type Html } from '../html.ts'
import type { WrittenMail } from './confirmation.ts'
import {
  buttonRow,
  greeting,
  itemsRow,
  mailPage,
  mailTheme,
  panelRow,
  salutation,
  textFooter,
  titleRow,
} from './layout.ts'

export type Item = { productName: string; variantName: string | null; quantity: number }

export type SimpleMail = {
  subject: string
  title: string
  /** The first follows the greeting. */
  paragraphs: readonly string[]
  facts?: readonly (readonly [name: string, value: string])[]
  items?: { title: string; list: readonly Item[] }
  button: string
}

type MailRecipient = { customerName: string; theme: CollectionTheme; publicUrl: string; link: string }

/** A short email: what happened, what it means, and a button to the page. */
export function simpleMail(
  { customerName, theme, publicUrl, link }: MailRecipient,
  { subject, title, paragraphs, facts = [], items, button }: SimpleMail,
): WrittenMail {
  const [first = '', ...more] = paragraphs
  const rows: Html = html`${titleRow(theme, title, greeting(customerName, first))}
    ${facts.length > 0 && panelRow(theme, facts)}
    ${items && items.list.length > 0 && itemsRow(theme, items.title, items.list)}
    ${
      more.length > 0 &&
      html`<tr>
        <td class="pad ink" style="padding:14px 40px 4px;${mailTheme(theme).text}">${more.flatMap(paragraphsOf)}</td>
      </tr>`
    }
    ${buttonRow(theme, link, button)}
    <tr>
      <td style="height:34px;font-size:0;line-height:0;">&nbsp;</td>
    </tr>`
  const text = [
    salutation(customerName),
    first,
    ...(facts.length ? [facts.map(([name, value]) => `${name}: ${value}`).join('\n')] : []),
    ...(items?.list.length ? [`${items.title}\n${items.list.map(itemName).join('\n')}`] : []),
    ...more,
    `${button}: ${link}`,
    textFooter(publicUrl),
  ].join('\n\n')
  return { subject, text, html: mailPage({ theme, publicUrl, title: subject, preview: first, rows }) }
}

/** Keeps what was typed: an empty line starts a paragraph. Line breaks become elements, because `mailPage` removes its own. */
const paragraphsOf = (text: string): Html[] =>
  text
    .split(/\r?\n\s*\n/)
    .map(
      (paragraph) =>
        html`<p style="margin:0 0 10px;">
          ${paragraph.split(/\r?\n/).map((line, index) => html`${index > 0 && html`<br />`}${line}`)}
        </p>`,
    )

const itemName = ({ quantity, productName, variantName }: Item): string =>
  `${quantity} x ${productName}${variantName ? ` (${variantName})` : ''}`
