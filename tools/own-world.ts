import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { freePort } from './free-port.ts'

const ROOT = join(import.meta.dirname, '..')
const READY_WITHIN_MS = 120_000

/** Starts a sandbox shop for a tool: in memory, on free ports, gone with `close`. @throws Error when it does not start */
export async function startOwnWorld(): Promise<{ shop: string; sandbox: string; close(): Promise<void> }> {
  const [port, sandboxPort] = [await freePort(), await freePort()]
  const world = spawn(process.execPath, ['sandbox/main.ts', '--empty'], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      PORT: String(port),
      SANDBOX_PORT: String(sandboxPort),
      DATA_DIR: 'memory://',
      RATE_LIMIT_SCALE: '1000',
      CHANGE_WINDOW_S: '0',
    },
  })
  // The child ends with this process, however that ends.
  process.once('exit', () => world.kill('SIGTERM'))
  const ended = new Promise<void>((resolve) => {
    world.once('exit', () => resolve())
  })
  const shop = `http://127.0.0.1:${port}`
  const close = () => {
    world.kill('SIGTERM')
    return ended
  }
  const giveUpAt = Date.now() + READY_WITHIN_MS
  while (!(await isReady(shop))) {
    if (Date.now() > giveUpAt || world.exitCode !== null) {
      await close()
      throw new Error('The sandbox shop did not start. Run "npm start" to see why.')
    }
    await new Promise((later) => setTimeout(later, 250))
  }
  return { shop, sandbox: `http://127.0.0.1:${sandboxPort}`, close }
}

const isReady = (shop: string): Promise<boolean> =>
  fetch(`${shop}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )
