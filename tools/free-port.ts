import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'

/** @returns a TCP port that is free on loopback right now */
export const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const probe = createServer()
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })
