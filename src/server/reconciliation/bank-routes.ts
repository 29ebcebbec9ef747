import type { FastifyRequest } from 'fastify'
import { STATEMENT_MAX_BYTES } from '#contract/admin-bank.ts'
import { actorOf } from '#server/audit-log/audit-log.ts'
import { readBounded } from '#server/files/bounded-bytes.ts'
import type { App } from '#server/http/app.ts'
import { Refusal } from '#server/http/refusal.ts'
import { serve } from '#server/http/serve.ts'
import { UPLOAD_MS } from '#server/limits/load-shedding.ts'
import { createSemaphore } from '#server/limits/semaphore.ts'
import type { Needs } from '#server/shop.ts'
import { addStatement, explainPayout, matchByHand, showBank, takeApart } from './bank.ts'

/** Each holds a statement in memory, and its tree. */
const uploadLimits = { atOnce: 1, waitingMax: 5, waitMaxMs: UPLOAD_MS }

export async function bankRoutes(app: App, shop: Needs<'db' | 'clock' | 'config' | 'stripe'>): Promise<void> {
  const inTurn = createSemaphore(uploadLimits)
  await app.http.register((http, _, registered) => {
    // Browsers name such files differently; what they are decides.
    http.removeAllContentTypeParsers()
    http.addContentTypeParser('*', (_request: FastifyRequest, payload, done) => done(null, payload))
    serve({ ...app, http }, 'bankUploads', {
      upload: async (context, { query, body }) => {
        const by = await actorOf(context)
        return inTurn(async () => {
          const bytes = await readBounded(body, STATEMENT_MAX_BYTES)
          if (!bytes) throw new Refusal('statement_too_large')
          const report = await addStatement(shop, { bytes, name: query.name ?? 'statement' }, by)
          return { ...report, done: sentenceOf(report) }
        })
      },
    })
    registered()
  })
  serve(app, 'adminBank', {
    show: () => showBank(shop),
    match: async (context, { params, body }) => {
      await matchByHand(shop, params.id, body, await actorOf(context))
      return { done: 'Matched.' }
    },
    unmatch: async (context, { params }) => {
      await takeApart(shop, params.id, await actorOf(context))
      return { done: 'Taken apart.' }
    },
    payout: (_, { params }) => explainPayout(shop, params.provider, params.id),
  })
}

function sentenceOf({ added, known, matched }: { added: number; known: number; matched: number }): string {
  const deposits = (count: number) => (count === 1 ? '1 deposit' : `${count} deposits`)
  if (added === 0) return known === 0 ? 'There are no deposits in this file.' : 'These deposits were here before.'
  return `${deposits(added)} added${known > 0 ? `, ${deposits(known)} known before` : ''}; ${matched} matched.`
}
