import { actorOf } from '#server/audit-log/audit-log.ts'
import type { App } from '#server/http/app.ts'
import { serve } from '#server/http/serve.ts'
import type { Needs } from '#server/shop.ts'
import { readChat, addVisitorLine } from './chat.ts'
import { receiveMessage } from './contact.ts'
import { answerChat, answerMessage, archiveChat, archiveMessage, readChats, readMessages } from './inbox.ts'
import { mailPreview, readIssues, rewriteIssue, sendIssueLater, writeIssue } from './issues.ts'
import { endSubscriptionFor, readSubscribers, subscribe } from './newsletter.ts'

const done = { success: true as const }

export const messageRoutes = (app: App, shop: Needs<'db' | 'clock' | 'jobs' | 'config'>) =>
  serve(app, 'messages', {
    contact: async (context, { body }) => {
      // With a session, the rate limit counts this browser's own messages.
      await context.ensureSession()
      await receiveMessage(shop, body)
      return done
    },
    subscribe: async (context, { body }) => {
      await context.ensureSession()
      await subscribe(shop, body)
      return done
    },
    chat: async (context, { query }) => readChat(shop, (await context.session())?.id, query.after),
    say: async (context, { body }) => {
      const sessionId = await context.ensureSession()
      await addVisitorLine(shop, sessionId, body)
      return readChat(shop, sessionId)
    },
    messages: (_, { query }) => readMessages(shop, query.after),
    answerMessage: async (context, { params, body }) => {
      await answerMessage(shop, await actorOf(context), params.id, body.answer)
      return done
    },
    closeMessage: async (context, { params }) => {
      await archiveMessage(shop, await actorOf(context), params.id)
      return done
    },
    chats: (_, { query }) => readChats(shop, query.after),
    answerChat: async (context, { params, body }) => {
      await answerChat(shop, await actorOf(context), params.id, body.answer)
      return done
    },
    closeChat: async (context, { params }) => {
      await archiveChat(shop, await actorOf(context), params.id)
      return done
    },
    subscribers: (_, { query }) => readSubscribers(shop, query.after),
    issues: () => readIssues(shop),
    writeIssue: (_, { body }) => writeIssue(shop, body),
    rewriteIssue: async (_, { params, body }) => {
      await rewriteIssue(shop, params.id, body)
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
