import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { createWriteStream, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The first three numbers of every address. */
const NETWORK = '10.77.0'
const BRIDGE = 'shop-lan'
/** The machine that this command runs on, as the hosts see it. */
export const OWN_ADDRESS = `${NETWORK}.1`

const RESTART_DELAY_MS = 1000
const LOG_TAIL_CHARS = 3000

/** A program of a host, restarted whenever it ends, as systemd does. */
export type Service = {
  readonly name: string
  /** SIGKILL; it starts again by itself. */
  kill(): void
  /** Ends it for good. @returns once it has ended */
  stop(signal?: NodeJS.Signals): Promise<void>
  start(): void
  /** The end of its log. */
  log(): string
}

/** A network namespace with an address of its own, and the programs in it. */
export type Host = {
  readonly name: string
  readonly address: string
  /** Writes a file of its own `/etc`, before the first program runs; the folder must exist on this machine. */
  etc(path: string, text: string): void
  run(name: string, program: string, args: readonly string[], env?: Record<string, string>): Service
  /** Loses power: every process of the host is gone at once, and nothing starts again. */
  powerOff(): void
  /** Its programs start again. */
  powerOn(): void
  /** SIGKILL for every process of this name. */
  killAll(processName: string): void
  /** Takes the cable out, or puts it back. */
  cut(isCut: boolean): void
  /** Whether packets to these addresses get lost; everything else goes on. */
  loseTo(addresses: readonly string[], isLost: boolean): void
}

function ip(...args: string[]): void {
  const { status, stderr } = spawnSync('ip', args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`ip ${args.join(' ')}: ${stderr}`)
}

/**
 * Hosts on one bridge, for root on Linux. Whatever a killed run left behind is removed first.
 * @param folder for logs, a file per program
 */
export function openNetwork(folder: string): { host(name: string, number: number): Host; close(): void } {
  const hosts: string[] = []
  const running = new Set<ChildProcess>()
  const endAll = () => {
    for (const child of running) child.kill('SIGKILL')
    for (const name of hosts) killAll(name)
  }
  const cutDown = () => {
    spawnSync('ip', ['link', 'del', BRIDGE])
    for (const name of listNamespaces()) {
      killAll(name)
      // A namespace takes its end of the cable along only some time after it is gone.
      spawnSync('ip', ['link', 'del', `${name}-b`])
      spawnSync('ip', ['netns', 'del', name])
      rmSync(join(ETC, name), { recursive: true, force: true })
    }
  }
  cutDown()
  ip('link', 'add', BRIDGE, 'type', 'bridge')
  ip('addr', 'add', `${OWN_ADDRESS}/24`, 'dev', BRIDGE)
  ip('link', 'set', BRIDGE, 'up')
  process.once('exit', () => {
    endAll()
    cutDown()
  })

  return {
    host(name, number) {
      const namespace = `${PREFIX}${name}`
      const address = `${NETWORK}.${number}`
      hosts.push(namespace)
      addHost(namespace, address)
      const services: ReturnType<typeof superviseService>[] = []
      const inside = (...args: string[]) => ip('-n', namespace, ...args)
      return {
        name,
        address,
        etc(path, text) {
          const file = join(ETC, namespace, path)
          mkdirSync(dirname(file), { recursive: true })
          writeFileSync(file, text)
        },
        run(title, program, args, env = {}) {
          const service = superviseService({
            name: `${name} ${title}`,
            command: ['ip', 'netns', 'exec', namespace, program, ...args],
            env,
            logFile: join(folder, `${name}-${title}.log`),
            running,
          })
          services.push(service)
          service.start()
          return service
        },
        powerOff() {
          for (const service of services) service.giveUp()
          killAll(namespace)
        },
        powerOn() {
          for (const service of services) service.start()
        },
        killAll(processName) {
          killAll(namespace, processName)
        },
        cut: (isCut) => ip('link', 'set', `${namespace}-b`, isCut ? 'down' : 'up'),
        loseTo(addresses, isLost) {
          for (const lost of addresses) inside('route', isLost ? 'add' : 'del', 'blackhole', lost)
        },
      }
    },
    close() {
      endAll()
      cutDown()
    },
  }
}

const PREFIX = 'paw-'
/** `ip netns exec` shows a namespace's folders of this one in place of those of `/etc`. */
const ETC = '/etc/netns'

const listNamespaces = (): string[] =>
  spawnSync('ip', ['netns', 'list'], { encoding: 'utf8' })
    .stdout.split('\n')
    .map((line) => line.split(' ')[0] ?? '')
    .filter((name) => name.startsWith(PREFIX))

function addHost(namespace: string, address: string): void {
  const [inside, outside] = [`${namespace}-h`, `${namespace}-b`]
  ip('netns', 'add', namespace)
  ip('link', 'add', outside, 'type', 'veth', 'peer', 'name', inside)
  ip('link', 'set', inside, 'netns', namespace)
  ip('link', 'set', outside, 'master', BRIDGE)
  ip('link', 'set', outside, 'up')
  ip('-n', namespace, 'addr', 'add', `${address}/24`, 'dev', inside)
  ip('-n', namespace, 'link', 'set', inside, 'up')
  ip('-n', namespace, 'link', 'set', 'lo', 'up')
}

/** Processes of a namespace, also those that left their parents, such as PostgreSQL's. @param processName all, without */
function killAll(namespace: string, processName?: string): void {
  const { stdout } = spawnSync('ip', ['netns', 'pids', namespace], { encoding: 'utf8' })
  for (const pid of stdout.split('\n').filter(Boolean))
    try {
      if (processName !== undefined && readFileSync(`/proc/${pid}/comm`, 'utf8').trim() !== processName) continue
      process.kill(Number(pid), 'SIGKILL')
    } catch {
      // It has ended meanwhile.
    }
}

function superviseService({
  name,
  command,
  env,
  logFile,
  running,
}: {
  name: string
  command: readonly string[]
  env: Record<string, string>
  logFile: string
  running: Set<ChildProcess>
}): Service & { giveUp(): void } {
  const [program = '', ...args] = command
  const log = createWriteStream(logFile, { flags: 'a' })
  let child: ChildProcess | undefined
  let isWanted = false

  function start(): void {
    isWanted = true
    if (child) return
    const started = spawn(program, args, {
      env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child = started
    running.add(started)
    started.stdout.pipe(log, { end: false })
    started.stderr.pipe(log, { end: false })
    started.once('exit', (code, signal) => {
      running.delete(started)
      child = undefined
      log.write(`--- ended: ${signal ?? code}\n`)
      if (isWanted) setTimeout(() => isWanted && start(), RESTART_DELAY_MS).unref()
    })
  }
  return {
    name,
    start,
    kill: () => void child?.kill('SIGKILL'),
    giveUp() {
      isWanted = false
    },
    async stop(signal = 'SIGTERM') {
      isWanted = false
      const ending = child
      if (!ending) return
      await new Promise<void>((ended) => {
        ending.once('exit', () => ended())
        ending.kill(signal)
      })
    },
    log: () => readFileSync(logFile, 'utf8').slice(-LOG_TAIL_CHARS),
  }
}
