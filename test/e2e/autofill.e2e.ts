import type { Page } from '@playwright/test'
import { launchOptions } from '../../playwright.config.ts'
import { country, expectSydney, shipping } from './address-fields.ts'
import { expect, test } from './browser.ts'
import { bringHatToCheckout } from './shopper.ts'

// The headless shell that the other tests use has no autofill.
test.use({ launchOptions: { ...launchOptions, executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium' } })

/** Chromium's own autofill, as when an address is picked from its list in the street's field. */
async function autofill(page: Page, fields: Record<string, string>): Promise<void> {
  const browser = await page.context().newCDPSession(page)
  await browser.send('DOM.enable')
  await browser.send('Autofill.enable')
  const { root } = await browser.send('DOM.getDocument')
  const { nodeId } = await browser.send('DOM.querySelector', { nodeId: root.nodeId, selector: '#shipping-line1' })
  const { node } = await browser.send('DOM.describeNode', { nodeId })
  await browser.send('Autofill.trigger', {
    fieldId: node.backendNodeId,
    address: { fields: Object.entries(fields).map(([name, value]) => ({ name: `ADDRESS_HOME_${name}`, value })) },
  })
}

test('Chromium’s own autofill works', async ({ page }) => {
  await bringHatToCheckout(page)
  const street = { STREET_ADDRESS: '1 Macquarie Street', LINE1: '1 Macquarie Street' }
  await autofill(page, { ...street, CITY: 'Sydney', STATE: 'NSW', ZIP: '2000', COUNTRY: 'AU' })
  await expectSydney(page)
  expect(await page.locator('#shipping-state:autofill, #shipping-postal_code:autofill').count()).toBe(2)
})

test('Chromium’s own autofill works for a country with other fields', async ({ page }) => {
  await bringHatToCheckout(page)
  const street = { STREET_ADDRESS: 'Unter den Linden 77', LINE1: 'Unter den Linden 77' }
  await autofill(page, { ...street, CITY: 'Berlin', STATE: 'Berlin', ZIP: '10117', COUNTRY: 'DE' })
  await expect(country(page)).toHaveValue('DE')
  const fields = shipping(page)
  await expect(fields.getByLabel('State')).toHaveCount(0)
  await expect(fields.getByLabel('Address', { exact: true })).toHaveValue('Unter den Linden 77')
  await expect(fields.getByLabel('Postal code')).toHaveValue('10117')
  await expect(fields.getByLabel('City')).toHaveValue('Berlin')
})
