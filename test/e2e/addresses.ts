/** One world per worker: failures and time shifts of one test do not affect another. */
export const WORLDS = 2

/** Another first port lets two checkouts test side by side on one machine. */
const FIRST_PORT = Number(process.env['E2E_PORT'] ?? 4450)

export const shopPort = (worker: number): number => FIRST_PORT + worker * 20
export const sandboxPort = (worker: number): number => shopPort(worker) + 10

/** Set by Playwright in its workers; the process that starts them uses the first world. */
const worker = Number(process.env['TEST_PARALLEL_INDEX'] ?? 0)

export const SHOP = `http://127.0.0.1:${shopPort(worker)}`
export const SANDBOX = `http://127.0.0.1:${sandboxPort(worker)}`
