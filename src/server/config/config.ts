import { X509Certificate } from 'node:crypto'
import { resolve } from 'node:path'
import { label } from '#site/label.ts'
import { readBic, readIban } from '#domain/partners/payout-account.ts'
import type { PaymentProvider } from '#shared/ids.ts'
import { isTimeZone, type TimeZone } from '#shared/time-zone.ts'
import { Secret } from './secret.ts'
import { isOnThisMachine, decideMode, OFFICIAL, readModeHints } from './shop-mode.ts'
import { listWeakSecrets, STRIPE_WEBHOOK_PREFIX } from './weak-secrets.ts'

/** The environment, read once and checked whole (docs/operations.md lists it). Nobody else reads the environment. */
export type Config = {
  mode: 'live' | 'sandbox'
  /** `ALLOW_SANDBOX=1` where no payment is real: a live shop that may use test keys. */
  isRehearsal: boolean
  /** Real money or goods are at stake: no demo people, no weak secrets. */
  isGuarded: boolean
  host: string
  port: number
  /** Base of links in mails and of the origin check; unset: the request's own Host, loopback names only. */
  publicUrl: string | undefined
  trustedProxies: string[]
  databaseUrl: Secret | undefined
  /** Who waits longer for one of the server's connections is told that the shop is busy. */
  databaseWaitMs: number
  /** A server that follows the other, for what may be some seconds old. */
  databaseReplicaUrl: Secret | undefined
  /** An absolute folder, or `memory://`. */
  dataDir: string
  stripe: {
    secretKey: Secret
    /** Whether the key moves real money; a payment of the other kind never makes an order. */
    live: boolean
    publishableKey: string
    /** All are accepted, so that a secret can be rotated. */
    webhookSecrets: Secret[]
    apiBase: string
    scriptUrl: string
    /** Where Stripe publishes the file by which Apple knows a shop that takes Apple Pay through it. */
    applePayFile: string
  }
  paypal: {
    /** Public: the browser sees it, too. */
    clientId: string
    clientSecret: Secret
    /** The id under which our address for events is registered; signatures are made for it. */
    webhookId: string
    /** Whether the address that we talk to moves real money; a payment of the other kind never makes an order. */
    live: boolean
    apiBase: string
    scriptUrl: string
    /** As PEM: the one that PayPal's signing certificates have to come from, instead of the public ones. */
    certificateAuthority: string | undefined
  }
  printful: {
    token: Secret
    /** When the token ends, which the partner's interface does not tell. */
    tokenExpires: Date | undefined
    storeId: string | undefined
    webhookSecret: Secret
    apiBase: string
  }
  mail: { url: Secret; from: string }
  owner: { username: string; password: Secret; isDemo: boolean } | undefined
  /** The partner with a known password that only a sandbox has. */
  demoPartner:
    | {
        username: string
        password: Secret
        /** As the partner program knows it. */
        partner: {
          displayName: string
          channelUrl: string
          code: string
          links: { code: string; path: string; campaign: string }[]
        }
      }
    | undefined
  /** Bearer token of `/metrics`; unset: there is no such page. */
  metricsToken: Secret | undefined
  rateLimitScale: number
  /** How much of what card testers do is let through; each is what an honest family never reaches. */
  cardTesting: {
    declinesPerCheckout: number
    /** Within an hour. */
    declinesPerAddress: number
    /** Within an hour. */
    unpaidStartsPerAddress: number
  }
  /** How long a client may take for its request, or leave an answer lying, before its connection is closed. */
  slowClientMs: number
  sweepIntervalMs: number
  quoteTtlMs: number
  /** Who pays for carrying: the shop, or the shopper at the partner's rate. */
  shipping: 'free' | 'partner'
  jobLeaseS: number
  /** How long `/readyz` says no before a stop closes the door, so that whoever stands in front sends nobody any more. */
  drainMs: number
  /** How long what a partner earned waits for refunds before it may be paid out. */
  commissionHoldingDays: number
  /** The account that partners are paid from, for files that a bank takes; null where none is set. */
  payingAccount: { name: string; iban: string; bic: string | null } | null
  /** By whose clocks the days of reports begin. */
  reportTimeZone: TimeZone
  /** The shop's own catalog file, imported when it has changed. */
  catalogFile: string | undefined
  sync: {
    intervalMs: number
    /** What a synchronization changes without asking: what can be made, or whatever the partner says. */
    applies: 'stock' | 'everything'
  }
  /** The sandbox's own pages that the ribbon links to. */
  sandboxLinks: { mailbox: string; cards: string } | null
}

