import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import autocannon from 'autocannon'

/** As many connections as keep one Node process busy without a queue that would only measure patience. */
const CONNECTIONS = 32

type LoadRequest = { url: string; method?: 'GET' | 'POST'; headers?: Record<string, string>; body?: string }

/** @returns answers a second. @throws Error when any answer was not 2xx */
export async function rateOf(
  { url, method = 'GET', headers = {}, body }: LoadRequest,
  seconds: number,
): Promise<number> {
  const { non2xx, errors, requests, duration } = await autocannon({
    url,
    method,
    headers,
    ...(body !== undefined && { body }),
    connections: CONNECTIONS,
    duration: seconds,
  })
  if (non2xx + errors > 0) throw new Error(`${non2xx} of the answers of ${url} were refusals, ${errors} failed.`)
  return requests.total / duration
}

/** @returns how often a second React alone renders a page's tree */
export async function renderRateOf(shop: string, path: string, seconds: number): Promise<number> {
  const args = [join(import.meta.dirname, 'render-floor.ts'), shop, path, String(seconds)]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return Number(stdout)
}
