import { languageNames, type Language, type OtherLanguage } from '#shared/language.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './browser.ts'
import { untilHydrated } from './hydrated.ts'
import { ADDRESS, BUYER, cards, fillCard, HAT, mailTo, newEmail, ORDER_NUMBER } from './shopper.ts'
import { speakerOf } from './spoken.ts'

// A shopper whose browser asks for another language buys in it. What is looked for comes from the catalog of words.

const shoppers: readonly { language: OtherLanguage; locale: string; country: string; color: string; amount: RegExp }[] =
  [
    {
      language: 'de',
      locale: 'de-AT',
      country: 'Vereinigte Staaten',
      color: 'Tresorschwarz mit Anthrazit',
      amount: /\d+,\d\d\s\$/,
    },
    {
      language: 'fr',
      locale: 'fr-FR',
      country: 'États-Unis',
      color: 'Noir coffre-fort et Anthracite',
      amount: /\d+,\d\d\s\$US/,
    },
    {
      language: 'es',
      locale: 'es-ES',
      country: 'Estados Unidos',
      color: 'Negro bóveda con Carbón',
      amount: /\d+,\d\d\sUS\$/,
    },
    {
      language: 'ja',
      locale: 'ja-JP',
      country: 'アメリカ合衆国',
      color: 'ボールトブラック×チャコール',
      amount: /\$\d+\.\d\d/,
    },
  ]

for (const { language, locale, country, color, amount } of shoppers)
  test.describe(language, () => {
    test.use({ locale, viewport: { width: 360, height: 740 } })

    const its = speakerOf(language)

    test(`${language}: a hat is bought in the language of the browser, and the email is in it too`, async ({
      page,
    }) => {
      await page.goto(HAT)
      await expect(page).toHaveURL(new RegExp(`/${language}/product/`))
      await expect(page.locator('html')).toHaveAttribute('lang', language)
      await expect(page.getByRole('main').getByText(amount).first()).toBeVisible()
      await expectAccessible(page)
      await page
        .getByRole('main')
        .getByRole('button', { name: its('Add to Cart') })
        .click()
      await page
        .getByRole('button', { name: its('Cart, {count, plural, one {# item} other {# items}}', { count: 1 }) })
        .click()
      await page
        .getByRole('dialog')
        .getByRole('button', { name: its('Proceed to Checkout') })
        .click()

      await expect(page).toHaveURL(new RegExp(`/${language}/checkout`))
      await untilHydrated(page)
      await page.getByRole('button', { name: its('Show order summary') }).click()
      await expect(page.getByText(color).first()).toBeVisible()
      await expectNoSidewaysScroll(page)
      const email = newEmail()
      await page.getByLabel(its('Email'), { exact: true }).fill(email)
      await page.getByLabel(its('Full name'), { exact: true }).fill(BUYER)
      const address = page.getByRole('group', { name: its('Shipping address') })
      await address.getByLabel(its('Country')).selectOption(country)
      const labels = [its('Address'), its('City'), its('State'), its('ZIP code')]
      for (const [index, [, value]] of ADDRESS.entries())
        await address.getByLabel(labels[index] ?? '', { exact: true }).fill(value)
      await expectAccessible(page)
      await page.getByRole('checkbox', { name: its('I agree to the terms and conditions') }).check()
      await page.getByRole('button', { name: its('Continue to Payment') }).click()
      await page
        .getByLabel(/4242|Card number/)
        .or(page.getByRole('textbox').first())
        .first()
        .waitFor()
      await fillCard(page, cards.good)
      await page.getByRole('button', { name: amount }).last().click()
      await expect(page.getByText(ORDER_NUMBER)).toBeVisible({ timeout: 30_000 })
      await expect(page).toHaveURL(new RegExp(`/${language}/payment-success`))
      await expectAccessible(page)
      const mail = await mailTo(page, email)
      expect(mail.html).toContain(`lang="${language}"`)
    })

    test(`${language}: who chooses English reads English at the next visit, and ${language} again when chosen again`, async ({
      page,
    }) => {
      const arrive = async (lang: string) => {
        // Typed into the address bar: from nowhere.
        await page.goto('about:blank')
        await page.goto('/about')
        await expect(page.locator('html')).toHaveAttribute('lang', lang)
      }
      const choose = async (lang: Language) => {
        await page.getByRole('contentinfo').getByRole('link', { name: languageNames[lang] }).click()
        await expect(page.locator('html')).toHaveAttribute('lang', lang)
      }
      await arrive(language)
      await choose('en')
      await arrive('en')
      await choose(language)
      await arrive(language)
    })
  })

test('a page in English loads the two small fonts and no other: the name of another language in the footer needs none', async ({
  page,
}) => {
  const fonts: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'font') fonts.push(new URL(request.url()).pathname)
  })
  await page.goto('/contact')
  await untilHydrated(page)
  await expect(page.getByRole('contentinfo').getByText(languageNames.ja)).toBeVisible()
  await page.evaluate(() => document.fonts.ready.then(() => {}))
  expect(fonts.toSorted()).toEqual([
    expect.stringMatching(/^\/assets\/fraunces-first-/),
    expect.stringMatching(/^\/assets\/instrument-sans-first-/),
  ])
})
