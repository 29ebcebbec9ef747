import type { CollectionTheme } from '#domain/catalog/collection-theme.ts'
import { addressLines } from '#domain/checkout/address.ts'
import { mailTextList, type MailName } from '#domain/messages/mail-texts.ts'
import { cents } from '#shared/money.ts'
import { say } from '#words/say.ts'
import type { Item, MailContent } from './content.ts'
import { accountChangedMail, invitationMail, myDataMail, newPasswordMail, proofMail } from './templates/account.ts'
import { cartReminderMail } from './templates/cart-reminder.ts'
import { confirmationMail } from './templates/confirmation.ts'
import { contactAnswerMail, orderAnswerMail } from './templates/conversation-mails.ts'
import { confirmNewsletterMail, welcomeNewsletterMail } from './templates/newsletter.ts'
import {
  canceledFreeMail,
  canceledByShopperMail,
  canceledMail,
  changedMail,
  changeToPayMail,
  correctedMail,
  deliveredMail,
  freeOrderMail,
  onHoldMail,
  orderLinkMail,
  refundedMail,
  refundReturnedMail,
  parcelTroubleMail,
  trackingMail,
} from './templates/order-status-mails.ts'
import { dropMail } from './templates/drop-mails.ts'
import { giftCardMail, giftCardReceiptMail, giftCardUnpaidMail } from './templates/gift-card.ts'
import { paymentLinkMail } from './templates/payment-link.ts'
import { raffleConfirmMail, raffleEnteredMail, raffleWonMail } from './templates/raffle.ts'
import { reviewRequestMail } from './templates/review-request.ts'
import {
  claimQuestionMail,
  claimReceivedMail,
  claimRefusedMail,
  claimSettledMail,
  withdrawalMail,
} from './templates/claim-mails.ts'
import { reviewMail, type ReviewOutcome } from './templates/payment-review.ts'
import { shippedMail } from './templates/shipped.ts'
import { simpleMail } from './templates/simple-mail.ts'

const ARRIVAL = 'Dec 3–9'
const ORDER_NUMBER = 'K7QM-4T2X'
const NAME = 'Ada Lovelace'
const TOTAL = cents(7990)

const address = {
  line1: '1 Elm Street',
  line2: null,
  city: 'Austin',
  state: 'TX',
  postalCode: '78701',
  country: 'US',
}

/**
 * Every email whose texts the owner can change, about an order, a person and an account that do not exist.
 * @param goods what was bought, two of them @param theme of the order's collection
 */
