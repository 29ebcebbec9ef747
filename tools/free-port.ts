import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Below the ports that systems give to outgoing connections: one of those could be taken again before the caller listens. */
const [FIRST, LAST] = [15_000, 32_000]

/** @returns a TCP port that is free on loopback right now */
export const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const port = randomInt(FIRST, LAST)
    const probe = createServer()
    probe.once('error', () => resolve(freePort()))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(port)))
  })
