import assert from 'node:assert/strict'
import { countryName } from '#domain/checkout/countries.ts'
import { inLanguage, type OtherLanguage } from '#shared/language.ts'
import { ADDRESS, BUYER, cards, COUNTRY, HAT, newEmail, ORDER_NUMBER } from '../../test/e2e/shopper.ts'
import { speakerOf } from '../../test/e2e/spoken.ts'
import type { Visitor } from './visitor.ts'

type Step = {
  title: string
  /** Part of `npm test`. */
  isShort?: true
  walk: (visitor: Visitor) => Promise<void>
}

const scrollTop = (visitor: Visitor) => visitor.run(() => Math.round(scrollY))

/** Whether the target of a `#` link is at the top of the screen, or as far up as the page allows. */
const isAt = (visitor: Visitor, id: string) =>
  visitor.run((name) => {
    const place = document.getElementById(name)
    if (!place) return false
    const gap =
      parseFloat(getComputedStyle(place).scrollMarginTop) +
      parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop)
    const above = place.getBoundingClientRect().top - gap
    const isAtEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 2
    return Math.abs(above) < 2 || (above < 0 && scrollY === 0) || (above > 0 && isAtEnd)
  }, id)

const comeTo = (visitor: Visitor, id: string) =>
  visitor.until(`the page does not scroll to #${id}`, () => isAt(visitor, id))

/** Uses the skip link with the keyboard. */
async function skipToContent(visitor: Visitor): Promise<void> {
  await visitor.run(() => scrollTo(0, 600))
  await visitor.key('Tab')
  await visitor.key('Enter')
  await visitor.until('the content is not focused', () => visitor.run(() => document.activeElement?.id === 'main'))
  await comeTo(visitor, 'main')
}

async function fillDelivery(visitor: Visitor): Promise<void> {
  await visitor.fill('Email', newEmail())
  await visitor.fill('Full name', BUYER)
  await visitor.choose('Country', COUNTRY)
  for (const [label, value] of ADDRESS) await visitor.fill(label, value)
}

async function fillCard(visitor: Visitor, number: string): Promise<void> {
  await visitor.fill('Card number', number)
  await visitor.fill('Expiration date', '12 / 34')
  await visitor.fill('Security code', '123')
}

/** Adds a hat through the API, for steps that begin at checkout. */
async function bringToCheckout(visitor: Visitor, path: string): Promise<void> {
  await visitor.goto('/about')
  await visitor.run(async (slug) => {
    const request = async (address: string, data?: object) => {
      const init = data && {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(data),
      }
      return (await fetch(address, init)).json()
    }
    const products = (await request('/api/products')) as { id: number; slug: string; providerProductId: number }[]
    const wanted = products.find((product) => slug.endsWith(`/${product.slug}`))
    const { result } = (await request(`/api/printful/products/${wanted?.providerProductId}`)) as {
      result: { sync_variants: { id: number }[] }
    }
    await request('/api/cart', { productId: wanted?.id, variantId: result.sync_variants[0]?.id })
  }, HAT)
  await visitor.goto(path)
  await visitor.see('heading', 'Checkout')
}

async function comeToPayment(visitor: Visitor): Promise<void> {
  await fillDelivery(visitor)
  await visitor.tick('I agree to the terms and conditions')
  await visitor.press('button', 'Continue to Payment')
  await visitor.see('field', 'Card number')
}

/** @returns the order number */
async function readOrderNumber(visitor: Visitor): Promise<string> {
  await visitor.see('heading', 'Payment Successful!')
  return visitor.see('text', ORDER_NUMBER)
}

/** Signs out first. */
async function signIn(visitor: Visitor, username: string, password: string, path: string): Promise<void> {
  await visitor.goto('/about')
  await visitor.run(() => fetch('/api/logout', { method: 'POST' }).then(() => {}))
  await visitor.goto(path)
  await visitor.fill('Username', username)
  await visitor.fill('Password', password)
  await visitor.press('button', 'Login', '[role=tabpanel]')
}

/** A date field that is too narrow hides its date under the calendar icon. */
const expectRoomForDates = async (visitor: Visitor) =>
  assert.deepEqual(
    await visitor.run(() => {
      const needed = (field: HTMLInputElement) => {
        const copy = field.cloneNode() as HTMLInputElement
        Object.assign(copy.style, { position: 'absolute', width: 'max-content' })
        field.after(copy)
        const { offsetWidth } = copy
        copy.remove()
        return offsetWidth
      }
      const dates = Array.from(document.querySelectorAll<HTMLInputElement>('input[type=date]'))
      return dates.filter((field) => field.offsetWidth < needed(field)).map(({ name }) => name)
    }),
    [],
  )

