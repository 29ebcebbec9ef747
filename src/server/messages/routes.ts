import { actorOf } from '#server/audit-log/audit-log.ts'
import type { App } from '#server/http/app.ts'
import { serve } from '#server/http/serve.ts'
import { authorizeOrderCustomer } from '#server/orders/access.ts'
import type { Needs } from '#server/shop.ts'
import { readChat, addVisitorLine } from './chat.ts'
import { receiveMessage } from './contact.ts'
import {
  addNote,
  answerConversation,
  beginConversation,
  closeOrReopen,
  findThreadOfOrder,
  listConversations,
  markThreadRead,
  showThread,
} from './inbox.ts'
import {
  countAudience,
  mailPreview,
  previewIssue,
  readIssues,
  rewriteIssue,
  scheduleIssue,
  sendIssueLater,
  unscheduleIssue,
  writeIssue,
} from './issues.ts'
import { addSavedReply, changeSavedReply, deleteSavedReply, listSavedReplies } from './saved-replies.ts'
import { readPhoto, showOrderConversation, writeAboutOrder } from './shopper-messages.ts'
import { endSubscriptionFor, readSubscribers, subscribe } from './newsletter.ts'

const done = { success: true as const }

export function messageRoutes(app: App, shop: Needs<'db' | 'clock' | 'jobs' | 'config'>): void {
  serve(app, 'messages', {
    contact: async (context, { body }) => {
      // With a session, the rate limit counts this browser's own messages.
      await context.ensureSession()
      await receiveMessage(shop, body, context.language)
      return done
    },
    subscribe: async (context, { body }) => {
      await context.ensureSession()
      await subscribe(shop, body, context.language)
      return done
    },
    chat: async (context, { query }) => readChat(shop, (await context.session())?.id, query.after),
    say: async (context, { body }) => {
      const sessionId = await context.ensureSession()
      await addVisitorLine(shop, sessionId, body, context.language)
      return readChat(shop, sessionId)
    },
    subscribers: (_, { query }) => readSubscribers(shop, query.after),
    issues: () => readIssues(shop),
    writeIssue: (_, { body }) => writeIssue(shop, body),
    rewriteIssue: async (_, { params, body }) => {
      await rewriteIssue(shop, params.id, body)
      return done
    },
    audience: (_, { body }) => countAudience(shop, body),
    showIssue: (_, { body }) => previewIssue(shop, body),
    scheduleIssue: async (context, { params, body }) => {
      await scheduleIssue(shop, await actorOf(context), params.id, new Date(body.sendAt))
      return done
    },
    unscheduleIssue: async (context, { params }) => {
      await unscheduleIssue(shop, await actorOf(context), params.id)
      return done
    },
    previewIssue: async (_, { params }) => {
      await mailPreview(shop, params.id)
      return done
    },
    sendIssue: async (context, { params }) => {
      await sendIssueLater(shop, await actorOf(context), params.id)
      return done
    },
    unsubscribe: async (context, { params }) => {
      await endSubscriptionFor(shop, await actorOf(context), params.id)
      return done
    },
  })
  serve(app, 'conversations', {
    show: async (context, { query }) =>
      showOrderConversation(shop.db, await authorizeOrderCustomer(shop, context, query)),
    write: async (context, { body }) => {
      await writeAboutOrder(shop, await authorizeOrderCustomer(shop, context, body), body)
      return { done: 'Sent. We answer by email, and here.' }
    },
    photo: async (context, { params, query }) =>
      readPhoto(shop.db, params.photo, await authorizeOrderCustomer(shop, context, query)),
  })
  serve(app, 'adminConversations', {
    list: (_, { query }) => listConversations(shop, query),
    thread: (_, { params }) => showThread(shop, params.id),
    ofOrder: async (_, { params }) => ({ id: await findThreadOfOrder(shop, params.number) }),
    begin: async (_, { params }) => ({ id: await beginConversation(shop, params.number) }),
    photo: (_, { params }) => readPhoto(shop.db, params.photo),
    markRead: async (_, { params, body }) => {
      await markThreadRead(shop, params.id, body.version)
      return done
    },
    answer: async (context, { params, body }) => {
      await answerConversation(shop, await actorOf(context), params.id, body)
      return { done: 'Answer sent' }
    },
    note: async (context, { params, body }) => {
      await addNote(shop, await actorOf(context), params.id, body.words)
      return { done: 'Note added' }
    },
    close: async (context, { params, body }) => {
      await closeOrReopen(shop, await actorOf(context), params.id, { step: 'close', version: body.version })
      return { done: 'Closed' }
    },
    reopen: async (context, { params, body }) => {
      await closeOrReopen(shop, await actorOf(context), params.id, { step: 'reopen', version: body.version })
      return { done: 'Reopened' }
    },
    replies: async () => ({ replies: await listSavedReplies(shop.db) }),
    addReply: async (context, { body }) => ({ id: await addSavedReply(shop, await actorOf(context), body) }),
    changeReply: async (context, { params, body }) => {
      await changeSavedReply(shop, await actorOf(context), params.id, body)
      return { done: 'Reply saved' }
    },
    deleteReply: async (context, { params }) => {
      await deleteSavedReply(shop, await actorOf(context), params.id)
      return { done: 'Reply deleted' }
    },
  })
}
