import { randomBytes } from 'node:crypto'
import { spawnSync } from 'node:child_process'
import { chmodSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import tls from 'node:tls'
import pg from 'pg'
import { startSimulators } from '#sandbox/simulators.ts'
import { installFromDebian } from '../chromium.ts'
import { openNetwork, OWN_ADDRESS, type Host, type Service } from './hosts.ts'

const ROOT = join(import.meta.dirname, '../..')
const DEPLOY = join(ROOT, 'deploy')
const READY_WITHIN_MS = 120_000
/** The printer's real limit has its own test. */
const PRINTER_CALLS_PER_MINUTE = 1_000_000
/** Short, so that certificates are renewed during a run: with a third of their life left. */
const CERTIFICATE_LIFETIME = '2m'
const RENEW_INTERVAL = '5s'

const packages = {
  patroni: ['patroni', 'python3-etcd', 'postgresql'],
  etcd: ['etcd-server'],
  pgbouncer: ['pgbouncer'],
  haproxy: ['haproxy'],
  caddy: ['caddy'],
  prometheus: ['prometheus'],
} as const

const fromDeploy = (path: string) => readFileSync(join(DEPLOY, path), 'utf8')
const secret = () => randomBytes(12).toString('hex')
const isInstalled = (program: string) => spawnSync('which', [program]).status === 0

/** @returns what is still missing afterward */
export function installPrograms(): string[] {
  const missing = Object.entries(packages).filter(([program]) => !isInstalled(program))
  if (missing.length > 0) installFromDebian(missing.flatMap(([, names]) => names))
  return Object.keys(packages).filter((program) => !isInstalled(program))
}

export type DatabaseHost = Host & { readonly etcd: Service; readonly patroni: Service }
export type ShopHost = Host & {
  readonly pgbouncer: Service
  readonly haproxy: Service
  readonly shop: Service
  /** Stops the instance and starts the version in another folder. */
  release(folder: string): Promise<void>
}
export type Cluster = Awaited<ReturnType<typeof startCluster>>

/** What Patroni says of a member. */
type Member = { name: string; role: string; state: string }

/**
 * What `deploy/cluster` describes, on hosts of this machine's own: three of PostgreSQL, Patroni and etcd; three of HAProxy, PgBouncer and
 * the shop; one of Caddy and Prometheus. The providers are simulated in this process.
 */
export async function startCluster() {
  const folder = mkdtempSync(join(tmpdir(), 'pawtelier-cluster-'))
  chmodSync(folder, 0o755)
  const network = openNetwork(folder)
  const simulators = await startSimulators({ speed: 0, firstPort: 0, folder })
  await simulators.printful.change({ change: 'rate_limit', perMinute: PRINTER_CALLS_PER_MINUTE })
  const passwords = { superuser: secret(), replication: secret(), rewind: secret(), shop: secret(), metrics: secret() }

  const databaseHosts = [1, 2, 3].map((number) => network.host(`db${number}`, 10 + number))
  const databases: DatabaseHost[] = databaseHosts.map((host) => startDatabase(host, databaseHosts, folder, passwords))
  const addresses = Object.fromEntries(databases.map(({ address }, index) => [`DATABASE_${index + 1}`, address]))

  // This process reaches the primary as an instance does.
  const door = network.host('door', 5)
  door.etc('haproxy/haproxy.cfg', fromDeploy('cluster/haproxy.cfg'))
  door.run('haproxy', 'haproxy', ['-db', '-f', '/etc/haproxy/haproxy.cfg'], {
    ...addresses,
    PROXY_ADDRESS: door.address,
  })
  const asSuperuser = `postgres://postgres:${passwords.superuser}@${door.address}:5432/postgres`
  await untilTrue('the first primary', async () => (await query(asSuperuser, 'select 1')).length === 1)
  await untilTrue('a successor for the primary', () => hasSuccessor(databases))
  runPsql(asSuperuser, passwords.shop)

  const forwards = await Promise.all(
    [
      ...(['STRIPE_API_BASE', 'PAYPAL_API_BASE', 'PRINTFUL_API_BASE', 'SMTP_URL', 'IMAP_URL'] as const).map((name) =>
        Number(new URL(simulators.settings[name] ?? '').port),
      ),
    ].map(forwardPort),
  )
  const edge = network.host('edge', 30)
  const shopUrl = `https://${edge.address}`
  const shops: ShopHost[] = [1, 2, 3].map((number) => {
    const host = network.host(`shop${number}`, 20 + number)
    return startShopHost(host, {
      folder,
      addresses,
      password: passwords.shop,
      ports: forwards.map(({ port }) => port),
      env: {
        ...simulators.settings,
        SHOP_MODE: 'sandbox',
        HOST: '0.0.0.0',
        PORT: '3000',
        PUBLIC_URL: shopUrl,
        TRUSTED_PROXIES: edge.address,
        METRICS_TOKEN: passwords.metrics,
        DRAIN_S: '3',
        RATE_LIMIT_SCALE: '1000',
        SWEEP_INTERVAL_S: '3',
        SYNC_INTERVAL_S: '86400',
        CHANGE_WINDOW_S: '0',
      },
    })
  })
  const { caddy } = startEdge(edge, shops, passwords.metrics)
  simulators.announceShop(shopUrl)
  const certificates = join(folder, 'caddy')
  const authority = join(certificates, 'caddy/pki/authorities/local/root.crt')
  function startEdge(host: Host, behind: readonly Host[], token: string) {
    host.etc('caddy/Caddyfile', fromDeploy('cluster/Caddyfile'))
    host.etc('caddy/unreachable.caddy', fromDeploy('unreachable.caddy'))
    host.etc('prometheus/prometheus.yml', fromDeploy('cluster/prometheus.yml'))
    host.etc('prometheus/alerts.yml', fromDeploy('prometheus/alerts.yml'))
    host.etc('prometheus/shop-token', token)
    host.etc(
      'prometheus/shops.json',
      JSON.stringify([{ targets: behind.map(({ address }) => `${address}:3000`), labels: {} }]),
    )
    const store = join(folder, 'caddy')
    mkdirSync(store)
    const data = join(folder, 'prometheus')
    mkdirSync(data)
    host.run('prometheus', 'prometheus', [
      '--config.file=/etc/prometheus/prometheus.yml',
      `--storage.tsdb.path=${data}`,
      '--web.listen-address=0.0.0.0:9090',
    ])
    return {
      caddy: host.run('caddy', 'caddy', ['run', '--config', '/etc/caddy/Caddyfile'], {
        XDG_DATA_HOME: store,
        XDG_CONFIG_HOME: store,
        HOME: store,
        SHOP_HOST: host.address,
        ...Object.fromEntries(behind.map(({ address }, index) => [`SHOP_${index + 1}`, address])),
        TLS: `tls {\n\t\tissuer internal {\n\t\t\tlifetime ${CERTIFICATE_LIFETIME}\n\t\t}\n\t}`,
        RENEW_INTERVAL,
      }),
    }
  }
  await untilTrue('the proxy’s own certificate authority', () => readFileSync(authority, 'utf8').length > 0)
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), readFileSync(authority, 'utf8')])

  const pool = new pg.Pool({ connectionString: asSuperuser.replace(/postgres$/, 'shop'), max: 2 })
  pool.on('error', () => {})
  const cluster = {
    folder,
    simulators,
    shopUrl,
    pool,
    databases,
    shops,
    edge,
    caddy,
    prometheusUrl: `http://${edge.address}:9090`,
    /** @returns the host of the primary; undefined during an election */
    async primary(): Promise<DatabaseHost | undefined> {
      const [primary, ...others] = await listPrimaries(databases)
      return others.length === 0 ? primary : undefined
    },
    /** The hosts that take writes: never more than one. */
    primaries: () => listPrimaries(databases),
    /** Waits until every part is up again: a primary, two replicas, one of them synchronous, and three instances. */
    async whenWhole(): Promise<void> {
      // First what needs a primary: for seconds after its death, Patroni still has the dead one.
      await untilTrue('three instances', async () => {
        const states = await Promise.all(shops.map(({ address }) => isReady(address, edge.address)))
        return states.every(Boolean)
      })
      await untilTrue('the proxy', async () => (await fetch(`${shopUrl}/readyz`)).status === 200)
      await untilTrue('a primary and two replicas', async () => {
        const members = await listMembers(databases)
        return (
          members.length === 3 &&
          members.some(({ role, state }) => role === 'leader' && state === 'running') &&
          members.every(({ state }) => state === 'running' || state === 'streaming')
        )
      })
      await untilTrue('a successor for the primary', () => hasSuccessor(databases))
    },
    /** For what went wrong: the end of each log. */
    situation: (): string =>
      globSync('*.log', { cwd: folder })
        .map((name) => `--- ${name}\n${readFileSync(join(folder, name), 'utf8').slice(-1200)}`)
        .join('\n'),
    async close() {
      await pool.end().catch(() => undefined)
      network.close()
      for (const { server } of forwards) server.close()
      await simulators.close()
      if (process.env['LAB_KEEP'] === undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
  await cluster.whenWhole()
  return cluster
}

/** A folder that PostgreSQL's user may use: the server refuses to run as root. */
function folderOfPostgres(...path: readonly string[]): string {
  const folder = join(...path)
  mkdirSync(folder, { recursive: true })
  spawnSync('chown', ['postgres', folder])
  chmodSync(folder, 0o700)
  return folder
}

const asPostgres = ['--reuid=postgres', '--regid=postgres', '--init-groups'] as const

function startDatabase(
  host: Host,
  all: readonly Host[],
  folder: string,
  passwords: { superuser: string; replication: string; rewind: string },
): DatabaseHost {
  const programs = globSync('/usr/lib/postgresql/*/bin/postgres').toSorted().at(-1)
  if (!programs) throw new Error('PostgreSQL is not installed.')
  const own = `http://${host.address}`
  const etcd = host.run('etcd', 'etcd', [
    ...['--name', host.name, '--data-dir', join(folder, `${host.name}-etcd`)],
    ...['--listen-client-urls', `${own}:2379,http://127.0.0.1:2379`, '--advertise-client-urls', `${own}:2379`],
    ...['--listen-peer-urls', `${own}:2380`, '--initial-advertise-peer-urls', `${own}:2380`],
    ...['--initial-cluster', all.map(({ name, address }) => `${name}=http://${address}:2380`).join(',')],
    ...['--initial-cluster-token', 'shop', '--heartbeat-interval', '250', '--election-timeout', '2500', '--enable-v2'],
  ])
  const home = folderOfPostgres(folder, host.name)
  host.etc('patroni/config.yml', fromDeploy('cluster/patroni.yml'))
  const patroni = host.run('patroni', 'setpriv', [...asPostgres, 'patroni', '/etc/patroni/config.yml'], {
    HOME: home,
    PATRONI_NAME: host.name,
    PATRONI_RESTAPI_CONNECT_ADDRESS: `${host.address}:8008`,
    PATRONI_POSTGRESQL_CONNECT_ADDRESS: `${host.address}:5432`,
    PATRONI_POSTGRESQL_DATA_DIR: join(home, 'data'),
    PATRONI_POSTGRESQL_BIN_DIR: dirname(programs),
    PATRONI_POSTGRESQL_PGPASS: join(home, 'pgpass'),
    PATRONI_ETCD_HOSTS: all.map(({ address }) => `'${address}:2379'`).join(','),
    PATRONI_SUPERUSER_USERNAME: 'postgres',
    PATRONI_SUPERUSER_PASSWORD: passwords.superuser,
    PATRONI_REPLICATION_USERNAME: 'replicator',
    PATRONI_REPLICATION_PASSWORD: passwords.replication,
    PATRONI_REWIND_USERNAME: 'rewinder',
    PATRONI_REWIND_PASSWORD: passwords.rewind,
  })
  return { ...host, etcd, patroni }
}

function startShopHost(
  host: Host,
  {
    folder,
    addresses,
    password,
    ports,
    env,
  }: {
    folder: string
    addresses: Record<string, string>
    password: string
    /** Of the simulators: this host reaches them at the same address as this process, as the real ones everybody does. */
    ports: readonly number[]
    env: Record<string, string>
  },
): ShopHost {
  host.etc('haproxy/haproxy.cfg', fromDeploy('cluster/haproxy.cfg'))
  const toSimulators = ports.map(
    (port) => `listen simulator-${port}\n    bind 127.0.0.1:${port}\n    server simulator ${OWN_ADDRESS}:${port}\n`,
  )
  host.etc('haproxy/simulators.cfg', toSimulators.join('\n'))
  const haproxy = host.run(
    'haproxy',
    'haproxy',
    ['-db', '-f', '/etc/haproxy/haproxy.cfg', '-f', '/etc/haproxy/simulators.cfg'],
    { ...addresses, PROXY_ADDRESS: '127.0.0.1' },
  )
  host.etc('pgbouncer/pgbouncer.ini', fromDeploy('cluster/pgbouncer.ini'))
  host.etc('pgbouncer/userlist.txt', `"shop" "${password}"\n`)
  const pgbouncer = host.run('pgbouncer', 'pgbouncer', ['-u', 'postgres', '/etc/pgbouncer/pgbouncer.ini'])
  const dataDir = join(folder, `${host.name}-data`)
  mkdirSync(dataDir)
  const settings = {
    ...env,
    DATA_DIR: dataDir,
    DATABASE_URL: `postgres://shop:${password}@127.0.0.1:6432/shop`,
    DATABASE_REPLICA_URL: `postgres://shop:${password}@127.0.0.1:5433/shop`,
  }
  let shop = host.run('shop', process.execPath, [join(ROOT, 'src/main.ts')], settings)
  return {
    ...host,
    haproxy,
    pgbouncer,
    get shop() {
      return shop
    },
    async release(release) {
      await shop.stop()
      shop = host.run('shop-next', process.execPath, [join(release, 'src/main.ts')], settings)
    },
  }
}

/** The simulators listen on loopback; hosts reach this machine's address on their bridge. */
function forwardPort(port: number): Promise<{ port: number; server: Server }> {
  const server = createServer((near) => {
    const far = connect({ host: '127.0.0.1', port })
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('error', () => to.destroy()).on('close', () => to.destroy())
      from.pipe(to)
    }
  })
  return new Promise((resolve) => server.listen(port, OWN_ADDRESS, () => resolve({ port, server })))
}

const askPatroni = ({ address }: Host, path: string): Promise<Response | undefined> =>
  fetch(`http://${address}:8008${path}`, { signal: AbortSignal.timeout(1500) }).catch(() => undefined)

/** As HAProxy asks. */
async function listPrimaries<H extends Host>(databases: readonly H[]): Promise<H[]> {
  const answers = await Promise.all(databases.map(async (host) => (await askPatroni(host, '/primary'))?.ok && host))
  return answers.filter((host) => typeof host === 'object')
}

/** As the primary sees it: who was cut off from the others tells what was true before. */
async function listMembers(databases: readonly Host[]): Promise<Member[]> {
  const [primary] = await listPrimaries(databases)
  const answer = primary && (await askPatroni(primary, '/cluster'))
  return answer?.ok ? ((await answer.json()) as { members: Member[] }).members : []
}

/**
 * Whether a replica may take over from the primary, as etcd has it: right after a primary took over, Patroni still calls its predecessor
 * synchronous.
 */
async function hasSuccessor(databases: readonly Host[]): Promise<boolean> {
  const [primary] = await listPrimaries(databases)
  if (!primary) return false
  const answer = await fetch(`http://${primary.address}:2379/v2/keys/service/shop/sync?quorum=true`, {
    signal: AbortSignal.timeout(1500),
  })
  const { node } = (await answer.json()) as { node: { value: string } }
  const named = JSON.parse(node.value) as { leader: string | null; sync_standby: string | null }
  return named.leader === primary.name && Boolean(named.sync_standby)
}

const isReady = (address: string, host: string): Promise<boolean> =>
  new Promise((resolve) => {
    // A request by hand: fetch sets the Host header itself, and the shop answers only to its own name.
    const socket = connect({ host: address, port: 3000, timeout: 2000 })
    socket
      .on('error', () => resolve(false))
      .on('timeout', () => resolve(socket.destroy() && false))
      .on('data', (head: Buffer) => {
        resolve(head.toString('latin1').startsWith('HTTP/1.1 200'))
        socket.destroy()
      })
      .on('connect', () => socket.write(`GET /readyz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`))
      .on('close', () => resolve(false))
  })

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 })
  await client.connect()
  return client
    .query(text)
    .then(
      ({ rows }) => rows as unknown[],
      () => [],
    )
    .finally(() => client.end())
}

function runPsql(url: string, password: string): void {
  const args = [url, '-v', 'ON_ERROR_STOP=1', '-v', `password=${password}`, '-f', join(DEPLOY, 'cluster/cluster.sql')]
  const { status, stderr } = spawnSync('psql', args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`cluster.sql: ${stderr}`)
}

/** @throws Error when it does not happen in time */
export async function untilTrue(what: string, isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const giveUpAt = Date.now() + READY_WITHIN_MS
  for (;;) {
    const happened = await Promise.resolve()
      .then(isTrue)
      .catch(() => false)
    if (happened) return
    if (Date.now() > giveUpAt) throw new Error(`Waited ${READY_WITHIN_MS / 1000} s for ${what}.`)
    await wait(200)
  }
}
