import { Stripe } from 'stripe'
import { ConfigError, readConfig, type Config } from '#server/config/config.ts'
import { isOnThisMachine, OFFICIAL, readModeHints } from '#server/config/shop-mode.ts'
import { startSimulators } from '#sandbox/simulators.ts'
import { auditPaypal } from '../../test/conformance/accountants/paypal.ts'
import { auditPrintful } from '../../test/conformance/accountants/printful.ts'
import { auditStripe } from '../../test/conformance/accountants/stripe.ts'
import { readPaypalContracts } from '../../test/conformance/schema/paypal-contracts.ts'
import { readPrintfulContract } from '../../test/conformance/schema/printful-contract.ts'
import { validateStripeObject } from '../../test/conformance/schema/stripe-schema.ts'
import { walkPaypal } from '../../test/conformance/walks/paypal.ts'
import { walkPrintful } from '../../test/conformance/walks/printful.ts'
import { walkStripe } from '../../test/conformance/walks/stripe.ts'
import { objectsIn, openWalk, surprises, textIn, type Exchange, type Walk } from '../../test/conformance/walks/walk.ts'
import { compareAnswers } from './compare.ts'

export const REHEARSED = ['stripe', 'paypal', 'printful'] as const
export type Rehearsed = (typeof REHEARSED)[number]

/** What the walks need of a provider: its address and keys. */
export type Keys = Pick<Config, 'stripe' | 'paypal' | 'printful'>

/** @property approve what the payer does with an order of PayPal; undefined: nobody pays, and what follows is left out */
export type Payer = ((orderId: string, as: string) => Promise<void>) | undefined

export type Rehearsal = { provider: Rehearsed; calls: number; differences: string[]; exchanges: readonly Exchange[] }

