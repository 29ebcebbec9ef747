import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { MEASURES_VIEW } from '#domain/catalog/gallery.ts'
import { pictureModels, renderOf, usualPlacements, viewsOf, type PictureView } from '#domain/pictures/picture-models.ts'
import type { DemoProduct } from './demo-product.ts'
import { surchargeTo, type ProductMetadata } from '#domain/catalog/metadata.ts'
import { estimateProfit } from '#domain/orders/profit-estimate.ts'
import { salesOfPiece } from '#domain/catalog/margin.ts'
import { mainCountries } from '#domain/checkout/countries.ts'
import { RATE_DEFAULT, RATE_MAX } from '#domain/partners/rates.ts'
import type { PaymentProvider } from '#shared/ids.ts'
import { cents, centsFromDecimal, minus, plus, share, ZERO, type Cents } from '#shared/money.ts'
import { usualAddress } from '#server/checkout/usual-addresses.ts'
import { findCountry, taxOf } from '../printful/places.ts'
import { seedProducts } from '../printful/products.ts'
import { ratesTo } from '../printful/shipping.ts'
import { findTaxPlace } from '../stripe/rates.ts'
import { variantNameOf } from '#domain/catalog/variant-name.ts'
import { demoCatalogFile } from './catalog-file.ts'
import { demoReviews } from './demo-reviews.ts'
import { measuresOf } from './measures.ts'
import { demoProducts } from './products.ts'

const variantsOf = ({ colors, sizes }: DemoProduct) =>
  colors.flatMap((color) => sizes.map((size) => ({ color: color.name, size })))

const priceOf = ({ retailPrice }: DemoProduct, size: string) => retailPrice[size] ?? retailPrice['*']

const isShirt = ({ type }: DemoProduct) => type === 't-shirt' || type === 'polo'

const idsWhere = (holds: (product: DemoProduct) => boolean) => demoProducts.filter(holds).map(({ id }) => id)

describe('the demo shop as a whole', () => {
  test.each([
    ['rudy', 24],
    ['sherlock', 8],
    ['example', 4],
  ])('%s has %i products', (collection, count) => {
    expect(idsWhere((product) => product.collection === collection)).toHaveLength(count)
  })

  test('the demo shop has at least 300 variants', () => {
    expect(demoProducts.flatMap(variantsOf).length).toBeGreaterThanOrEqual(300)
  })

  test.each(pictureModels)('rudy sells a %s', (type) => {
    expect(idsWhere((product) => product.collection === 'rudy' && product.type === type)).not.toEqual([])
  })

  test.each(['id', 'slug', 'name', 'description', 'syncProductId'] as const)(
    'no two products share their %s',
    (field) => {
      expect(new Set(demoProducts.map((product) => product[field])).size).toBe(demoProducts.length)
    },
  )

  test('ids and sync product ids ascend; ids are within 1..40 and leave gaps', () => {
    const ascending = (numbers: number[]) => numbers.toSorted((a, b) => a - b)
    const ids = demoProducts.map(({ id }) => id)
    const syncProductIds = demoProducts.map(({ syncProductId }) => syncProductId)
    expect(ids).toEqual(ascending(ids))
    expect(syncProductIds).toEqual(ascending(syncProductIds))
    expect([ids.at(0), ids.at(-1)]).toEqual([1, 40])
    expect(Math.max(...syncProductIds)).toBeLessThan(2 ** 31)
  })

  test('prices reach from under 20 dollars to over 75', () => {
    const prices = demoProducts.flatMap(({ retailPrice }) => Object.values(retailPrice)).map(Number)
    expect(Math.min(...prices)).toBeLessThan(20)
    expect(Math.max(...prices)).toBeGreaterThan(75)
  })
})

