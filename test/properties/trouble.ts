import type pg from 'pg'
import type { Simulators } from '#sandbox/simulators.ts'
import { oneOf } from './shopper.ts'

// What goes wrong around a shop while people buy.

type Random = () => number

/** Ways in which webhooks are lost, doubled, late, shuffled or badly signed. */
export const webhookTrouble = ({ kit }: Simulators, random: Random): (() => Promise<void>)[] => [
  () => kit.webhooks.set({ drop: 2 }),
  () => kit.webhooks.set({ duplicate: Math.floor(random() * 4) }),
  () => kit.webhooks.set({ delayMs: oneOf(random, [0, 0, 40, 400, 2000]) }),
  () => kit.webhooks.set({ shuffle: random() < 0.5 }),
  () => kit.webhooks.set({ provider: 'stripe', sign: random() < 0.3 ? 'bad' : 'good' }),
]

/** Providers answer again, and webhooks arrive. */
export async function endTrouble({ kit }: Simulators): Promise<void> {
  kit.chaos.set(undefined)
  await kit.webhooks.set({ duplicate: 0, delayMs: 0, shuffle: false, sign: 'good' })
}

/** Sends a forged success event for a payment id that somebody saw. @param forged gets the event's id */
export async function forgeEvent(
  { stripe }: Simulators,
  shopUrl: string,
  forged: string[],
  random: Random,
): Promise<void> {
  const unpaid = (stripe.ledger().payments ?? []).filter(({ status }) => status !== 'succeeded')
  if (unpaid.length === 0) return
  const id = `evt_forged_${forged.length + 1}`
  forged.push(id)
  const object = { id: oneOf(random, unpaid).id, object: 'payment_intent', status: 'succeeded' }
  await fetch(`${shopUrl}/webhooks/stripe`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'stripe-signature': `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}`,
    },
    body: JSON.stringify({ id, object: 'event', type: 'payment_intent.succeeded', data: { object } }),
  }).catch(() => {})
}

/** Adds each order's status to its trace when it has changed. */
export async function noteStatuses(pool: pg.Pool, traces: Map<string, string[]>): Promise<void> {
  const { rows } = await pool.query<{ id: number; status: string }>('select id, status from audit_orders')
  for (const { id, status } of rows) {
    const trace = traces.get(String(id)) ?? []
    if (trace.at(-1) !== status) trace.push(status)
    traces.set(String(id), trace)
  }
}
