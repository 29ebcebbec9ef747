import { z } from 'zod'

import type { OpenKit } from '../kit/kit.ts'
import type { Rule } from '../kit/types.ts'
import type { WebhookOrder } from '../kit/webhooks.ts'
import { html, type Html } from './html.ts'

/*
 * What a person can break from the start page, and what is broken now. Each is a rule of the kit, the same that programs
 * set at /control/rules and /control/webhooks.
 */

const providers = ['stripe', 'paypal', 'printful'] as const
type Breakable = (typeof providers)[number]

const names: Readonly<Record<Breakable, string>> = {
  stripe: 'Card processor (Stripe)',
  paypal: 'Wallet (PayPal)',
  printful: 'Printer (Printful)',
}

const FOREVER = 1_000_000_000
const LATE_MS = 10 * 60_000

type AnswerFault = { label: string; rule: Pick<Rule, 'when' | 'do'> }

const answerFaults = {
  error: { label: 'fails with an error (500)', rule: { when: 'before', do: { status: 500 } } },
  away: {
    label: 'is down for maintenance (503)',
    rule: { when: 'before', do: { status: 503, headers: { 'retry-after': '30' } } },
  },
  limit: {
    label: 'rate-limits every call (429)',
    rule: { when: 'before', do: { status: 429, headers: { 'retry-after': '30' } } },
  },
  refused: { label: 'refuses the shop’s key (401)', rule: { when: 'before', do: { status: 401 } } },
  reset: { label: 'closes the connection', rule: { when: 'before', do: 'reset' } },
  hang: { label: 'never answers', rule: { when: 'before', do: 'hang' } },
  slow: { label: 'answers five seconds late', rule: { when: 'before', do: { delayMs: 5000 } } },
  lost: { label: 'handles the call, but its response is lost', rule: { when: 'after', do: 'reset' } },
  half: { label: 'handles the call, but only half of its response arrives', rule: { when: 'after', do: 'truncate' } },
} satisfies Record<string, AnswerFault>

type EventFault = { label: string; order: Omit<WebhookOrder, 'provider' | 'type'>; not?: Breakable }

const eventFaults = {
  lost: { label: 'are lost', order: { drop: FOREVER } },
  held: { label: 'wait until you stop it', order: { hold: true } },
  late: { label: 'arrive ten minutes late', order: { delayMs: LATE_MS } },
  twice: { label: 'arrive twice', order: { duplicate: 1 } },
  shuffled: { label: 'arrive out of order', order: { shuffle: true } },
  forged: { label: 'have a wrong signature', order: { sign: 'bad' }, not: 'printful' },
} satisfies Record<string, EventFault>

const keysOf = <Name extends string>(table: Record<Name, unknown>) => Object.keys(table) as [Name, ...Name[]]
const provider = z.enum(providers)

/** `calls`: how many calls fail; without it, all until it is stopped. */
export const breakRequest = z.discriminatedUnion('what', [
  z.strictObject({
    what: z.literal('answers'),
    provider,
    kind: z.enum(keysOf(answerFaults)),
    calls: z.union([z.literal(''), z.coerce.number().int().positive()]).optional(),
  }),
  z.strictObject({ what: z.literal('events'), provider, kind: z.enum(keysOf(eventFaults)) }),
  z.strictObject({ what: z.literal('random'), rate: z.coerce.number().gt(0).lte(1) }),
])
export const stopRequest = z.discriminatedUnion('what', [
  z.strictObject({ what: z.enum(['answers', 'events']), provider }),
  z.strictObject({ what: z.literal('random') }),
])

export async function breakProvider(kit: OpenKit, wanted: z.output<typeof breakRequest>): Promise<void> {
  if (wanted.what === 'random') kit.chaos.set({ seed: 7, rate: wanted.rate })
  else if (wanted.what === 'answers') {
    const { rule } = answerFaults[wanted.kind]
    kit.rules.add({ provider: wanted.provider, match: {}, times: wanted.calls || FOREVER, ...rule })
  } else await kit.webhooks.set({ provider: wanted.provider, ...eventFaults[wanted.kind].order })
}

/** Ends the fault; held events arrive now. What was lost stays lost. */
export async function stopBreaking(kit: OpenKit, wanted: z.output<typeof stopRequest>): Promise<void> {
  if (wanted.what === 'random') kit.chaos.set(undefined)
  else if (wanted.what === 'answers') kit.rules.clear(wanted.provider)
  else await kit.webhooks.stop(wanted.provider)
}

const isSame = (value: unknown, other: unknown) => JSON.stringify(value) === JSON.stringify(other)

function answersNow(kit: OpenKit, name: Breakable): string[] {
  return kit.rules
    .list()
    .filter(({ provider: of, left }) => of === name && left > 0)
    .map(({ when, do: does, match, left }) => {
      const known = Object.values<AnswerFault>(answerFaults).find(({ rule }) => isSame(rule, { when, do: does }))
      const label = known?.label ?? `${when} a call: ${JSON.stringify(does)}`
      const about = Object.keys(match).length > 0 ? ` for ${JSON.stringify(match)}` : ''
      return `${label}${about}, ${left > FOREVER / 2 ? 'until you stop it' : left === 1 ? 'one more call' : `${left} more calls`}`
    })
}

