import { defineConfig } from '@playwright/test'
import { SANDBOX_PORT, SHOP, SHOP_PORT } from './test/e2e/addresses.ts'

/** The whole world on ports of its own, in memory, and one browser that walks through it. */
export default defineConfig({
  testDir: 'test/e2e',
  testMatch: '*.e2e.ts',
  workers: 1,
  reporter: 'line',
  timeout: 60_000,
  expect: { timeout: 10_000 },
  use: {
    baseURL: SHOP,
    browserName: 'chromium',
    viewport: { width: 1280, height: 900 },
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
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
    },
  },
  webServer: {
    command: 'node sandbox/main.ts',
    url: `${SHOP}/readyz`,
    env: { PORT: String(SHOP_PORT), SANDBOX_PORT: String(SANDBOX_PORT), DATA_DIR: 'memory://' },
    // Building the pages is part of it when a source has changed.
    timeout: 120_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 5000 },
  },
})
