import { isDeepStrictEqual } from 'node:util'
import {
  objectionToWithdrawal,
  lastDayToWithdraw,
  withdrawalGroupOf,
  withdrawalGroups,
  withdrawalLaws,
  type WithdrawalChoices,
} from '#domain/claims/withdrawal-law.ts'
import { DAY_MS } from '#shared/time.ts'
import { listActions, recordAction, type Actor } from '#server/audit-log/audit-log.ts'
import type { Reader } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Order } from '#server/orders/orders.ts'
import {
  lockWithdrawalChoices,
  readWithdrawalChoices,
  saveWithdrawalChoices,
} from '#server/settings/withdrawal-rights.ts'
import type { Needs } from '#server/shop.ts'
import type { ClaimFacts } from './facts.ts'

/** Why the shopper can't withdraw, and what to do instead; null if they can. */
export async function whyNotWithdraw(
  db: Reader,
  order: Order,
  { receivedAt, lines }: ClaimFacts,
  now: Date,
): Promise<string | null> {
  const { country } = order.shippingAddress
  const law = withdrawalLaws[withdrawalGroupOf(country)]
  const objection = objectionToWithdrawal({
    ...{ country, choices: await readWithdrawalChoices(db), receivedAt, now },
    isOver: order.kind !== 'sale' || lines.every(({ left }) => left === 0),
  })
  switch (objection) {
    case undefined:
      return null
    case 'not_offered':
      return law.exception === null
        ? 'We don’t offer withdrawal for deliveries to this country. Is something wrong with your order? Report a problem, or write to us.'
        : `Our items are made to order, so the right to withdraw doesn’t apply (${law.exception}). Is something wrong with your order? Report a problem.`
    case 'over':
      return 'Everything in this order was canceled, refunded or is in a request already.'
    case 'too_late':
      return `The ${law.days} days to withdraw are over. Is something wrong with your order? Report a problem, or write to us.`
  }
}

/** The last day to withdraw, as `2026-12-01`; null before everything has arrived. */
export function withdrawalDay(order: Order, { receivedAt }: Pick<ClaimFacts, 'receivedAt'>): string | null {
  const { days } = withdrawalLaws[withdrawalGroupOf(order.shippingAddress.country)]
  return receivedAt && new Date(lastDayToWithdraw(days, receivedAt) * DAY_MS).toISOString().slice(0, 10)
}

const ABOUT = { kind: 'setting', id: 'withdrawal rights' }

/** Where withdrawal is offered, and by which laws. */
export const showWithdrawalRights = async (db: Reader) => ({
  choices: await readWithdrawalChoices(db),
  laws: withdrawalGroups.map((group) => {
    const { name, days, law, exception, reading, source, compared } = withdrawalLaws[group]
    return { group, name, days, law, exception, reading, source, compared }
  }),
})

/** @throws Refusal `setting_changed` when somebody else saved it since `was` */
export async function saveWithdrawalRights(
  { db, clock }: Needs<'db' | 'clock'>,
  { was, choices }: { was: WithdrawalChoices; choices: WithdrawalChoices },
  by: Actor,
) {
  await db.transaction(async (tx) => {
    const current = await lockWithdrawalChoices(tx)
    if (isDeepStrictEqual(current, choices)) return
    if (!isDeepStrictEqual(current, was)) {
      const [last] = await listActions(tx, { about: ABOUT, limit: 1 })
      throw new Refusal('setting_changed', {
        changes: `${last?.userName ?? 'somebody'} changed where withdrawal is offered`,
      })
    }
    await saveWithdrawalChoices(tx, choices)
    await recordAction(tx, { by, what: 'changed', about: ABOUT, before: current, after: choices, at: clock.now() })
  })
  return { done: 'Shoppers see it now.' }
}
