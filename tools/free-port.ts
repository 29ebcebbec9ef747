import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'

/** A port of this machine's own address that nobody has at the moment. */
export const freePort = (): Promise<number> =>
  new Promise((tell) => {
    const probe = createServer()
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => tell(port))
    })
  })
