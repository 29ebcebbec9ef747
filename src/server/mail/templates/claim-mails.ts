import { say, sayKnown } from '#words/say.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import type { Item, MailContent } from '../content.ts'
import { orderMail, type MentionedOrder } from './order-status-mails.ts'

/** `order.orderLink` of each leads to the page of its claim. */

export const claimReceivedMail = (
  order: MentionedOrder,
  { problem, items, words }: { problem: string; items: readonly Item[]; words: string },
): MailContent =>
  orderMail(order, {
    mail: 'claim_received',
    facts: [[say('Problem'), sayKnown(problem)]],
    items: [say('In your report'), items],
    quoted: [`${say('You wrote:')}\n${words}`],
    button: say('See your report'),
  })

export const claimQuestionMail = (order: MentionedOrder, words: string): MailContent =>
  orderMail(order, { mail: 'claim_question', quoted: [words], button: say('Answer') })

export const claimRefusedMail = (order: MentionedOrder, words: string): MailContent =>
  orderMail(order, { mail: 'claim_refused', quoted: [words], button: say('See your request') })

export const claimSettledMail = (order: MentionedOrder, words: string): MailContent =>
  orderMail(order, { mail: 'claim_settled', quoted: [words], button: say('See your request') })

/**
 * The receipt that Article 11a(4) of Directive 2011/83/EU asks for: the declaration with its day and time, to keep.
 * @param at as `November 23, 2026 at 10:15 AM UTC` @param cancels nothing was made yet
 */
export const withdrawalMail = (
  order: MentionedOrder,
  {
    name,
    at,
    law,
    items,
    cancels,
  }: { name: string; at: string; law: string; items: readonly Item[]; cancels: boolean },
): MailContent =>
  orderMail(order, {
    mail: cancels ? 'withdrawal_canceled' : 'withdrawal_received',
    facts: [
      [say('Declared by'), name],
      [say('Received'), at],
      [say('Order'), formatOrderNumber(order.orderNumber)],
      [say('By'), sayKnown(law)],
    ],
    quoted: [`${say('Your declaration:')}\n${say('“I withdraw from my contract of sale for these items.”')}`],
    items: [say('Items'), items],
    button: say('See your withdrawal'),
  })
