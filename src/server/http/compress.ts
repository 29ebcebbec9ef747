import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

const compress = promisify(brotliCompress)

/** Less is sent as fast as it is. */
const WORTH_IT_CHARS = 4096
/** What is found is long, and holds no secret that a guess could be measured against. */
const OF_A_SEARCH = /^\/api\/search/

/** Makes a long answer of a search a tenth of its size, where the browser can read that. */
export async function compressLongAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  if (typeof payload !== 'string' || payload.length < WORTH_IT_CHARS || !OF_A_SEARCH.test(request.url)) return payload
  reply.header('vary', 'accept-encoding')
  if (!/\bbr\b/.test(request.headers['accept-encoding'] ?? '')) return payload
  reply.header('content-encoding', 'br').removeHeader('content-length')
  return compress(payload, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })
}
