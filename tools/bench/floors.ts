import { createServer, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import pg from 'pg'

// The minimal servers that the shop is compared with, in a separate process: one returns the same bytes, one inserts a row, one
// writes the rows of an order in one transaction, one sends the first products that an index finds. Answers and rows are set by POST
// before the measurement.

type Answer = { status: number; headers: Record<string, string>; body: Buffer }
type Insert = { text: string; values: unknown[] }

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10 })
await pool.query(
  `create schema if not exists bench;
   create table if not exists bench.cart_row
     (id bigint generated always as identity primary key, product text, quantity int, at timestamptz default now())`,
)
const answers = new Map<string, Answer>()
let order: readonly Insert[] = []

async function json<T>(request: IncomingMessage): Promise<T> {
  return JSON.parse((await buffer(request)).toString('utf8')) as T
}

async function writeOrder(): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    for (const { text, values } of order) await client.query({ name: text.slice(0, 60), text, values })
    await client.query('commit')
  } finally {
    client.release()
  }
}

/** Nothing else of a search: no order, no count, no filters, no pictures. */
async function findProducts(word: string): Promise<Buffer> {
  const { rows } = await pool.query({
    name: 'search',
    text: `select id, name, collection, type from product where search_words @@ phraseto_tsquery('english', $1) limit 60`,
    values: [word],
  })
  return Buffer.from(JSON.stringify(rows))
}

async function answer(request: IncomingMessage): Promise<Answer> {
  const ok: Answer = { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from('{}') }
  const { method, url = '' } = request
  const word = /^\/search\?q=(.+)$/.exec(url)?.[1]
  if (word !== undefined) return { ...ok, body: await findProducts(decodeURIComponent(word)) }
  if (method === 'GET') return answers.get(url) ?? ok
  if (url === '/row') {
    const { productId, quantity } = await json<{ productId: string; quantity: number }>(request)
    await pool.query({
      name: 'row',
      text: 'insert into bench.cart_row (product, quantity) values ($1, $2) returning id',
      values: [productId, quantity],
    })
    return ok
  }
  if (url === '/order') await writeOrder()
  if (url === '/to-write') order = await json<Insert[]>(request)
  if (url === '/to-answer') {
    const configured = await json<{ url: string; status: number; headers: Record<string, string>; body: string }>(
      request,
    )
    answers.set(configured.url, { ...configured, body: Buffer.from(configured.body, 'base64') })
  }
  return ok
}

const server = createServer((request, response) => {
  answer(request).then(
    ({ status, headers, body }) => response.writeHead(status, { ...headers, 'content-length': body.length }).end(body),
    (error: unknown) => {
      console.error(error)
      response.writeHead(500).end()
    },
  )
})
server.listen(Number(process.env['PORT']), '127.0.0.1')
process.once('SIGTERM', () => {
  server.close()
  server.closeAllConnections()
  void pool.end()
})
