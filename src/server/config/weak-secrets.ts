import { label } from '#site/label.ts'
import { isGuessable } from '#domain/accounts/guessable.ts'

/** The first one is the shop's own rule for owners (docs/operations.md). */
const OWNER_PASSWORD_MIN = 12
/**
 * Twenty characters by chance carry 80 bits even where they are hexadecimal digits; OWASP's session management cheat sheet asks for
 * 64 of what must not be guessed.
 */
const SECRET_MIN = 20
/** So many different ones are among twenty by chance in all but one of a thousand; `xxxx…` has one. */
const DIFFERENT_MIN = 8
export const STRIPE_WEBHOOK_PREFIX = 'whsec_'

const DEMO_PASSWORDS = ['owner-demo', 'partner-demo']

/** Secrets that we choose, or paste in part; those of the providers are as good as they made them. */
type Secrets = {
  owner: { username: string; password: string } | undefined
  stripeWebhookSecrets: readonly string[]
  printfulWebhookSecret: string
  metricsToken: string | undefined
}

/** @returns a sentence for each secret that guards nothing; a missing one is not this function's */
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
  // The bare beginning is refused in every mode, by its own sentence.
  if (!stripeWebhookSecrets.filter((secret) => secret !== STRIPE_WEBHOOK_PREFIX).every(isWhole))
    sentences.push(
      `STRIPE_WEBHOOK_SECRET is not a whole signing secret: Stripe’s begin with ${STRIPE_WEBHOOK_PREFIX} and go on with ${SECRET_MIN} or more letters and digits. Copy it from the webhook’s page in Stripe’s dashboard.`,
    )
  if (printfulWebhookSecret && !isRandom(printfulWebhookSecret))
    sentences.push(
      `PRINTFUL_WEBHOOK_SECRET is too easy to guess, and whoever guesses it can send events. ${howToFix('PRINTFUL_WEBHOOK_SECRET')}`,
    )
  if (metricsToken && !isRandom(metricsToken))
    sentences.push(
      `METRICS_TOKEN is too easy to guess, and whoever guesses it reads the shop’s figures. ${howToFix('METRICS_TOKEN')}`,
    )
  return sentences
}

const howToFix = (name: string) =>
  `Make it of ${SECRET_MIN} or more random letters and digits, such as by: echo ${name}=$(openssl rand -hex 16)`

function objectionsToOwner({ username, password }: { username: string; password: string }): string[] {
  if (DEMO_PASSWORDS.includes(password)) return ['OWNER_PASSWORD is the demo’s; a live shop refuses it.']
  if (password.length < OWNER_PASSWORD_MIN)
    return [`OWNER_PASSWORD must have at least ${OWNER_PASSWORD_MIN} characters when the shop is live.`]
  return isGuessable(password, [username, label.name])
    ? ['OWNER_PASSWORD is too easy to guess: it is made of what is tried first. Take several unrelated words.']
    : []
}

const isRandom = (secret: string): boolean =>
  secret.length >= SECRET_MIN && new Set(secret).size >= DIFFERENT_MIN && !isGuessable(secret, [label.name])
