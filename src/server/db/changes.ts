import pg from 'pg'
import { SECOND_MS } from '#shared/time.ts'
import type { Database } from './db.ts'

/** Told by the triggers of migration 0026, when a transaction that changed what pages show is committed. */
const CHANNEL = 'pages_changed'
/** A synchronization commits product by product; who listens is told of the first at once, and of the rest together. */
const BATCH_MS = 250

/**
 * Tells of every change of what pages show, whoever made it: this instance, another one, or somebody at the database itself.
 * After a connection was lost it tells as well, since something may have been missed.
 */
export async function listenForChanges(database: Database, onChange: () => void): Promise<{ stop(): Promise<void> }> {
  let later: NodeJS.Timeout | undefined
  let isPending = false
  const notify = () => {
    if (later) {
      isPending = true
      return
    }
    onChange()
    later = setTimeout(() => {
      later = undefined
      if (isPending) notify()
      isPending = false
    }, BATCH_MS).unref()
  }
  const ear = await (database.embedded ? listenInside(database, notify) : listenOutside(database, notify))
  return {
    stop: async () => {
      clearTimeout(later)
      await ear.stop()
    },
  }
}

/** The embedded database has one connection, which hears what it says itself. */
async function listenInside({ pool }: Database, tell: () => void): Promise<{ stop(): Promise<void> }> {
  const client = await pool.connect()
  client.on('notification', tell)
  await client.query(`listen ${CHANNEL}`).finally(() => client.release())
  return { stop: async () => void client.off('notification', tell) }
}

/** A connection of its own: one of the pool would be lent to others. */
async function listenOutside({ pool }: Database, tell: () => void): Promise<{ stop(): Promise<void> }> {
  let isStopped = false
  let client: pg.Client | undefined
  let again: NodeJS.Timeout | undefined
  async function listen(): Promise<void> {
    const { connectionString, connectionTimeoutMillis } = pool.options
    client = new pg.Client({
      connectionString,
      connectionTimeoutMillis,
      keepAlive: true,
      application_name: 'pawtelier changes',
    })
    client.on('notification', tell)
    let isLost = false
    const lost = () => {
      if (isLost || isStopped) return
      isLost = true
      again = setTimeout(() => void listen().then(tell, () => undefined), SECOND_MS).unref()
    }
    client.on('error', lost).on('end', lost)
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
    } catch (error) {
      lost()
      throw error
    }
  }
  // A database that is away for now is heard as soon as it is back; the start finds out by itself.
  await listen().catch(() => undefined)
  return {
    stop: async () => {
      isStopped = true
      clearTimeout(again)
      await client?.end().catch(() => undefined)
    },
  }
}
