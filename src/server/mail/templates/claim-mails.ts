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
    facts: [['Problem', problem]],
    items: ['In your report', items],
    quoted: [`You wrote:\n${words}`],
    button: 'See your report',
  })

export const claimQuestionMail = (order: MentionedOrder, words: string): MailContent =>
  orderMail(order, { mail: 'claim_question', quoted: [words], button: 'Answer' })

export const claimRefusedMail = (order: MentionedOrder, words: string): MailContent =>
  orderMail(order, { mail: 'claim_refused', quoted: [words], button: 'See your request' })

export const claimSettledMail = (order: MentionedOrder, words: string): MailContent =>
  orderMail(order, { mail: 'claim_settled', quoted: [words], button: 'See your request' })

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
      ['Declared by', name],
      ['Received', at],
      ['Order', formatOrderNumber(order.orderNumber)],
      ['By', law],
    ],
    quoted: ['Your declaration:\n“I withdraw from my contract of sale for these items.”'],
    items: ['Items', items],
    button: 'See your withdrawal',
  })