/** Base of links where no request says under which name it came. */
export const baseUrlOf = ({ publicUrl, port }: Pick<Config, 'publicUrl' | 'port'>): string =>
  publicUrl ?? `http://127.0.0.1:${port}`

/** Whether a provider's payments are real money here. */
export const isLive = (config: Pick<Config, PaymentProvider>, provider: PaymentProvider): boolean =>
  config[provider].live

type Environment = Readonly<Record<string, string | undefined>>

/** All mistakes of an environment at once, one sentence each. */
export class ConfigError extends Error {
  override name = 'ConfigError'
  readonly mistakes: readonly string[]

  constructor(mistakes: readonly string[]) {
    super(mistakes.join('\n'))
    this.mistakes = mistakes
  }
}

const demoPartner: NonNullable<Config['demoPartner']> = {
  username: 'partner',
  password: new Secret('partner-demo'),
  partner: {
    displayName: label.channel.name,
    channelUrl: label.channel.url,
    code: 'bullion',
    links: [
      { code: 'bullion-rudy', path: '/RudyCollection', campaign: 'Channel description' },
      { code: 'bullion-all', path: '/products', campaign: 'Pinned comment' },
    ],
  },
}

/** @throws ConfigError with one sentence per mistake */
export function readConfig(env: Environment): Config {
  const mistakes: string[] = []
  const read = createReader(env, mistakes)

  const bases = {
    STRIPE_API_BASE: read.providerBase('STRIPE_API_BASE', OFFICIAL.stripe),
    PAYPAL_API_BASE: read.providerBase('PAYPAL_API_BASE', OFFICIAL.paypal),
    PRINTFUL_API_BASE: read.providerBase('PRINTFUL_API_BASE', OFFICIAL.printful),
  }
  const hints = readModeHints({
    ...bases,
    STRIPE_SECRET_KEY: read.text('STRIPE_SECRET_KEY', ''),
    STRIPE_PUBLISHABLE_KEY: read.text('STRIPE_PUBLISHABLE_KEY', ''),
    PAYPAL_CLIENT_ID: read.text('PAYPAL_CLIENT_ID', ''),
    PRINTFUL_TOKEN: read.text('PRINTFUL_TOKEN', ''),
  })
  const isReal = (...settings: readonly string[]) =>
    hints.some(({ setting, stakes }) => stakes === 'real' && settings.includes(setting))
  const wanted = {
    mode: read.choice('SHOP_MODE', ['live', 'sandbox']),
    allowsSandbox: read.optional('ALLOW_SANDBOX') === '1',
  }
  const { mode, isGuarded, isRehearsal, mistakes: misplaced } = decideMode(wanted, hints)
  const sandbox = mode === 'sandbox'
  const config: Config = {
    mode,
    isRehearsal,
    isGuarded,
    host: read.text('HOST', '127.0.0.1'),
    port: read.number('PORT', 3000, { from: 0, to: 65535 }),
    publicUrl: read.origin('PUBLIC_URL'),
    trustedProxies: read.list('TRUSTED_PROXIES'),
    databaseUrl: read.secret('DATABASE_URL'),
    databaseWaitMs: read.number('DATABASE_WAIT_MS', 1000, { from: 100, to: 60_000 }),
    databaseReplicaUrl: read.secret('DATABASE_REPLICA_URL'),
    dataDir: dataDirFrom(read.text('DATA_DIR', './data')),
    stripe: {
      secretKey: read.required('STRIPE_SECRET_KEY'),
      live: isReal('STRIPE_SECRET_KEY'),
      publishableKey: read.required('STRIPE_PUBLISHABLE_KEY').reveal(),
      webhookSecrets: webhookSecretsFrom(read, mistakes),
      apiBase: bases.STRIPE_API_BASE,
      scriptUrl: read.url('STRIPE_SCRIPT', 'https://js.stripe.com/endive/stripe.js'),
      applePayFile: read.url('STRIPE_APPLE_PAY_FILE', `https://stripe.com/files/apple-pay/${APPLE_PAY_FILE}`),
    },
    paypal: {
      clientId: read.required('PAYPAL_CLIENT_ID').reveal(),
      clientSecret: read.required('PAYPAL_CLIENT_SECRET'),
      webhookId: read.required('PAYPAL_WEBHOOK_ID').reveal(),
      // PayPal's keys do not say which kind they are; the two kinds live at two addresses.
      live: isReal('PAYPAL_API_BASE'),
      apiBase: bases.PAYPAL_API_BASE,
      scriptUrl: read.url('PAYPAL_SCRIPT', paypalScriptAt(bases.PAYPAL_API_BASE)),
      certificateAuthority: read.certificate('PAYPAL_CERTIFICATE_AUTHORITY'),
    },
    printful: {
      token: read.required('PRINTFUL_TOKEN'),
      tokenExpires: read.day('PRINTFUL_TOKEN_EXPIRES'),
      storeId: read.optional('PRINTFUL_STORE_ID'),
      webhookSecret: read.required('PRINTFUL_WEBHOOK_SECRET'),
      apiBase: bases.PRINTFUL_API_BASE,
    },
    mail: { url: read.required('SMTP_URL'), from: read.text('MAIL_FROM', `${label.name} <${label.supportEmail}>`) },
    owner: ownerFrom(read, sandbox),
    demoPartner: sandbox ? demoPartner : undefined,
    metricsToken: read.secret('METRICS_TOKEN'),
    rateLimitScale: read.number('RATE_LIMIT_SCALE', 1, { from: 0.01, to: 1_000_000, fraction: true }),
    cardTesting: {
      declinesPerCheckout: read.number('CARD_DECLINES_PER_CHECKOUT', 5, { from: 1, to: 1000 }),
      declinesPerAddress: read.number('CARD_DECLINES_PER_ADDRESS', 15, { from: 1, to: 100_000 }),
      unpaidStartsPerAddress: read.number('UNPAID_STARTS_PER_ADDRESS', 30, { from: 1, to: 100_000 }),
    },
    slowClientMs: read.number('SLOW_CLIENT_S', 15, { from: 1, to: 300 }) * 1000,
    sweepIntervalMs: read.number('SWEEP_INTERVAL_S', 300, { from: 1, to: 86_400 }) * 1000,
    quoteTtlMs: read.number('QUOTE_TTL_S', 1800, { from: 1, to: 86_400 }) * 1000,
    shipping: read.oneOf('SHIPPING', ['free', 'partner'], 'free'),
    jobLeaseS: read.number('JOB_LEASE_S', 20, { from: 10, to: 3600 }),
    drainMs: read.number('DRAIN_S', 0, { from: 0, to: 60 }) * 1000,
    commissionHoldingDays: read.number('COMMISSION_HOLDING_DAYS', 30, { from: 0, to: 365 }),
    payingAccount: payingAccountOf(read),
    reportTimeZone: read.timeZone('REPORT_TIME_ZONE', label.timeZone),
    catalogFile: read.optional('CATALOGUE_FILE'),
    sync: {
      intervalMs: read.number('SYNC_INTERVAL_S', 900, { from: 60, to: 86_400 }) * 1000,
      applies: read.oneOf('SYNC_APPLIES', ['stock', 'everything'], 'stock'),
    },
    sandboxLinks: sandboxLinksFrom(env, sandbox),
  }
  if (config.databaseReplicaUrl && !config.databaseUrl)
    mistakes.push('DATABASE_REPLICA_URL is set, but DATABASE_URL is not: the embedded database has no replica.')
  mistakes.push(...misplaced)
  if (isGuarded) mistakes.push(...listMissingGuards(config))
  if (mistakes.length) throw new ConfigError(mistakes)
  return config
}

