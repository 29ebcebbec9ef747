import { say } from '#words/say.ts'
import type { MailContent } from '../content.ts'
import { simpleMail } from './simple-mail.ts'

type GiftCardMail = { code: string; amount: string; link: string; from?: string; message?: string }

/** A gift card or store credit. @param amount as `$20.00` @param from who bought it @param message their own words */
export const giftCardMail = ({ code, amount, link, from = '', message = '' }: GiftCardMail): MailContent =>
  simpleMail(
    { customerName: '', link },
    {
      mail: 'gift_card',
      values: { amount },
      facts: [...(from ? [[say('From'), from] as const] : []), [say('Code'), code]],
      quoted: message ? [message] : [],
      button: say('Go to the shop'),
    },
  )

type GiftCardReceipt = { amount: string; recipient: string; link: string; day?: string }

/** The receipt of a gift card, for who bought it. It has no code: that is the recipient's. @param day on which it is sent; missing: at once */
export const giftCardReceiptMail = ({ amount, recipient, link, day }: GiftCardReceipt): MailContent =>
  simpleMail(
    { customerName: '', link },
    {
      mail: day === undefined ? 'gift_card_bought' : 'gift_card_scheduled',
      values: { amount, ...(day !== undefined && { day }) },
      facts: [
        [say('Gift card'), amount],
        [say('Paid'), amount],
        [say('Sent to'), recipient],
      ],
      button: say('See your gift card'),
    },
  )

/** PayPal declined the payment after its review. */
export const giftCardUnpaidMail = ({ amount, link }: { amount: string; link: string }): MailContent =>
  simpleMail({ customerName: '', link }, { mail: 'gift_card_unpaid', values: { amount }, button: say('Start over') })