function eventsNow(kit: OpenKit, name: Breakable): string[] {
  const orders = kit.webhooks.orders().filter(({ provider: of }) => (of ?? name) === name)
  return orders.flatMap(({ provider: _of, type, ...order }) => {
    if (order.drop === 0 || order.hold === false) return []
    // Some of the events to drop may already have been dropped.
    const original = order.drop !== undefined && order.drop > FOREVER / 2 ? { ...order, drop: FOREVER } : order
    const known = Object.values<EventFault>(eventFaults).find((fault) => isSame(fault.order, original))
    return `${type ?? 'they'} ${known?.label ?? JSON.stringify(order)}`
  })
}

/** The section of the start page where providers are broken, each with its current faults. */
export const outageSection = (kit: OpenKit): Html =>
  html`<section class="card" aria-labelledby="trouble">
    <h2 id="trouble">Break something</h2>
    <p>
      The shop must never lose an order or money, no matter what breaks. Break a provider or its webhooks, buy
      something, and see what the shop shows; then stop it, and watch the shop catch up.
    </p>
    <div class="pair">${providers.map((name) => brokenProvider(kit, name))}</div>
    ${randomOutage(kit)}
  </section>`

function brokenProvider(kit: OpenKit, name: Breakable): Html {
  const events = Object.entries<EventFault>(eventFaults).filter(([, { not }]) => not !== name)
  return html`<div role="group" aria-labelledby="trouble-${name}">
    <h3 id="trouble-${name}">${names[name]}</h3>
    ${state(name, 'answers', answersNow(kit, name), 'It responds normally.')}
    <form method="post" action="/control/break" class="row">
      <input type="hidden" name="provider" value="${name}" />
      <input type="hidden" name="what" value="answers" />
      <div>
        <label for="answers-${name}">When the shop calls, it</label>
        <select id="answers-${name}" name="kind">
          ${Object.entries<AnswerFault>(answerFaults).map(([kind, { label }]) => html`<option value="${kind}">${label}</option>`)}
        </select>
      </div>
      <div>
        <label for="calls-${name}">How often</label>
        <select id="calls-${name}" name="calls">
          <option value="1">the next call</option>
          <option value="5">the next 5 calls</option>
          <option value="">until you stop it</option>
        </select>
      </div>
      <button aria-label="Break responses of ${names[name]}">Break</button>
    </form>
    ${state(name, 'events', eventsNow(kit, name), 'Its webhooks arrive normally.')}
    <form method="post" action="/control/break" class="row">
      <input type="hidden" name="provider" value="${name}" />
      <input type="hidden" name="what" value="events" />
      <div>
        <label for="events-${name}">From now on its webhooks</label>
        <select id="events-${name}" name="kind">
          ${events.map(([kind, { label }]) => html`<option value="${kind}">${label}</option>`)}
        </select>
      </div>
      <button aria-label="Break webhooks of ${names[name]}">Break</button>
    </form>
  </div>`
}

const state = (name: Breakable, what: 'answers' | 'events', broken: readonly string[], normal: string): Html =>
  broken.length === 0
    ? html`<p class="state"><span class="tag good">OK</span> ${normal}</p>`
    : html`<div class="state">
        <ul class="plain">
          ${broken.map((label) => html`<li><span class="tag bad">broken</span> ${label}</li>`)}
        </ul>
        <form method="post" action="/control/unbreak">
          <input type="hidden" name="provider" value="${name}" />
          <button
            class="light"
            name="what"
            value="${what}"
            aria-label="Stop: ${what === 'answers' ? 'responses' : 'webhooks'} of ${names[name]}"
          >
            Stop
          </button>
        </form>
      </div>`

function randomOutage(kit: OpenKit): Html {
  const now = kit.chaos.current()
  return html`<div role="group" aria-labelledby="trouble-random">
    <h3 id="trouble-random">All providers, randomly</h3>
    ${
      now
        ? html`<p class="state">
              <span class="tag bad">broken</span> ${Math.round(now.rate * 100)}% of calls fail in some way.
            </p>
            <form method="post" action="/control/unbreak">
              <button class="light" name="what" value="random" aria-label="Stop: random failures">Stop</button>
            </form>`
        : html`<form method="post" action="/control/break" class="row">
            <input type="hidden" name="what" value="random" />
            <div>
              <label for="chaos-rate">How many calls fail</label>
              <select id="chaos-rate" name="rate">
                <option value="0.05">one in twenty</option>
                <option value="0.2">one in five</option>
                <option value="0.5">one in two</option>
              </select>
            </div>
            <button aria-label="Start random failures">Start</button>
          </form>`
    }
  </div>`
}
