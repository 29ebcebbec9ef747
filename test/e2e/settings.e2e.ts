import { expect, expectAccessible, expectNoSidewaysScroll, test } from './browser.ts'

// Nobody is signed in at first.
test.use({ viewport: { width: 390, height: 800 }, expected: [/Failed to load resource.*401/] })

test('the owner changes the banner and the order of the home page, sees both in the shop, and undoes them', async ({
  page,
}) => {
  test.slow()
  await page.goto('/admin/settings')
  await page.getByLabel('Username').fill('owner')
  await page.getByLabel('Password').fill('owner-demo')
  await page.getByRole('tabpanel').getByRole('button', { name: 'Login' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  await page.setViewportSize({ width: 1440, height: 900 })
  await expectAccessible(page)

  await page.getByLabel('Banner').fill('Closed on Monday')
  await page.getByRole('button', { name: 'Save label' }).click()
  await expect(page.getByRole('banner').getByText('Closed on Monday')).toBeVisible()

  const up = page.getByRole('button', { name: 'Move How it is made up' })
  await up.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('checkbox', { name: 'Opening picture and headline' }).uncheck()
  await page.getByRole('button', { name: 'Save home page' }).click()
  await expect(page.getByRole('button', { name: 'Undo the change of Sections' })).toBeVisible()
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 2 }).first()).toHaveText('From sofa to doorstep')

  await page.goto('/admin/settings')
  await page.getByRole('button', { name: 'Undo the change of Sections' }).first().click()
  await expect(page.getByText(/undid entry \d+ of ‘Sections’/)).toBeVisible()
  await page.getByRole('button', { name: 'Undo the change of Banner' }).first().click()
  await expect(page.getByText(/undid entry \d+ of ‘Banner’/)).toBeVisible()
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1, name: 'Famous pets, properly made' })).toBeVisible()
  await expect(page.getByText('Closed on Monday')).toHaveCount(0)
})