/** Apple asks every shop for it under `/.well-known`. */
export const APPLE_PAY_FILE = 'apple-developer-merchantid-domain-association'

/** PayPal's script moves the same kind of money as the address that the shop talks to (developer.paypal.com, JavaScript SDK v6). */
export const paypalScriptAt = (apiBase: string): string =>
  new URL(apiBase).hostname === 'api-m.sandbox.paypal.com'
    ? 'https://www.sandbox.paypal.com/web-sdk/v6/core'
    : 'https://www.paypal.com/web-sdk/v6/core'

/** In every mode: whoever knows the prefix, or that there is nothing after a comma, could sign what we then believe. */
function webhookSecretsFrom(read: ReturnType<typeof createReader>, mistakes: string[]): Secret[] {
  const all = read.required('STRIPE_WEBHOOK_SECRET').reveal()
  const secrets = read.list('STRIPE_WEBHOOK_SECRET')
  if (all && (secrets.length === 0 || secrets.includes(STRIPE_WEBHOOK_PREFIX)))
    mistakes.push(
      `STRIPE_WEBHOOK_SECRET is nothing but the beginning that all signing secrets have (${STRIPE_WEBHOOK_PREFIX}).`,
    )
  return secrets.map((secret) => new Secret(secret))
}

const dataDirFrom = (value: string) => (value.startsWith('memory://') ? value : resolve(value))

