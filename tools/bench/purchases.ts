import type pg from 'pg'
import { addresses, createShopper } from '#sandbox/world.ts'

const SETTLED_WITHIN_MS = 60_000

type ProductToBuy = { productId: string; variantId: number | null }
type Card = { id: number; variantCount: number; available: boolean }
type Shop = { address: string; stripe: { publishableKey: string; apiBase: string }; sold: ProductToBuy }

/** @returns what a purchase needs: the keys that browsers receive, and a product to buy */
export async function meetShop(address: string): Promise<Shop> {
  const config = (await (await fetch(`${address}/api/config`)).json()) as {
    stripe: { publishableKey: string; apiBase?: string }
  }
  // A sample of products, however large the catalog is.
  const cards = (await (await fetch(`${address}/api/showcase`)).json()) as Card[]
  const sold = cards.find(({ available }) => available)
  if (!sold || !config.stripe.apiBase) throw new Error('The shop is not a sandbox, or its catalog is empty.')
  return {
    address,
    stripe: { publishableKey: config.stripe.publishableKey, apiBase: config.stripe.apiBase },
    sold: { productId: String(sold.id), variantId: await firstVariantOf(address, sold) },
  }
}

async function firstVariantOf(address: string, { id, variantCount }: Card): Promise<number | null> {
  if (variantCount === 1) return null
  const ask = async <Body>(path: string): Promise<Body> => {
    const answer = await fetch(address + path)
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as Body
  }
  const { product } = await ask<{ product: { providerProductId: number | null } }>(`/api/products/${id}`)
  const { result } = await ask<{ result: { sync_variants: { id: number; availability_status: string }[] } }>(
    `/api/printful/products/${product.providerProductId}`,
  )
  return result.sync_variants.find((variant) => variant.availability_status === 'active')?.id ?? null
}

/** @returns the JSON body that adds the product to a cart */
export const lineToAdd = ({ sold }: Shop): string => JSON.stringify({ ...sold, quantity: 1 })

/** Buys as a browser does: cart, quote, payment start, card confirmation at Stripe, return. */
export async function purchaseOnce({ address, stripe, sold }: Shop): Promise<void> {
  const shopper = createShopper(address, {
    stripe: { url: stripe.apiBase },
    settings: { STRIPE_PUBLISHABLE_KEY: stripe.publishableKey },
  })
  const expectOk = <A extends { status: number; body: unknown }>(answer: A): A => {
    if (answer.status === 200) return answer
    throw new Error(`${address} answered ${answer.status}: ${JSON.stringify(answer.body).slice(0, 200)}`)
  }
  expectOk(await shopper.send('POST', '/api/cart', { ...sold, quantity: 1 }))
  expectOk(await shopper.send('POST', '/api/calculate-taxes', { customerAddress: addresses.newYork }))
  const { body } = expectOk(await shopper.startsPayment())
  const { error } = await shopper.confirms(body)
  if (error) throw new Error(error.message)
  expectOk(await shopper.returnsToShop(body.payment_intent))
}

/** @param shops used in turn. @returns seconds until the last purchase was complete */
export async function runPurchases(shops: readonly Shop[], count: number, atOnce: number): Promise<number> {
  const startedAt = performance.now()
  let next = 0
  const shopOn = async () => {
    while (next < count) {
      const shop = shops[(next += 1) % shops.length]
      if (shop) await purchaseOnce(shop)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, shopOn))
  return (performance.now() - startedAt) / 1000
}

/** Waits until every order is submitted, confirmed by email and reported to the tax provider. @throws Error on timeout */
export async function untilSettled(pool: pg.Pool, except: readonly string[] = []): Promise<void> {
  const giveUpAt = Date.now() + SETTLED_WITHIN_MS
  for (;;) {
    const { rows } = await pool.query<{ left: number; names: string }>(
      `select count(*)::int as left, string_agg(distinct name, ', ') as names from pgboss.job
       where name <> all($1) and (state = 'active' or (state in ('created', 'retry') and start_after <= now() + interval '5 seconds'))`,
      [except],
    )
    if (rows[0]?.left === 0) return
    if (Date.now() > giveUpAt) throw new Error(`${rows[0]?.left} jobs are still not done: ${rows[0]?.names}.`)
    await new Promise((later) => setTimeout(later, 100))
  }
}