/** The page is never wider than the screen. */
export const expectNoSidewaysScroll = async (visitor: Visitor) =>
  assert.ok(
    await visitor.run(() => document.documentElement.scrollWidth <= innerWidth),
    'the page is wider than the screen',
  )

const screens = [
  ...['/', '/products', HAT, '/collections/rudy', '/collections/sherlock', '/search?q=hat', '/search?q=zzzz'],
  ...['/about', '/contact', '/cart', '/track', '/auth', '/shipping-returns', '/no-such-page'],
]

/** The words come from the catalog. */
const purchaseIn = (language: OtherLanguage): Step => ({
  title: `a card purchase in the language ${language}`,
  async walk(visitor) {
    const its = speakerOf(language)
    await visitor.goto(`/${language}${HAT}`)
    await visitor.press('button', its('Add to Cart'), 'main')
    const inCart = its('Cart, {count, plural, one {# item} other {# items}}', { count: 1 })
    await visitor.press('button', new RegExp(`^${inCart.replace('1', String.raw`\d+`)}`))
    await visitor.press('button', its('Proceed to Checkout'), 'dialog')
    await visitor.see('heading', its('Checkout'))
    await visitor.fill(its('Email'), newEmail())
    await visitor.fill(its('Full name'), BUYER)
    await visitor.choose(
      its('Country'),
      inLanguage(language, () => countryName('US')),
    )
    for (const [label, value] of ADDRESS) await visitor.fill(its(label), value)
    await expectNoSidewaysScroll(visitor)
    await visitor.tick(its('I agree to the terms and conditions'))
    await visitor.press('button', its('Continue to Payment'))
    await fillCard(visitor, cards.good)
    await visitor.press('button', new RegExp(`^${its('Pay {amount}', { amount: '.+' })}$`))
    await visitor.see('heading', its('Payment Successful!'))
    await visitor.see('text', ORDER_NUMBER)
  },
})