/** Partners are paid from an account with an IBAN; without one there is no file for the bank. */
function payingAccountOf(read: ReturnType<typeof createReader>): Config['payingAccount'] {
  const iban = read.checked('PAYOUT_IBAN', readIban, 'an IBAN such as DE89 3704 0044 0532 0130 00')
  const bic = read.checked('PAYOUT_BIC', readBic, 'a BIC such as COBADEFFXXX')
  return iban === undefined ? null : { name: read.text('PAYOUT_NAME', label.name), iban, bic: bic ?? null }
}

function ownerFrom(read: ReturnType<typeof createReader>, sandbox: boolean): Config['owner'] {
  const username = read.optional('OWNER_USERNAME')
  const password = read.secret('OWNER_PASSWORD')
  if (username && password) return { username, password, isDemo: false }
  return sandbox ? { username: 'owner', password: new Secret('owner-demo'), isDemo: true } : undefined
}

function sandboxLinksFrom(env: Environment, sandbox: boolean): Config['sandboxLinks'] {
  const port = env['SANDBOX_PORT']
  const base = port ? `http://127.0.0.1:${port}` : undefined
  return sandbox && base ? { mailbox: `${base}/mail`, cards: `${base}/cards` } : null
}

/** What a shop must have where real money or goods are at stake. */
function listMissingGuards({ publicUrl, owner, stripe, printful, metricsToken }: Config): string[] {
  const mistakes: string[] = []
  if (!publicUrl) mistakes.push('PUBLIC_URL is missing: a live shop needs its own address for links and cookies.')
  else if (!publicUrl.startsWith('https:')) mistakes.push('PUBLIC_URL must begin with https: when the shop is live.')
  return [
    ...mistakes,
    ...listWeakSecrets({
      owner: owner && { username: owner.username, password: owner.password.reveal() },
      stripeWebhookSecrets: stripe.webhookSecrets.map((secret) => secret.reveal()),
      printfulWebhookSecret: printful.webhookSecret.reveal(),
      metricsToken: metricsToken?.reveal(),
    }),
  ]
}

