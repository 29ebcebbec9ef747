import { sayKnown } from '#words/say.ts'
import type { MailContent } from '../content.ts'
import { simpleMail } from './simple-mail.ts'

type DropMail = 'drop_begins' | 'drop_offer' | 'drop_missed' | 'edition_offered' | 'edition_held'

/** An email about a drop or a numbered piece. @param values of the text's own placeholders, beside `title` */
export const dropMail = (
  mail: DropMail,
  {
    title,
    link,
    button,
    why = '',
    ...values
  }: { title: string; link: string; button: string; why?: string } & Record<string, string>,
  customerName = '',
): MailContent =>
  simpleMail(
    { customerName, link },
    { mail, values: { title, why: sayKnown(why), ...values }, button: sayKnown(button) },
  )
