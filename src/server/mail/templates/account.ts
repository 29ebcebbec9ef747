import { label } from '#site/label.ts'
import { html } from '../html.ts'
import type { WrittenMail } from './confirmation.ts'
import { buttonRow, greeting, mailPage, mailTheme, salutation, shopTheme, textFooter, titleRow } from './layout.ts'

type ToUser = {
  /** The username. */
  name: string
  publicUrl: string
  link: string
}

type AccountMail = ToUser & { subject: string; title: string; paragraph: string; button: string; more: string }

/** What happened, one button, and what to do if it was somebody else. */
function accountMail({ name, publicUrl, link, subject, title, paragraph, button, more }: AccountMail): WrittenMail {
  const theme = shopTheme
  const rows = html`${titleRow(theme, title, greeting(name, paragraph))} ${buttonRow(theme, link, button)}
    <tr>
      <td class="pad ink" style="padding:22px 40px 34px;${mailTheme(theme).text}">${more}</td>
    </tr>`
  return {
    subject: `${subject} - ${label.name}`,
    text: [salutation(name), paragraph, `${button}: ${link}`, more, textFooter(publicUrl)].join('\n\n'),
    html: mailPage({ theme, publicUrl, title: subject, preview: paragraph, rows }),
  }
}

export const newPasswordMail = (to: ToUser): WrittenMail =>
  accountMail({
    ...to,
    subject: 'Choose a new password',
    title: 'Choose a new password.',
    paragraph: `Someone asked to reset the password of your account “${to.name}”. This link works once and expires in an hour.`,
    button: 'Choose a password',
    more: 'If this wasn’t you, you can ignore this email. Your password stays the same.',
  })

export const proofMail = (to: ToUser & { email: string }): WrittenMail =>
  accountMail({
    ...to,
    subject: 'Confirm your email',
    title: 'Confirm your email.',
    paragraph: `The account “${to.name}” wants to use ${to.email}. Sign in to that account and open this link within a day.`,
    button: 'Confirm this email',
    more: 'Not your account? Please don’t open the link. Someone mistyped an address, and nothing will change.',
  })

/** @param what follows a comma, such as `the password was changed` */
export const accountChangedMail = ({ what, ...to }: ToUser & { what: string }): WrittenMail =>
  accountMail({
    ...to,
    subject: 'Your account was changed',
    title: 'Your account was changed.',
    paragraph: `On your account “${to.name}”, ${what}.`,
    button: 'See your account',
    more: `If this wasn’t you, choose a new password right away and write to ${label.supportEmail}.`,
  })
