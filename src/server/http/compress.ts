import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

const compress = promisify(brotliCompress)

/** Below this size compression saves no time. */
const WORTH_IT_CHARS = 4096
/** Search results are long and contain no secrets that compression could leak. */
const OF_A_SEARCH = /^\/api\/search/

/** Compresses long search results for browsers that accept brotli. */
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