function createReader(env: Environment, mistakes: string[]) {
  const optional = (name: string) => env[name]?.trim() || undefined
  const url = (name: string, fallback: string) => {
    const value = optional(name) ?? fallback
    if (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)) return value.replace(/\/$/, '')
    mistakes.push(`${name} must be an address such as ${fallback}.`)
    return fallback
  }
  const mistake = (name: string) => {
    mistakes.push(`${name} must be the certificate of an authority (PEM), with or without its line breaks.`)
    return undefined
  }
  const choice = <const T extends string>(name: string, choices: readonly T[]): T | undefined => {
    const value = optional(name)
    const found = choices.find((one) => one === value)
    if (value && !found) mistakes.push(`${name} must be one of: ${choices.join(', ')}.`)
    return found
  }
  return {
    optional,
    url,
    text: (name: string, fallback: string) => optional(name) ?? fallback,
    list: (name: string) =>
      (optional(name) ?? '')
        .split(',')
        .map((one) => one.trim())
        .filter(Boolean),
    secret: (name: string) => {
      const value = optional(name)
      return value ? new Secret(value) : undefined
    },
    required: (name: string) => {
      const value = optional(name)
      if (!value) mistakes.push(`${name} is missing.`)
      return new Secret(value ?? '')
    },
    number: (name: string, fallback: number, range: { from: number; to: number; fraction?: boolean }) => {
      const text = optional(name)
      if (text === undefined) return fallback
      const value = Number(text)
      if (value >= range.from && value <= range.to && (range.fraction || Number.isInteger(value))) return value
      mistakes.push(`${name} must be a ${range.fraction ? '' : 'whole '}number from ${range.from} to ${range.to}.`)
      return fallback
    },
    choice,
    oneOf: <const T extends string>(name: string, choices: readonly T[], fallback: T): T =>
      choice(name, choices) ?? fallback,
    /** @param form what it is, with an example */
    checked: (name: string, readAs: (text: string) => string | undefined, form: string) => {
      const text = optional(name)
      const value = text === undefined ? undefined : readAs(text)
      if (text !== undefined && value === undefined) mistakes.push(`${name} must be ${form}.`)
      return value
    },
    timeZone: (name: string, fallback: TimeZone): TimeZone => {
      const value = optional(name) ?? fallback
      if (isTimeZone(value)) return value
      mistakes.push(`${name} must be the name of a time zone, such as ${fallback}.`)
      return fallback
    },
    day: (name: string) => {
      const value = optional(name)
      if (!value) return undefined
      const day = new Date(`${value}T00:00:00Z`)
      if (/^\d{4}-\d\d-\d\d$/.test(value) && day.toJSON()?.startsWith(value)) return day
      mistakes.push(`${name} must be a day such as 2027-01-31.`)
      return undefined
    },
    certificate: (name: string) => {
      const value = optional(name)
      if (!value) return undefined
      const body = value.replace(/-----[A-Z ]+-----|\s/g, '').match(/.{1,64}/g) ?? []
      const pem = ['-----BEGIN CERTIFICATE-----', ...body, '-----END CERTIFICATE-----'].join('\n')
      try {
        return new X509Certificate(pem).ca ? pem : mistake(name)
      } catch {
        return mistake(name)
      }
    },
    origin: (name: string) => {
      const value = optional(name)
      if (!value) return undefined
      if (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)) return new URL(value).origin
      mistakes.push(`${name} must be an address such as https://shop.example.`)
      return undefined
    },
    /** Plain http is for this machine only: a key must not cross a network in the clear. */
    providerBase: (name: string, official: string) => {
      const base = url(name, official)
      if (base.startsWith('http:') && !isOnThisMachine(base))
        mistakes.push(`${name} must begin with https: unless it is on this machine.`)
      return base
    },
  }
}
