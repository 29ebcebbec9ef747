import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { startRoundRobin } from '../test/journeys/round-robin.ts'

// Threads of `drop-rush.ts`: the proxy before the instances, and an honest visitor of the rest of the shop. In the thread that plays a crowd
// of thousands both would wait for the crowd, and not for the shop.

type Work = { kind: 'proxy'; servers: readonly string[]; port: number } | { kind: 'visitor'; address: string }

const ASK_EVERY_MS = 250
const PATHS = ['/', '/products', '/api/products', '/search?q=mug']

const startThread = (work: Work) => new Worker(new URL(import.meta.url), { workerData: work })

/** @returns its address */
export async function startProxyThread(servers: readonly string[], port: number) {
  const thread = startThread({ kind: 'proxy', servers, port })
  const [address] = (await once(thread, 'message')) as [string]
  return { address, close: () => thread.terminate() }
}

/** An honest visitor asks for pages again and again. @returns `leave` gives the milliseconds of each answer */
export function startVisitor(address: string): { leave(): Promise<number[]> } {
  const thread = startThread({ kind: 'visitor', address })
  const times: number[] = []
  thread.on('message', (ms: number) => times.push(ms))
  return {
    async leave() {
      await thread.terminate()
      return times
    },
  }
}

async function visit(address: string, tell: (ms: number) => void): Promise<never> {
  for (let turn = 0; ; turn += 1) {
    const from = performance.now()
    const answer = await fetch(address + (PATHS[turn % PATHS.length] ?? '/')).catch(() => undefined)
    await answer?.arrayBuffer().catch(() => undefined)
    if (answer?.ok) tell(performance.now() - from)
    await wait(ASK_EVERY_MS)
  }
}

if (!isMainThread) {
  const work = workerData as Work
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  const tell = (message: string | number) => parentPort?.postMessage(message)
  if (work.kind === 'proxy') tell((await startRoundRobin(work.servers, work.port)).address)
  else await visit(work.address, tell)
}
