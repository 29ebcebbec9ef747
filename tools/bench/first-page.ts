import { chromium } from '@playwright/test'
import { findChromium } from '../chromium.ts'

export type FirstPage = { scriptKb: number; totalKb: number }

/** Kilobytes of a first visit to the home page on a 360-pixel phone, compressed. @returns undefined without a browser */
export async function weighFirstPage(shop: string): Promise<FirstPage | undefined> {
  const executablePath = findChromium()
  if (!executablePath) return undefined
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-background-networking'] })
  try {
    const page = await browser.newPage({ viewport: { width: 360, height: 780 } })
    const client = await page.context().newCDPSession(page)
    const sizes = new Map<string, number>()
    const scripts = new Set<string>()
    await client.send('Network.enable')
    client.on('Network.responseReceived', ({ requestId, type }) => {
      if (type === 'Script') scripts.add(requestId)
    })
    client.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => sizes.set(requestId, encodedDataLength))
    await page.goto(shop, { waitUntil: 'networkidle' })
    const kb = (ids: Iterable<string>) => [...ids].reduce((sum, id) => sum + (sizes.get(id) ?? 0), 0) / 1024
    return { scriptKb: kb(scripts), totalKb: kb(sizes.keys()) }
  } finally {
    await browser.close()
  }
}
