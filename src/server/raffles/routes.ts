import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { rafflePaths } from '#contract/raffle-paths.ts'
import { raffleCalls, RaffleEntryForm } from '#contract/raffles.ts'
import { entriesFile } from '#domain/raffles/draw.ts'
import { formatOrderNumber } from '#shared/ids.ts'
import { inLanguage } from '#shared/language.ts'
import { actorOf } from '#server/audit-log/audit-log.ts'
import type { App } from '#server/http/app.ts'
import { catchRefusalCode, plainForms, takeForm, typedFields } from '#server/http/forms.ts'
import { languageOfRequest } from '#server/http/language.ts'
import { sendPlainPage } from '#server/http/plain-page.ts'
import { serve } from '#server/http/serve.ts'
import { readSiteSettingsCached } from '#server/settings/site-settings.ts'
import type { Needs } from '#server/shop.ts'
import { announceRaffle, closeRaffle, makeRaffle, showRaffles } from './admin-raffles.ts'
import { claimAgain, entryAgain } from './form-pages.ts'
import { claimPrize, showEntry } from './prize.ts'
import { confirmEntry, enterRaffle, publishedDraw, requireRaffle, showRaffle, withdrawEntry } from './raffles.ts'
import { listCommitments } from './store.ts'

const ASKED = 'If you haven’t entered yet, we just sent you an email. Press its button, and you’re in.'
const CHECK = join(import.meta.dirname, 'draw-check.mjs')

type SlugRequest = { Params: { slug: string } }
type FormRequest = { Body: unknown }

export async function raffleRoutes(app: App, shop: Needs<'db' | 'clock' | 'jobs' | 'config' | 'drand'>): Promise<void> {
  const { db } = shop
  serve(app, 'raffles', {
    show: async (_, { params }) => showRaffle(shop, await requireRaffle(db, params.slug)),
    enter: async (context, { params, body }) => {
      await context.ensureSession()
      await enterRaffle(shop, params.slug, body, context.language)
      return { done: ASKED }
    },
    entry: (_, { query }) => showEntry(shop, query.token),
    confirm: async (_, { body }) => {
      await confirmEntry(shop, body.token)
      return { done: 'You’re in. Good luck!' }
    },
    withdraw: async (_, { body }) => {
      await withdrawEntry(shop, body.token)
      return { done: 'Your entry and your data are deleted.' }
    },
    claim: async (_, { body: { token, variantId, ...customer } }) => {
      const orderNumber = await claimPrize(shop, token, variantId, customer)
      return { done: `Your prize is order ${formatOrderNumber(orderNumber)}. An email is on its way.`, orderNumber }
    },
  })
  serve(app, 'adminRaffles', {
    list: () => showRaffles(shop),
    make: async (context, { body }) => {
      await makeRaffle(shop, body, await actorOf(context))
      return { done: 'Saved as a draft. Announce it when it is right.' }
    },
    announce: async (context, { params }) => {
      await announceRaffle(shop, params.id, await actorOf(context))
      return { done: 'Announced.' }
    },
    close: async (context, { params }) => {
      await closeRaffle(shop, params.id, await actorOf(context))
      return { done: 'Called off. Its entries are deleted.' }
    },
  })

  // The files with which anybody checks a draw.
  const { http } = app
  const hidden = { schema: { hide: true } }
  http.get<SlugRequest>('/api/raffles/:slug/draw.json', hidden, async ({ params }, reply) =>
    reply.header('cache-control', 'no-cache').send(await publishedDraw(db, await requireRaffle(db, params.slug))),
  )
  http.get<SlugRequest>('/api/raffles/:slug/entries.txt', hidden, async ({ params }, reply) => {
    const raffle = await requireRaffle(db, params.slug)
    const entries = (await listCommitments(db, raffle.id)).map(({ commitment }) => commitment)
    return reply.header('cache-control', 'no-cache').type('text/plain; charset=utf-8').send(entriesFile(entries))
  })
  const check = await readFile(CHECK)
  http.get(rafflePaths.check, hidden, async (_, reply) =>
    reply.header('cache-control', 'no-cache').type('text/javascript; charset=utf-8').send(check),
  )

  await plainForms(app, shop.config.publicUrl, (forms) => {
    const count = app.addressLimitOf(raffleCalls.enter)
    const limits = { config: { rateLimit: app.limitOf(raffleCalls.enter) }, ...(count && { onRequest: count }) }
    forms.post<SlugRequest & FormRequest>(
      '/raffle/:slug',
      { schema: { hide: true }, ...limits },
      async (request, reply) => {
        const raffle = await requireRaffle(db, request.params.slug)
        const language = languageOfRequest(request)
        const typed = typedFields(request.body)
        const enter = (form: RaffleEntryForm) => enterRaffle(shop, raffle.slug, form, language)
        const mistakes = await takeForm(RaffleEntryForm, typed, enter, language)
        if (!mistakes) return reply.redirect(`${rafflePaths.page(raffle.slug)}?said=asked#enter`, 303)
        const { name: shopName } = await readSiteSettingsCached(db)
        const page = inLanguage(language, () => entryAgain({ raffle, typed, mistakes, shopName }))
        return sendPlainPage(reply.code(mistakes.status), page)
      },
    )
    forms.post<FormRequest>(rafflePaths.entry, { schema: { hide: true }, ...limits }, async (request, reply) => {
      const form = z.safeParse(EntryForm, request.body)
      if (!form.success) return reply.redirect(rafflePaths.entry, 303)
      const { wish, token } = form.data
      if (wish === 'claim') {
        const typed = typedFields(request.body)
        const language = languageOfRequest(request)
        const claim = ({ variantId, ...customer }: z.output<typeof raffleCalls.claim.body>) =>
          claimPrize(shop, token, variantId, customer)
        const mistakes = await takeForm(raffleCalls.claim.body, claimIn(typed), claim, language)
        const { raffle, prize } = mistakes ? await showEntry(shop, token) : {}
        // Without a prize, the entry's page says why.
        if (!mistakes || !raffle || !prize || prize.isClaimed)
          return reply.redirect(rafflePaths.entryByToken(encodeURIComponent(token)), 303)
        const shopName = (await readSiteSettingsCached(db)).name
        const { variants } = prize
        const page = inLanguage(language, () => claimAgain({ raffle, token, variants, typed, mistakes, shopName }))
        return sendPlainPage(reply.code(mistakes.status), page)
      }
      const act = wish === 'confirm' ? confirmEntry(shop, token) : withdrawEntry(shop, token)
      const failure = await catchRefusalCode(() => act)
      // A withdrawn entry has no page anymore.
      const search = new URLSearchParams({
        ...(wish === 'confirm' && { token }),
        said: failure ?? (wish === 'confirm' ? 'confirmed' : 'withdrawn'),
      })
      return reply.redirect(`${rafflePaths.entry}?${search.toString()}`, 303)
    })
  })
}

/** A form has flat names, and sends what was left empty. */
function claimIn({ variantId, tax_number: taxNumber, ...typed }: Record<string, string>): object {
  const part = (name: string) => typed[`shippingAddress.${name}`] ?? ''
  const { name, token } = typed
  return {
    ...{ token, name, variantId: Number(variantId), ...(taxNumber && { tax_number: taxNumber }) },
    shippingAddress: {
      ...{ line1: part('line1'), line2: part('line2') || null, city: part('city'), country: part('country') },
      ...{ state: part('state') || null, postal_code: part('postal_code') || null },
    },
  }
}

const EntryForm = z.object({
  wish: z.enum(['confirm', 'withdraw', 'claim']),
  token: z.string().check(z.minLength(1), z.maxLength(100)),
})
