import { sql } from 'drizzle-orm'
import {
  type Finding,
  clockFinding,
  failed,
  inconclusive,
  mappingFinding,
  passed,
  scopesFinding,
  tokenFinding,
  webhookFinding,
} from '#domain/doctor/findings.ts'
import { baseUrlOf } from '#server/config/config.ts'
import { isOnThisMachine } from '#server/config/shop-mode.ts'
import {
  neededTypes,
  paypalEvents,
  printfulEvents,
  stripeEvents,
  typesThatMean,
} from '#server/providers/event-types.ts'
import { filterStored, findLastEventTime } from '#server/providers/events.ts'
import { NotPermitted, ProviderRefusal } from '#server/providers/provider-errors.ts'
import { hasRunningRaffle } from '#server/raffles/running.ts'
import type { Needs } from '#server/shop.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, after } from '#shared/time.ts'
import { type ProviderNeeds, runCheck } from './doctor-check.ts'

export async function examineStripe(shop: ProviderNeeds): Promise<Finding[]> {
  const url = `${baseUrlOf(shop.config)}/webhooks/stripe`
  const findings = await Promise.all([
    runCheck('stripe key', 'Stripe', async () => {
      const { canCharge, canPayOut } = await shop.stripe.describeAccount()
      return canCharge && canPayOut
        ? passed('stripe key', 'The key works, and the account can charge cards and pay out.')
        : failed(
            'stripe key',
            canCharge ? 'The Stripe account cannot pay out.' : 'The Stripe account cannot charge cards.',
            'Complete the tasks on the home page of Stripe’s dashboard.',
          )
    }),
    runCheck('clock', 'Stripe', async () => {
      const { at } = await shop.stripe.describeAccount()
      return clockFinding(at, shop.clock.now())
    }),
    runCheck('stripe tax', 'Stripe', async () =>
      (await shop.stripe.isTaxActive())
        ? passed('stripe tax', 'Stripe Tax can calculate tax.')
        : failed(
            'stripe tax',
            'Stripe Tax cannot calculate tax, so nobody can check out.',
            'Complete the settings of Stripe Tax in Stripe’s dashboard.',
          ),
    ),
    runCheck('stripe disputes', 'Stripe', async () => {
      await shop.stripe.readEvidencePermission()
      return passed(
        'stripe disputes',
        'The key may read disputes and files of evidence. Whether a restricted key may also write them, Stripe shows only then.',
      )
    }),
    runCheck('stripe wallets', 'Stripe', () => examineWallets(shop)),
    runCheck('stripe webhook', 'Stripe', async () =>
      webhookFinding(
        'stripe webhook',
        { url, events: neededTypes(stripeEvents) },
        await shop.stripe.listEndpoints(),
        'at Stripe, under Developers, Webhooks',
      ),
    ),
  ])
  return findings.flat()
}

/** Stripe shows Apple Pay and Google Pay only on registered domains (docs.stripe.com/payments/payment-methods/pmd-registration). */
async function examineWallets({ config, stripe }: ProviderNeeds): Promise<Finding> {
  const name = 'stripe wallets'
  const base = baseUrlOf(config)
  if (isOnThisMachine(base)) return passed(name, 'On this machine’s own address no domain has to be registered.')
  const domain = new URL(base).hostname
  const status = await stripe.readDomain(domain)
  const wrong = status
    ? [
        ...(status.applePay === 'active' ? [] : [`Apple Pay: ${status.applePay}`]),
        ...(status.googlePay === 'active' ? [] : [`Google Pay: ${status.googlePay}`]),
      ]
    : [`${domain} is not registered at Stripe`]
  return wrong.length === 0
    ? passed(name, `Apple Pay and Google Pay work on ${domain}.`)
    : failed(
        name,
        `Shoppers do not see every wallet: ${wrong.join('; ')}.`,
        'Run `npm run owner -- go-live`, which registers the domain and asks Stripe to check it again.',
      )
}

const SIGNED_WITHIN_MS = 30 * DAY_MS

/** Stripe shows a signing secret once and sends no event on request, so the proof is the last event that matched it. */
export async function examineSignature({ db, clock }: Needs<'db' | 'clock'>): Promise<Finding> {
  const name = 'stripe signature'
  const at = await findLastEventTime(db, 'stripe', typesThatMean(stripeEvents, 'payment'))
  return at && at > after(clock.now(), -SIGNED_WITHIN_MS)
    ? passed(name, `STRIPE_WEBHOOK_SECRET matched an event on ${at.toISOString()}; Stripe offers no other proof.`)
    : inconclusive(
        name,
        'No payment event in 30 days has shown that STRIPE_WEBHOOK_SECRET matches; Stripe offers no other proof.',
        'Send a test event from the webhook’s page in Stripe’s dashboard, then run this again.',
      )
}

