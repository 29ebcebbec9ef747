import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// Only one process may open the embedded database, so owner commands go through the running shop by a socket.

/** Some systems cannot bind longer paths. */
const PATH_MAX_BYTES = 100

function socketPath(dataDir: string): string {
  const path = join(dataDir, 'owner.sock')
  if (Buffer.byteLength(path) <= PATH_MAX_BYTES) return path
  return join(tmpdir(), `${createHash('sha256').update(dataDir).digest('hex').slice(0, 32)}.sock`)
}

/** @param answer runs a command; its result is sent as JSON, an error as its message */
export function listenForOwner(
  dataDir: string,
  answer: (args: readonly string[]) => Promise<unknown>,
): Promise<Server> {
  const path = socketPath(dataDir)
  rmSync(path, { force: true })
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    // A command that was interrupted must not crash the shop.
    socket.on('error', () => {})
    void (async () => {
      try {
        const args = JSON.parse(await readToEnd(socket)) as string[]
        socket.end(JSON.stringify({ answer: await answer(args) }))
      } catch (error) {
        socket.end(JSON.stringify({ error: error instanceof Error ? error.message : String(error) }))
      }
    })()
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, () => resolve(server))
  })
}

/** @returns undefined when no shop is running @throws Error with the shop's message when the command failed */
export async function sendToShop(dataDir: string, args: readonly string[]): Promise<{ answer: unknown } | undefined> {
  const socket = connect(socketPath(dataDir))
  const connected = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
  })
  if (!connected) return undefined
  socket.end(JSON.stringify(args))
  const reply = JSON.parse(await readToEnd(socket)) as { answer: unknown; error?: string }
  if (reply.error) throw new Error(reply.error)
  return reply
}

/** Reads until the other side ends its half; ours stays open for the answer. */
function readToEnd(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.once('end', () => resolve(Buffer.concat(chunks).toString('utf8')))
    socket.once('error', reject)
  })
}
