import { label } from '#site/label.ts'
import { html } from '../html.ts'
import type { WrittenMail } from './confirmation.ts'
import { buttonRow, greeting, letter, mailTheme, opening, textFooter, shopTheme } from './layout.ts'

type ToUser = {
  /** As the user writes it. */
  name: string
  publicUrl: string
  link: string
}

type Letter = ToUser & { subject: string; title: string; paragraph: string; button: string; more: string }

/** One thing, one button, and what to do when it was somebody else. */
function accountMail({ name, publicUrl, link, subject, title, paragraph, button, more }: Letter): WrittenMail {
  const theme = shopTheme
  const rows = html`${opening(theme, title, greeting(name, paragraph))} ${buttonRow(theme, link, button)}
    <tr>
      <td class="pad ink" style="padding:22px 40px 34px;${mailTheme(theme).text}">${more}</td>
    </tr>`
  return {
    subject: `${subject} - ${label.name}`,
    text: [`Hello ${name},`, paragraph, `${button}: ${link}`, more, textFooter(publicUrl)].join('\n\n'),
    html: letter({ theme, publicUrl, title: subject, preview: paragraph, rows }),
  }
}

export const newPasswordMail = (to: ToUser): WrittenMail =>
  accountMail({
    ...to,
    subject: 'Choose a new password',
    title: 'A new password.',
    paragraph: `Somebody asked for a new password for your account “${to.name}”. This link opens for an hour, and works once.`,
    button: 'Choose a password',
    more: 'Was it not you? Then you need not do anything: your password stays as it is, and the link came to you alone.',
  })

export const proofMail = (to: ToUser & { email: string }): WrittenMail =>
  accountMail({
    ...to,
    subject: 'Confirm your email',
    title: 'Is this your email?',
    paragraph: `The account “${to.name}” wants to use ${to.email}. Open this link where you are signed in to it, within a day.`,
    button: 'Confirm this email',
    more: 'Do you not know that account? Then please do not open the link: somebody mistyped an address, and nothing happens.',
  })

/** @param what as it follows a name: `the password was changed` */
export const accountChangedMail = ({ what, ...to }: ToUser & { what: string }): WrittenMail =>
  accountMail({
    ...to,
    subject: 'Your account was changed',
    title: 'Your account was changed.',
    paragraph: `In your account “${to.name}” ${what}.`,
    button: 'See your account',
    more: `Was it not you? Choose a new password at once, and write to ${label.supportEmail}.`,
  })
