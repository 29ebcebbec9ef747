import { formatArrival } from '#domain/catalog/arrival.ts'
import { recipientNameOf } from '#domain/orders/gift.ts'
import { labeledTexts } from '#domain/orders/order-texts.ts'
import { baseUrlOf } from '#server/config/config.ts'
import type { Tx } from '#server/db/db.ts'
import { listNumbered } from '#server/drops/certificates.ts'
import { confirmationMail } from '#server/mail/templates/confirmation.ts'
import { readSiteSettings } from '#server/settings/site-settings.ts'
import type { Needs } from '#server/shop.ts'
import { promisedOf } from './arrival.ts'
import { mailOrderLater, orderLinkOf } from './mails.ts'
import { agreedVersionOf, chargedOf, savingOf } from './order-view.ts'
import { readTheme } from '#server/catalog/collections.ts'
import type { Order, OrderLine } from './orders.ts'

/** In the transaction that creates the order, so no order lacks its confirmation. */
export async function mailConfirmationLater(
  { jobs, config }: Needs<'jobs' | 'config'>,
  tx: Tx,
  order: Order,
  lines: readonly OrderLine[],
  now: Date,
): Promise<void> {
  const numbered = await listNumbered(tx, order.id)
  const settings = await readSiteSettings(tx)
  const theme = await readTheme(tx, order.collection)
  const write = () =>
    confirmationMail({
      orderNumber: order.orderNumber,
      customerName: order.customerName,
      recipientName: recipientNameOf(order),
      lines,
      numbers: numbered.map(({ title, label }) => [title, label] as const),
      amounts: { ...chargedOf(order), ...savingOf(order, lines) },
      shippingAddress: order.shippingAddress,
      arrival: formatArrival(promisedOf(order, settings)),
      changeableUntil: order.changeableUntil > now ? order.changeableUntil : null,
      texts: labeledTexts(order.texts),
      theme,
      orderLink: orderLinkOf(config),
      publicUrl: baseUrlOf(config),
      termsVersion: agreedVersionOf(order),
    })
  await mailOrderLater({ jobs, config }, tx, order, { kind: 'confirmation', write }, now)
}
