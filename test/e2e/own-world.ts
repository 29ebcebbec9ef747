import { openWorld, type World } from '#sandbox/world.ts'
import { test as base } from './browser.ts'

/**
 * A world beside the one that most tests walk through: for tests that put products on sale, change prices at the
 * printer, or move the clock. The others count on the demo's catalog.
 */
export const test = base.extend<object, { world: World }>({
  world: [
    // oxlint-disable-next-line eslint/no-empty-pattern -- Playwright reads what a fixture needs from its first parameter
    async ({}, use) => {
      await using world = await openWorld({ pages: true })
      await use(world)
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  baseURL: async ({ world }, use) => use(world.address),
})
