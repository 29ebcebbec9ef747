import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// Only one process may open the embedded database, so the owner's commands ask the shop that has it open.

/** Longer paths than this cannot be bound on some systems. */
const PATH_MAX_BYTES = 100

/** Where a shop on this folder listens for its owner. */
function socketPath(dataDir: string): string {
  const path = join(dataDir, 'owner.sock')
  if (Buffer.byteLength(path) <= PATH_MAX_BYTES) return path
  return join(tmpdir(), `${createHash('sha256').update(dataDir).digest('hex').slice(0, 32)}.sock`)
}

/** @param answer what a command's arguments are answered with, as JSON; a throw becomes its sentence */
export function listenForOwner(
  dataDir: string,
  answer: (args: readonly string[]) => Promise<unknown>,
): Promise<Server> {
  const path = socketPath(dataDir)
  rmSync(path, { force: true })
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    // A command that went away in the middle must not end the shop.
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
  return new Promise((ready, fail) => {
    server.once('error', fail)
    server.listen(path, () => ready(server))
  })
}

/** @returns undefined when no shop listens there @throws Error with the shop's sentence when it could not do it */
export async function askShop(dataDir: string, args: readonly string[]): Promise<{ answer: unknown } | undefined> {
  const socket = connect(socketPath(dataDir))
  const connected = await new Promise<boolean>((tell) => {
    socket.once('connect', () => tell(true))
    socket.once('error', () => tell(false))
  })
  if (!connected) return undefined
  socket.end(JSON.stringify(args))
  const reply = JSON.parse(await readToEnd(socket)) as { answer: unknown; error?: string }
  if (reply.error) throw new Error(reply.error)
  return reply
}

/** All that the other side says before it ends its half; ours stays open, or the answer could not be sent. */
function readToEnd(socket: Socket): Promise<string> {
  return new Promise((tell, fail) => {
    const chunks: Buffer[] = []
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.once('end', () => tell(Buffer.concat(chunks).toString('utf8')))
    socket.once('error', fail)
  })
}
