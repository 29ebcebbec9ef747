import { label } from '#site/label.ts'
import { html } from '../html.ts'
import type { WrittenMail } from './confirmation.ts'
import { buttonRow, mailPage, mailTheme, shopTheme, textFooter, titleRow } from './layout.ts'

const SUBJECT = 'Your data, as requested'
const TEXT =
  'Someone, we hope you, asked for the data we have about this email address. The link lets you see it, download it or erase it. It works for 24 hours.'
const NOT_YOU = 'If this wasn’t you, you can ignore this email. Nobody else has the link.'
const BUTTON = 'See my data'

/** A link to everything stored about an email address. */
export function myDataMail({ publicUrl, link }: { publicUrl: string; link: string }): WrittenMail {
  const theme = shopTheme
  const rows = html`${titleRow(theme, 'Your data, as requested.', html`${TEXT}`)} ${buttonRow(theme, link, BUTTON)}
    <tr>
      <td class="pad ink" style="padding:14px 40px 34px;${mailTheme(theme).text}">${NOT_YOU}</td>
    </tr>`
  return {
    subject: `${SUBJECT} - ${label.name}`,
    text: [TEXT, `${BUTTON}: ${link}`, NOT_YOU, textFooter(publicUrl)].join('\n\n'),
    html: mailPage({ theme, publicUrl, title: SUBJECT, preview: TEXT, rows }),
  }
}
