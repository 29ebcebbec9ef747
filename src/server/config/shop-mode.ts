import { isOneOf } from '#shared/one-of.ts'

// Decides from the keys and addresses whether real money or goods are at stake, and so whether the shop may start.

/** `real`: money or goods. `test`: a provider's own test mode. `simulated`: an address that is not the provider's. */
type Stakes = 'real' | 'test' | 'simulated'

/** Missing keys are empty; an address without a key does not count. */
export type ProviderSettings = {
  STRIPE_SECRET_KEY: string
  STRIPE_PUBLISHABLE_KEY: string
  STRIPE_API_BASE: string
  PAYPAL_CLIENT_ID: string
  PAYPAL_API_BASE: string
  PRINTFUL_TOKEN: string
  PRINTFUL_API_BASE: string
}
type Setting = Exclude<keyof ProviderSettings, 'PAYPAL_CLIENT_ID' | 'PRINTFUL_TOKEN'>

/** What a setting reveals about the mode; `why` continues a sentence that starts with the setting's name. */
export type ModeHint = { setting: Setting; stakes: Stakes; why: string }

export const OFFICIAL = {
  stripe: 'https://api.stripe.com',
  paypal: 'https://api-m.paypal.com',
  printful: 'https://api.printful.com',
} as const

const PAYPAL_TEST = 'https://api-m.sandbox.paypal.com'

/** https://docs.stripe.com/keys, https://developer.paypal.com/api/rest/requests. */
const hosts = {
  stripe: ['api.stripe.com'],
  paypal: ['api-m.paypal.com', 'api.paypal.com'],
  paypalTest: ['api-m.sandbox.paypal.com', 'api.sandbox.paypal.com'],
  printful: ['api.printful.com'],
} as const

const loopback: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]', '::1'])

/** A trailing dot names the same host. */
const hostOf = (base: string): string => new URL(base).hostname.replace(/\.$/, '')
export const isOnThisMachine = (base: string): boolean => loopback.has(hostOf(base))
const isAt = (base: string, provider: keyof typeof hosts): boolean => isOneOf(hosts[provider], hostOf(base))

/** @returns `unknown` for a key without a mode, such as an organization's */
const kindOfKey = (key: string): 'live' | 'test' | 'unknown' =>
  /^[srp]k_live_/.test(key) ? 'live' : /^[srp]k_test_/.test(key) ? 'test' : 'unknown'

const simulatedHint = (setting: Setting, base: string, provider: string): ModeHint => ({
  setting,
  stakes: 'simulated',
  why: isOnThisMachine(base) ? 'points at this machine' : `is not ${provider}’s own address`,
})

/** What each setting reveals. Stripe's two modes share an address, so only the key counts there. */
export function readModeHints(settings: ProviderSettings): ModeHint[] {
  return [
    ...(settings.STRIPE_SECRET_KEY ? stripeHints(settings) : []),
    ...(settings.PAYPAL_CLIENT_ID ? [paypalHint(settings.PAYPAL_API_BASE)] : []),
    ...(settings.PRINTFUL_TOKEN ? [printfulHint(settings.PRINTFUL_API_BASE)] : []),
  ]
}

function stripeHints(settings: ProviderSettings): ModeHint[] {
  const base = settings.STRIPE_API_BASE
  const isAtStripe = isAt(base, 'stripe')
  const hints = (['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY'] as const).flatMap((setting): ModeHint[] => {
    const kind = kindOfKey(settings[setting])
    if (kind === 'live') return [{ setting, stakes: 'real', why: 'is a live key' }]
    if (kind === 'test') return [{ setting, stakes: 'test', why: 'is a test key' }]
    return isAtStripe && settings[setting] ? [{ setting, stakes: 'real', why: 'is not marked as a test key' }] : []
  })
  return isAtStripe ? hints : [...hints, simulatedHint('STRIPE_API_BASE', base, 'Stripe')]
}

function paypalHint(base: string): ModeHint {
  const setting = 'PAYPAL_API_BASE'
  if (isAt(base, 'paypal')) return { setting, stakes: 'real', why: 'is PayPal’s live address, which is its default' }
  if (isAt(base, 'paypalTest')) return { setting, stakes: 'test', why: 'is PayPal’s test address' }
  return simulatedHint(setting, base, 'PayPal')
}

