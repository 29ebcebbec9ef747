import type { MailKind } from '#domain/messages/mail-kinds.ts'
import { giftCardPaths } from '#contract/gift-card-paths.ts'
import { paths } from '#contract/paths.ts'
import { formatOrderNumber, type PaymentKey } from '#shared/ids.ts'
import { formatUsd } from '#shared/money.ts'
import { baseUrlOf } from '#server/config/config.ts'
import type { Tx } from '#server/db/db.ts'
import { paragraph } from '#server/mail/content.ts'
import { mailLater } from '#server/mail/outbox.ts'
import { type Order } from '#server/orders/orders.ts'
import type { Needs } from '#server/shop.ts'
import { type Refund } from '#server/orders/refunds.ts'
import { findPurchaseOfPayment } from './gift-card-rows.ts'

type MailNeeds = Needs<'clock' | 'jobs' | 'config' | 'log'>

export const MANUAL_REFUND_HINT =
  'Refund it again, or pay the customer another way, such as by bank transfer, and record its reference next to the refund.'

/** The admin page to act on. */
const linkTo = (order: Order | undefined): string =>
  order ? paths.adminOrder(order.orderNumber) : paths.adminExceptions

/** The same for a payment that may have bought a gift card. */
export const linkToPaid = async (tx: Tx, key: PaymentKey, order: Order | undefined): Promise<string> =>
  !order && (await findPurchaseOfPayment(tx, key)) ? giftCardPaths.admin : linkTo(order)

export async function mailRefundFailed(
  tx: Tx,
  shop: MailNeeds,
  order: Order | undefined,
  { id, paymentKey: key, amountCents }: Refund,
  sentence: string,
) {
  const isGiftCard = !order && (await findPurchaseOfPayment(tx, key)) !== undefined
  const payment = isGiftCard ? 'a gift card' : 'a payment without an order'
  const about = order ? `order ${formatOrderNumber(order.orderNumber)}` : payment
  await mailOwnerLater(tx, shop, {
    kind: 'refund_failed',
    about: String(id),
    subject: `A refund of ${formatUsd(amountCents)} for ${about} failed`,
    link: isGiftCard ? giftCardPaths.admin : linkTo(order),
    sentences: [sentence, `Refund ${id} of payment ${key}.`],
  })
  shop.log.error({ refund: id, paymentKey: key }, 'A refund failed.')
}

type MailToOwner = { kind: MailKind; about: string; subject: string; sentences: string[]; link: string }

export async function mailOwnerLater(
  tx: Tx,
  shop: MailNeeds,
  { kind, about, subject, sentences, link }: MailToOwner,
): Promise<void> {
  const url = `${baseUrlOf(shop.config)}${link}`
  const recipient = 'business' as const
  const mail = {
    kind,
    recipient,
    orderId: null,
    about,
    subject,
    isPlain: true,
    blocks: [
      ...sentences.map(paragraph),
      { kind: 'small print' as const, text: '', link: { text: url, url }, asText: url },
    ],
  }
  await mailLater(shop, tx, mail, shop.clock.now())
}
