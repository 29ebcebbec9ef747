import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AnswerOf, Call, Output } from '#contract/call.ts'
import { callGroups, type CallGroups } from '#contract/calls.ts'
import { requireAccess } from './access.ts'
import type { App } from './app.ts'
import type { Context } from './context.ts'
import { sendAnswer, type Answer } from './page-cache.ts'
import { Refusal } from './refusal.ts'

/** What a handler is given besides its context, parsed by the contract. */
type CallInput<C extends Call> = {
  body: Output<C['body']>
  params: Output<C['params']>
  query: Output<C['query']>
}

/** A download, streamed. */
export type FileAnswer = { name: string; type: string; bytes: Readable }

type CallAnswer<C extends Call> = C['answer'] extends 'file' ? FileAnswer : AnswerOf<C>

export type Handlers<Calls extends Record<string, Call>> = {
  [Name in keyof Calls]: (
    context: Context,
    asked: CallInput<Calls[Name]>,
  ) => Promise<CallAnswer<Calls[Name]>> | CallAnswer<Calls[Name]>
}

/** Refusals that any call can get before its handler runs. */
const everyCall = new Set([
  ...['malformed_json', 'malformed_request', 'too_large', 'wrong_type', 'invalid', 'foreign_origin', 'unknown_host'],
  ...[
    'too_many',
    'not_signed_in',
    'not_allowed',
    'second_factor_needed',
    'password_needed',
    'unavailable',
    'provider_unavailable',
  ],
])

/**
 * Binds calls to handlers. A call without a handler, a handler without a call and a wrong answer do not compile;
 * answers are parsed through the contract on the way out, so nothing that it does not name can leak.
 */
export function serve<Group extends keyof CallGroups>(
  app: App,
  group: Group,
  handlers: Handlers<CallGroups[Group]>,
): void {
  for (const [name, call] of Object.entries<Call>(callGroups[group])) {
    // The mapped type above has tied each handler to its call; here they are walked as one kind.
    const handler = (handlers as Record<string, unknown>)[name] as (context: Context, asked: unknown) => unknown
    const onRequest = call.shared ? sendCached(app) : app.addressLimitOf(call)
    app.http.route({
      method: call.method,
      url: call.path,
      schema: {
        summary: call.summary,
        ...(call.params && { params: call.params }),
        ...(call.query && { querystring: call.query }),
        ...(call.body && call.body !== 'bytes' && { body: call.body }),
        ...(typeof call.answer !== 'string' && { response: { 200: call.answer } }),
      },
      config: { call, rateLimit: app.limitOf(call) },
      ...(onRequest && { onRequest }),
      // Before the body is read: without access, nobody learns what is wrong with it.
      preParsing: async (request, reply) => requireAccess(call.access, app.contextOf(request, reply)),
      handler: async (request, reply) => {
        const context = app.contextOf(request, reply)
        const { body, params, query } = request
        try {
          if (call.shared) {
            const make = async () => buildAnswer(reply, await handler(context, { body, params, query }))
            return await sendAnswer(request, reply, await app.pageCache.answer(addressOf(request), make))
          }
          reply.header('cache-control', 'no-store')
          const answer = await handler(context, { body, params, query })
          if (call.answer === 'file') return await sendFile(request, reply, answer as FileAnswer)
          return await (call.answer === 'none' ? reply.code(204).send() : reply.send(answer))
        } catch (error) {
          if (error instanceof Refusal && !call.refusals.includes(error.code) && !everyCall.has(error.code))
            request.log.error({ code: error.code, call: call.path }, 'a refusal that the contract does not list')
          throw error
        }
      },
    })
  }
}

/** What is kept goes out before anything else is asked of the request; it costs too little to be counted. */
const sendCached =
  ({ pageCache }: App) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const answer = pageCache.fresh(request.url)
    return answer && sendAnswer(request, reply, answer)
  }

/** The path, and what the contract reads of the query. */
function addressOf({ url, query }: FastifyRequest): string {
  const known = Object.entries(query ?? {}).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [value].flat().map((one): [string, string] => [name, String(one)]),
  )
  const path = url.split('?', 1)[0] ?? url
  return known.length > 0 ? `${path}?${new URLSearchParams(known).toString()}` : path
}

/** Through the contract into bytes, once for all who ask, unless the handler says `no-store`. */
function buildAnswer(reply: FastifyReply, answer: unknown): Answer {
  const text = reply.serialize(answer) as string
  const value: unknown = JSON.parse(text)
  const link = reply.getHeader('link')
  const isOnce = reply.getHeader('cache-control') === 'no-store'
  return {
    ...{ status: 200, type: 'application/json; charset=utf-8', body: Buffer.from(text), value },
    ...{ isShared: !isOnce, isOnce },
    ...(typeof link === 'string' && { link }),
  }
}

function sendFile(request: FastifyRequest, reply: FastifyReply, { name, type, bytes }: FileAnswer): FastifyReply {
  reply.type(type).header('content-disposition', `attachment; filename="${name}"`)
  if (request.method === 'HEAD') {
    bytes.destroy()
    return reply.send()
  }
  // Headers are already sent: ending the connection shows the browser that the file is incomplete.
  bytes.once('error', (error) => request.log.error({ err: error, file: name }, 'a download failed'))
  return reply.send(bytes)
}
