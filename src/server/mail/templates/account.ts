import { say, sayKnown } from '#words/say.ts'
import type { MailName } from '#domain/messages/mail-texts.ts'
import { firstNameOf, paragraphs, worded, type MailContent } from '../content.ts'

type ToUser = {
  /** The username. */
  name: string
  link: string
}

/** What happened, one button, and what to do if it was somebody else. */
const buttonMail = (mail: MailName, values: Record<string, string>, text: string, url: string): MailContent =>
  worded(mail, values, ({ subject, title, greeting, opening, closing }) => ({
    subject,
    title,
    preheader: opening,
    blocks: [...paragraphs(greeting), ...paragraphs(opening), { kind: 'button', text, url }, ...paragraphs(closing)],
  }))

const valuesOf = ({ name }: ToUser) => ({ 'first-name': firstNameOf(name), username: name })

export const newPasswordMail = (to: ToUser): MailContent =>
  buttonMail('account_password', valuesOf(to), say('Choose a password'), to.link)

export const proofMail = ({ email, ...to }: ToUser & { email: string }): MailContent =>
  buttonMail('account_email', { ...valuesOf(to), email }, say('Confirm this email'), to.link)

/** @param what follows a comma, such as `the password was changed` */
export const accountChangedMail = ({ what, ...to }: ToUser & { what: string }): MailContent =>
  buttonMail('account_changed', { ...valuesOf(to), change: sayKnown(what) }, say('See your account'), to.link)

/** @param invitation `role`: its name, such as `Support` */
export const invitationMail = ({
  link,
  ...invitation
}: {
  inviter: string
  role: string
  email: string
  link: string
}): MailContent => buttonMail('account_invitation', invitation, 'Accept the invitation', link)

/** A link to everything stored about an email address. */
export const myDataMail = (link: string): MailContent => buttonMail('my_data', {}, say('See my data'), link)
