import type { OrderKey } from '#contract/orders.ts'
import { formatOrderNumber, readOrderNumber } from '#shared/ids.ts'
import { formatUsd } from '#shared/money.ts'
import { actorOf } from '#server/audit-log/audit-log.ts'
import type { App } from '#server/http/app.ts'
import type { Context } from '#server/http/context.ts'
import { Refusal } from '#server/http/refusal.ts'
import { serve } from '#server/http/serve.ts'
import { authorizeOrderAccess, authorizeOrderCustomer } from '#server/orders/access.ts'
import { receivePicture, servePictures } from '#server/pictures/upload-queue.ts'
import type { Needs } from '#server/shop.ts'
import { listAdminClaims } from './admin-list.ts'
import { answerClaim, openClaim, withdraw } from './claims.ts'
import { showOrderClaims } from './claim-view.ts'
import { expectNoCredit, markPrinterTold, refundClaim, replaceClaim, writeToClaimant } from './decisions.ts'
import { chooseForParcel, showParcelNotices } from './parcel-choices.ts'
import { declareLost } from './parcel-watch.ts'
import { PHOTO_FILES, readLinkedPhoto, readPhoto, storePhoto } from './photos.ts'
import { readFigures } from './store.ts'
import { saveWithdrawalRights, showWithdrawalRights } from './withdrawal.ts'

const SENT = 'Thank you. We’ve got your report and will email you.'

export async function claimRoutes(
  app: App,
  shop: Needs<'db' | 'clock' | 'jobs' | 'config' | 'log' | 'payments' | 'printful' | 'pictureProcess'>,
): Promise<void> {
  const { db, clock } = shop
  const accessOf = (context: Context, key: OrderKey) => authorizeOrderCustomer(shop, context, key)
  await servePictures(app, (uploads) =>
    serve(uploads, 'claimPhotos', {
      upload: async (context, { body, query }) => {
        const { order } = await accessOf(context, query)
        return receivePicture(body, async (bytes) => ({ id: await storePhoto(shop, order, bytes) }))
      },
    }),
  )
  serve(app, 'claims', {
    show: async (context, { query }) => showOrderClaims(db, await accessOf(context, query), clock.now()),
    photo: async (context, { params, query }) => readPhoto(db, params.photo, (await accessOf(context, query)).order.id),
    claim: async (context, { body }) => {
      await openClaim(shop, (await accessOf(context, body)).order, body)
      return { done: SENT }
    },
    answer: async (context, { params, body }) => {
      await answerClaim(shop, (await accessOf(context, body)).order, params.id, body)
      return { done: SENT }
    },
    withdraw: async (context, { body }) => {
      await withdraw(shop, (await accessOf(context, body)).order, body)
      return { done: 'We’ve received your withdrawal. The receipt is on its way to your email.' }
    },
  })
  serve(app, 'parcelChoices', {
    show: async (context, { query }) => {
      const { order, mayCorrect } = await authorizeOrderAccess(shop, context, query)
      return {
        notices: mayCorrect ? await showParcelNotices(db, order) : [],
        country: order.shippingAddress.country,
      }
    },
    choose: async (context, { params, body: { choice, recipient, ...key } }) => ({
      done: await chooseForParcel(shop, (await accessOf(context, key)).order, params.id, { choice, recipient }),
    }),
  })
  serve(app, 'adminParcels', {
    lose: async (context, { params }) => {
      const number = readOrderNumber(params.number)
      if (!number) throw new Refusal('unknown_order')
      await declareLost(shop, number, params.id, await actorOf(context))
      return { done: 'Noted. The customer gets an email and chooses what happens now.' }
    },
  })
  serve(app, 'adminClaims', {
    list: (_, { query }) => listAdminClaims(shop, query),
    photo: (_, { params }) => readPhoto(db, params.photo),
    ask: async (context, { params, body: { words } }) => {
      await writeToClaimant(shop, params.id, { step: 'ask', words }, await actorOf(context))
      return { done: 'Sent. The claim waits for the answer.' }
    },
    refuse: async (context, { params, body: { words } }) => {
      await writeToClaimant(shop, params.id, { step: 'refuse', words }, await actorOf(context))
      return { done: 'Refused. The customer gets your words by email.' }
    },
    settle: async (context, { params, body: { words } }) => {
      await writeToClaimant(shop, params.id, { step: 'settle', words }, await actorOf(context))
      return { done: 'Closed. The customer gets your words by email.' }
    },
    refund: async (context, { params, body }) => {
      await refundClaim(shop, params.id, body, await actorOf(context))
      return { done: `Refund of ${formatUsd(body.amount)} started.` }
    },
    replace: async (context, { params }) => {
      const number = await replaceClaim(shop, params.id, await actorOf(context))
      return {
        done: `Replacement ${formatOrderNumber(number)} is on its way to the printer. The customer gets an email.`,
      }
    },
    tellPrinter: async (context, { params }) => {
      await markPrinterTold(shop, params.id, await actorOf(context))
      return { done: 'Noted. The printer’s credit shows up here once it is booked.' }
    },
    expectNoCredit: async (context, { params }) => {
      await expectNoCredit(shop, params.id, await actorOf(context))
      return { done: 'Noted. No credit is expected for this claim.' }
    },
    figures: async (_, { query: { by = 'product' } }) => ({ rows: await readFigures(db, by) }),
    withdrawalRights: () => showWithdrawalRights(db),
    saveWithdrawalRights: async (context, { body }) => saveWithdrawalRights(shop, body, await actorOf(context)),
  })
  app.http.get<{ Params: { token: string } }>(
    `${PHOTO_FILES}:token`,
    { schema: { hide: true } },
    async ({ params }, reply) =>
      reply
        .type('image/webp')
        .header('cache-control', 'private, no-store')
        .send(await readLinkedPhoto(shop, params.token)),
  )
}
