import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { keepStock } from '#sandbox/spare-databases.ts'
import { openWorld, WORLD_TEMPLATE } from '#sandbox/world.ts'

/**
 * Vitest's global set-up: migrates and stocks one database of the kind that the project tests on; every world of the
 * run starts from a copy of it, in a fraction of the time.
 */
export async function setup({ config }: { config: { env?: Record<string, unknown> } }): Promise<() => Promise<void>> {
  const server = process.env['TEST_DATABASE_URL']
  if (config.env?.['TEST_DATABASE'] === 'postgresql' && server) return templateOn(server)

  // Whoever runs many runs makes one for all of them.
  if (process.env['WORLD_SNAPSHOT']) return async () => {}
  const file = await writeSnapshot()
  process.env['WORLD_SNAPSHOT'] = file
  return async () => rmSync(file, { force: true })
}

/** @returns a file with a migrated and stocked embedded database */
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
