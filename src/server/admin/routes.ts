import { readOrderNumber, type OrderNumber, type PaymentProvider, type UserId } from '#shared/ids.ts'
import { isMailName, type MailName } from '#domain/messages/mail-texts.ts'
import { formatUsd, negate, type Cents } from '#shared/money.ts'
import { nameOfMonth } from '#shared/month.ts'
import { isAccepted } from '#contract/below-floor.ts'
import { paths } from '#contract/paths.ts'
import { actorOf } from '#server/audit-log/audit-log.ts'
import { applySync, revertSync } from '#server/catalog/sync-decisions.ts'
import { listProductVersions, restoreProduct } from '#server/catalog/products.ts'
import { endCode, makeCode } from '#server/checkout/codes.ts'
import { cancelOrder, holdOrder, releaseOrder, resubmitOrder, submitNow } from '#server/fulfillment/owner-actions.ts'
import { correctEmail } from '#server/fulfillment/order-corrections.ts'
import { correctRecipient } from '#server/checkout/enter-code.ts'
import { giftCardFile, listGiftCards } from '#server/gift-cards/lists.ts'
import { giveGiftCard, voidGiftCard } from '#server/gift-cards/gift-cards.ts'
import { formatGiftCardCode } from '#domain/gift-cards/gift-card.ts'
import type { App } from '#server/http/app.ts'
import type { Context } from '#server/http/context.ts'
import { Refusal } from '#server/http/refusal.ts'
import { serve } from '#server/http/serve.ts'
import {
  listPurchaseFacts,
  readdressUnsent,
  refundPurchase,
  requireNotBought,
} from '#server/payments/gift-card-purchases.ts'
import { changeOrder, dropChange, previewChange } from '#server/payments/order-changes.ts'
import { recordManualRefund, previewRefund, refundOrder } from '#server/payments/refunds.ts'
import { answerReview, hideReview, publishReview, readAdminReviews, requireReview } from '#server/reviews/moderation.ts'
import type { Shop } from '#server/shop.ts'
import { answerProof } from './public-url-proof.ts'
import { latestChanges } from './changes.ts'
import { legalPageIn, publishLegalPage, showLegalPage } from './legal.ts'
import { publishLegalTranslation, readLegal, translationIn, withdrawLegalTranslation } from './legal-translations.ts'
import { previewMail, sendTestMail } from './mail-texts.ts'
import { CHANGE_IS_LIVE, readMailTexts, readSettings, saveMailTexts, saveSettings, undoSetting } from './settings.ts'
import { decideSync, listAdminProducts, listAdminSyncs, saveAdminProduct, showAdminSync, syncIdIn } from './products.ts'
import { saveProductPictures, showProductPictures } from './product-pictures.ts'
import { showDropBoard } from './drop-board.ts'
import { find } from './find.ts'
import { orderFile } from './order-file.ts'
import { countToDos, showOverview } from './home.ts'
import { showCodes } from './codes.ts'
import { readLog } from './log-view.ts'
import { makeJournalFile, saveBookkeeping, showBookkeeping } from './bookkeeping.ts'
import { deleteView, listViews, saveView } from './saved-views.ts'
import { closeMonth, listMonths, readMonthFile, reopenMonth, showMonth } from './months.ts'
import { acceptDispute, readPack, sendEvidence, showDisputes, showGiftCardDisputes } from './disputes.ts'
import { getOrder, addOrderNote, resendMail, searchOrders, showOrder } from './orders.ts'
import { roleMay } from '#domain/accounts/roles.ts'

/** Former addresses of the admin: bookmarks and old emails still work. */
function redirectFormerPages({ http }: App): void {
  http.get('/admin/content', { schema: { hide: true } }, (_, reply) => reply.redirect(paths.adminSettings, 301))
  for (const path of ['/desk', '/desk/*'])
    http.get(path, { schema: { hide: true } }, (request, reply) =>
      reply.redirect(request.url.replace(/^\/desk/, '/admin'), 301),
    )
}

