import { paragraph, salutation, type MailContent } from '../content.ts'
import { SITE } from '../site-facts.ts'

type ToUser = {
  /** The username. */
  name: string
  link: string
}

type AccountMail = { subject: string; what: string; button: string; notYou: string }

/** What happened, one button, and what to do if it was somebody else. */
const accountMail = ({ name, link }: ToUser, { subject, what, button, notYou }: AccountMail): MailContent => ({
  subject: `${subject} - ${SITE.name}`,
  title: `${subject}.`,
  preheader: what,
  blocks: [
    paragraph(salutation(name)),
    paragraph(what),
    { kind: 'button', text: button, url: link },
    paragraph(notYou),
  ],
})

export const newPasswordMail = (to: ToUser): MailContent =>
  accountMail(to, {
    subject: 'Choose a new password',
    what: `Someone asked to reset the password of your account “${to.name}”. This link works once and expires in an hour.`,
    button: 'Choose a password',
    notYou: 'If this wasn’t you, you can ignore this email. Your password stays the same.',
  })

export const proofMail = (to: ToUser & { email: string }): MailContent =>
  accountMail(to, {
    subject: 'Confirm your email',
    what: `The account “${to.name}” wants to use ${to.email}. Sign in to that account and open this link within a day.`,
    button: 'Confirm this email',
    notYou: 'Not your account? Please don’t open the link. Someone mistyped an address, and nothing will change.',
  })

/** @param what follows a comma, such as `the password was changed` */
export const accountChangedMail = ({ what, ...to }: ToUser & { what: string }): MailContent =>
  accountMail(to, {
    subject: 'Your account was changed',
    what: `On your account “${to.name}”, ${what}.`,
    button: 'See your account',
    notYou: `If this wasn’t you, choose a new password right away and write to ${SITE.supportEmail}.`,
  })

const DATA_REQUEST =
  'Someone, we hope you, asked for the data we have about this email address. The link lets you see it, download it or erase it. It works for 24 hours.'

/** A link to everything stored about an email address. */
export const myDataMail = (link: string): MailContent => ({
  subject: `Your data, as requested - ${SITE.name}`,
  title: 'Your data, as requested.',
  preheader: DATA_REQUEST,
  blocks: [
    paragraph(DATA_REQUEST),
    { kind: 'button', text: 'See my data', url: link },
    paragraph('If this wasn’t you, you can ignore this email. Nobody else has the link.'),
  ],
})
