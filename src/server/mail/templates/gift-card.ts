import type { MailContent } from '../content.ts'
import { simpleMail } from './simple-mail.ts'

/** A gift card or store credit. @param amount as `$20.00` */
export const giftCardMail = ({ code, amount, link }: { code: string; amount: string; link: string }): MailContent =>
  simpleMail(
    { customerName: '', link },
    { mail: 'gift_card', values: { amount }, facts: [['Code', code]], button: 'Go to the shop' },
  )