describe('what a shopper reads', () => {
  test('every color is seen in front, in use, close up, worn or in a hand, and measured, in that order', () => {
    const shown = demoCatalogFile().products
    for (const product of demoProducts)
      for (const { name } of product.colors) {
        const pictures = shown.find(({ id }) => id === product.id)?.pictures ?? []
        const views = pictures.filter(({ view, color }) => view !== 'share' && (color ?? name) === name)
        const wanted = [...viewsOf(product.type), ...(measuresOf(product) ? [MEASURES_VIEW] : [])]
        expect(
          views.map(({ view }) => view),
          `${product.name}, ${name}`,
        ).toEqual(wanted)
      }
    expect(viewsOf('hat')).toEqual(['front', 'lifestyle', 'detail', 'worn'])
    expect(viewsOf('mug')).toEqual(['front', 'lifestyle', 'detail', 'held'])
    expect(viewsOf('t-shirt')).toEqual(['front', 'lifestyle', 'detail', 'worn'])
    const seen = (view: PictureView) => pictureModels.filter((model) => viewsOf(model).includes(view))
    expect(seen('worn')).toEqual(['vented-hat', 'hat', 'visor', 't-shirt', 'polo'])
    expect(seen('held')).toHaveLength(7)
  })

  test('the first product is Rudy’s', () => {
    expect(demoProducts.at(0)?.name).toMatch(/^Rudy /)
  })

  test('every name begins with the pet and names the type of product', () => {
    const pets = { rudy: 'Rudy ', sherlock: 'Sherlock ', example: 'Pip ' }
    for (const { name, collection, type } of demoProducts) {
      const word = type === 't-shirt' ? type : type.replaceAll('-', ' ')
      expect(name.startsWith(pets[collection]), name).toBe(true)
      expect(name.toLowerCase()).toContain(word)
    }
  })

  test('every mug’s name has its size, 11 or 15 oz, and exactly two are 11 oz', () => {
    const mugs = demoProducts.filter(({ type }) => type === 'mug').map(({ name }) => name)
    expect(mugs.filter((name) => !/\b(11|15) oz\b/.test(name))).toEqual([])
    expect(mugs.filter((name) => name.includes('11 oz'))).toHaveLength(2)
  })

  test('every description has two to four sentences and no exclamation mark', () => {
    for (const { name, description } of demoProducts) {
      const sentences = description.split(/(?<=[.?])\s+/)
      expect(sentences.length, name).toBeGreaterThanOrEqual(2)
      expect(sentences.length, name).toBeLessThanOrEqual(4)
      expect(description, name).not.toContain('!')
    }
  })

  test('about half of the products have demo reviews, two to nine each, all within the last months', () => {
    const counts = Map.groupBy(demoReviews, ({ product }) => product)
    expect(counts.size).toBeGreaterThanOrEqual(16)
    expect(counts.size).toBeLessThanOrEqual(20)
    for (const [product, own] of counts) {
      expect(idsWhere(({ id }) => id === product)).toEqual([product])
      expect(own.length, String(product)).toBeGreaterThanOrEqual(2)
      expect(own.length, String(product)).toBeLessThanOrEqual(9)
    }
    expect(demoReviews.filter(({ daysAgo }) => daysAgo < 1 || daysAgo > 120)).toEqual([])
    expect(new Set(demoReviews.map(({ words }) => words)).size).toBe(demoReviews.length)
  })

  test('demo reviews speak of the fit of what is worn alone, and of variants that there are', () => {
    for (const { product: id, fit, variant } of demoReviews) {
      const product = demoProducts.find((one) => one.id === id)
      const isWorn = ['t-shirt', 'polo', 'hat', 'vented-hat', 'visor'].includes(product?.type ?? '')
      expect(fit === undefined || isWorn, `${id}`).toBe(true)
      const names = product ? variantsOf(product).map(({ color, size }) => variantNameOf(color, size)) : []
      expect(names).toContain(variant)
    }
  })
})

