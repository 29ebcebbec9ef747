import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chromium } from '@playwright/test'
import { paths } from '#contract/paths.ts'
import type { Config } from '#server/config/config.ts'
import { securityHeaders } from '#server/http/security.ts'

const READY_WITHIN_MS = 20_000

type Scripts = Pick<Config, 'stripe' | 'paypal'>
type Told = { ready: string[]; failed: string[] }

/** Does with both scripts what the shop's checkout does until the buyer types: a card form, an eligible wallet. */
const script = `
const told = (window.told = { ready: [], failed: [] })
const { publishableKey, clientSecret, clientToken } = document.body.dataset
const attempt = (name, work) => Promise.resolve().then(work).then(() => told.ready.push(name), (error) => told.failed.push(name + ': ' + error.message))
attempt('card form', () => new Promise((resolve, reject) => {
  const element = window.Stripe(publishableKey).elements({ clientSecret }).create('payment')
  element.on('ready', resolve)
  element.on('loaderror', ({ error }) => reject(new Error(error.message)))
  element.mount('#card')
}))
attempt('wallet', async () => {
  const instance = await window.paypal.createInstance({ clientToken, components: ['paypal-payments'], pageType: 'checkout' })
  const methods = await instance.findEligibleMethods({ currencyCode: 'USD' })
  if (!methods.isEligible('paypal')) throw new Error('PayPal is not eligible')
})
`

const attribute = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')

/**
 * Loads the providers' scripts in Chromium, on a page with the headers of the checkout.
 * @returns what became ready, and a sentence for each violation of the policy, error and failure
 */
export async function loadScripts(
  config: Scripts,
  { clientSecret, clientToken }: { clientSecret: string; clientToken: string },
  executablePath: string,
): Promise<{ ready: string[]; troubles: string[] }> {
  // Without a public address, as this page is not served by TLS.
  const headers = securityHeaders({ ...config, publicUrl: undefined }).of(paths.checkout)
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Rehearsal</title>
<body data-publishable-key="${attribute(config.stripe.publishableKey)}" data-client-secret="${attribute(clientSecret)}" data-client-token="${attribute(clientToken)}">
<main><div id="card"></div></main>
<script src="${attribute(config.stripe.scriptUrl)}"></script><script src="${attribute(config.paypal.scriptUrl)}"></script>
<script src="/rehearsal.js"></script></body></html>`
  const server = createServer((request, answer) => {
    if (request.url === '/rehearsal.js')
      return answer.writeHead(200, { ...headers, 'content-type': 'text/javascript' }).end(script)
    if (request.url !== '/') return answer.writeHead(204).end()
    return answer.writeHead(200, { ...headers, 'content-type': 'text/html' }).end(html)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  try {
    const page = await browser.newPage()
    const troubles: string[] = []
    await page.exposeFunction('reportViolation', (violation: string) => void troubles.push(violation))
    await page.addInitScript(() =>
      addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile }) =>
        (window as unknown as { reportViolation: (text: string) => void }).reportViolation(
          `The policy blocked ${blockedURI} (${effectiveDirective}), wanted by ${sourceFile || 'the page'}`,
        ),
      ),
    )
    page.on('pageerror', ({ message }) => troubles.push(`The page threw: ${message}`))
    page.on('console', (line) => line.type() === 'error' && troubles.push(`The console says: ${line.text()}`))
    await page.goto(`http://127.0.0.1:${port}/`)
    const told = await page
      .waitForFunction(
        () => {
          const { told } = window as unknown as { told?: Told }
          return told && told.ready.length + told.failed.length === 2 ? told : undefined
        },
        undefined,
        { timeout: READY_WITHIN_MS },
      )
      .then((handle) => handle.jsonValue())
      .catch(() => page.evaluate(() => (window as unknown as { told?: Told }).told))
    const silent = ['card form', 'wallet'].filter(
      (name) => !told?.ready.includes(name) && !told?.failed.some((one) => one.startsWith(name)),
    )
    return {
      ready: told?.ready ?? [],
      troubles: [
        ...new Set([
          ...troubles,
          ...(told?.failed ?? []).map((one) => `Failed: ${one}`),
          ...silent.map((name) => `The ${name} was not ready within ${READY_WITHIN_MS / 1000} s`),
        ]),
      ],
    }
  } finally {
    await browser.close()
    server.closeAllConnections()
    server.close()
  }
}
