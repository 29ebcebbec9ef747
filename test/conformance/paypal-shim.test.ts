import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { chromium, type Browser, type Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openKit, type OpenKit } from '#sandbox/kit/kit.ts'
import type { Provider } from '#sandbox/kit/types.ts'
import { startPaypal } from '#sandbox/paypal/paypal.ts'
import { findViolations } from '../axe.ts'
import { mistakesIn } from './script-types.ts'

/**
 * The script for the browser, in a browser and under a strict policy, used like the real one in PayPal's samples for version 6:
 * the order is passed as a promise, and the page listens to the button's own click.
 */

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
const hasBrowser = existsSync(executablePath)
if (!hasBrowser) console.log('The wallet script was not run in a browser: Chromium is missing.')

const shimPath = fileURLToPath(new URL('../../sandbox/paypal/shim.js', import.meta.url))

test('the script is consistent with its own types', () => {
  expect(mistakesIn(shimPath)).toEqual([])
})

/** A small version of the shop's page; `told` collects what the script reports. */
const pageScript = `
  const told = (window.told = [])
  window.ready = (async () => {
    const instance = await window.paypal.createInstance({ clientToken: window.token, components: ['paypal-payments'], pageType: 'checkout' })
    const methods = await instance.findEligibleMethods({ currencyCode: 'USD' })
    told.push(['eligible', methods.isEligible('paypal')])
    const tell = (name) => (about) => void told.push([name, about.code ?? about.paymentSessionState ?? about.orderId])
    const session = (window.session = instance.createPayPalOneTimePaymentSession({
      onApprove: tell('approved'), onCancel: tell('cancelled'), onError: tell('error'), onComplete: tell('complete'),
    }))
    const button = document.querySelector('paypal-button')
    button.addEventListener('click', () => session.start({ presentationMode: 'auto' }, window.order()))
    button.removeAttribute('disabled')
  })().catch((error) => told.push(['setup failed', error.code]))
`

const page = (origin: string) => `<!doctype html><html lang="en"><title>Checkout</title><main><h1>Checkout</h1>
<paypal-button type="pay" disabled></paypal-button></main>
<script src="${origin}/paypal.js"></script><script src="/page.js"></script></html>`