/** What a token may do once the app has ‘Customer disputes’ (PayPal's Disputes v1, provide-evidence). */
const ANSWER_SCOPE = 'https://uri.paypal.com/services/disputes/update-seller'

/** PayPal signs with our webhook's id, so reading the webhook by that id is the round trip. Each feature is a permission of its own. */
export async function examinePaypal(shop: ProviderNeeds): Promise<Finding[]> {
  const url = `${baseUrlOf(shop.config)}/webhooks/paypal`
  const findings = await Promise.all([
    runCheck('paypal webhook', 'PayPal', async () => {
      try {
        const endpoint = await shop.paypal.readWebhook()
        return webhookFinding(
          'paypal webhook',
          { url, events: neededTypes(paypalEvents) },
          [endpoint],
          'at PayPal, in the app, under Webhooks',
        )
      } catch (error) {
        if (!(error instanceof ProviderRefusal)) throw error
        return failed(
          'paypal webhook',
          'PayPal does not know PAYPAL_WEBHOOK_ID, so no event’s signature can be verified.',
          'Set PAYPAL_WEBHOOK_ID to the id shown at PayPal, in the app, under Webhooks.',
        )
      }
    }),
    runCheck('paypal disputes', 'PayPal', () =>
      examineFeature('paypal disputes', 'Customer disputes', 'A dispute stays unnoticed until its money is gone.', () =>
        Array.fromAsync(shop.paypal.listDisputesSince(shop.clock.now())),
      ),
    ),
    runCheck('paypal dispute answers', 'PayPal', async () =>
      (await shop.paypal.listScopes()).includes(ANSWER_SCOPE)
        ? passed('paypal dispute answers', 'The PayPal app may send evidence in disputes.')
        : failed(
            'paypal dispute answers',
            'The PayPal app may not send evidence in disputes, so they can only be answered on PayPal’s own pages.',
            'Turn on ‘Customer disputes’ at PayPal, in the app, under Features. New tokens pick it up within a few hours.',
          ),
    ),
    runCheck('paypal transactions', 'PayPal', () =>
      examineFeature(
        'paypal transactions',
        'Transaction search',
        'Without it the shop cannot reconcile PayPal, and misses refunds, fees and payouts whose event did not arrive.',
        () => {
          const until = shop.clock.now()
          return shop.paypal.listMovements({ since: after(until, -HOUR_MS), until }, null)
        },
      ),
    ),
  ])
  return findings.flat()
}

/** @param feature as PayPal names it @param otherwise what happens while it is off */
async function examineFeature(
  name: string,
  feature: string,
  otherwise: string,
  ask: () => Promise<unknown>,
): Promise<Finding> {
  try {
    await ask()
    return passed(name, `The PayPal app has the feature ‘${feature}’.`)
  } catch (error) {
    if (!(error instanceof NotPermitted)) throw error
    return failed(
      name,
      `The PayPal app lacks the feature ‘${feature}’ (PayPal answers 403). ${otherwise}`,
      `Turn on ‘${feature}’ at PayPal, in the app, under Features. New tokens pick it up within a few hours.`,
    )
  }
}

/** Older events may be from before the last restored backup. */
const MADE_WITHIN_MS = 3 * DAY_MS
/** An event this old that is not here was refused or never reached the shop, though PayPal retries for days. */
const DELIVERED_WITHIN_MS = 15 * MINUTE_MS

