import { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { OrderKey } from '#contract/orders.ts'
import { CLAIM_PHOTO_MAX_BYTES } from '#domain/claims/claim.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { formatUsd } from '#shared/money.ts'
import { actorOf } from '#server/audit-log/audit-log.ts'
import type { App } from '#server/http/app.ts'
import type { Context } from '#server/http/context.ts'
import { Refusal } from '#server/http/refusal.ts'
import { serve } from '#server/http/serve.ts'
import { UPLOAD_MS } from '#server/limits/load-shedding.ts'
import { createSemaphore } from '#server/limits/semaphore.ts'
import { authorizeOrderAccess } from '#server/orders/access.ts'
import type { Needs } from '#server/shop.ts'
import { listAdminClaims } from './admin-list.ts'
import { answerClaim, openClaim, withdraw } from './claims.ts'
import { showOrderClaims } from './claim-view.ts'
import { markPrinterTold, refundClaim, replaceClaim, writeToClaimant } from './decisions.ts'
import { PHOTO_FILES, readLinkedPhoto, readPhoto, readPhotoBytes, storePhoto } from './photos.ts'
import { readFigures } from './store.ts'
import { saveWithdrawalRights, showWithdrawalRights } from './withdrawal.ts'

/** Each may hold 20 MB in memory. */
const uploadLimits = { atOnce: 2, waitingMax: 10, waitMaxMs: UPLOAD_MS }

const SENT = 'Thank you. We’ve got your report and will email you.'

export async function claimRoutes(
  app: App,
  shop: Needs<'db' | 'clock' | 'jobs' | 'config' | 'log' | 'payments' | 'pictureProcess'>,
): Promise<void> {
  const { db, clock } = shop
  /** Like corrections: knowing only number and email, or having an expired link, is not enough. */
  const accessOf = async (context: Context, { token, session_id, order }: OrderKey) => {
    const seen = await authorizeOrderAccess(shop, context, { token, session_id, order })
    if (!seen.mayCorrect) throw new Refusal('order_not_shown')
    return seen
  }
  const inTurn = createSemaphore(uploadLimits)
  await app.http.register(async (http) => {
    // Bytes of any declared type: what they are is found by their content.
    http.removeAllContentTypeParsers()
    http.addContentTypeParser('*', async (request: FastifyRequest, payload: AsyncIterable<Uint8Array>) => {
      if (Number(request.headers['content-length'] ?? 0) > CLAIM_PHOTO_MAX_BYTES) throw new Refusal('photo_too_large')
      // Nothing moves on the connection while the photo is decoded. The shop's calls to itself have none.
      if (request.socket instanceof Socket) request.socket.setTimeout(UPLOAD_MS)
      return payload
    })
    serve({ ...app, http }, 'claimPhotos', {
      upload: async (context, { body, query }) => {
        const { order } = await accessOf(context, query)
        return inTurn(async () => ({ id: await storePhoto(shop, order, await readPhotoBytes(body)) }))
      },
    })
  })
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
    figures: async () => ({ rows: await readFigures(db) }),
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