function printfulHint(base: string): ModeHint {
  const setting = 'PRINTFUL_API_BASE'
  return isAt(base, 'printful')
    ? { setting, stakes: 'real', why: 'is Printful’s own address, which is its default and makes real orders' }
    : simulatedHint(setting, base, 'Printful')
}

/** Whether customers' money is at stake, not only goods. */
const isPayment = ({ setting }: ModeHint) => setting !== 'PRINTFUL_API_BASE'
const isStripe = ({ setting }: ModeHint) => setting.startsWith('STRIPE_')

/** How to fix a setting that must not move real money. */
const forTests: Readonly<Record<Setting, string>> = {
  STRIPE_SECRET_KEY: 'Use the test key',
  STRIPE_PUBLISHABLE_KEY: 'Use the test key',
  STRIPE_API_BASE: 'Set the address of a simulator',
  PAYPAL_API_BASE: `Set ${PAYPAL_TEST} or a simulator`,
  PRINTFUL_API_BASE: 'Set the address of a simulator',
}

export type ModeDecision = {
  mode: 'live' | 'sandbox'
  /** Such a shop refuses demo users, weak secrets and plain http. */
  isGuarded: boolean
  /** A live shop that may use test keys and simulators (`ALLOW_SANDBOX=1`); never with real payments. */
  isRehearsal: boolean
  /** Why the shop does not start, one sentence each. */
  mistakes: string[]
}

export type ModeSettings = {
  /** `SHOP_MODE`; unset: follows from the keys and addresses. */
  mode: 'live' | 'sandbox' | undefined
  /** `ALLOW_SANDBOX=1`. */
  allowsSandbox: boolean
}

/**
 * Decides by what is at stake:
 *
 * | at stake        | `sandbox` | `live`                        | `live` with `ALLOW_SANDBOX=1`          |
 * |-----------------|-----------|-------------------------------|----------------------------------------|
 * | real payments   | refused   | guarded; nothing but live     | the same: the flag excuses nothing     |
 * | real goods only | refused   | refused: paid with test money | guarded; test keys, but no simulator   |
 * | nothing         | starts    | refused                       | starts                                 |
 *
 * Without `SHOP_MODE` a shop is live if anything real is at stake, or if a Stripe key goes to Stripe itself.
 */
export function decideMode(
  { mode: requestedMode, allowsSandbox }: ModeSettings,
  hints: readonly ModeHint[],
): ModeDecision {
  const real = hints.filter(({ stakes }) => stakes === 'real')
  const isAtStripe = hints.some(isStripe) && !hints.some(({ setting }) => setting === 'STRIPE_API_BASE')
  const mode = requestedMode ?? (real.length > 0 || isAtStripe ? 'live' : 'sandbox')
  if (mode === 'sandbox')
    return {
      mode,
      isGuarded: false,
      isRehearsal: false,
      mistakes: real.map(
        ({ setting, why }) =>
          `${setting} ${why}, but SHOP_MODE is sandbox. ${forTests[setting]}, or set SHOP_MODE=live.`,
      ),
    }
  const isRehearsal = allowsSandbox && !real.some(isPayment)
  const isOutOfPlace = ({ stakes }: ModeHint) =>
    isRehearsal ? real.length > 0 && stakes === 'simulated' : stakes !== 'real'
  // Without SHOP_MODE, the sentence explains why the shop counts as live, unless the key's own prefix does.
  const [reason] = requestedMode === undefined ? real : []
  const since = reason && !isStripe(reason) ? `, because ${reason.setting} ${reason.why}` : ''
  return {
    mode,
    isGuarded: !isRehearsal || real.length > 0,
    isRehearsal,
    mistakes: [
      ...hints.filter(isOutOfPlace).map(({ setting, why }) => `${setting} ${why}, but the shop is live${since}.`),
      ...(hints.some(isOutOfPlace) ? rehearsalHint(allowsSandbox, real.find(isPayment)) : []),
    ],
  }
}

/** How `ALLOW_SANDBOX` could help, or why it does not. */
function rehearsalHint(allowsSandbox: boolean, payment: ModeHint | undefined): string[] {
  if (allowsSandbox)
    return payment
      ? [`ALLOW_SANDBOX does not apply while ${payment.setting} ${payment.why}: it is for test money only.`]
      : []
  return payment ? [] : ['ALLOW_SANDBOX is not set. Set it to 1 to rehearse with test keys, or use live keys to sell.']
}
