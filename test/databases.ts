import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { keepStock } from '#sandbox/spare-databases.ts'
import { openWorld, WORLD_TEMPLATE } from '#sandbox/world.ts'

/**
 * Vitest's global setup: migrates and seeds one database of the kind the project tests on. Every world of the run copies it,
 * which is much faster.
 */
export async function setup({ config }: { config: { env?: Record<string, unknown> } }): Promise<() => Promise<void>> {
  const server = process.env['TEST_DATABASE_URL']
  if (config.env?.['TEST_DATABASE'] === 'postgresql' && server) return templateOn(server)

  // A caller of many runs creates one snapshot for all.
  if (process.env['WORLD_SNAPSHOT']) return async () => {}
  const file = await writeSnapshot()
  process.env['WORLD_SNAPSHOT'] = file
  return async () => rmSync(file, { force: true })
}

/** @returns a file with a migrated and seeded embedded database */
export async function writeSnapshot(): Promise<string> {
  const world = await openWorld({ database: 'embedded', fromScratch: true })
  const file = join(tmpdir(), `pawtelier-world-${process.pid}.tar`)
  await keepStock(world.shop.database.pool)
  const dump = await world.shop.database.dump?.()
  await world[Symbol.asyncDispose]()
  if (!dump) throw new Error('an embedded database without a dump')
  writeFileSync(file, Buffer.from(await dump.arrayBuffer()))
  return file
}

async function templateOn(server: string): Promise<() => Promise<void>> {
  const admin = new pg.Client({ connectionString: server })
  await admin.connect()
  await admin.query(`create database ${WORLD_TEMPLATE}`)
  const world = await openWorld({ database: 'postgresql', fromScratch: true })
  await world[Symbol.asyncDispose]()
  return async () => {
    await admin.query(`drop database ${WORLD_TEMPLATE} with (force)`)
    await admin.end()
  }
}