export const steps: readonly Step[] = [
  {
    title: 'links within a page scroll to their target, Back returns, and the link works again',
    isShort: true,
    async walk(visitor) {
      await visitor.goto('/')
      for (let time = 1; time <= 2; time += 1) {
        await visitor.press('link', 'Explore Collections')
        await comeTo(visitor, 'collections')
        assert.equal(await visitor.path(), '/#collections')
        await visitor.run(() => history.back())
        await visitor.until('Back does not lead to the top', async () => (await scrollTop(visitor)) < 300)
        assert.equal(await visitor.path(), '/')
      }
      await visitor.goto('/about')
      await skipToContent(visitor)
      await bringToCheckout(visitor, '/checkout')
      await skipToContent(visitor)
    },
  },
  {
    title: 'a checkbox stays checked after a long press while the previous field shows its error',
    isShort: true,
    async walk(visitor) {
      await bringToCheckout(visitor, '/checkout')
      for (const heldMs of [0, 600]) {
        await visitor.goto('/checkout')
        await visitor.see('field', 'ZIP code')
        // At the bottom of the screen, nothing above absorbs the layout shift.
        await visitor.run(() => {
          document.getElementById('terms')?.scrollIntoView({ block: 'end', behavior: 'instant' })
          scrollBy({ top: 80, behavior: 'instant' })
        })
        await visitor.press('field', 'ZIP code')
        await visitor.tick('I agree to the terms and conditions', heldMs)
        await visitor.see('text', 'Required')
      }
    },
  },
  {
    title: 'a card purchase',
    isShort: true,
    async walk(visitor) {
      await visitor.goto(HAT)
      await visitor.press('button', 'Add to Cart', 'main')
      await visitor.press('button', /^Cart, \d+ item/)
      await visitor.press('button', 'Proceed to Checkout', 'dialog')
      await visitor.see('heading', 'Checkout')
      await comeToPayment(visitor)
      await fillCard(visitor, cards.good)
      await visitor.press('button', /^Pay \$/)
      await readOrderNumber(visitor)
    },
  },
  purchaseIn('de'),
  purchaseIn('ja'),
  {
    title: 'a card purchase with 3-D Secure',
    async walk(visitor) {
      await bringToCheckout(visitor, '/checkout')
      await comeToPayment(visitor)
      await fillCard(visitor, cards.withExtraCheck)
      await visitor.press('button', /^Pay \$/)
      await visitor.press('button', 'Complete authentication', 'dialog')
      await readOrderNumber(visitor)
    },
  },
  {
    title: 'a wallet purchase with PayPal',
    async walk(visitor) {
      await bringToCheckout(visitor, '/checkout')
      await comeToPayment(visitor)
      await visitor.press('button', 'Pay with PayPal')
      await visitor.press('button', 'Pay now', 'dialog')
      await readOrderNumber(visitor)
    },
  },
  {
    title: 'a purchase through the three-step checkout',
    async walk(visitor) {
      await bringToCheckout(visitor, '/checkout-with-stripe-address')
      await fillDelivery(visitor)
      await visitor.press('button', 'Continue to Review')
      await visitor.press('button', /^Pay with Card - \$/)
      await visitor.see('field', 'Card number')
      await fillCard(visitor, cards.good)
      await visitor.press('button', /^Complete Payment - \$/)
      await readOrderNumber(visitor)
    },
  },
  {
    title: 'search: suggestions, results, filters',
    async walk(visitor) {
      await visitor.goto('/about')
      await visitor.press('button', 'Search')
      await visitor.fill('Search all products', 'after hours')
      await visitor.press('option', /After Hours/)
      await visitor.see('heading', /After Hours/)
      await visitor.press('button', 'Search')
      await visitor.fill('Search all products', 'mug')
      await visitor.key('Enter')
      await visitor.see('heading', 'Search Results')
      await visitor.see('text', /^\d+ products found$/)
      await visitor.goto('/products')
      // On a phone the filters are in a sheet.
      const isPhone = await visitor.sees('button', /^Filter/)
      if (isPhone) await visitor.press('button', /^Filter/)
      await visitor.press('button', /^Type/, ...(isPhone ? [] : ['main']))
      await visitor.press('field', /^Mugs/)
      await visitor.until('the filter is not in the address', async () => (await visitor.path()).endsWith('?type=mug'))
    },
  },
  {
    title: 'every screen of the shop fits',
    async walk(visitor) {
      for (const path of screens) {
        await visitor.goto(path)
        await visitor.see('heading', /./, 'main')
        await expectNoSidewaysScroll(visitor)
      }
    },
  },
  {
    title: 'admin: signing in, finding an order, a partial refund, reports',
    async walk(visitor) {
      await bringToCheckout(visitor, '/checkout')
      await comeToPayment(visitor)
      await fillCard(visitor, cards.good)
      await visitor.press('button', /^Pay \$/)
      const number = await readOrderNumber(visitor)
      await signIn(visitor, 'owner', 'owner-demo', '/admin/orders')
      await visitor.see('heading', 'Orders')
      await expectRoomForDates(visitor)
      await visitor.fill('Order number, email, name or payment ID', number)
      await visitor.press('button', 'Find')
      await visitor.press('link', number, 'main')
      await visitor.see('heading', `Order ${number}`)
      await visitor.press('button', 'Refund...')
      await visitor.press('field', 'Another amount', 'dialog')
      await visitor.fill('Amount in US dollars', '1.50', 'dialog')
      await visitor.fill('Reason', 'A stain', 'dialog')
      await visitor.press('button', 'Preview refund', 'dialog')
      await visitor.press('button', 'Refund $1.50', 'dialog')
      await visitor.see('text', /\$1\.50/, '[aria-label="About this order"]')
      await visitor.goto('/reports')
      await visitor.press('link', 'Last 7 days')
      await visitor.see('text', /Compared with/)
      await expectRoomForDates(visitor)
      await visitor.press('link', /\$/, 'dd')
      await visitor.see('text', /adds? up to \$/)
    },
  },
  {
    title: 'partner: applying, content, a link with its code, earnings',
    async walk(visitor) {
      const username = `napper-${Date.now().toString(36)}`
      await visitor.goto('/about')
      await visitor.run(
        (name) =>
          fetch('/api/register', {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ username: name, password: 'a long enough secret' }),
          }).then(() => {}),
        username,
      )
      await visitor.goto('/partnership')
      await visitor.press('button', 'Download Assets')
      await visitor.press('link', 'How to apply')
      await comeTo(visitor, 'apply')
      await visitor.fill('Name', 'Nap Central')
      await signIn(visitor, 'partner', 'partner-demo', '/partnership')
      await visitor.see('heading', 'Welcome, partner')
      await visitor.press('button', 'View Content')
      await visitor.see('button', 'Copy Short post')
      await visitor.press('button', 'Generate Links')
      await visitor.fill('Page', '/collections/sherlock')
      await visitor.fill(/^Campaign/, 'Case of the month')
      await visitor.press('button', 'Create link')
      await visitor.see('text', /Case of the month/)
      await visitor.goto('/partnership/statements')
      await visitor.see('link', /^PDF/)
    },
  },
]
