import { dateFormat } from '#shared/language.ts'
import { claimPaths, PARCEL_CHOICE } from '#contract/claim-paths.ts'
import { formatArrival } from '#domain/catalog/arrival.ts'
import { claimedOf, reasonNames } from '#domain/claims/claim.ts'
import { baseUrlOf } from '#server/config/config.ts'
import type { Tx } from '#server/db/db.ts'
import { LINK_TOKEN } from '#server/mail/outbox.ts'
import {
  claimQuestionMail,
  claimReceivedMail,
  claimRefusedMail,
  claimSettledMail,
  withdrawalMail,
} from '#server/mail/templates/claim-mails.ts'
import { parcelTroubleMail } from '#server/mail/templates/order-status-mails.ts'
import { mailOrderLater, toMentionedOrder } from '#server/orders/mails.ts'
import type { Order, OrderLine } from '#server/orders/orders.ts'
import type { Shipment } from '#server/orders/production.ts'
import type { Needs } from '#server/shop.ts'
import type { ClaimableLine } from './facts.ts'
import type { ParcelNotice } from './parcel-store.ts'
import type { Claim } from './store.ts'

type MailNeeds = Needs<'jobs' | 'config'>

const withLink = async ({ config }: MailNeeds, tx: Tx, order: Order, path: string) => ({
  ...(await toMentionedOrder(tx, order, config)),
  orderLink: `${baseUrlOf(config)}${path}?token=${LINK_TOKEN}`,
})

export const itemsOf = ({ pieces }: Pick<Claim, 'pieces'>, lines: readonly Pick<ClaimableLine, 'line'>[]) =>
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
  const linked = await withLink(shop, tx, order, claimPaths.problem)
  const write = () => {
    const problem = claim.reason ? reasonNames[claim.reason] : ''
    return claimReceivedMail(linked, { problem, words, items: itemsOf(claim, lines) })
  }
  await mailOrderLater(shop, tx, order, { kind: 'claim_received', about: String(claim.id), write }, now)
}

const ownersMails = {
  claim_question: claimQuestionMail,
  claim_refused: claimRefusedMail,
  claim_settled: claimSettledMail,
}
export type OwnersMail = keyof typeof ownersMails

/** The owner's words: a question, or what was decided and why. @param about unique */
export async function mailClaimWordsLater(
  shop: MailNeeds,
  tx: Tx,
  order: Order,
  { kind, about, words }: { kind: OwnersMail; about: string; words: string },
  now: Date,
): Promise<void> {
  const linked = await withLink(shop, tx, order, claimPaths.problem)
  await mailOrderLater(shop, tx, order, { kind, about, write: () => ownersMails[kind](linked, words) }, now)
}

/** Leads to the choice on the order's page. */
export async function mailParcelTroubleLater(
  shop: MailNeeds,
  tx: Tx,
  order: Order,
  { notice, parcel, lines }: { notice: ParcelNotice; parcel: Shipment | null; lines: readonly OrderLine[] },
  now: Date,
): Promise<void> {
  const { kind, pieces, expectedFrom, expectedTo, id } = notice
  const mentioned = await toMentionedOrder(tx, order, shop.config)
  const write = () =>
    parcelTroubleMail({ ...mentioned, orderLink: `${mentioned.orderLink}#${PARCEL_CHOICE}` }, `parcel_${kind}`, {
      expected:
        expectedFrom === null || expectedTo === null ? null : formatArrival({ from: expectedFrom, to: expectedTo }),
      carrier: parcel?.carrier ?? '',
      trackingNumber: parcel?.trackingNumber ?? null,
      items: itemsOf(
        { pieces },
        lines.map((line) => ({ line })),
      ),
    })
  await mailOrderLater(shop, tx, order, { kind: `parcel_${kind}`, about: String(id), write }, now)
}

export async function mailWithdrawalLater(
  shop: MailNeeds,
  tx: Tx,
  order: Order,
  { claim, lines, name, law }: Mentioned & { name: string; law: string },
  now: Date,
): Promise<void> {
  const linked = await withLink(shop, tx, order, claimPaths.withdraw)
  const write = () => {
    const at = `${dateFormat({ dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(now)} UTC`
    const cancels = claim.outcome === 'canceled'
    return withdrawalMail(linked, { name, at, law, items: itemsOf(claim, lines), cancels })
  }
  await mailOrderLater(shop, tx, order, { kind: 'withdrawal_received', about: String(claim.id), write }, now)
}
