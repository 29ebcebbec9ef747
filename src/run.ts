import { createServer } from 'node:net'
import { ConfigError, type Config } from '#server/config/config.ts'
import { loadConfig } from '#server/config/load-config.ts'
import { loadRenderer } from '#server/http/pages.ts'
import { createLog } from '#server/log/log.ts'
import { createShop } from './shop.ts'

const STOP_TIMEOUT_MS = 10_000

/** Prints one sentence per mistake, without a stack. */
function giveUp(sentences: readonly string[]): never {
  for (const sentence of sentences) console.error(sentence)
  process.exit(1)
}

async function configFromEnvironment(): Promise<Config> {
  try {
    return await loadConfig(process.env)
  } catch (error) {
    if (error instanceof ConfigError) giveUp(error.mistakes)
    throw error
  }
}

function sentenceFor(error: unknown, { host, port }: Config): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') return `Port ${port} on ${host} is taken. Choose another one with PORT.`
  return error instanceof Error ? error.message : String(error)
}

/** Checks the port before the database is opened. @throws the error of listening */
function expectFree({ host, port }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen({ host, port }, () => probe.close(() => resolve()))
  })
}

const config = await configFromEnvironment()
const log = createLog(config.mode)
process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'))
process.on('uncaughtException', (error) => {
  log.fatal({ err: error }, 'uncaught exception')
  process.exit(1)
})

try {
  await expectFree(config)
  const shop = await createShop({ config, log, renderer: await loadRenderer() })
  const stop = async () => {
    // A request that never ends must not keep the process alive.
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS + config.drainMs).unref()
    await shop.close()
    process.exit(0)
  }
  process.once('SIGTERM', () => void stop())
  process.once('SIGINT', () => void stop())
  const address = await shop.listen()
  await shop.examineLater()
  // A parent process gets the address as a message and prints it itself.
  if (process.send) process.send({ ready: address })
  else console.log(`Shop:     ${address}`)
} catch (error) {
  log.debug({ err: error }, 'start failed')
  giveUp([sentenceFor(error, config)])
}