export function adminRoutes(app: App, shop: Shop): void {
  redirectFormerPages(app)
  serve(app, 'admin', {
    home: () => countToDos(shop.db),
    log: (_, { query }) => readLog(shop.db, query.older),
    addressProof: async (_, { params }) => ({ answer: await answerProof(shop.db, params.question) }),
  })
  serve(app, 'adminOverview', { show: () => showOverview(shop) })
  serve(app, 'dropBoard', { show: (_, { params }) => showDropBoard(shop, params.id) })
  serve(app, 'adminFind', {
    find: async (context, { query }) => find(shop.db, query.q, (await context.session())?.user?.role ?? null),
  })
  serve(app, 'savedViews', {
    list: async (context) => ({ views: await listViews(shop.db, await userIdOf(context)) }),
    save: async (context, { body }) => {
      await saveView(shop, await userIdOf(context), body)
      return { done: `Saved as “${body.name}”.` }
    },
    delete: async (context, { params }) => {
      await deleteView(shop, await userIdOf(context), params.id)
      return { done: 'View deleted.' }
    },
  })
  serve(app, 'adminCodes', {
    list: () => showCodes(shop),
    make: async (context, { query, body }) => ({
      done: `${await makeCode(shop, body, isAccepted(query), await actorOf(context))} can be used.`,
    }),
    end: async (context, { params }) => ({
      done: `${await endCode(shop, params.id, await actorOf(context))} has ended.`,
    }),
  })
  serve(app, 'adminGiftCards', {
    list: async (_, { query }) => {
      const { cards, ...rest } = await listGiftCards(shop.db, query)
      const purchases = await listPurchaseFacts(shop, cards)
      return { ...rest, cards: cards.map((card) => ({ ...card, purchase: purchases.get(card.id) ?? null })) }
    },
    file: async () => giftCardFile(shop.db, (cards) => listPurchaseFacts(shop, cards)),
    give: async (context, { body: { email, ...given } }) => {
      const code = await giveGiftCard(shop, { ...given, recipientEmail: email }, await actorOf(context))
      return { done: `A gift card of ${formatUsd(given.amount)} was made.`, code: formatGiftCardCode(code) }
    },
    void: async (context, { params, body }) => {
      await requireNotBought(shop, params.id)
      const { balanceCents } = await voidGiftCard(shop, { id: params.id, reason: body.reason }, await actorOf(context))
      return { done: `${formatUsd(balanceCents)} taken back.` }
    },
    correct: async (context, { params: { id }, body: { email } }) => {
      if (await readdressUnsent(shop, { id, email }, await actorOf(context)))
        return { done: `It goes to ${email} on its day.` }
      await correctRecipient(shop, { id, email }, await actorOf(context))
      return { done: `A new code is on its way to ${email}. The old one can’t be used any more.` }
    },
    refund: async (context, { params, body: { amount, reason } }) => {
      await refundPurchase(shop, { id: params.id, seen: amount, reason }, await actorOf(context))
      return { done: `Refund of ${formatUsd(amount)} started.` }
    },
  })
  serve(app, 'adminMonths', {
    list: () => listMonths(shop),
    show: (_, { params }) => showMonth(shop, params.month),
    close: async (context, { params, query }) => {
      const { number, hash } = await closeMonth(shop, params.month, isAccepted(query), await actorOf(context))
      return { done: `${nameOfMonth(params.month)} is closed.`, number, hash }
    },
    reopen: async (context, { params: { month }, body }) => {
      const { number, hash } = await reopenMonth(shop, { month, reason: body.reason }, await actorOf(context))
      return { done: `${nameOfMonth(month)} is open again.`, number, hash }
    },
    file: (_, { params }) => readMonthFile(shop, params),
  })
  serve(app, 'adminDisputes', {
    ofOrder: async (_, { params }) => ({ disputes: await showDisputes(shop, params.number) }),
    ofGiftCard: async (_, { params }) => ({ disputes: await showGiftCardDisputes(shop, params.id) }),
    pack: (_, { params }) => readPack(shop, disputeIn(params)),
    send: async (context, { params }) => {
      await sendEvidence(shop, disputeIn(params), await actorOf(context))
      return { done: 'The evidence is on its way.' }
    },
    accept: async (context, { params }) => {
      await acceptDispute(shop, disputeIn(params), await actorOf(context))
      return { done: 'The dispute is being accepted.' }
    },
  })
  serve(app, 'adminBookkeeping', {
    show: () => showBookkeeping(shop),
    save: async (context, { body: { version, ...draft } }) => {
      await saveBookkeeping(shop, draft, version, await actorOf(context))
      return { done: 'Accounts saved' }
    },
    journals: (_, { params, query }) => makeJournalFile(shop, { ...params, dollarsPerEuro: query.dollarsPerEuro }),
  })
  serve(app, 'adminOrders', {
    list: (_, { query }) => searchOrders(shop.db, query),
    file: (_, { query }) => orderFile(shop.db, query.numbers.split(',')),
    show: async (context, { params }) => {
      const order = await showOrder(shop, params.number)
      const role = (await context.session())?.user?.role ?? null
      // What a sale leaves is a figure.
      return roleMay(role, 'read_figures')
        ? order
        : { ...order, amounts: { ...order.amounts, estimatedProfit: null, profit: null } }
    },
    note: async (context, { params, body }) => addOrderNote(shop, params.number, body.words, await actorOf(context)),
    previewRefund: (_, { params, body }) => previewRefund(shop, numberIn(params.number), body.wanted),
    refund: async (context, { params, body: { wanted, amount, limit, reason, asCredit } }) => {
      const by = await actorOf(context)
      const refund = await refundOrder(
        shop,
        numberIn(params.number),
        wanted,
        reason,
        by,
        { amount, limit },
        undefined,
        asCredit,
      )
      return { done: `Refund of ${formatUsd(refund.amount)} started.` }
    },
    payRefundAnotherWay: async (context, { params, body }) => {
      const { amountCents } = await recordManualRefund(shop, params.id, body.reference, await actorOf(context))
      return { done: `${formatUsd(amountCents)} recorded as paid another way.` }
    },
    hold: async (context, { params, body }) => {
      await holdOrder(shop, numberIn(params.number), body.reason, await actorOf(context))
      return { done: 'The order is on hold.' }
    },
    release: async (context, { params }) => {
      await releaseOrder(shop, numberIn(params.number), await actorOf(context))
      return { done: 'The order is going to the printer.' }
    },
    cancel: async (context, { params }) => {
      await cancelOrder(shop, numberIn(params.number), await actorOf(context))
      return { done: 'The order is canceled. The customer gets an email.' }
    },
    resubmit: async (context, { params }) => {
      const order = await resubmitOrder(shop, numberIn(params.number), await actorOf(context))
      return { done: await submitNow(shop, order) }
    },
    correctAddress: async (context, { params, body: { seen: version, ...recipient } }) => {
      const by = { kind: 'owner', actor: await actorOf(context) } as const
      const order = await getOrder(shop.db, params.number)
      const changed = await changeOrder(shop, order, { recipient }, by, { version })
      return { done: `${doneWith('Address corrected.', changed)} ${await submitNow(shop, changed.order)}` }
    },
    correctEmail: async (context, { params, body }) => {
      const by = { kind: 'owner', actor: await actorOf(context) } as const
      await correctEmail(shop, await getOrder(shop.db, params.number), body.email, by, body.seen)
      return { done: 'Email corrected. Bounced emails go out again.' }
    },
    resendMail: async (context, { params }) => resendMail(shop, params.number, params.mail, await actorOf(context)),
  })
  serve(app, 'orderChanges', {
    preview: async (_, { params, body }) => previewChange(shop, await getOrder(shop.db, params.number), body),
    change: async (context, { params, body: { difference, seen: version, ...wish } }) => {
      const by = { kind: 'owner', actor: await actorOf(context) } as const
      const seen = { seen: difference, ...(version !== undefined && { version }) }
      const changed = await changeOrder(shop, await getOrder(shop.db, params.number), wish, by, seen)
      return { done: doneWith('Order changed.', changed) }
    },
    drop: async (_, { params }) => {
      if (!(await dropChange(shop, await getOrder(shop.db, params.number)))) throw new Refusal('no_change_to_pay')
      return { done: 'Dropped. The order stays as it was.' }
    },
  })
  serve(app, 'settings', {
    list: () => readSettings(shop),
    save: async (context, { query, body }) =>
      saveSettings(shop, { changes: body, accepted: isAccepted(query) }, await actorOf(context)),
    undo: async (context, { params, query }) =>
      undoSetting(shop, { ...params, accepted: isAccepted(query) }, await actorOf(context)),
  })
  serve(app, 'adminMails', {
    list: () => readMailTexts(shop.db),
    save: async (context, { params, body }) => saveMailTexts(shop, mailIn(params), body, await actorOf(context)),
    preview: (_, { params, body }) => previewMail(shop, mailIn(params), body.texts),
    test: async (context, { params, body }) => sendTestMail(shop, mailIn(params), body.texts, await actorOf(context)),
  })
  serve(app, 'legal', {
    page: (_, { params, query }) => showLegalPage(shop.db, legalPageIn(params), query),
  })
  serve(app, 'adminLegal', {
    list: () => readLegal(shop.db),
    publish: async (context, { params, body }) =>
      publishLegalPage(shop, legalPageIn(params), body, await actorOf(context)),
    translate: async (context, { params, body }) =>
      publishLegalTranslation(shop, translationIn(params), body, await actorOf(context)),
    withdrawTranslation: async (context, { params }) =>
      withdrawLegalTranslation(shop, translationIn(params), await actorOf(context)),
  })
  serve(app, 'adminReviews', {
    reviews: (_, { query }) => readAdminReviews(shop.db, query),
    history: async (_, { params: { id } }) => {
      await requireReview(shop.db, id)
      return { actions: await latestChanges(shop.db, 'review', String(id)) }
    },
    publish: async (context, { params, body }) => {
      await publishReview(shop, { ...params, ...body, by: await actorOf(context) })
      return { done: 'Published. Shoppers see it now.' }
    },
    hide: async (context, { params, body }) => {
      await hideReview(shop, { ...params, ...body, by: await actorOf(context) })
      return { done: 'Hidden. Shoppers no longer see it.' }
    },
    answer: async (context, { params, body }) => {
      await answerReview(shop, { ...params, ...body, by: await actorOf(context) })
      return { done: body.text ? 'Your answer is public.' : 'Your answer is removed.' }
    },
  })
  serve(app, 'productPictures', {
    productPictures: (_, { params }) => showProductPictures(shop.db, params.id),
    saveProductPictures: async (context, { params, body }) => {
      await saveProductPictures(shop, params.id, body, await actorOf(context))
      return { done: 'Pictures saved.' }
    },
  })
  serve(app, 'adminProducts', {
    products: (_, { query }) => listAdminProducts(shop, query.after),
    saveProduct: async (context, { params, query, body }) => {
      await saveAdminProduct(shop, params.id, body, isAccepted(query), await actorOf(context))
      return { done: body.state === 'published' ? CHANGE_IS_LIVE : 'Saved.' }
    },
    productHistory: async (_, { params }) => ({ versions: await listProductVersions(shop.db, params.id) }),
    restoreProduct: async (context, { params, query, body }) => {
      await restoreProduct(shop, params.id, { ...body, accepted: isAccepted(query) }, await actorOf(context))
      return { done: `Version ${body.restored} is back.` }
    },
    syncs: () => listAdminSyncs(shop.db),
    sync: (_, { params }) => showAdminSync(shop, syncIdIn(params.id)),
    applySync: async (context, { params, query }) =>
      decideSync(shop, { ...params, accepted: isAccepted(query) }, await actorOf(context), applySync),
    revertSync: async (context, { params }) =>
      decideSync(shop, { ...params, accepted: true }, await actorOf(context), revertSync),
    applyChange: async (context, { params, query }) =>
      decideSync(shop, { ...params, accepted: isAccepted(query) }, await actorOf(context), applySync),
    revertChange: async (context, { params }) =>
      decideSync(shop, { ...params, accepted: true }, await actorOf(context), revertSync),
  })
}

/** @throws Refusal `not_signed_in` */
async function userIdOf({ session }: Pick<Context, 'session'>): Promise<UserId> {
  const user = (await session())?.user
  if (!user) throw new Refusal('not_signed_in')
  return user.id
}

/** What a change of an order has done. @param done the sentence for one that counts already */
function doneWith(done: string, { difference }: { difference: Cents }): string {
  if (difference > 0)
    return `The customer gets an email to pay ${formatUsd(difference)}. The order changes once that is paid, and waits until then.`
  return difference < 0 ? `${done} ${formatUsd(negate(difference))} is on its way back to the customer.` : done
}

const disputeIn = ({ provider, id: disputeId }: { provider: PaymentProvider; id: string }) => ({ provider, disputeId })

/** @throws Refusal `unknown_call` for an email that does not exist */
function mailIn({ mail }: { mail: string }): MailName {
  if (!isMailName(mail)) throw new Refusal('unknown_call')
  return mail
}

/** @throws Refusal `unknown_order` when the text is not an order number */
function numberIn(typed: string): OrderNumber {
  const number = readOrderNumber(typed)
  if (!number) throw new Refusal('unknown_order')
  return number
}
