import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import tls from 'node:tls'
import { untilTrue, type Cluster, type DatabaseHost } from './cluster.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Something that breaks while people buy. @property happens returns once everything it broke is allowed to come back */
export type ClusterFault = {
  name: string
  /** Whether the shop may be unable to note that it sent an email, which it then sends again: its process or its database is gone. */
  mayRepeatMails?: true
  happens(cluster: Cluster, folder: string): Promise<void>
}

const primaryOf = async (cluster: Cluster): Promise<DatabaseHost> => {
  const primary = await cluster.primary()
  if (!primary) throw new Error('There is no primary.')
  return primary
}
const replicaOf = async (cluster: Cluster): Promise<DatabaseHost> => {
  const primary = await primaryOf(cluster)
  const replica = cluster.databases.find((host) => host !== primary)
  if (!replica) throw new Error('There is no replica.')
  return replica
}
const othersOf = (cluster: Cluster, host: DatabaseHost) =>
  cluster.databases.filter((other) => other !== host).map(({ address }) => address)

const untilAnother = (cluster: Cluster, former: DatabaseHost) =>
  untilTrue('another primary', async () => {
    const primary = await cluster.primary()
    return primary !== undefined && primary !== former
  })

/** How long an outage lasts that nobody has to take over from. */
const SHORT_MS = 4000

export const clusterFaults: readonly ClusterFault[] = [
  {
    name: 'the primary loses power, and comes back as a replica',
    mayRepeatMails: true,
    async happens(cluster) {
      const former = await primaryOf(cluster)
      former.powerOff()
      await untilAnother(cluster, former)
      former.powerOn()
    },
  },
  {
    name: 'PostgreSQL of the primary is killed',
    mayRepeatMails: true,
    async happens(cluster) {
      ;(await primaryOf(cluster)).killAll('postgres')
      await wait(SHORT_MS)
    },
  },
  {
    name: 'the primary’s network is cut, and comes back',
    mayRepeatMails: true,
    async happens(cluster) {
      const former = await primaryOf(cluster)
      former.cut(true)
      await untilAnother(cluster, former)
      await wait(SHORT_MS)
      former.cut(false)
    },
  },
  {
    name: 'the primary sees the shops, but not the majority',
    mayRepeatMails: true,
    async happens(cluster) {
      const former = await primaryOf(cluster)
      const others = othersOf(cluster, former)
      former.loseTo(others, true)
      await untilAnother(cluster, former)
      await wait(SHORT_MS)
      former.loseTo(others, false)
    },
  },
  {
    name: 'a replica loses power',
    async happens(cluster) {
      const replica = await replicaOf(cluster)
      replica.powerOff()
      await wait(SHORT_MS * 2)
      replica.powerOn()
    },
  },
  {
    name: 'a replica’s network is cut',
    mayRepeatMails: true,
    async happens(cluster) {
      const replica = await replicaOf(cluster)
      replica.cut(true)
      await wait(SHORT_MS * 3)
      replica.cut(false)
    },
  },
  {
    name: 'the etcd of the primary is killed',
    async happens(cluster) {
      ;(await primaryOf(cluster)).etcd.kill()
      await wait(SHORT_MS)
    },
  },
  {
    name: 'PgBouncer of an instance is killed',
    async happens(cluster) {
      cluster.shops[0]?.pgbouncer.kill()
      await wait(SHORT_MS)
    },
  },
  {
    name: 'HAProxy of an instance is killed',
    async happens(cluster) {
      cluster.shops[1]?.haproxy.kill()
      await wait(SHORT_MS)
    },
  },
  {
    name: 'an instance is killed',
    mayRepeatMails: true,
    async happens(cluster) {
      cluster.shops[2]?.shop.kill()
      await wait(SHORT_MS)
    },
  },
  {
    name: 'an instance loses its network',
    async happens(cluster) {
      const shop = cluster.shops[0]
      shop?.cut(true)
      await wait(SHORT_MS * 2)
      shop?.cut(false)
    },
  },
  {
    name: 'Caddy is killed',
    async happens(cluster) {
      cluster.caddy.kill()
      await wait(SHORT_MS)
    },
  },
  {
    name: 'the certificate is renewed',
    async happens(cluster) {
      const before = await serialNumber(cluster)
      await untilTrue('another certificate', async () => (await serialNumber(cluster)) !== before)
    },
  },
  {
    name: 'a release with a migration goes from instance to instance',
    async happens(cluster, folder) {
      const release = writeRelease(folder)
      for (const shop of cluster.shops) {
        await shop.release(release)
        await cluster.whenWhole()
      }
      const { rows } = await cluster.pool.query(`select 1 from information_schema.tables where table_name = $1`, [
        RELEASE_TABLE,
      ])
      if (rows.length === 0) throw new Error('The migration of the new release did not run.')
    },
  },
]

async function serialNumber({ edge }: Cluster): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = tls.connect({ host: edge.address, port: 443 }, () => {
      resolve(socket.getPeerCertificate().serialNumber)
      socket.destroy()
    })
    socket.once('error', reject)
  })
}

const RELEASE_TABLE = 'next_release'

/** The next version: this one, with a migration more. @returns its folder */
function writeRelease(folder: string): string {
  const release = join(folder, 'next-release')
  mkdirSync(release)
  for (const path of ['src', 'package.json', 'tsconfig.json', 'tsconfig.base.json'])
    cpSync(join(ROOT, path), join(release, path), { recursive: true })
  for (const path of ['node_modules', 'dist', 'pictures']) symlinkSync(join(ROOT, path), join(release, path))
  const migrations = join(release, 'src/server/db/migrations')
  const journalFile = join(migrations, 'meta/_journal.json')
  const journal = JSON.parse(readFileSync(journalFile, 'utf8')) as {
    entries: { idx: number; version: string; when: number; tag: string; breakpoints: boolean }[]
  }
  const last = journal.entries.at(-1)
  if (!last) throw new Error('There are no migrations.')
  const entry = { ...last, idx: last.idx + 1, when: last.when + 1, tag: RELEASE_TABLE }
  writeFileSync(journalFile, JSON.stringify({ ...journal, entries: [...journal.entries, entry] }))
  writeFileSync(
    join(migrations, `${RELEASE_TABLE}.sql`),
    `create table "${RELEASE_TABLE}" ("id" integer primary key);--> statement-breakpoint\nalter table "mail" add column "${RELEASE_TABLE}" text;`,
  )
  return release
}
