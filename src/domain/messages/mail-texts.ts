/** The texts of an email that the owner can change. An empty one is left out, except for subject and title. */
export type MailTexts = { subject: string; title: string; greeting: string; opening: string; closing: string }
export type MailSlot = keyof MailTexts

type Mail = {
  label: string
  /** When it is sent. */
  when: string
  /** Its own placeholders with example values, beside `commonPlaceholders`. */
  placeholders: Readonly<Record<string, string>>
  texts: MailTexts
}

/** In every email. Their values are settings. */
const commonPlaceholders = [
  'shop',
  'support-email',
  'making-days',
  'delivery-days',
  'refund-days',
  'return-days',
  'answer-hours',
] as const

const HI = 'Hi {first-name},'
const person = { 'first-name': 'Ada' }
const order = { ...person, order: 'PFK7QM-4T2X', collection: 'The Rudy Collection' }
const payment = { ...order, total: '$79.90' }
const account = { ...person, username: 'ada' }

const raffle = {
  raffle: 'Rudy’s blanket',
  ends: 'December 6, 2026 at 5:00 PM UTC',
  draw: 'December 13, 2026 at 5:00 PM UTC',
  'claim-days': '30',
}

const REFUND_TIMING =
  'Refunds go back to the card or wallet you paid with and take {refund-days} business days to arrive.'
const PAY_AGAIN = 'Your cart is saved. You can pay by card or with another PayPal account.'
const NOT_YOU = 'If this wasn’t you, you can ignore this email.'

const aboutOrder = (label: string, when: string, texts: Omit<MailTexts, 'greeting'>, more = {}): Mail => ({
  label,
  when,
  placeholders: { ...order, ...more },
  texts: { greeting: HI, ...texts, subject: `${texts.subject} - {collection}` },
})

const toPartner = (label: string, when: string, texts: Omit<MailTexts, 'greeting'>, more = {}): Mail => ({
  label,
  when,
  placeholders: { ...person, ...more },
  texts: { greeting: HI, ...texts, subject: `${texts.subject} - {shop}` },
})

