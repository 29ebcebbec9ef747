import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import autocannon from 'autocannon'

/** Enough to keep one Node process busy; more would only measure queueing. */
const CONNECTIONS = 32

type LoadRequest = { url: string; method?: 'GET' | 'POST'; headers?: Record<string, string>; body?: string }

/** @returns answers per second. @throws Error when any answer was not 2xx */
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
  if (non2xx + errors > 0) throw new Error(`${url}: ${non2xx} answers were not 2xx, ${errors} requests failed.`)
  return requests.total / duration
}

/** @returns renders per second of a page by React alone */
export async function renderRateOf(shop: string, path: string, seconds: number): Promise<number> {
  const args = [join(import.meta.dirname, 'render-floor.ts'), shop, path, String(seconds)]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return Number(stdout)
}
