import { label } from '#brand/label.ts'
import { html } from '../html.ts'
import type { WrittenMail } from './confirmation.ts'
import { buttonRow, greeting, letter, looksOf, opening, textFooter, shopTheme } from './layout.ts'

type ToUser = {
  /** As the user writes it. */
  name: string
  publicUrl: string
  link: string
}

type Letter = ToUser & { subject: string; title: string; said: string; button: string; more: string }

/** One thing, one button, and what to do when it was somebody else. */
function written({ name, publicUrl, link, subject, title, said, button, more }: Letter): WrittenMail {
  const theme = shopTheme
  const rows = html`${opening(theme, title, greeting(name, said))} ${buttonRow(theme, link, button)}
    <tr>
      <td class="pad ink" style="padding:22px 40px 34px;${looksOf(theme).text}">${more}</td>
    </tr>`
  return {
    subject: `${subject} - ${label.name}`,
    text: [`Hello ${name},`, said, `${button}: ${link}`, more, textFooter(publicUrl)].join('\n\n'),
    html: letter({ theme, publicUrl, title: subject, preview: said, rows }),
  }
}

export const newPasswordMail = (to: ToUser): WrittenMail =>
  written({
    ...to,
    subject: 'Choose a new password',
    title: 'A new password.',
    said: `Somebody asked for a new password for your account “${to.name}”. This link opens for an hour, and works once.`,
    button: 'Choose a password',
    more: 'Was it not you? Then you need not do anything: your password stays as it is, and the link came to you alone.',
  })

export const proofMail = (to: ToUser & { email: string }): WrittenMail =>
  written({
    ...to,
    subject: 'Confirm your email',
    title: 'Is this your email?',
    said: `The account “${to.name}” wants to use ${to.email}. Open this link where you are signed in to it, within a day.`,
    button: 'Confirm this email',
    more: 'Do you not know that account? Then please do not open the link: somebody mistyped an address, and nothing happens.',
  })

/** @param what as it follows a name: `the password was changed` */
export const accountChangedMail = ({ what, ...to }: ToUser & { what: string }): WrittenMail =>
  written({
    ...to,
    subject: 'Your account was changed',
    title: 'Your account was changed.',
    said: `In your account “${to.name}” ${what}.`,
    button: 'See your account',
    more: `Was it not you? Choose a new password at once, and write to ${label.supportEmail}.`,
  })
