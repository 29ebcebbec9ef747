import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { gunzipSync, gzipSync } from 'node:zlib'
import { BLOCKED_PORTS } from './blocked-ports.ts'
import { demoCatalogFile } from './catalog/catalog-file.ts'
import { demoReviews } from './catalog/demo-reviews.ts'
import { demoProducts } from './catalog/products.ts'
import { openKit, type OpenKit } from './kit/kit.ts'
import { startDrand } from './drand/drand.ts'
import type { Provider, ProviderName } from './kit/types.ts'
import { startMailbox, type Mailbox } from './mailbox/mailbox.ts'
import { startPaypal } from './paypal/paypal.ts'
import { startPrintful } from './printful/printful.ts'
import { seedProducts } from './printful/products.ts'
import { startStripe, type StripeCheck } from './stripe/stripe.ts'

/** Every simulated provider, running, and the settings with which a shop finds them. */
export type Simulators = {
  kit: OpenKit
  /** Those that were started. */
  providers: readonly Provider[]
  /** @throws Error when the real one is used instead */
  readonly stripe: Provider
  /** @throws Error when the real one is used instead */
  readonly paypal: Provider
  /** @throws Error when the real one is used instead */
  readonly printful: Provider
  mailbox: Mailbox
  /** Every call to a provider and what it did, one JSON object per line. */
  witnessFile: string
  /** `NAME=value`: the shop's environment variables. */
  settings: Record<string, string>
  /** The books of all providers and the newest emails. */
  save(): Buffer
  /** Continues with saved books; links of their emails lead to the announced shop. */
  load(saved: Buffer): void
  /** Sets where the providers send their webhooks. */
  announceShop(address: string): void
  close(): Promise<void>
}

type SavedBooks = { at: Date; shopAddress: string; books: Map<ProviderName, unknown> }

/** What `save` wrote, and when by the sandbox's clock. */
export const readSaved = (saved: Buffer): SavedBooks => deserialize(gunzipSync(saved)) as SavedBooks

const STORE_ID = 1_204_815

const passing = new Set<string>()
process.once('exit', () => passing.forEach((folder) => rmSync(folder, { recursive: true, force: true })))

/** Deleted when the process ends: what is under way still writes to it after `close`. */
function passingFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pawtelier-'))
  passing.add(folder)
  return folder
}

/**
 * @param firstPort the simulators use this port and the following ones, or free ones where those are taken or blocked; 0: free ones
 * @param real providers for which the shop has its own keys: they are not simulated
 * @param folder for the witness file and the catalog file; a temporary one for `memory://`
 */
