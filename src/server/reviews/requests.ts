import * as z from 'zod/mini'
import { paths, REVIEWS, stopReviewRequests, stopReviewRequestsAtOnce } from '#contract/paths.ts'
import type { OrderId } from '#shared/ids.ts'
import { after, DAY_MS } from '#shared/time.ts'
import { baseUrlOf } from '#server/config/config.ts'
import { readTheme } from '#server/catalog/collections.ts'
import type { Tx } from '#server/db/db.ts'
import type { App } from '#server/http/app.ts'
import { wantsPage } from '#server/http/refusal-page.ts'
import { Refusal } from '#server/http/refusal.ts'
import { LINK_TOKEN } from '#server/mail/outbox.ts'
import { SITE } from '#server/mail/site-facts.ts'
import { reviewRequestMail } from '#server/mail/templates/review-request.ts'
import { findOrderOfToken } from '#server/orders/access.ts'
import { mailOrderLater, orderLinkOf } from '#server/orders/mails.ts'
import { listOrderLines, type Order } from '#server/orders/orders.ts'
import { listDelivered } from '#server/orders/production.ts'
import { lockSetting, saveSetting } from '#server/settings/settings.ts'
import { readSiteSettings } from '#server/settings/site-settings.ts'
import type { Needs } from '#server/shop.ts'
import { addOptOut, hasOptedOut, listReviewsOfOrder } from './store.ts'

// Some days after delivery, buyers are asked for a review: one email for each order.

type RequestNeeds = Needs<'db' | 'clock' | 'config' | 'jobs'>

/** Whether a claim about the order is not settled. */
type HasOpenClaim = (tx: Tx, orderId: OrderId) => Promise<boolean>

/** Orders delivered before this moment have been asked, or will not be. */
const ASKED_UNTIL_SETTING = 'review_requests_until'
/** After a pause, such as a setting of 0 days, orders that arrived long before are not asked. */
const LATE_MAX_DAYS = 7
const BATCH = 100

/** @returns how many emails were queued */
export async function requestReviews(shop: RequestNeeds, hasOpenClaim: HasOpenClaim): Promise<number> {
  let asked = 0
  for (;;) {
    const batch = await shop.db.transaction((tx) => requestBatch(shop, tx, hasOpenClaim))
    asked += batch.asked
    if (batch.seen < BATCH) return asked
  }
}

/** The setting's lock keeps instances apart. */
async function requestBatch(
  shop: RequestNeeds,
  tx: Tx,
  hasOpenClaim: HasOpenClaim,
): Promise<{ seen: number; asked: number }> {
  const { reviewRequestDays } = await readSiteSettings(tx)
  if (reviewRequestDays === 0) return { seen: 0, asked: 0 }
  const now = shop.clock.now()
  const to = after(now, -reviewRequestDays * DAY_MS)
  const earliest = after(to, -LATE_MAX_DAYS * DAY_MS)
  const saved = new Date(await lockSetting(tx, ASKED_UNTIL_SETTING, earliest.toISOString()))
  const from = saved > earliest ? saved : earliest
  const delivered = from < to ? await listDelivered(tx, { from, to, limit: BATCH }) : []
  let asked = 0
  for (const { order } of delivered) {
    if (!(await isAsked(tx, order)) || (await hasOpenClaim(tx, order.id))) continue
    await mailRequest(shop, tx, order, now)
    asked += 1
  }
  const last = delivered.length === BATCH ? delivered.at(-1)?.deliveredAt : undefined
  // Those of the same millisecond are looked at again, and have their email.
  const until = last === undefined ? to : last > from ? last : after(from, 1)
  if (until > saved) await saveSetting(tx, ASKED_UNTIL_SETTING, until.toISOString())
  return { seen: delivered.length, asked }
}

/** Never after a refund or a dispute, and not who has written already or does not want to be asked. */
async function isAsked(tx: Tx, { id, kind, paymentStatus, fulfillmentStatus, customerEmail, erasedAt }: Order) {
  if (erasedAt || kind !== 'sale' || paymentStatus !== 'paid' || fulfillmentStatus !== 'delivered') return false
  if (await hasOptedOut(tx, customerEmail.toLowerCase())) return false
  return (await listReviewsOfOrder(tx, id)).length === 0
}

async function mailRequest(shop: RequestNeeds, tx: Tx, order: Order, now: Date): Promise<void> {
  const publicUrl = baseUrlOf(shop.config)
  const theme = await readTheme(tx, order.collection)
  const items = await listOrderLines(tx, order.id)
  const write = () =>
    reviewRequestMail({
      orderNumber: order.orderNumber,
      customerName: order.customerName,
      theme,
      publicUrl,
      orderLink: `${orderLinkOf(shop.config)}#${REVIEWS}`,
      items,
      stopLink: publicUrl + stopReviewRequests(LINK_TOKEN),
    })
  const headers = {
    'List-Unsubscribe': `<${publicUrl}${stopReviewRequestsAtOnce(LINK_TOKEN)}>, <mailto:${SITE.supportEmail}?subject=unsubscribe>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }
  await mailOrderLater(shop, tx, order, { kind: 'review_request', write, headers }, now)
}

const StopForm = z.object({ token: z.string().check(z.minLength(1), z.maxLength(100)) })
const BODY_MAX_BYTES = 1024

/**
 * Unsubscribing, by an email client (RFC 8058) or the form of the newsletter's page. The link keeps working when it no longer opens its
 * order.
 */
export async function reviewRequestForms({ http }: App, shop: Needs<'db' | 'clock'>): Promise<void> {
  await http.register(async (inner) => {
    inner.removeAllContentTypeParsers()
    inner.addContentTypeParser('*', { parseAs: 'string', bodyLimit: BODY_MAX_BYTES }, (_, __, done) => done(null))
    inner.post(STOP_PATH, { schema: { hide: true } }, async (request, reply) => {
      const form = z.safeParse(StopForm, request.query)
      const order = form.success ? await findOrderOfToken(shop, form.data.token) : undefined
      if (!order) throw new Refusal('unknown_subscriber')
      if (!order.erasedAt)
        await shop.db.transaction((tx) => addOptOut(tx, order.customerEmail.toLowerCase(), shop.clock.now()))
      if (wantsPage(request)) return reply.redirect(`${paths.newsletter}?said=reviews_stopped`, 303)
      return reply.type('text/plain; charset=utf-8').header('cache-control', 'no-store').send('You are unsubscribed.\n')
    })
  })
}

const [STOP_PATH = ''] = stopReviewRequestsAtOnce('').split('?')