/** The proof is that PayPal's newest event was accepted and that the certificate of the last one is valid. */
export async function examineWalletSignature({
  db,
  paypal,
  clock,
}: Needs<'db' | 'paypal' | 'clock'>): Promise<Finding> {
  const name = 'paypal signature'
  const made = (await paypal.listEvents(after(clock.now(), -MADE_WITHIN_MS)))
    .filter(({ type, at }) => paypalEvents[type]?.isNeeded && at < after(clock.now(), -DELIVERED_WITHIN_MS))
    .toSorted((a, b) => b.at.getTime() - a.at.getTime())
  const [newest] = made
  const known = await filterStored(
    db,
    'paypal',
    made.map(({ id }) => id),
  )
  if (newest && !known.has(newest.id))
    return failed(
      name,
      `PayPal created the event ${newest.id} at ${newest.at.toISOString()}, but the shop does not have it: it was refused or never arrived.`,
      'Check that PAYPAL_WEBHOOK_ID belongs to this shop’s address and that the shop can download PayPal’s certificates, and look for refused events in the log.',
    )
  const { rows } = await db.execute<{ certificate: string }>(
    sql`select payload ->> 'certificate' as certificate from provider_event
        where provider = 'paypal' and payload ? 'certificate' order by id desc limit 1`,
  )
  const certificate = rows[0]?.certificate
  if (!certificate)
    return inconclusive(
      name,
      'No event has arrived yet that would prove PayPal’s signatures.',
      'Run this again after the first PayPal payment.',
    )
  const judged = await paypal.checkCertificate(certificate)
  if ('wrong' in judged)
    return failed(
      name,
      `PayPal’s certificate at ${certificate} is not valid: ${judged.wrong}.`,
      'Ask PayPal whether its certificates changed. Payments are still found, by the regular sweep.',
    )
  const until = judged.certificate.validToDate.toISOString().slice(0, 10)
  return passed(
    name,
    judged.isRooted
      ? `PayPal’s certificate verifies events, is valid until ${until}, and its chain is trusted.`
      : `PayPal’s certificate verifies events and is valid until ${until}. Its chain is unknown here, so the shop confirms it with PayPal after each start.`,
  )
}

/** Printful signs nothing: the secret is part of the webhook's address, which Printful returns. */
export async function examinePrintful(shop: ProviderNeeds): Promise<Finding[]> {
  const { tokenExpires, webhookSecret } = shop.config.printful
  const url = `${baseUrlOf(shop.config)}/webhooks/printful/${webhookSecret.reveal()}`
  const findings = await Promise.all([
    runCheck('printful token', 'Printful', async () => {
      await shop.printful.ping()
      return tokenFinding(tokenExpires, shop.clock.now())
    }),
    runCheck('printful scopes', 'Printful', async () => scopesFinding(await shop.printful.listScopes())),
    runCheck('printful webhook', 'Printful', async () =>
      webhookFinding(
        'printful webhook',
        { url, events: neededTypes(printfulEvents) },
        await shop.printful.listEndpoints(),
        'with POST /webhooks of Printful’s API',
      ),
    ),
  ])
  return findings.flat()
}

/** A sync this many intervals old was missed several times. */
const COMPARED_WITHIN_INTERVALS = 8

export async function examineMapping({ db, clock, config }: Needs<'db' | 'clock' | 'config'>): Promise<Finding> {
  const { rows } = await db.execute<{
    variants: number
    unmapped: string[] | null
    unseen: number
    gone: number
    compared_at: Date | null
  }>(sql`
    select (select count(*)::int from variant where gone_at is null) as variants,
           (select array_agg(p.slug order by p.slug) from product p where p.visible and (p.sync_product_id is null
              or not exists (select 1 from variant v where v.product_id = p.id and v.gone_at is null))) as unmapped,
           (select count(*)::int from variant where gone_at is null and blank_id is null) as unseen,
           (select count(*)::int from catalog_change where state = 'waiting' and kind = 'gone') as gone,
           (select max(started_at) from catalog_sync where whole and state = 'done') as compared_at`)
  const [found] = rows
  const { variants = 0, unseen = 0, gone = 0 } = found ?? {}
  const comparedAt = found?.compared_at ? new Date(found.compared_at) : null
  return mappingFinding(
    { variants, unseen, missing: gone, unmapped: found?.unmapped ?? [], comparedAt },
    clock.now(),
    Math.max(COMPARED_WITHIN_INTERVALS * config.sync.intervalMs, DAY_MS),
  )
}

/** Only when a raffle waits for its draw: nobody else needs the beacon. */
export async function examineBeacon({ db, drand }: Needs<'db' | 'drand'>): Promise<Finding> {
  const name = 'raffle beacon'
  if (!(await hasRunningRaffle(db))) return passed(name, 'No raffle waits for a draw.')
  return (await drand.describe()).isSame
    ? passed(name, 'The beacon that decides raffles answers, and is the network of the settings.')
    : failed(
        name,
        'The beacon’s hash, public key, genesis or period differ from the settings, so new raffles would announce a network that does not exist.',
        'Set DRAND_CHAIN_HASH, DRAND_PUBLIC_KEY, DRAND_GENESIS and DRAND_PERIOD_S as the network’s /info has them.',
      )
}