export async function startSimulators({
  speed,
  firstPort,
  folder,
  aheadMs = 0,
  check,
  real = [],
}: {
  speed: number
  firstPort: number
  folder: string
  /** How far ahead of the machine's time the clock begins. */
  aheadMs?: number
  check?: StripeCheck
  real?: readonly ('stripe' | 'paypal' | 'printful')[]
}): Promise<Simulators> {
  const dataFolder = folder.startsWith('memory://') ? passingFolder() : join(folder, 'sandbox')
  mkdirSync(dataFolder, { recursive: true })
  const catalogFile = join(dataFolder, 'catalog.json')
  writeFileSync(catalogFile, JSON.stringify(demoCatalogFile()))
  const demoReviewsFile = join(dataFolder, 'reviews.json')
  writeFileSync(demoReviewsFile, JSON.stringify(demoReviews))

  const secret = (prefix: string) => `${prefix}${randomBytes(18).toString('base64url').replace(/[-_]/g, 'x')}`
  const keys = {
    stripeSecret: secret('sk_test_'),
    stripePublishable: secret('pk_test_'),
    stripeWebhook: secret('whsec_'),
    paypalId: secret('A'),
    paypalSecret: secret('E'),
    paypalWebhook: secret('WH-'),
    printfulToken: secret('pf_'),
    printfulWebhook: secret(''),
  }
  const witnessFile = join(dataFolder, 'witness.jsonl')
  const clockFile = join(dataFolder, 'clock')
  const kit = openKit({ speed, eventFile: witnessFile, clockFile, aheadMs })
  const stripe = real.includes('stripe')
    ? undefined
    : await onPort(firstPort, (port) =>
        startStripe(kit, {
          port,
          secretKey: keys.stripeSecret,
          publishableKey: keys.stripePublishable,
          ...(check && { check }),
        }),
      )
  const printful = real.includes('printful')
    ? undefined
    : await onPort(firstPort && firstPort + 1, (port) =>
        startPrintful(kit, {
          port,
          token: keys.printfulToken,
          storeId: STORE_ID,
          products: seedProducts(demoProducts),
        }),
      )
  const paypal = real.includes('paypal')
    ? undefined
    : await onPort(firstPort && firstPort + 3, (port) =>
        startPaypal(kit, {
          port,
          clientId: keys.paypalId,
          clientSecret: keys.paypalSecret,
          webhookId: keys.paypalWebhook,
        }),
      )
  const drand = await onPort(firstPort && firstPort + 4, (port) => startDrand(kit, { port }))
  const providers = [stripe, paypal, printful, drand].filter((provider) => provider !== undefined)
  const mailbox = await onPort(firstPort && firstPort + 2, (port) => startMailbox(kit, { port }))
  let shopAddress = ''

  return {
    kit,
    providers,
    get stripe() {
      return stripe ?? notSimulatedCalls('Stripe')
    },
    get paypal() {
      return paypal ?? notSimulatedCalls('PayPal')
    },
    get printful() {
      return printful ?? notSimulatedCalls('Printful')
    },
    mailbox,
    witnessFile,
    settings: {
      ...(stripe && {
        STRIPE_SECRET_KEY: keys.stripeSecret,
        STRIPE_PUBLISHABLE_KEY: keys.stripePublishable,
        STRIPE_WEBHOOK_SECRET: keys.stripeWebhook,
        STRIPE_API_BASE: stripe.url,
        STRIPE_SCRIPT: `${stripe.url}/stripe.js`,
        STRIPE_APPLE_PAY_FILE: `${stripe.url}/files/apple-pay`,
      }),
      ...(paypal && {
        PAYPAL_CLIENT_ID: keys.paypalId,
        PAYPAL_CLIENT_SECRET: keys.paypalSecret,
        PAYPAL_WEBHOOK_ID: keys.paypalWebhook,
        PAYPAL_CERTIFICATE_AUTHORITY: paypal.certificateAuthority,
        PAYPAL_API_BASE: paypal.url,
        PAYPAL_SCRIPT: `${paypal.url}/paypal.js`,
      }),
      ...(printful && {
        PRINTFUL_TOKEN: keys.printfulToken,
        PRINTFUL_STORE_ID: String(STORE_ID),
        PRINTFUL_WEBHOOK_SECRET: keys.printfulWebhook,
        PRINTFUL_API_BASE: printful.url,
      }),
      DRAND_API_BASE: drand.url,
      DRAND_CHAIN_HASH: drand.beacon.chainHash,
      DRAND_PUBLIC_KEY: drand.beacon.publicKey,
      DRAND_GENESIS: String(drand.beacon.genesisTime),
      DRAND_PERIOD_S: String(drand.beacon.period),
      SMTP_URL: mailbox.url,
      IMAP_URL: mailbox.imapUrl,
      // A real provider refuses and misdates what comes at another time.
      ...(real.length === 0 && { CLOCK_FILE: resolve(clockFile) }),
      CATALOGUE_FILE: catalogFile,
      DEMO_REVIEWS_FILE: demoReviewsFile,
    },
    save: () =>
      gzipSync(
        serialize({
          at: kit.clock.now(),
          shopAddress,
          books: new Map([...providers, mailbox].map((provider) => [provider.name, provider.save()])),
        } satisfies SavedBooks),
      ),
    load(saved) {
      const { books, shopAddress: before } = readSaved(saved)
      for (const provider of [...providers, mailbox]) {
        const own = books.get(provider.name)
        if (own !== undefined) provider.load(own, { before, now: shopAddress })
      }
    },
    announceShop(address) {
      shopAddress = address
      kit.endpoints.set('stripe', { url: `${address}/webhooks/stripe`, secret: keys.stripeWebhook })
      kit.endpoints.set('paypal', { url: `${address}/webhooks/paypal`, secret: '' })
      kit.endpoints.set('printful', {
        url: `${address}/webhooks/printful/${keys.printfulWebhook}`,
        secret: keys.printfulWebhook,
      })
    },
    async close() {
      await Promise.all([...providers, mailbox].map((provider) => provider.close()))
      await kit.close()
    },
  }
}

function notSimulatedCalls(name: string): never {
  throw new Error(`${name} is not simulated here: the shop has its own keys for it`)
}

/** The wanted port, or a free one when it is taken or blocked. */
async function onPort<P>(port: number, start: (port: number) => Promise<P>): Promise<P> {
  if (BLOCKED_PORTS.has(port)) return start(0)
  try {
    return await start(port)
  } catch (error) {
    if (port === 0 || !(error instanceof Error) || !('code' in error) || error.code !== 'EADDRINUSE') throw error
    return start(0)
  }
}