export function exampleMail(
  name: MailName,
  goods: Pick<Item, 'productName' | 'variantName'> & { imageUrl: string | null },
  theme: CollectionTheme,
  publicUrl: string,
): MailContent {
  const item = { ...goods, quantity: 2 }
  const order = { orderNumber: ORDER_NUMBER, customerName: NAME, theme, publicUrl, orderLink: publicUrl }
  const account = { name: 'ada', link: publicUrl }
  const subscriber = { publicUrl, confirmLink: publicUrl, leaveLink: publicUrl }
  const parcel = { carrier: 'USPS', trackingNumber: '9400111899223', items: [item] }
  const reviewed = (outcome: ReviewOutcome) => reviewMail({ ...order, outcome, total: TOTAL })
  const shipped = (more: { isLast: boolean; isReplacement: boolean }) =>
    shippedMail({ ...order, ...parcel, trackingUrl: publicUrl, arrives: 'Dec 3–9', isRefunded: false, ...more })
  const delivered = (isLast: boolean) => deliveredMail(order, { ...parcel, isLast }, publicUrl)
  const withdrawn = (cancels: boolean) => {
    const law = 'Directive 2011/83/EU, Articles 9 to 14'
    return withdrawalMail(order, { name: NAME, at: 'November 23, 2026 at 10:15 AM UTC', law, items: [item], cancels })
  }
  const earlier = [{ by: 'you' as const, words: 'Which size is right for me?', at: new Date('2026-11-20T10:00:00Z') }]
  const answer = { words: 'It runs true to size.', earlier, isRead: true }
  const entrant = {
    ...{ title: 'Rudy’s blanket', link: publicUrl, raffleLink: publicUrl, code: '2f1d0c5e9a7b4c3d8e6f001122334455' },
    ...{ endsAt: new Date('2026-12-06T17:00:00Z'), drawAt: new Date('2026-12-13T17:00:00Z'), claimDays: 30 },
  }
  const simple = (button: string, quoted: string[] = []) =>
    simpleMail(
      { customerName: NAME, link: publicUrl },
      { mail: name, values: mailTextList[name].placeholders, quoted, button },
    )
  switch (name) {
    case 'confirmation':
      return confirmationMail({
        ...order,
        termsVersion: 1,
        lines: [{ ...item, unitPrice: cents(3995) }],
        amounts: {
          subtotal: TOTAL,
          shipping: cents(0),
          surcharges: [],
          tax: cents(659),
          taxLabel: 'Sales Tax',
          vatProtection: cents(0),
          total: cents(8649),
        },
        recipientName: NAME,
        shippingAddress: address,
        arrival: ARRIVAL,
        changeableUntil: null,
      })
    case 'order_replacement':
    case 'order_sample':
    case 'order_gift':
      return freeOrderMail(order, name, {
        items: [item],
        address: addressLines(NAME, address),
        arrival: ARRIVAL,
        replaces: name === 'order_replacement' ? ORDER_NUMBER : null,
      })
    case 'canceled_free':
      return canceledFreeMail(order)
    case 'payment_held':
      return reviewed('held')
    case 'payment_denied':
      return reviewed('denied')
    case 'payment_declined':
      return reviewed('declined')
    case 'on_hold':
      return onHoldMail(order, ['1 Elm Street', 'Austin, TX 78701', 'United States'])
    case 'corrected_address':
      return correctedMail(order, 'address')
    case 'changed':
      return changedMail(order, {
        ...{ items: [item], address: ['1 Elm Street', 'Austin, TX 78701', 'United States'] },
        ...{ arrival: ARRIVAL, total: TOTAL, difference: cents(-3995) },
      })
    case 'change_to_pay':
      return changeToPayMail(order, cents(650), new Date('2026-11-24T20:05:00Z'))
    case 'corrected_email':
      return correctedMail(order, 'email')
    case 'canceled':
      return canceledMail(order, TOTAL, false)
    case 'canceled_refunded':
      return canceledMail(order, TOTAL, true)
    case 'canceled_by_shopper':
      return canceledByShopperMail(order, TOTAL)
    case 'shipped':
      return shipped({ isLast: true, isReplacement: false })
    case 'shipped_part':
      return shipped({ isLast: false, isReplacement: false })
    case 'shipped_replacement':
      return shipped({ isLast: true, isReplacement: true })
    case 'parcel_late':
      return parcelTroubleMail(order, name, { ...parcel, expected: 'Nov 23–Dec 4' })
    case 'parcel_lost':
    case 'parcel_returned':
      return parcelTroubleMail(order, name, { ...parcel, expected: null })
    case 'out_for_delivery':
      return trackingMail(order, name, { ...parcel, arrives: 'Dec 3' })
    case 'failed_attempt':
      return trackingMail(order, name, { ...parcel, arrives: ARRIVAL })
    case 'delivered':
      return delivered(true)
    case 'delivered_part':
      return delivered(false)
    case 'review_request':
      return reviewRequestMail({ ...order, items: [item], stopLink: publicUrl })
    case 'refunded':
      return refundedMail(order, TOTAL, TOTAL)
    case 'refunded_part':
      return refundedMail(order, cents(3995), TOTAL)
    case 'refunded_otherwise':
      return refundedMail(order, TOTAL, TOTAL, { reference: 'TR-1204' })
    case 'refunded_credit':
      return refundedMail(order, cents(2000), TOTAL, { isCredit: true })
    case 'refund_returned':
      return refundReturnedMail(order, cents(3995))
    case 'order_link':
      return orderLinkMail(order)
    case 'claim_received':
      return claimReceivedMail(order, { problem: 'Damaged on the way', items: [item], words: 'A corner is torn.' })
    case 'claim_question':
      return claimQuestionMail(order, 'Could you send a photo of the label, too?')
    case 'claim_refused':
      return claimRefusedMail(order, 'The photos show a different product.')
    case 'gift_card':
      return giftCardMail({ code: '7K2M-9X4D-04H8-T2N3', amount: '$20.00', link: publicUrl })
    case 'gift_card_bought':
      return giftCardReceiptMail({ amount: '$50.00', recipient: 'grace@example.com', link: publicUrl })
    case 'gift_card_scheduled':
      return giftCardReceiptMail({
        ...{ amount: '$50.00', recipient: 'grace@example.com', link: publicUrl },
        day: 'December 24, 2026',
      })
    case 'gift_card_unpaid':
      return giftCardUnpaidMail({ amount: '$50.00', link: publicUrl })
    case 'drop_begins':
    case 'drop_offer':
    case 'drop_missed':
    case 'edition_offered':
    case 'edition_held':
      return dropMail(
        name,
        {
          ...{ title: 'Rudy’s Midnight Mug', number: 'No. 12 of 500', until: 'Dec 1, 3:05 PM EST', total: '$79.90' },
          ...{ why: 'the last piece was sold before it came through', link: publicUrl, button: 'See it' },
        },
        NAME,
      )
    case 'payment_link':
      return paymentLinkMail({
        ...{ customerName: NAME, theme: order.theme, link: order.orderLink, items: [item] },
        ...{ total: '$79.90', until: new Date('2026-12-01T20:05:00Z') },
      })
    case 'claim_settled':
      return claimSettledMail(order, 'The printer has sent the print again itself. It arrives next week.')
    case 'withdrawal_received':
      return withdrawn(false)
    case 'withdrawal_canceled':
      return withdrawn(true)
    case 'cart_reminder':
      return cartReminderMail({ link: publicUrl, pieces: 3, days: 30 })
    case 'raffle_confirm':
      return raffleConfirmMail(entrant)
    case 'raffle_entered':
      return raffleEnteredMail(entrant)
    case 'raffle_won':
      return raffleWonMail(entrant)
    case 'account_password':
      return newPasswordMail(account)
    case 'account_email':
      return proofMail({ ...account, email: 'ada@example.com' })
    case 'account_changed':
      return accountChangedMail({ ...account, what: 'the password was changed' })
    case 'account_invitation':
      return invitationMail({ inviter: 'ada', role: 'Support', email: 'sam@example.com', link: publicUrl })
    case 'my_data':
      return myDataMail(publicUrl)
    case 'newsletter_confirm':
      return confirmNewsletterMail(subscriber)
    case 'newsletter_welcome':
      return welcomeNewsletterMail(subscriber)
    case 'contact_answer':
      return contactAnswerMail(
        { name: NAME, subject: mailTextList.contact_answer.placeholders['their-subject'], link: publicUrl },
        answer,
      )
    case 'order_answer':
      return orderAnswerMail(order, answer)
    case 'chat_answer':
      return simple(say('Back to the shop'), ['It runs true to size.'])
    case 'call_asked':
      return simple('Open the portal', ['Tuesday, December 1, 2026 at 10:00 AM (America/New_York)'])
    case 'partner_share':
      return simple('Read the proposal')
    case 'payout_account_added':
    case 'payout_account_changed':
      return simple('See it in the portal')
    case 'payout_sent':
    case 'payout_returned':
      return simple('See your earnings')
    case 'partner_accepted':
    case 'partner_declined':
    case 'call_agreed':
    case 'call_declined':
      return simple('Open the portal')
  }
}