describe('the drawings', () => {
  test('no drawing is on more than two types of a collection', () => {
    const uses = Map.groupBy(demoProducts, ({ collection, design }) => `${collection} ${design}`)
    for (const [use, products] of uses)
      expect(new Set(products.map(({ type }) => type)).size, use).toBeLessThanOrEqual(2)
  })

  /** The specification's order of a list: hats, shirts, mugs and so on, each by name. */
  const groups = [
    'vented-hat',
    'hat',
    'visor',
    't-shirt polo',
    'mug',
    'water-bottle',
    'pillow',
    'tote',
    'blanket can-cooler mouse-pad',
  ]
  const inOrder = (products: readonly DemoProduct[]) =>
    groups.flatMap((types) =>
      products
        .filter(({ type }) => types.split(' ').includes(type))
        .toSorted((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1)),
    )

  test('no two neighbors in a list share a drawing, in one column or in four', () => {
    const lists = [demoProducts, ...Map.groupBy(demoProducts, ({ collection }) => collection).values()].map(inOrder)
    expect(lists[0]).toHaveLength(demoProducts.length)
    for (const list of lists)
      for (const distance of [1, 2, 3, 4])
        for (const [i, { name, design }] of list.entries()) expect(list[i + distance]?.design, name).not.toBe(design)
  })

  test('drawings are printed as usual, small on the chest, large, and all over', () => {
    expect([...new Set(demoProducts.map(({ print }) => print ?? 'usual'))].toSorted()).toEqual([
      'all-over',
      'chest',
      'large',
      'usual',
    ])
  })

  test('no two shirts of a collection lie in the same folds', () => {
    const passes = readdirSync(new URL('../../pictures/passes/', import.meta.url))
    const renders = demoProducts.filter(isShirt).map(({ collection, type, design }) => {
      const render = renderOf(type, 'front', design, usualPlacements[type])
      expect(passes).toContain(`${render}.planes.webp`)
      return `${collection} ${render}`
    })
    expect(new Set(renders).size).toBe(renders.length)
  })

  test('every drawing in the repository is on a product', () => {
    const folder = new URL('../../pictures/designs/', import.meta.url)
    const drawn = readdirSync(folder).flatMap((file) => (file.endsWith('.svg') ? file.slice(0, -'.svg'.length) : []))
    expect(drawn.toSorted()).toEqual([...new Set(['mark', ...demoProducts.map(({ design }) => design)])].toSorted())
  })
})

