import type Stripe from 'stripe'
import type { z } from 'zod'
import { API_VERSION, newId, seconds } from './books.ts'
import type { Books } from './books.ts'
import type { Needs } from './needs.ts'
import type { createEndpoint } from './parameters.ts'
import { mergedMetadata } from './payments.ts'
import { resourceMissing } from './errors.ts'

/** 2026-01-01: the sandbox's account has no history before its first payment. */
const OPENED = 1_767_225_600

export const account: Stripe.Account = {
  id: 'acct_1SandboxPawtelier',
  object: 'account',
  business_profile: {
    annual_revenue: null,
    estimated_worker_count: null,
    mcc: '5699',
    minority_owned_business_designation: null,
    name: 'Sandbox',
    product_description: null,
    specified_commercial_transactions_act_url: null,
    support_address: null,
    support_email: null,
    support_phone: null,
    support_url: null,
    url: null,
  },
  business_type: 'company',
  capabilities: { card_payments: 'active', transfers: 'active' },
  charges_enabled: true,
  controller: { type: 'account' },
  country: 'US',
  created: OPENED,
  default_currency: 'usd',
  details_submitted: true,
  email: 'sandbox@example.com',
  metadata: {},
  payouts_enabled: true,
  type: 'standard',
}

export const taxSettings: Stripe.Tax.Settings = {
  object: 'tax.settings',
  defaults: { provider: 'stripe', tax_behavior: 'exclusive', tax_code: 'txcd_99999999' },
  head_office: {
    address: { city: 'Austin', country: 'US', line1: '1 Main St', line2: null, postal_code: '73301', state: 'TX' },
  },
  livemode: false,
  status: 'active',
  status_details: { active: {} },
}

/** @param kept as stored; money that became available since then is marked so */
export function settledTransaction(kept: Stripe.BalanceTransaction, now: Date): Stripe.BalanceTransaction {
  return { ...kept, status: kept.available_on <= seconds(now) ? 'available' : 'pending' }
}

export function balanceOf({ books, kit }: Needs): Stripe.Balance {
  const booked = [...books.balanceTransactions.values()].map((one) => settledTransaction(one, kit.clock.now()))
  const funds = (status: string) => {
    const amount = booked.filter((one) => one.status === status).reduce((total, { net }) => total + net, 0)
    return [{ amount, currency: 'usd', source_types: { card: amount } }]
  }
  return { object: 'balance', available: funds('available'), livemode: false, pending: funds('pending') }
}

/** The shop's own endpoint, as if created in the dashboard, and those created through the API. */
export function listEndpoints({ books, kit }: Needs): Stripe.WebhookEndpoint[] {
  const made = [...books.endpoints.values()]
  const own = kit.endpoints.get('stripe')
  if (!own || made.some(({ url }) => url === own.url)) return made
  const byHand: Stripe.WebhookEndpoint = {
    id: 'we_1SandboxPawtelier',
    object: 'webhook_endpoint',
    api_version: API_VERSION,
    application: null,
    created: OPENED,
    description: null,
    enabled_events: ['*'],
    livemode: false,
    metadata: {},
    status: 'enabled',
    url: own.url,
  }
  return [byHand, ...made]
}

/** From now on events go to this endpoint. Only this response has its secret. */
export function openEndpoint({ books, kit }: Needs, wanted: z.output<typeof createEndpoint>): Stripe.WebhookEndpoint {
  const secret = newId('whsec', 32)
  const endpoint: Stripe.WebhookEndpoint = {
    id: newId('we'),
    object: 'webhook_endpoint',
    api_version: wanted.api_version ?? API_VERSION,
    application: null,
    created: seconds(kit.clock.now()),
    description: wanted.description ?? null,
    enabled_events: wanted.enabled_events,
    livemode: false,
    metadata: mergedMetadata({}, wanted.metadata ?? null),
    status: 'enabled',
    url: wanted.url,
  }
  books.endpoints.set(endpoint.id, endpoint)
  kit.endpoints.set('stripe', { url: endpoint.url, secret })
  return { ...endpoint, secret }
}

export function closeEndpoint({ books, kit }: Needs, id: string) {
  const endpoint = getEndpoint(books, id)
  books.endpoints.delete(id)
  if (kit.endpoints.get('stripe')?.url === endpoint.url) kit.endpoints.delete('stripe')
  return { id, object: 'webhook_endpoint' as const, deleted: true as const }
}

export function getEndpoint(books: Books, id: string): Stripe.WebhookEndpoint {
  const endpoint = books.endpoints.get(id)
  if (!endpoint) throw resourceMissing('webhook endpoint', id)
  return endpoint
}
