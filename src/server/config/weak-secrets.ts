import { label } from '#site/label.ts'
import { isGuessable } from '#domain/accounts/guessable.ts'

/** The shop's rule for owners (docs/operations.md). */
const OWNER_PASSWORD_MIN = 12
/**
 * Twenty random characters have 80 bits even as hexadecimal digits; OWASP's Session Management Cheat Sheet requires 64.
 */
const SECRET_MIN = 20
/** Only one in a thousand random strings of twenty has fewer distinct characters. */
const DIFFERENT_MIN = 8
export const STRIPE_WEBHOOK_PREFIX = 'whsec_'

const DEMO_PASSWORDS = ['owner-demo', 'partner-demo']

/** Secrets that the owner chooses or may paste incompletely. */
type Secrets = {
  owner: { username: string; password: string } | undefined
  stripeWebhookSecrets: readonly string[]
  printfulWebhookSecret: string
  metricsToken: string | undefined
}

/** @returns a sentence for each weak secret; missing ones are reported elsewhere */
export function listWeakSecrets({
  owner,
  stripeWebhookSecrets,
  printfulWebhookSecret,
  metricsToken,
}: Secrets): string[] {
  const sentences: string[] = []
  if (owner) sentences.push(...objectionsToOwner(owner))
  const isWhole = (secret: string) =>
    secret.startsWith(STRIPE_WEBHOOK_PREFIX) && isRandom(secret.slice(STRIPE_WEBHOOK_PREFIX.length))
  // The bare prefix is refused in every mode, with its own sentence.
  if (!stripeWebhookSecrets.filter((secret) => secret !== STRIPE_WEBHOOK_PREFIX).every(isWhole))
    sentences.push(
      `STRIPE_WEBHOOK_SECRET is not a complete signing secret: ${STRIPE_WEBHOOK_PREFIX} must be followed by ${SECRET_MIN} or more letters and digits. Copy it from the webhook’s page in Stripe’s dashboard.`,
    )
  if (printfulWebhookSecret && !isRandom(printfulWebhookSecret))
    sentences.push(
      `PRINTFUL_WEBHOOK_SECRET is too easy to guess: with it, anybody could send fake events. ${howToFix('PRINTFUL_WEBHOOK_SECRET')}`,
    )
  if (metricsToken && !isRandom(metricsToken))
    sentences.push(
      `METRICS_TOKEN is too easy to guess: with it, anybody could read the shop’s figures. ${howToFix('METRICS_TOKEN')}`,
    )
  return sentences
}

const howToFix = (name: string) =>
  `Use ${SECRET_MIN} or more random letters and digits, for example: echo ${name}=$(openssl rand -hex 16)`

function objectionsToOwner({ username, password }: { username: string; password: string }): string[] {
  if (DEMO_PASSWORDS.includes(password))
    return ['OWNER_PASSWORD is the demo password, which a live shop does not accept.']
  if (password.length < OWNER_PASSWORD_MIN)
    return [`OWNER_PASSWORD must have at least ${OWNER_PASSWORD_MIN} characters when the shop is live.`]
  return isGuessable(password, [username, label.name])
    ? ['OWNER_PASSWORD is too easy to guess. Use several unrelated words.']
    : []
}

const isRandom = (secret: string): boolean =>
  secret.length >= SECRET_MIN && new Set(secret).size >= DIFFERENT_MIN && !isGuessable(secret, [label.name])
