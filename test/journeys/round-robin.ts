import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A minimal proxy: each request goes to the next server, and unreachable servers are skipped.
 * @param port where it listens; a free one by default
 */
export async function startRoundRobin(first: readonly string[], port = 0) {
  let servers = first
  let next = 0
  const taken = new Map<string, number>()
  const proxy = createServer((incoming, answer) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => pass(Buffer.concat(chunks), servers.length))

    function pass(body: Buffer, tries: number): void {
      const server = servers[(next += 1) % servers.length] ?? ''
      const { hostname, port } = new URL(server)
      const { method, url: path, headers } = incoming
      const passed = request({ hostname, port, method, path, headers }, (upstream) => {
        taken.set(server, (taken.get(server) ?? 0) + 1)
        answer.writeHead(upstream.statusCode ?? 502, upstream.rawHeaders)
        upstream.pipe(answer)
      })
      passed.once('error', () => {
        if (tries > 1 && !answer.headersSent) pass(body, tries - 1)
        else answer.destroy()
      })
      passed.end(body)
    }
  })
  await new Promise<void>((listening) => {
    proxy.listen(port, '127.0.0.1', listening)
  })
  return {
    address: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    use(others: readonly string[]) {
      servers = others
      taken.clear()
    },
    /** How many requests each server has answered. */
    taken: () => servers.map((server) => taken.get(server) ?? 0),
    close: () => {
      proxy.closeAllConnections()
      proxy.close()
    },
  }
}
