import type pg from 'pg'

const SETTLED_WITHIN_MS = 60_000
const CARD = '4242424242424242'

type ProductToBuy = { productId: string; variantId: number | null }
type ListedProduct = { id: number; variantCount: number; providerProductId: number | null }
type Shop = { address: string; stripe: { publishableKey: string; apiBase: string }; sold: ProductToBuy }

/** @returns what a purchase needs: the keys that browsers receive, and a product to buy */
export async function meetShop(address: string): Promise<Shop> {
  const config = (await (await fetch(`${address}/api/config`)).json()) as {
    stripe: { publishableKey: string; apiBase?: string }
  }
  // A sample of products, however large the catalog is.
  const products = (await (await fetch(`${address}/api/showcase`)).json()) as ListedProduct[]
  const sold = products.find(({ providerProductId }) => providerProductId !== null)
  if (!sold || !config.stripe.apiBase) throw new Error('The shop is not a sandbox, or its catalog is empty.')
  return {
    address,
    stripe: { publishableKey: config.stripe.publishableKey, apiBase: config.stripe.apiBase },
    sold: { productId: String(sold.id), variantId: await firstVariantOf(address, sold) },
  }
}

async function firstVariantOf(address: string, product: ListedProduct): Promise<number | null> {
  if (product.variantCount === 1) return null
  const answer = await fetch(`${address}/api/printful/products/${product.providerProductId}`)
  const { result } = (await answer.json()) as {
    result: { sync_variants: { id: number; availability_status: string }[] }
  }
  return result.sync_variants.find((variant) => variant.availability_status === 'active')?.id ?? null
}

/** @returns the JSON body that adds the product to a cart */
export const lineToAdd = ({ sold }: Shop): string => JSON.stringify({ ...sold, quantity: 1 })

async function requireOk(answer: Response): Promise<Response> {
  if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}: ${(await answer.text()).slice(0, 200)}`)
  return answer
}

/** Buys as a browser does: cart, quote, payment start, card confirmation at Stripe, return. */
export async function purchaseOnce(shop: Shop, shopper: string): Promise<void> {
  const { address, stripe } = shop
  let cookie = ''
  const send = async (path: string, body: string) => {
    const answer = await requireOk(
      await fetch(address + path, { method: 'POST', headers: { 'content-type': 'application/json', cookie }, body }),
    )
    cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? cookie
    return answer
  }
  await send('/api/cart', lineToAdd(shop))
  const shippingAddress = {
    line1: '350 5th Avenue',
    line2: null,
    city: 'New York',
    state: 'NY',
    postal_code: '10118',
    country: 'US',
  }
  await send('/api/calculate-taxes', JSON.stringify({ customerAddress: shippingAddress }))
  const customerInfo = { email: `${shopper}@mail.example`, name: 'Ada Fan', shippingAddress, sameBillingAddress: true }
  const started = (await (
    await send('/api/create-payment-intent', JSON.stringify({ customerInfo, termsAccepted: true }))
  ).json()) as { payment_intent: string; client_secret: string }
  await requireOk(
    await fetch(`${stripe.apiBase}/v1/payment_intents/${started.payment_intent}/confirm`, {
      method: 'POST',
      body: new URLSearchParams({
        key: stripe.publishableKey,
        client_secret: started.client_secret,
        return_url: `${address}/payment-success`,
        use_stripe_sdk: 'true',
        'payment_method_data[type]': 'card',
        'payment_method_data[card][number]': CARD,
        'payment_method_data[card][exp_month]': '12',
        'payment_method_data[card][exp_year]': '2034',
        'payment_method_data[card][cvc]': '123',
      }),
    }),
  )
  await send('/api/process-completed-payment', JSON.stringify({ paymentIntentId: started.payment_intent }))
}

let shoppers = 0

/** @param shops used in turn. @returns seconds until the last purchase was complete */
export async function runPurchases(shops: readonly Shop[], count: number, atOnce: number): Promise<number> {
  const startedAt = performance.now()
  let next = 0
  const shopOn = async () => {
    while (next < count) {
      const shop = shops[(next += 1) % shops.length]
      if (shop) await purchaseOnce(shop, `fan-${process.pid}-${(shoppers += 1)}`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, shopOn))
  return (performance.now() - startedAt) / 1000
}

/** Waits until every order is submitted, confirmed by email and reported to the tax provider. @throws Error on timeout */
export async function untilSettled(pool: pg.Pool): Promise<void> {
  const giveUpAt = Date.now() + SETTLED_WITHIN_MS
  for (;;) {
    const { rows } = await pool.query<{ left: number }>(
      `select count(*)::int as left from pgboss.job
       where state = 'active' or (state in ('created', 'retry') and start_after <= now() + interval '5 seconds')`,
    )
    if (rows[0]?.left === 0) return
    if (Date.now() > giveUpAt) throw new Error(`${rows[0]?.left} jobs are still not done.`)
    await new Promise((later) => setTimeout(later, 100))
  }
}