/** A payment that waits for a card, and a token for the browser: what a checkout needs from both. */
export const checkoutOf = (rehearsals: readonly Rehearsal[]): { clientSecret: string; clientToken: string } => {
  const find = (provider: Rehearsed, step: string, field: string) =>
    textIn(
      rehearsals.find((one) => one.provider === provider)?.exchanges.findLast((one) => one.step === step)?.answer,
      field,
    )
  return {
    clientSecret: find('stripe', 'with a key', 'client_secret'),
    clientToken: find('paypal', 'a token for the browser', 'access_token'),
  }
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * The providers' keys from the shop's own settings. Those of other providers are the simulators'.
 * @param simulated the settings of the simulators
 * @throws ConfigError with a sentence for each setting that could move money
 */
export function readKeys(env: Environment, simulated: Environment): { keys: Keys; given: Rehearsed[] } {
  const { STRIPE_SECRET_KEY: stripe = '', PAYPAL_CLIENT_ID: paypal = '', PRINTFUL_TOKEN: printful = '' } = env
  const live = readModeHints({
    STRIPE_SECRET_KEY: stripe,
    STRIPE_PUBLISHABLE_KEY: env['STRIPE_PUBLISHABLE_KEY'] ?? '',
    STRIPE_API_BASE: env['STRIPE_API_BASE'] ?? OFFICIAL.stripe,
    PAYPAL_CLIENT_ID: paypal,
    PAYPAL_API_BASE: env['PAYPAL_API_BASE'] ?? OFFICIAL.paypal,
    PRINTFUL_TOKEN: '',
    PRINTFUL_API_BASE: OFFICIAL.printful,
  }).filter(({ stakes }) => stakes === 'real')
  if (live.length > 0)
    throw new ConfigError(
      live.map(
        ({ setting, why }) =>
          `${setting} ${why}. A rehearsal never touches real money: use Stripe's test keys and PAYPAL_API_BASE=https://api-m.sandbox.paypal.com.`,
      ),
    )
  const printfulBase = env['PRINTFUL_API_BASE'] ?? OFFICIAL.printful
  if (printful && !printfulBase.startsWith('https:') && !isOnThisMachine(printfulBase))
    throw new ConfigError(['PRINTFUL_API_BASE must start with https: unless it points to this machine.'])
  const given = REHEARSED.filter((name) => ({ stripe, paypal, printful })[name] !== '')
  const isOf = (name: string) => given.some((one) => name.startsWith(`${one.toUpperCase()}_`))
  const providers = Object.fromEntries(
    [
      ...Object.entries(simulated).filter(([name]) => !isOf(name)),
      ...Object.entries(env).filter(([name]) => isOf(name)),
    ].filter(([name]) => /^(?:STRIPE|PAYPAL|PRINTFUL)_/.test(name) && !name.startsWith('PRINTFUL_API_BASE')),
  )
  const config = readConfig({
    // What a walk does not use.
    ...{ STRIPE_WEBHOOK_SECRET: 'unused', PAYPAL_WEBHOOK_ID: 'unused', PRINTFUL_WEBHOOK_SECRET: 'unused' },
    ...{ SMTP_URL: 'smtp://127.0.0.1:1', DATA_DIR: 'memory://', SHOP_MODE: 'sandbox' },
    ...providers,
    // Its only address makes real orders, which a shop with test keys refuses. A rehearsal confirms none.
    PRINTFUL_API_BASE: 'http://127.0.0.1:1',
  })
  const base = printful ? printfulBase : (simulated['PRINTFUL_API_BASE'] ?? '')
  return { keys: { ...config, printful: { ...config.printful, apiBase: base.replace(/\/$/, '') } }, given }
}

/** @property pass lets simulated time pass */
type With = { keys: Keys; tag: string; payer: Payer; pass: ((ms: number) => Promise<void>) | undefined }
type Walker = (given: With) => Promise<{ exchanges: readonly Exchange[]; ended: string[] }>

/** What was answered until a call got no answer at all, and why. */
async function outcomeOf({ exchanges }: Walk, work: Promise<void>): Promise<Awaited<ReturnType<Walker>>> {
  const ended = await work.then(
    () => [],
    (error: Error) => [
      `The calls ended after '${exchanges.at(-1)?.step ?? 'nothing'}': ${error.message}${error.cause instanceof Error ? ` (${error.cause.message})` : ''}`,
    ],
  )
  return { exchanges, ended }
}

const walkers: Readonly<Record<Rehearsed, Walker>> = {
  stripe: async ({ keys: { stripe }, tag, pass }) => {
    const headers = {
      authorization: `Bearer ${stripe.secretKey.reveal()}`,
      'stripe-version': Stripe.API_VERSION,
    }
    const walk = openWalk(stripe.apiBase, () => headers, { pass })
    return outcomeOf(walk, walkStripe(walk, tag))
  },
  paypal: async ({ keys: { paypal }, tag, payer, pass }) => {
    let token = ''
    const walk = openWalk(paypal.apiBase, () => ({ authorization: `Bearer ${token}` }), { pass })
    return outcomeOf(
      walk,
      walkPaypal(walk, {
        tag,
        keys: { clientId: paypal.clientId, clientSecret: paypal.clientSecret.reveal() },
        useToken: (given) => (token = given),
        approve: payer,
        since: new Date(),
      }),
    )
  },
  printful: async ({ keys: { printful }, tag, pass }) => {
    const headers = {
      authorization: `Bearer ${printful.token.reveal()}`,
      ...(printful.storeId && { 'x-pf-store-id': printful.storeId }),
    }
    const walk = openWalk(printful.apiBase, () => headers, { pass })
    return outcomeOf(walk, walkPrintful(walk, tag))
  },
}

/** The payer of the simulated PayPal. */
export const simulatedPayer =
  (base: string): Payer =>
  async (orderId, as) =>
    void (await fetch(`${base}/sandbox/approve/${orderId}?as=${as}`, { method: 'POST' }))

/**
 * Makes the same calls to a provider and to its simulator, and compares both.
 * @param payer of the provider
 * @param pass lets the provider's time pass, when it is simulated
 * @param contracts folder of the providers' published schemas; undefined: only Stripe's are known, from its package
 */
export async function rehearse(
  provider: Rehearsed,
  keys: Keys,
  { payer, pass, contracts }: Pick<With, 'payer' | 'pass'> & { contracts: string | undefined },
): Promise<Rehearsal> {
  const simulators = await startSimulators({ speed: 0, firstPort: 0, folder: 'memory://' })
  try {
    const { keys: ours } = readKeys({}, simulators.settings)
    const tag = `rehearsal-${Date.now().toString(36)}`
    const { exchanges: theirs, ended } = await walkers[provider]({ keys, tag, payer, pass })
    const { exchanges: simulated } = await walkers[provider]({
      keys: ours,
      tag,
      payer: payer && simulatedPayer(ours.paypal.apiBase),
      pass: (ms) => simulators.kit.clock.advance(ms),
    })
    const asked = new Set(theirs.map(({ step }) => step))
    // What the simulator does as well is no difference.
    const shared = new Set(judged(provider, simulated, contracts))
    return {
      provider,
      calls: theirs.length,
      exchanges: theirs,
      differences: [
        ...new Set([
          ...ended,
          ...compareAnswers(theirs, ended.length > 0 ? simulated.filter(({ step }) => asked.has(step)) : simulated),
          ...judged(provider, theirs, contracts).filter((one) => !shared.has(one)),
        ]),
      ],
    }
  } finally {
    await simulators.close()
  }
}

/** What is unexpected, against the published schemas, or against the accountant's rules. */
const judged = (provider: Rehearsed, exchanges: readonly Exchange[], contracts: string | undefined): string[] => [
  ...surprises(exchanges),
  ...schemas[provider](exchanges, contracts),
  ...audits[provider](exchanges, Math.floor(Date.now() / 1000)),
]

const audits: Readonly<Record<Rehearsed, (exchanges: readonly Exchange[], now: number) => string[]>> = {
  stripe: auditStripe,
  paypal: auditPaypal,
  printful: auditPrintful,
}

/** What an answer has against the published schemas. */
const schemas: Readonly<
  Record<Rehearsed, (exchanges: readonly Exchange[], contracts: string | undefined) => string[]>
> = {
  stripe: (exchanges) =>
    exchanges.flatMap(({ step, answer }) =>
      objectsIn(answer)
        .flatMap(validateStripeObject)
        .map((one) => `${step}: ${one}`),
    ),
  paypal: (exchanges, folder) => {
    if (folder === undefined) return []
    const contracts = readPaypalContracts(folder)
    return exchanges
      .filter(({ path }) => !path.startsWith('/v1/oauth2/'))
      .flatMap(({ step, method, path, status, request, answer }) =>
        contracts
          .answerMistakes({ method, path: path.split('?')[0] ?? '', status, request, answer: answer ?? undefined })
          .map((one) => `${step}: ${one}`),
      )
  },
  printful: (exchanges, folder) => {
    if (folder === undefined) return []
    const [v1, v2] = [readPrintfulContract(folder), readPrintfulContract(folder, 'printful-v2.openapi.json')]
    return exchanges.flatMap(({ step, method, path, status, answer }) => {
      const contract = path.startsWith('/v2/') ? v2 : v1
      const validate = contract.findValidator(method, path, status)
      if (!validate) return [`${step}: no description has an answer ${status}`]
      validate(answer)
      return [
        ...(validate.errors ?? []).map(({ instancePath, message = '' }) => `${step}: ${instancePath} ${message}`),
        ...contract.unknownWords(answer).map((word) => `${step}: no description has ${word}`),
      ]
    })
  },
}