describe.skipIf(!hasBrowser)('the PayPal script in a browser', () => {
  let kit: OpenKit
  let paypal: Provider
  let browser: Browser
  let shop: string
  let closeShop: () => Promise<void>

  beforeAll(async () => {
    kit = openKit({ speed: 0, log: () => {} })
    paypal = await startPaypal(kit, { port: 0, clientId: 'client', clientSecret: 'secret', webhookId: 'WEBHOOK1' })
    const server = createServer((request, answer) => {
      if (request.url === '/page.js')
        return answer.writeHead(200, { 'content-type': 'text/javascript' }).end(pageScript)
      if (request.url !== '/') return answer.writeHead(204).end()
      answer.writeHead(200, {
        'content-type': 'text/html',
        'content-security-policy': `default-src 'none'; script-src 'self' ${paypal.url}; connect-src ${paypal.url}; style-src 'self'`,
        'cross-origin-opener-policy': 'same-origin-allow-popups',
      })
      answer.end(page(paypal.url))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    shop = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    closeShop = () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections())
    browser = await chromium.launch({
      executablePath,
      args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
    })
  })
  afterAll(async () => {
    await browser.close()
    await closeShop()
    await paypal.close()
    await kit.close()
  })

  const token = async (more: string) => {
    const answer = await fetch(`${paypal.url}/v1/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa('client:secret')}` },
      body: new URLSearchParams(`grant_type=client_credentials${more}`),
    })
    return ((await answer.json()) as { access_token: string }).access_token
  }

  async function anOrder(): Promise<string> {
    const answer = await fetch(`${paypal.url}/v2/checkout/orders`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await token('')}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        intent: 'CAPTURE',
        purchase_units: [{ amount: { currency_code: 'USD', value: '42.98' } }],
      }),
    })
    return ((await answer.json()) as { id: string }).id
  }

  /** A shopper at the payment step. */
  async function atCheckout({ clientToken, order }: { clientToken?: string; order?: string } = {}) {
    const visited = await (await browser.newContext()).newPage()
    const complaints: string[] = []
    visited.on('console', (line) => line.type() === 'error' && complaints.push(line.text()))
    visited.on('pageerror', (error) => complaints.push(String(error)))
    const orderId = await anOrder()
    await visited.addInitScript(`
      window.token = ${JSON.stringify(clientToken ?? (await token('&response_type=client_token')))};
      window.order = ${order ?? `() => Promise.resolve({ orderId: '${orderId}' })`};
    `)
    await visited.goto(shop)
    await visited.evaluate('window.ready')
    return { page: visited, orderId, complaints }
  }

  const told = (visited: Page) => visited.evaluate('window.told') as Promise<[string, unknown][]>
  const statusOf = (id: string) => paypal.ledger().payments?.find((payment) => payment.id === id)?.status

  test.each([
    ['Pay now', 'APPROVED', ['approved', 'complete']],
    ['Approve, then hold', 'APPROVED', ['approved', 'complete']],
    ['Approve, then decline', 'APPROVED', ['approved', 'complete']],
    ['Cancel', 'CREATED', ['cancelled', 'complete']],
    ['Fail', 'CREATED', ['error', 'complete']],
  ])("'%s' leaves the order %s", async (label, status, names) => {
    const { page: visited, orderId, complaints } = await atCheckout()
    await visited.getByRole('button', { name: 'Pay with PayPal' }).click()
    const dialog = visited.getByRole('dialog', { name: 'Sandbox wallet' })
    await dialog.getByText('Pay 42.98 USD').waitFor()
    const choice = dialog.getByRole('button', { name: label, exact: true })
    if (!(await choice.isVisible())) await dialog.getByText('Other outcomes').click()
    await choice.click()
    await expect.poll(async () => (await told(visited)).map(([name]) => name)).toEqual(['eligible', ...names])
    expect(statusOf(orderId)).toBe(status)
    expect(await dialog.count()).toBe(0)
    expect(complaints).toEqual([])
    await visited.close()
  })

  test('works with the keyboard alone, Escape cancels, and the focus returns', async () => {
    const { page: visited, orderId } = await atCheckout()
    await visited.keyboard.press('Tab')
    await visited.keyboard.press('Enter')
    await visited.getByRole('dialog').waitFor()
    await visited.keyboard.press('Escape')
    await expect.poll(async () => (await told(visited)).map(([name]) => name)).toContain('cancelled')
    expect(await visited.evaluate('document.activeElement.localName')).toBe('paypal-button')
    await visited.keyboard.press('Space')
    await visited.getByRole('dialog').waitFor()
    await visited.keyboard.press('Enter') // 'Pay now' has the focus
    await expect.poll(async () => (await told(visited)).map(([name]) => name)).toContain('approved')
    expect(statusOf(orderId)).toBe('APPROVED')
    await visited.close()
  })

  test('passes an accessibility audit', async () => {
    const { page: visited } = await atCheckout()
    expect(await findViolations(visited)).toEqual([])
    await visited.getByRole('button', { name: 'Pay with PayPal' }).click()
    await visited.getByText('Other outcomes').click()
    expect(await findViolations(visited)).toEqual([])
    await visited.close()
  })

  test('reports an order that could not be created, and an invalid token', async () => {
    const broken = await atCheckout({ order: "() => Promise.reject(new Error('409'))" })
    await broken.page.getByRole('button', { name: 'Pay with PayPal' }).click()
    await expect.poll(async () => told(broken.page)).toContainEqual(['error', 'ERR_CREATE_ORDER'])
    expect(await broken.page.getByRole('dialog').count()).toBe(0)
    await broken.page.close()
    const stranger = await atCheckout({ clientToken: 'nobodys' })
    expect(await told(stranger.page)).toEqual([['setup failed', 'ERR_CLIENT_TOKEN']])
    await stranger.page.close()
  })

  test('a disabled button does nothing, and a destroyed session closes its dialog', async () => {
    const { page: visited } = await atCheckout()
    await visited.evaluate("document.querySelector('paypal-button').setAttribute('disabled', '')")
    await visited.evaluate("document.querySelector('paypal-button').click()")
    expect(await visited.getByRole('button', { name: 'Pay with PayPal' }).isDisabled()).toBe(true)
    expect(await visited.getByRole('dialog').count()).toBe(0)
    await visited.evaluate("document.querySelector('paypal-button').removeAttribute('disabled')")
    await visited.getByRole('button', { name: 'Pay with PayPal' }).click()
    await visited.getByRole('dialog').waitFor()
    await visited.evaluate('window.session.destroy()')
    expect(await visited.getByRole('dialog').count()).toBe(0)
    expect(await told(visited)).toEqual([['eligible', true]])
    await visited.close()
  })
})
