import { claimPaths } from '#contract/claim-paths.ts'
import { claimedOf, reasonNames } from '#domain/claims/claim.ts'
import { baseUrlOf } from '#server/config/config.ts'
import type { Tx } from '#server/db/db.ts'
import { LINK_TOKEN } from '#server/mail/outbox.ts'
import {
  claimQuestionMail,
  claimReceivedMail,
  claimRefusedMail,
  withdrawalMail,
} from '#server/mail/templates/claim-mails.ts'
import { mailOrderLater, toMentionedOrder } from '#server/orders/mails.ts'
import type { Order } from '#server/orders/orders.ts'
import type { Needs } from '#server/shop.ts'
import type { ClaimableLine } from './facts.ts'
import type { Claim } from './store.ts'

type MailNeeds = Needs<'jobs' | 'config'>

const withLink = async ({ config }: MailNeeds, tx: Tx, order: Order, path: string) => ({
  ...(await toMentionedOrder(tx, order, config)),
  orderLink: `${baseUrlOf(config)}${path}?token=${LINK_TOKEN}`,
})

export const itemsOf = ({ pieces }: Claim, lines: readonly Pick<ClaimableLine, 'line'>[]) =>
  lines.flatMap(({ line: { position, productName, variantName } }) => {
    const quantity = claimedOf(position, pieces)
    return quantity > 0 ? [{ productName, variantName, quantity }] : []
  })

type Mentioned = { claim: Claim; lines: readonly ClaimableLine[] }

export async function mailClaimReceivedLater(
  shop: MailNeeds,
  tx: Tx,
  order: Order,
  { claim, lines, words }: Mentioned & { words: string },
  now: Date,
): Promise<void> {
  const problem = claim.reason ? reasonNames[claim.reason] : ''
  const mail = claimReceivedMail(await withLink(shop, tx, order, claimPaths.problem), {
    ...{ problem, words, items: itemsOf(claim, lines) },
  })
  await mailOrderLater(shop, tx, order, { kind: 'claim_received', about: String(claim.id), ...mail }, now)
}

/** The owner's words: a question, or why a claim was refused. @param about unique */
export async function mailClaimWordsLater(
  shop: MailNeeds,
  tx: Tx,
  order: Order,
  { kind, about, words }: { kind: 'claim_question' | 'claim_refused'; about: string; words: string },
  now: Date,
): Promise<void> {
  const write = kind === 'claim_question' ? claimQuestionMail : claimRefusedMail
  const mail = write(await withLink(shop, tx, order, claimPaths.problem), words)
  await mailOrderLater(shop, tx, order, { kind, about, ...mail }, now)
}

export async function mailWithdrawalLater(
  shop: MailNeeds,
  tx: Tx,
  order: Order,
  { claim, lines, name, law }: Mentioned & { name: string; law: string },
  now: Date,
): Promise<void> {
  const at = `${now.toLocaleString('en-US', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })} UTC`
  const mail = withdrawalMail(await withLink(shop, tx, order, claimPaths.withdraw), {
    ...{ name, at, law, items: itemsOf(claim, lines), cancels: claim.outcome === 'canceled' },
  })
  await mailOrderLater(shop, tx, order, { kind: 'withdrawal_received', about: String(claim.id), ...mail }, now)
}
