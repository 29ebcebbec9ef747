import pg from 'pg'
import { SECOND_MS } from '#shared/time.ts'
import type { Database } from './db.ts'

/** Triggers notify it when a transaction commits changes to data that pages show. */
const CHANNEL = 'pages_changed'
/** A sync commits product by product: the first change is reported immediately, the following ones together. */
const BATCH_MS = 250

/**
 * Calls `onChange` after every change to data that pages show, by this or another instance or directly in the database. Also calls it
 * after a lost connection, because a change may have been missed.
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
  const listener = await (database.embedded ? listenInside(database, notify) : listenOutside(database, notify))
  return {
    stop: async () => {
      clearTimeout(later)
      await listener.stop()
    },
  }
}

/** The embedded database has a single connection, which receives its own notifications. */
async function listenInside({ pool }: Database, notify: () => void): Promise<{ stop(): Promise<void> }> {
  const client = await pool.connect()
  client.on('notification', notify)
  await client.query(`listen ${CHANNEL}`).finally(() => client.release())
  return { stop: async () => void client.off('notification', notify) }
}

/** Listening needs a dedicated connection; the pool would lend it to others. */
async function listenOutside({ pool }: Database, notify: () => void): Promise<{ stop(): Promise<void> }> {
  let isStopped = false
  let client: pg.Client | undefined
  let reconnect: NodeJS.Timeout | undefined
  async function listen(): Promise<void> {
    const { connectionString, connectionTimeoutMillis } = pool.options
    client = new pg.Client({
      connectionString,
      connectionTimeoutMillis,
      keepAlive: true,
      application_name: 'pawtelier changes',
    })
    client.on('notification', notify)
    let isLost = false
    const handleLoss = () => {
      if (isLost || isStopped) return
      isLost = true
      reconnect = setTimeout(() => void listen().then(notify, () => undefined), SECOND_MS).unref()
    }
    client.on('error', handleLoss).on('end', handleLoss)
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
    } catch (error) {
      handleLoss()
      throw error
    }
  }
  // If the database is down, the listener reconnects later; other parts of the start report it.
  await listen().catch(() => undefined)
  return {
    stop: async () => {
      isStopped = true
      clearTimeout(reconnect)
      await client?.end().catch(() => undefined)
    },
  }
}
