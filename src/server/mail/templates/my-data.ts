import { label } from '#site/label.ts'
import { html } from '../html.ts'
import type { WrittenMail } from './confirmation.ts'
import { buttonRow, letter, mailTheme, opening, textFooter, shopTheme } from './layout.ts'

const SUBJECT = 'What we know about you'
const TEXT =
  'Somebody, we hope you, asked what we know about this mail address. The link shows it, gives it to you as a file, and erases it if you wish. It opens for 24 hours.'
const NOT_YOU = 'Was it not you? Then nothing happens: only this mail has the link.'
const BUTTON = 'See my data'

/** The way to one's own data, for whoever reads the mail. */
export function myDataMail({ publicUrl, link }: { publicUrl: string; link: string }): WrittenMail {
  const theme = shopTheme
  const rows = html`${opening(theme, 'Your data, on request.', html`${TEXT}`)} ${buttonRow(theme, link, BUTTON)}
    <tr>
      <td class="pad ink" style="padding:14px 40px 34px;${mailTheme(theme).text}">${NOT_YOU}</td>
    </tr>`
  return {
    subject: `${SUBJECT} - ${label.name}`,
    text: [TEXT, `${BUTTON}: ${link}`, NOT_YOU, textFooter(publicUrl)].join('\n\n'),
    html: letter({ theme, publicUrl, title: SUBJECT, preview: TEXT, rows }),
  }
}
