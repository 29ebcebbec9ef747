import type { FullConfig } from '@playwright/test'
import { sandboxPort } from './addresses.ts'

const PRINTER_CALLS_PER_MINUTE = 100_000

/** A test that waits for the printer's next minute proves nothing: keeping within its limits has tests of its own. */
// oxlint-disable-next-line import/no-default-export -- Playwright calls it.
export default async function setup({ workers }: FullConfig): Promise<void> {
  for (let worker = 0; worker < workers; worker += 1) {
    const { status } = await fetch(`http://127.0.0.1:${sandboxPort(worker)}/control/world`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ provider: 'printful', change: 'rate_limit', perMinute: PRINTER_CALLS_PER_MINUTE }),
    })
    if (status !== 200) throw new Error(`The sandbox answered ${status} to the printer's rate limit.`)
  }
}