/** Emails to shoppers, account holders, subscribers and partners, with the texts of the house. */
export const mailTextList = {
  confirmation: {
    label: 'Order confirmation',
    when: 'Right after a payment. Subject and thank-you text are the collection’s, unless you write others here.',
    placeholders: {
      ...payment,
      'collection-subject': 'Order Confirmation PFK7QM-4T2X - The Rudy Collection',
      'collection-thanks': 'Thank you for your order. Rudy is asleep, but the printer is awake.',
    },
    texts: {
      subject: '{collection-subject}',
      title: 'Your order is in.',
      greeting: HI,
      opening: '{collection-thanks}',
      closing: '',
    },
  },
  order_replacement: aboutOrder('Replacement ordered', 'When pieces of an order are made again without charge.', {
    subject: 'We’re making your replacement: {order}',
    title: 'We’re making your replacement.',
    opening: 'You get these pieces again. You won’t be charged for them.',
    closing:
      'Making takes {making-days} business days, and we’ll email you when your parcel ships. Is the address wrong? Reply to this email right away.',
  }),
  order_sample: aboutOrder('Sample ordered', 'When a sample is ordered for somebody.', {
    subject: 'We’re making your sample: {order}',
    title: 'We’re making your sample.',
    opening: 'You get a sample. You won’t be charged for it.',
    closing: 'Making takes {making-days} business days, and we’ll email you when your parcel ships.',
  }),
  order_gift: aboutOrder('Gift ordered', 'When a gift is ordered for somebody.', {
    subject: 'A gift for you from {shop}: {order}',
    title: 'We’re making a gift for you.',
    opening: 'It’s a gift: you won’t be charged for it.',
    closing:
      'Making takes {making-days} business days, and we’ll email you when your parcel ships. Is the address wrong? Reply to this email right away.',
  }),
  canceled_free: aboutOrder('Order without charge canceled', 'When a replacement, sample or gift is canceled.', {
    subject: 'Your order {order} was canceled',
    title: 'Your order was canceled.',
    opening: 'Order {order} won’t be made. Nothing was charged for it.',
    closing: 'Questions? Reply to this email.',
  }),
  payment_link: {
    label: 'Payment link',
    when: 'When you take an order by phone, or send its link again.',
    placeholders: { ...person, total: '$79.90', day: 'Dec 1, 3:05 PM EST', collection: 'The Rudy Collection' },
    texts: {
      subject: 'Your order is ready to pay - {collection}',
      title: 'Your order is ready.',
      greeting: HI,
      opening: 'Thank you for your order. Please check it and pay {total} on the page behind this button, by {day}.',
      closing: 'We start making it once it is paid. Is something not right? Reply to this email.',
    },
  },
  gift_card: {
    label: 'Gift card or store credit',
    when: 'When you give somebody a gift card, somebody buys one for them, or you refund something as store credit.',
    placeholders: { amount: '$20.00' },
    texts: {
      subject: '{amount} for you at {shop}',
      title: '{amount} for you.',
      greeting: '',
      opening: 'You can spend this on anything in our shop. Type the code into your cart where it asks for a code.',
      closing:
        'What you don’t spend stays on it for your next order, and it doesn’t expire. Anybody with this code can use it, so keep it like cash.',
    },
  },
  gift_card_bought: {
    label: 'Receipt for a gift card',
    when: 'Right after somebody paid for a gift card. Its recipient gets the code in another email.',
    placeholders: { amount: '$50.00' },
    texts: {
      subject: 'Your gift card of {amount} - {shop}',
      title: 'Your gift card is on its way.',
      greeting: '',
      opening: 'Thank you for your payment of {amount}. We’ve sent the gift card’s code to the person it is for.',
      closing:
        'A gift card has no tax until it is used. If it should go back, write to us: we refund what is still on it.',
    },
  },
  gift_card_scheduled: {
    label: 'Receipt for a gift card that is sent later',
    when: 'When somebody paid for a gift card that is sent on another day, or corrected its recipient.',
    placeholders: { amount: '$50.00', day: 'December 24, 2026' },
    texts: {
      subject: 'Your gift card of {amount} - {shop}',
      title: 'Your gift card is ready for {day}.',
      greeting: '',
      opening:
        'Thank you for your payment of {amount}. We send the gift card’s code in the morning of {day}. Until then you can correct the address on the page behind this button.',
      closing:
        'A gift card has no tax until it is used. If it should go back, write to us: we refund what is still on it.',
    },
  },
  gift_card_unpaid: {
    label: 'Gift card not paid',
    when: 'When PayPal declines the payment of a gift card after its review.',
    placeholders: { amount: '$50.00' },
    texts: {
      subject: 'Your payment for a gift card did not go through - {shop}',
      title: 'Your payment did not go through.',
      greeting: '',
      opening: 'PayPal reviewed your payment of {amount} for a gift card and declined it. You were not charged.',
      closing: 'You can buy it again with a card or another PayPal account.',
    },
  },
  drop_begins: {
    label: 'A drop begins',
    when: 'Once, to those who asked to be told.',
    placeholders: { title: 'Rudy’s Midnight Mug' },
    texts: {
      subject: '{title} is on sale now - {shop}',
      title: '{title} is on sale now.',
      greeting: '',
      opening: 'You asked us to tell you when it begins. It has just begun.',
      closing: 'This was the only email about it: we have deleted your address from this list.',
    },
  },
  drop_offer: {
    label: 'Waiting list: a piece is free',
    when: 'When a piece becomes free for the person who has waited longest.',
    placeholders: { title: 'Rudy’s Midnight Mug', until: 'Nov 23, 12:32 PM EST' },
    texts: {
      subject: 'A piece of {title} is set aside for you - {shop}',
      title: 'A piece is set aside for you.',
      greeting: '',
      opening: 'You are next on the waiting list of {title}. One piece is yours until {until}, if you want it.',
      closing: 'After that it goes to the next person in line. This link is for you alone.',
    },
  },
  drop_missed: {
    label: 'Payment returned: no piece was left',
    when: 'When a payment for a drop comes through and no piece is left for it. It is refunded right away.',
    placeholders: {
      ...person,
      title: 'Rudy’s Midnight Mug',
      total: '$79.90',
      why: 'the last piece was sold before it came through',
    },
    texts: {
      subject: 'Your payment of {total} is on its way back - {shop}',
      title: 'We have sent your money back.',
      greeting: HI,
      opening:
        'Your payment for {title} reached us, but {why}. We have refunded all of it, {total}, and made no order.',
      closing: REFUND_TIMING,
    },
  },
  edition_offered: {
    label: 'Certificate: a new holder is asked',
    when: 'When the holder of a numbered piece gives it to somebody else.',
    placeholders: { title: 'Rudy’s Midnight Mug', number: 'No. 12 of 500' },
    texts: {
      subject: '{title}, {number}, is to be yours - {shop}',
      title: '{number} is to be yours.',
      greeting: '',
      opening:
        'The holder of {title}, {number}, wants to pass its certificate on to you. Please confirm that you take it.',
      closing: 'Until you do, nothing changes. If you don’t know what this is about, you can ignore this email.',
    },
  },
  edition_held: {
    label: 'Certificate: the new holder’s link',
    when: 'When somebody has become the holder of a numbered piece.',
    placeholders: { title: 'Rudy’s Midnight Mug', number: 'No. 12 of 500' },
    texts: {
      subject: 'Your certificate of {title}, {number} - {shop}',
      title: '{number} is yours.',
      greeting: '',
      opening:
        'You are the holder of {title}, {number}. This link opens its certificate. Keep it: it is all that is needed to pass the piece on.',
      closing: 'The link of the holder before you no longer opens it.',
    },
  },
  payment_held: {
    label: 'Payment under review',
    when: 'When PayPal reviews a payment first.',
    placeholders: payment,
    texts: {
      subject: 'PayPal is reviewing your payment: {order} - {collection}',
      title: 'Your payment is being reviewed.',
      greeting: HI,
      opening:
        'Your payment of {total} is on hold pending PayPal review. Your order will be processed once payment is cleared; most reviews take less than a day.',
      closing: 'Please don’t pay again. We’ll email you as soon as PayPal decides.',
    },
  },
  payment_denied: {
    label: 'Payment declined after review',
    when: 'When PayPal’s review ends with a refusal.',
    placeholders: payment,
    texts: {
      subject: 'Your payment did not go through: {order} - {collection}',
      title: 'Your payment did not go through.',
      greeting: HI,
      opening:
        'PayPal reviewed your payment of {total} and declined it. You were not charged, and no order was placed.',
      closing: PAY_AGAIN,
    },
  },
  payment_declined: {
    label: 'Payment not completed',
    when: 'When PayPal never completes a pending payment.',
    placeholders: payment,
    texts: {
      subject: 'Your payment did not go through: {order} - {collection}',
      title: 'Your payment did not go through.',
      greeting: HI,
      opening: 'PayPal didn’t complete your payment of {total}. You were not charged, and no order was placed.',
      closing: PAY_AGAIN,
    },
  },
  on_hold: aboutOrder('Address needed', 'When the printer can’t ship to an address.', {
    subject: 'Your order {order} needs your address',
    title: 'Please check your address.',
    opening: 'Our printer can’t ship to the address on order {order}, so your order is on hold.',
    closing:
      'Please correct it on your order page: house number, apartment, city, state and postal code. If it’s already right, tell us there.\n\nYou won’t be charged again. We start on your order as soon as you send the corrected address. The dates we gave you may move.',
  }),
  corrected_address: aboutOrder('Address corrected', 'After somebody corrected an order’s address.', {
    subject: 'The address on order {order} was corrected',
    title: 'The address on your order was corrected.',
    opening: 'Order {order} now ships to a different address. The price stays the same.',
    closing: 'If this wasn’t you, please write to us right away.',
  }),
  changed: aboutOrder('Order changed', 'After an order was changed.', {
    subject: 'Your order {order} was changed',
    title: 'Your order was changed.',
    opening: 'Order {order} will be made and shipped as listed here.',
    closing: 'If this wasn’t you, please write to us right away.',
  }),
  change_to_pay: aboutOrder('Change to pay', 'When a change of an order costs more than was paid.', {
    subject: 'Pay for the change of your order {order}',
    title: 'One step is left.',
    opening:
      'The change of order {order} costs more than you paid. We change the order as soon as the difference is paid.',
    closing: 'If you don’t pay it in time, we make the order as it was. You don’t have to do anything then.',
  }),
  corrected_email: aboutOrder('Email corrected', 'To the old address, after somebody corrected an order’s email.', {
    subject: 'The email on order {order} was corrected',
    title: 'The email on your order was corrected.',
    opening: 'Emails about order {order} now go to a different address. Links we sent here no longer open the order.',
    closing: 'If this wasn’t you, please write to us right away.',
  }),
  canceled: aboutOrder('Order canceled', 'When an order is canceled and its refund is still to come.', {
    subject: 'Your order {order} was canceled',
    title: 'Your order was canceled.',
    opening: 'We can’t make order {order}, so it was canceled. We’re sorry.',
    closing: `You don’t have to do anything. We review every canceled order ourselves and will email you when your refund is on its way. ${REFUND_TIMING}`,
  }),
  canceled_refunded: aboutOrder('Order canceled and refunded', 'When an order is canceled after its refund.', {
    subject: 'Your order {order} was canceled',
    title: 'Your order was canceled.',
    opening: 'We can’t make order {order}, so it was canceled. We’re sorry.',
    closing: `You don’t have to do anything. ${REFUND_TIMING}`,
  }),
  canceled_by_shopper: aboutOrder('Order canceled by the customer', 'When a customer cancels an order on its page.', {
    subject: 'Your order {order} is canceled',
    title: 'Your order is canceled.',
    opening: 'You canceled order {order}. Nothing was made, and nothing will be.',
    closing: `Your money is on its way back to the card or wallet you paid with. ${REFUND_TIMING} If this wasn’t you, please write to us.`,
  }),
  shipped: aboutOrder('Shipped', 'When all of an order has shipped.', {
    subject: 'On its way: your order {order}',
    title: 'It’s on its way.',
    opening: 'Your order has shipped.',
    closing: 'That’s everything in this order.',
  }),
  shipped_part: aboutOrder('Shipped in part', 'When part of an order has shipped.', {
    subject: 'On its way: part of your order {order}',
    title: 'It’s on its way.',
    opening: 'Part of your order has shipped.',
    closing: 'The rest ships separately, and we’ll email you when it does.',
  }),
  shipped_replacement: aboutOrder('Replacement shipped', 'When a replacement has shipped.', {
    subject: 'On its way: the replacement for your order {order}',
    title: 'It’s on its way.',
    opening: 'A replacement for part of your order has shipped.',
    closing: 'You won’t be charged for it.',
  }),
  parcel_late: aboutOrder('Late', 'Before a parcel misses the days that were promised, once for each.', {
    subject: 'Your order {order} is running late',
    title: 'It’s taking longer than we said.',
    opening: 'We’re sorry: part or all of order {order} won’t arrive when we said.',
    closing:
      'You don’t have to do anything if you want to wait. If you don’t, choose on your order page what we should do instead. You don’t need an account.',
  }),
  parcel_lost: aboutOrder('Lost', 'When a parcel is given up as lost, once for each.', {
    subject: 'We think a parcel of your order {order} is lost',
    title: 'We think your parcel is lost.',
    opening:
      'We’re sorry: a parcel of order {order} should have arrived long ago, and the carrier can’t say where it is.',
    closing:
      'Please choose on your order page whether we make it again or refund it. You don’t need an account. If it arrives after all, tell us.',
  }),
  parcel_returned: aboutOrder('Came back', 'When a parcel was returned to the printer, once for each.', {
    subject: 'Your parcel came back to us: order {order}',
    title: 'Your parcel came back to us.',
    opening: 'The carrier couldn’t deliver a parcel of order {order} and sent it back.',
    closing:
      'Please tell us on your order page where a new parcel should go: often a house or apartment number was missing. It costs you nothing. If you no longer want it, you can ask for a refund there.',
  }),
  out_for_delivery: aboutOrder(
    'Out for delivery',
    'When the carrier takes a parcel out for delivery, if the settings say so.',
    {
      subject: 'Out for delivery: your order {order}',
      title: 'It should arrive today.',
      opening: '{carrier} has your parcel out for delivery.',
      closing: 'We’ll email you again once it has arrived.',
    },
    { carrier: 'USPS' },
  ),
  failed_attempt: aboutOrder(
    'Attempt to deliver failed',
    'When the carrier could not deliver a parcel, if the settings say so.',
    {
      subject: 'The carrier couldn’t deliver your order {order}',
      title: 'The carrier couldn’t deliver your parcel.',
      opening: '{carrier} tried to deliver your parcel and couldn’t hand it over.',
      closing:
        'Carriers usually try again on the next business day, or hold the parcel for you. Is there a notice at your door? It says where the parcel is. You can ask {carrier} with the tracking number. After a few days the parcel would be sent back to us.',
    },
    { carrier: 'USPS' },
  ),
  delivered: aboutOrder(
    'Delivered',
    'When an order’s last parcel has arrived.',
    {
      subject: 'It has arrived: your order {order}',
      title: 'Your parcel has arrived.',
      opening: '{carrier} delivered your parcel.',
      closing:
        'Is something wrong, damaged or missing? Tell us within {return-days} days and we’ll replace or refund it. A photo helps.',
    },
    { carrier: 'USPS' },
  ),
  delivered_part: aboutOrder(
    'Delivered in part',
    'When a parcel has arrived and others are to come.',
    {
      subject: 'It has arrived: part of your order {order}',
      title: 'Your parcel has arrived.',
      opening: '{carrier} delivered your parcel.',
      closing:
        'Is something wrong, damaged or missing? Tell us within {return-days} days and we’ll replace or refund it. A photo helps.\n\nThe rest of your order ships separately.',
    },
    { carrier: 'USPS' },
  ),
  review_request: aboutOrder(
    'Request for a review',
    'Some days after delivery, once for each order; the number of days is a setting.',
    {
      subject: 'How do you like your order {order}?',
      title: 'How do you like it?',
      opening:
        'Your order arrived a few days ago. Would you tell others how it turned out? Two sentences help, and so does a photo.',
      closing: 'Is something wrong with it? Reply to this email instead, and we’ll make it right.',
    },
  ),
  refunded: aboutOrder('Refunded', 'When an order was refunded in full.', {
    subject: 'Your refund for order {order}',
    title: 'Your refund is on its way.',
    opening: 'We refunded order {order} in full.',
    closing: REFUND_TIMING,
  }),
  refunded_part: aboutOrder('Refunded in part', 'When part of an order was refunded.', {
    subject: 'A partial refund for order {order}',
    title: 'Your refund is on its way.',
    opening: 'We refunded part of order {order}.',
    closing: REFUND_TIMING,
  }),
  refunded_credit: aboutOrder('Refunded as credit', 'When a refund went to a gift card, or became store credit.', {
    subject: 'Your refund for order {order}',
    title: 'Your refund is ready to spend.',
    opening:
      'We refunded this part of order {order} to the gift card you paid with, or as store credit whose code is in an email of its own.',
    closing: 'You can spend it right away, on anything in our shop.',
  }),
  refunded_otherwise: aboutOrder('Refunded another way', 'When a refund went by bank transfer or the like.', {
    subject: 'Your refund for order {order} was sent another way',
    title: 'Your refund was sent another way.',
    opening: 'The card or wallet you used for order {order} didn’t accept the refund, so we sent it another way.',
    closing: 'If it hasn’t arrived within five business days, reply to this email and include the reference.',
  }),
  refund_returned: aboutOrder(
    'Refund came back',
    'When a bank or wallet returned a refund.',
    {
      subject: 'Your refund for order {order} did not arrive',
      title: 'Your refund did not arrive.',
      opening:
        'We refunded {amount} for order {order}, but your bank or wallet returned it to us. That happens when a card or account is closed.',
      closing:
        'The money is still yours. We’ll send it another way and email you when it’s on its way. Reply to this email if you have a preference, but please never send a card number.',
    },
    { amount: '$39.95' },
  ),
  order_link: aboutOrder('New link to an order', 'When somebody asks for a new link to an order.', {
    subject: 'A new link to your order {order}',
    title: 'Here is your order again.',
    opening: 'This link opens order {order}. Anyone who has it can see the order, so please keep it to yourself.',
    closing: 'If you didn’t ask for it, you can ignore this email. Nobody else has the link.',
  }),
  claim_received: aboutOrder('Report received', 'When a shopper reports a problem with an order.', {
    subject: 'We got your report about order {order}',
    title: 'We’re looking into it.',
    opening:
      'Thank you for telling us about order {order}. A person looks at every report, and you’ll hear from us within {answer-hours} hours.',
    closing: 'Forgot something? You can add words and photos on the same page. You don’t need an account.',
  }),
  claim_question: aboutOrder('Question about a request', 'When you ask a shopper about a report or withdrawal.', {
    subject: 'A question about your request: order {order}',
    title: 'We have a question.',
    opening: 'We looked at your request about order {order} and have a question:',
    closing: 'Please answer on the page of your request, with photos if they help. You don’t need an account.',
  }),
  claim_refused: aboutOrder('Request refused', 'When you refuse a report or withdrawal.', {
    subject: 'Your request about order {order}',
    title: 'We can’t do this one.',
    opening: 'We looked at your request about order {order}, and we can’t grant it:',
    closing: 'Do you see it differently? Reply to this email. Your legal rights are not affected.',
  }),
  claim_settled: aboutOrder('Request settled', 'When you settle a report or withdrawal another way.', {
    subject: 'Your request about order {order} is settled',
    title: 'We took care of it.',
    opening: 'We looked at your request about order {order}. This is what we did:',
    closing: 'Is it still not right? Reply to this email.',
  }),
  withdrawal_received: aboutOrder('Withdrawal received', 'The receipt, right after a shopper withdraws.', {
    subject: 'Receipt of your withdrawal: order {order}',
    title: 'We received your withdrawal.',
    opening: 'Please keep this email: it is your receipt.',
    closing:
      'Please keep the items as they are. We’ll email you within {answer-hours} hours how to send them back, which you then do within 14 days from today. We refund you within 14 days from today, but may wait until the items are back or you have shown that you sent them.',
  }),
  withdrawal_canceled: aboutOrder(
    'Withdrawal before production',
    'The receipt, right after a shopper withdraws before anything is made.',
    {
      subject: 'Receipt of your withdrawal: order {order}',
      title: 'We received your withdrawal.',
      opening: 'Please keep this email: it is your receipt. Nothing was made yet, so we are canceling the order.',
      closing: `Everything you paid goes back to you; you don’t have to do anything. ${REFUND_TIMING}`,
    },
  ),
  account_password: {
    label: 'Choose a new password',
    when: 'When somebody asks for a new password.',
    placeholders: account,
    texts: {
      subject: 'Choose a new password - {shop}',
      title: 'Choose a new password.',
      greeting: HI,
      opening:
        'Someone asked to reset the password of your account “{username}”. This link works once and expires in an hour.',
      closing: `${NOT_YOU} Your password stays the same.`,
    },
  },
  account_email: {
    label: 'Confirm an email address',
    when: 'When an account gets a new email address.',
    placeholders: { ...account, email: 'ada@example.com' },
    texts: {
      subject: 'Confirm your email - {shop}',
      title: 'Confirm your email.',
      greeting: HI,
      opening:
        'The account “{username}” wants to use {email}. Sign in to that account and open this link within a day.',
      closing: 'Not your account? Please don’t open the link. Someone mistyped an address, and nothing will change.',
    },
  },
  account_changed: {
    label: 'Account changed',
    when: 'After a change of password, email or second factor.',
    placeholders: { ...account, change: 'the password was changed' },
    texts: {
      subject: 'Your account was changed - {shop}',
      title: 'Your account was changed.',
      greeting: HI,
      opening: 'On your account “{username}”, {change}.',
      closing: 'If this wasn’t you, choose a new password right away and write to {support-email}.',
    },
  },
  account_invitation: {
    label: 'Invitation to work here',
    when: 'When an owner invites somebody on the page People.',
    placeholders: { inviter: 'ada', role: 'Support', email: 'sam@example.com' },
    texts: {
      subject: '{inviter} invites you to {shop}',
      title: 'You’re invited to work here.',
      greeting: '',
      opening:
        '{inviter} invites {email} to the admin of {shop}, with the role {role}. The link lets you choose a username and a password. It works once, for 7 days.',
      closing: 'You don’t know {inviter}? Please ignore this email; nothing will happen.',
    },
  },
  my_data: {
    label: 'Personal data',
    when: 'When somebody asks what the shop knows about them.',
    placeholders: {},
    texts: {
      subject: 'Your data, as requested - {shop}',
      title: 'Your data, as requested.',
      greeting: '',
      opening:
        'Someone, we hope you, asked for the data we have about this email address. The link lets you see it, download it or erase it. It works for 24 hours.',
      closing: `${NOT_YOU} Nobody else has the link.`,
    },
  },
  order_answer: aboutOrder('Answer about an order', 'Around your answer to what a customer wrote about an order.', {
    subject: 'Our answer about order {order}',
    title: 'We answered you.',
    opening: '',
    closing: '',
  }),
  contact_answer: {
    label: 'Reply to a message',
    when: 'Around your reply to a message of the contact form.',
    placeholders: { ...person, 'their-subject': 'A size in doubt' },
    texts: {
      subject: 'Re: {their-subject}',
      title: 'Our reply',
      greeting: HI,
      opening: 'Thank you for writing to {shop}.',
      closing: '',
    },
  },
  chat_answer: {
    label: 'Reply to a chat',
    when: 'Around your reply to a chat whose visitor has left.',
    placeholders: {},
    texts: {
      subject: 'Our reply - {shop}',
      title: 'We replied to your chat.',
      greeting: 'Hi there,',
      opening: 'You asked us something in the shop’s chat. Here’s our reply:',
      closing: '',
    },
  },
  newsletter_confirm: {
    label: 'Confirm a newsletter subscription',
    when: 'When somebody subscribes to the newsletter.',
    placeholders: {},
    texts: {
      subject: 'Please confirm your {shop} newsletter',
      title: 'One click and you’re in.',
      greeting: '',
      opening:
        'Someone, most likely you, signed up for the {shop} newsletter with this address. Confirm, and you’ll hear from us when a collection opens or an animal has news.',
      closing: 'If this wasn’t you, you can ignore this email. We won’t send anything else.',
    },
  },
  cart_reminder: {
    label: 'Cart reminder',
    when: 'A day after a shopper asked for it, once, if something is still in the cart.',
    placeholders: { pieces: '3 pieces', days: '30' },
    texts: {
      subject: 'Your cart at {shop}',
      title: 'Your cart is still here.',
      greeting: '',
      opening:
        'You asked us to write once about your cart: {pieces} wait in it. The link opens it on any device, for {days} days.',
      closing: 'This is the only email about it.',
    },
  },
  raffle_confirm: {
    label: 'Confirm a raffle entry',
    when: 'When somebody enters a raffle.',
    placeholders: raffle,
    texts: {
      subject: 'Please confirm your entry: {raffle}',
      title: 'One click and you’re in.',
      greeting: '',
      opening:
        'Someone, most likely you, entered the raffle “{raffle}” with this address. Confirm before it ends on {ends}.',
      closing: NOT_YOU,
    },
  },
  raffle_entered: {
    label: 'Entered a raffle',
    when: 'After somebody confirmed a raffle entry.',
    placeholders: raffle,
    texts: {
      subject: 'You’re in: {raffle}',
      title: 'You’re in.',
      greeting: '',
      opening:
        'Your entry for “{raffle}” counts. The winner is drawn on {draw} from public randomness that nobody can know before, and gets an email.',
      closing:
        'Keep your code: with it, you can check on the raffle’s page that your entry is in the draw. You can withdraw your entry at any time.',
    },
  },
  raffle_won: {
    label: 'Won a raffle',
    when: 'When somebody is drawn.',
    placeholders: raffle,
    texts: {
      subject: 'You’ve won: {raffle}',
      title: 'You’ve won.',
      greeting: '',
      opening:
        'Your entry for “{raffle}” was drawn. Tell us where to send the prize. You won’t be charged for anything.',
      closing: 'Please claim it within {claim-days} days of this email. After that, another winner is drawn.',
    },
  },
  newsletter_welcome: {
    label: 'Welcome to the newsletter',
    when: 'After somebody confirmed a subscription.',
    placeholders: {},
    texts: {
      subject: 'Welcome to the {shop} newsletter',
      title: 'You’re in.',
      greeting: '',
      opening:
        'Thank you. We’ll write when a collection opens, a design is retired, or an animal has done something worth an email. That isn’t often; most of them sleep.',
      closing: '',
    },
  },
  partner_accepted: toPartner(
    'Partner accepted',
    'When you accept an application.',
    {
      subject: 'Welcome to the partner program',
      title: 'You’re a partner.',
      opening:
        'We’re glad to work with you. Your links, pictures and copy are ready in the portal, and so is our proposal with a {share} revenue share. Please read and accept it there.',
      closing: '',
    },
    { share: '12%' },
  ),
  partner_declined: toPartner('Partner declined', 'When you decline an application.', {
    subject: 'Your partner program application',
    title: 'Not this time.',
    opening: 'Thank you for applying to our partner program. We can’t accept your application right now.',
    closing: '',
  }),
  partner_share: toPartner(
    'New share for a partner',
    'When you set a partner’s new share.',
    {
      subject: 'Your revenue share is changing',
      title: 'Your share will be {share}.',
      opening: 'From {day}, your revenue share is {share}. Earlier sales keep the share they were made at.',
      closing: 'The new version of our proposal is in the portal. Please read and accept it there.',
    },
    { share: '12%', day: 'December 1, 2026' },
  ),
  call_asked: toPartner(
    'Call requested',
    'When a partner asks for a call.',
    {
      subject: 'Your call request',
      title: 'We got your request.',
      opening: 'Thank you. You’d like to talk about: {topic}. We’ll email you which of these times works:',
      closing: 'The attached calendar file holds all of them as tentative.',
    },
    { topic: 'a second collection' },
  ),
  call_agreed: toPartner(
    'Call confirmed',
    'When you agree to a call.',
    {
      subject: 'Our call is confirmed',
      title: 'Our call is confirmed.',
      opening: 'We’ll talk on {time}. It’s in the attached calendar file.',
      closing: '',
    },
    { time: 'Tuesday, December 1, 2026 at 10:00 AM (America/New_York)' },
  ),
  call_declined: toPartner('Call declined', 'When none of the times for a call works.', {
    subject: 'About your call request',
    title: 'None of your times works for us.',
    opening: 'Sorry, we can’t make any of the times you proposed. Please suggest others in the portal.',
    closing: '',
  }),
  payout_account_added: toPartner(
    'Payout account added',
    'After a partner added a payout account.',
    {
      subject: 'Your payout account was added',
      title: 'Your payout account was added.',
      opening: 'Starting with the next payout, we’ll pay your {account}.',
      closing:
        'If this wasn’t you, please change your password and write to us right away so we can hold the next payout.',
    },
    { account: 'IBAN ending in 3000' },
  ),
  payout_account_changed: toPartner(
    'Payout account changed',
    'After a partner changed the payout account.',
    {
      subject: 'Your payout account was changed',
      title: 'Your payout account was changed.',
      opening: 'Starting with the next payout, we’ll pay your {account} instead of your {old-account}.',
      closing:
        'If this wasn’t you, please change your password and write to us right away so we can hold the next payout.',
    },
    { account: 'IBAN ending in 3000', 'old-account': 'wallet a***@example.com' },
  ),
  payout_sent: toPartner(
    'Payout sent',
    'When you record a payout as sent.',
    {
      subject: 'Payout {reference}',
      title: '{amount} is on its way.',
      opening:
        'We sent {amount} to {destination}. Look for reference {reference} on your bank statement and on this month’s statement in the portal.',
      closing:
        'Banks can take a few days. If it hasn’t arrived within two weeks, please write to us with the reference.',
    },
    { reference: 'P-2026-11-1', amount: '$120.50', destination: 'your IBAN ending in 3000' },
  ),
  payout_returned: toPartner(
    'Payout returned',
    'When a bank or wallet returned a payout.',
    {
      subject: 'Payout {reference}',
      title: 'Your payout was returned.',
      opening:
        'Your payout of {amount} (reference {reference}) could not be delivered, and your bank or wallet returned it to us. You’re still owed the money; it goes out with the next payout.',
      closing: 'Please check your payout account in the portal.',
    },
    { reference: 'P-2026-11-1', amount: '$120.50' },
  ),
} satisfies Record<string, Mail>

export type MailName = keyof typeof mailTextList
export const mailNames = Object.keys(mailTextList) as MailName[]
export const isMailName = (name: string | undefined): name is MailName => name !== undefined && name in mailTextList

/** The owner's texts where they differ from the house's. */
export type ChangedMailTexts = { [Name in MailName]?: MailTexts }

export const houseTexts = (name: MailName): MailTexts => mailTextList[name].texts

/** Every placeholder of an email, without braces. */
export const placeholdersOf = (name: MailName): string[] => [
  ...Object.keys(mailTextList[name].placeholders),
  ...commonPlaceholders,
]

const PLACEHOLDER = /\{([^{}\n]*)\}/g

/** @returns a sentence about a placeholder that the email does not have */
export function objectionToPlaceholders(name: MailName, text: string): string | undefined {
  const known = placeholdersOf(name)
  const unknown = [...text.matchAll(PLACEHOLDER)].find(([, inside = '']) => !known.includes(inside))
  return unknown && `There is no ${unknown[0]} in this email. You can use ${known.map((one) => `{${one}}`).join(', ')}.`
}

/** Fills in each placeholder once: what a value contains stays as it is. */
export const fillPlaceholders = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(PLACEHOLDER, (placeholder, name: string) => values[name] ?? placeholder)