describe('what a shopper chooses', () => {
  test('the seven Select Options products are all the t-shirts and polos', () => {
    expect(idsWhere(({ requiresOptions }) => requiresOptions)).toEqual(idsWhere(isShirt))
    expect(idsWhere(isShirt)).toHaveLength(7)
  })

  test('shirts come in six sizes, 2XL two and 3XL four dollars more; everything else comes in one', () => {
    for (const product of demoProducts) {
      if (!isShirt(product)) {
        expect(product.sizes, product.name).toEqual(['One size'])
        continue
      }
      expect(product.sizes, product.name).toEqual(['S', 'M', 'L', 'XL', '2XL', '3XL'])
      expect(Number(priceOf(product, '2XL')) - Number(priceOf(product, 'S'))).toBeCloseTo(2, 9)
      expect(Number(priceOf(product, '3XL')) - Number(priceOf(product, 'S'))).toBeCloseTo(4, 9)
    }
  })

  test('every variant has a decimal price with two places, above what it costs to make', () => {
    for (const product of demoProducts) {
      expect(product.cost, product.name).toMatch(/^\d+\.\d\d$/)
      for (const { size } of variantsOf(product)) {
        const price = priceOf(product, size)
        expect(price, product.name).toMatch(/^\d+\.\d\d$/)
        expect(Number(price), product.name).toBeGreaterThan(Number(product.cost))
      }
    }
  })

  test('each color of a product has its own name and a six-digit hex; mugs and vented hats have two tones', () => {
    for (const { name, type, colors } of demoProducts) {
      expect(new Set(colors.map((color) => color.name)).size, name).toBe(colors.length)
      for (const { hex, accent } of colors) {
        expect(hex, name).toMatch(/^#[0-9a-f]{6}$/)
        if (type === 'mug' || type === 'vented-hat') expect(accent, name).toMatch(/^#[0-9a-f]{6}$/)
      }
    }
  })

  test('every sold-out color and size is a variant, and no product is completely sold out', () => {
    const pairs = demoProducts.flatMap((product) => (product.soldOut ?? []).map((pair) => ({ product, pair })))
    expect(pairs.length).toBeGreaterThanOrEqual(4)
    for (const { product, pair } of pairs) expect(variantsOf(product), product.name).toContainEqual(pair)
    expect(idsWhere((product) => product.soldOut?.length === variantsOf(product).length)).toEqual([])
  })
})

describe('what Printful and the carriers require', () => {
  test('the five products without a mapping are those with a single variant', () => {
    expect(idsWhere(({ mapped }) => !mapped)).toHaveLength(5)
    expect(idsWhere(({ mapped }) => !mapped)).toEqual(idsWhere((product) => variantsOf(product).length === 1))
  })

  test('every pillow, and nothing else, has a surcharge to BR, JP, AU and NZ', () => {
    expect(idsWhere(({ metadata }) => metadata?.shipping_surcharge !== undefined)).toEqual(
      idsWhere(({ type }) => type === 'pillow'),
    )
    for (const { metadata } of demoProducts.filter(({ type }) => type === 'pillow')) {
      expect(metadata?.shipping_surcharge).toMatchObject({
        amount: 34.99,
        regions: ['BR', 'JP', 'AU', 'NZ'],
        description: expect.stringContaining('{amount} to an order going to {countries}'),
        enabled: true,
      })
    }
  })

  test('the shop has an example of each kind of restriction', () => {
    const restrictions = demoProducts.flatMap(({ metadata }) => metadata?.restrictions ?? [])
    expect(restrictions.filter(({ blocked_countries }) => blocked_countries?.length)).toHaveLength(1)
    expect(restrictions.filter(({ shipping_delay_regions }) => shipping_delay_regions?.length)).toHaveLength(1)
    expect(restrictions.filter(({ age_restriction }) => age_restriction === 18)).toHaveLength(1)
  })
})

const amountOf = (text: string) => centsFromDecimal(text) ?? ZERO

const metadataOf = ({ metadata }: DemoProduct): ProductMetadata => {
  const { shipping_surcharge: surcharge, restrictions } = metadata ?? {}
  return {
    ...(surcharge && {
      shippingSurcharge: {
        ...{ amount: amountOf(String(surcharge.amount)), regions: surcharge.regions },
        ...{ description: '', enabled: true },
      },
    }),
    ...(restrictions?.blocked_countries && {
      restrictions: { blockedCountries: restrictions.blocked_countries, delayRegions: [] },
    }),
  }
}

/** What the printer takes for sending one piece there. */
const shippingTo = (code: string): Cents => {
  const country = findCountry(code)
  const [rate] = country ? ratesTo(country, 1) : []
  return cents(rate?.cents ?? 0)
}

/** Every product at each of its prices. */
const priced = demoProducts.flatMap((product) =>
  [...new Set(Object.values(product.retailPrice))].map((price) => ({ product, price: amountOf(price) })),
)

test('no piece loses money with free shipping, wherever it goes, however it is paid, with any partner or with 10 % off', () => {
  const destinations = mainCountries.map((country) => ({ country, shipping: shippingTo(country) }))
  const losses = priced.flatMap(({ product, price }) => {
    const known = { destinations, cost: amountOf(product.cost), shippingPaidBy: 'free' as const, floor: ZERO }
    const discount = { off: share(price, 1000), isFreeOfShipping: false, isCommissionBefore: true }
    return [
      { partnerShares: { usual: RATE_DEFAULT, highest: RATE_DEFAULT } },
      { partnerShares: { usual: RATE_DEFAULT, highest: RATE_MAX } },
      { partnerShares: { usual: RATE_DEFAULT, highest: RATE_DEFAULT }, discount },
    ].flatMap((terms) =>
      salesOfPiece(price, { ...known, ...terms, metadata: metadataOf(product) }).flatMap((sale) =>
        sale.margin < 0 ? [{ slug: product.slug, ...sale }] : [],
      ),
    )
  })
  expect(destinations.every(({ shipping }) => shipping > 0)).toBe(true)
  expect(losses).toEqual([])
})

/** Sales that lose money, of one piece each, over all products, countries and ways of paying. */
function lossesWith(highest: number, percent: number) {
  const destinations = mainCountries.map((country) => ({ country, shipping: shippingTo(country) }))
  return priced.flatMap(({ product, price }) => {
    const basis = { destinations, cost: amountOf(product.cost), shippingPaidBy: 'free' as const, floor: ZERO }
    const partnerShares = { usual: RATE_DEFAULT, highest }
    const discount = { off: share(price, percent), isFreeOfShipping: false, isCommissionBefore: false }
    return salesOfPiece(price, { ...basis, partnerShares, discount, metadata: metadataOf(product) }).flatMap((sale) =>
      sale.margin < 0 ? [{ slug: product.slug, ...sale }] : [],
    )
  })
}

test.each([
  [0, 1000],
  [RATE_DEFAULT, 1000],
  [RATE_MAX, 0],
])('with a share of %i and a code of %i basis points together, no sale loses money', (highest, basisPoints) => {
  expect(lossesWith(highest, basisPoints)).toEqual([])
})

test('the highest share and a code for 10 % off together lose up to 27 cents, in four sales', () => {
  const losses = lossesWith(RATE_MAX, 1000).map(({ slug, country, paidBy, margin }) => [slug, country, paidBy, margin])
  expect(losses).toEqual([
    ['rudy-can-cooler-cold-storage', 'BR', 'PayPal', -27],
    ['rudy-can-cooler-cold-storage', 'MX', 'PayPal', -27],
    ['pip-mouse-pad-distant-relative', 'BR', 'PayPal', -8],
    ['pip-mouse-pad-distant-relative', 'MX', 'PayPal', -7],
  ])
})

/** A usual address of each country, and where the United States and Canada tax most. */
const places = [
  ...mainCountries.flatMap((country) => {
    const address = usualAddress(country)
    return address ? [{ country, state: address.state ?? undefined, postal_code: address.postalCode ?? undefined }] : []
  }),
  { country: 'US', state: 'IL', postal_code: '60601' },
  { country: 'CA', state: 'NB', postal_code: 'E1C 1A1' },
]

/** What the ledger books of one piece: also the tax that the printer adds to its bill, at the rate of the place. */
function bookedOn(
  { product, price }: (typeof priced)[number],
  place: (typeof places)[number],
  { provider, basisPoints, off }: { provider: PaymentProvider; basisPoints: number; off: Cents },
): Cents {
  const { country, state, postal_code: zip } = place
  const found = findTaxPlace({ ...place, line1: '1 Main Street' })
  const rate = found.kind === 'taxed' ? found.parts.reduce((total, part) => total + part.rate, 0) : 0
  const atPrinter = taxOf({ country_code: country, state_code: state, zip, address1: '1 Main Street' })
  const [cost, shipping, goods] = [amountOf(product.cost), shippingTo(country), minus(price, off)]
  const surcharge = surchargeTo(metadataOf(product), country)?.amount ?? ZERO
  const tax = cents(Math.round(plus(goods, surcharge) * rate))
  const asked = country !== 'US' && tax === ZERO ? Math.round(plus(cost, shipping) * atPrinter.vat) : 0
  const sold = { subtotal: goods, shipping: surcharge, surcharge, tax, vatProtection: cents(asked) }
  const left = estimateProfit([{ quantity: 1, cost, shipping }], sold, provider, share(goods, basisPoints))
  if (left === null) throw new Error('a product of unknown cost')
  return left
}

test.each([
  ['without a partner', 0, 0],
  ['through a partner with the usual share', RATE_DEFAULT, 0],
  ['through a partner with the highest share', RATE_MAX, 0],
  ['with a partner’s code for 10 % off', RATE_DEFAULT, 1000],
])('by the ledger no piece loses money %s, wherever it goes and however it is paid', (_, basisPoints, percent) => {
  const losses = priced.flatMap((one) =>
    places
      .filter(({ country }) => !metadataOf(one.product).restrictions?.blockedCountries.includes(country))
      .flatMap((place) =>
        (['stripe', 'paypal'] as const).flatMap((provider) => {
          const left = bookedOn(one, place, { provider, basisPoints, off: share(one.price, percent) })
          return left < 0 ? [{ slug: one.product.slug, price: one.price, ...place, provider, left }] : []
        }),
      ),
  )
  expect(places).toHaveLength(mainCountries.length + 2)
  expect(losses).toEqual([])
})

test('products on the same blank in the same color and size cost the same at the printer', () => {
  const pieces = seedProducts(demoProducts).flatMap(({ variants }) => variants)
  const costs = Map.groupBy(pieces, ({ variant_id }) => variant_id)
  expect([...costs.values()].filter((same) => new Set(same.map(({ cost }) => cost)).size > 1)).toEqual([])
})
