import { defineConfig } from '@playwright/test'
import { sandboxPort, SHOP, shopPort, WORLDS } from './test/e2e/addresses.ts'

/** Set by who has started the one world that all tests walk through. */
const isUp = process.env['WORLD_IS_UP'] !== undefined

export const launchOptions = {
  executablePath: process.env['CHROMIUM_HEADLESS_SHELL'] ?? process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-dev-shm-usage',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
}

/** Whole worlds on ports of their own, in memory, and a browser that walks through each. */
export default defineConfig({
  testDir: 'test/e2e',
  testMatch: '*.e2e.ts',
  globalSetup: './test/e2e/global-setup.ts',
  workers: isUp ? 1 : WORLDS,
  reporter: 'line',
  timeout: 90_000,
  // Named as flaky at the end of the run, and counted apart.
  retries: 1,
  expect: { timeout: 10_000 },
  use: {
    baseURL: SHOP,
    browserName: 'chromium',
    viewport: { width: 1280, height: 900 },
    screenshot: 'only-on-failure',
    launchOptions,
  },
  webServer: Array.from({ length: isUp ? 0 : WORLDS }, (_, worker) => ({
    command: 'node sandbox/main.ts --empty',
    url: `http://127.0.0.1:${shopPort(worker)}/readyz`,
    env: {
      PORT: String(shopPort(worker)),
      SANDBOX_PORT: String(sandboxPort(worker)),
      DATA_DIR: 'memory://',
      CHANGE_WINDOW_S: '0',
    },
    // Building the pages is part of it when a source has changed.
    timeout: 120_000,
    gracefulShutdown: { signal: 'SIGTERM' as const, timeout: 5000 },
  })),
})
