import { z } from 'zod'

import type { OpenKit } from '../kit/kit.ts'
import type { Rule } from '../kit/types.ts'
import type { WebhookOrder } from '../kit/webhooks.ts'
import { html, type Html } from './html.ts'

/*
 * What a person can break from the start page, and what is broken now. Each is a rule or an order of the kit, the same that programs
 * ask for at /control/rules and /control/webhooks.
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

type AnswerFault = { words: string; rule: Pick<Rule, 'when' | 'do'> }

const answerFaults = {
  error: { words: 'fails with an error (500)', rule: { when: 'before', do: { status: 500 } } },
  away: {
    words: 'is down for maintenance (503)',
    rule: { when: 'before', do: { status: 503, headers: { 'retry-after': '30' } } },
  },
  limit: {
    words: 'takes no more calls for now (429)',
    rule: { when: 'before', do: { status: 429, headers: { 'retry-after': '30' } } },
  },
  refused: { words: 'does not take the shop’s key (401)', rule: { when: 'before', do: { status: 401 } } },
  reset: { words: 'hangs up', rule: { when: 'before', do: 'reset' } },
  hang: { words: 'never answers', rule: { when: 'before', do: 'hang' } },
  slow: { words: 'answers five seconds late', rule: { when: 'before', do: { delayMs: 5000 } } },
  lost: { words: 'does what it is asked, and its answer is lost', rule: { when: 'after', do: 'reset' } },
  half: { words: 'does what it is asked, and half of its answer arrives', rule: { when: 'after', do: 'truncate' } },
} satisfies Record<string, AnswerFault>

type EventFault = { words: string; order: Omit<WebhookOrder, 'provider' | 'type'>; not?: Breakable }

const eventFaults = {
  lost: { words: 'are lost', order: { drop: FOREVER } },
  held: { words: 'wait until you stop this', order: { hold: true } },
  late: { words: 'come ten minutes late', order: { delayMs: LATE_MS } },
  twice: { words: 'come twice', order: { duplicate: 1 } },
  shuffled: { words: 'come in a wrong order', order: { shuffle: true } },
  forged: { words: 'have a wrong signature', order: { sign: 'bad' }, not: 'printful' },
} satisfies Record<string, EventFault>

const keysOf = <Name extends string>(table: Record<Name, unknown>) => Object.keys(table) as [Name, ...Name[]]
const provider = z.enum(providers)

/** `calls`: how many go wrong before it works again; without it, all until it is stopped. */
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

/** All is well again with it; events that were held arrive now. What was lost stays lost. */
export async function stopBreaking(kit: OpenKit, wanted: z.output<typeof stopRequest>): Promise<void> {
  if (wanted.what === 'random') kit.chaos.set(undefined)
  else if (wanted.what === 'answers') kit.rules.clear(wanted.provider)
  else await kit.webhooks.stop(wanted.provider)
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

function answersNow(kit: OpenKit, name: Breakable): string[] {
  return kit.rules
    .list()
    .filter(({ provider: of, left }) => of === name && left > 0)
    .map(({ when, do: does, match, left }) => {
      const known = Object.values<AnswerFault>(answerFaults).find(({ rule }) => isSame(rule, { when, do: does }))
      const words = known?.words ?? `${when} a call: ${JSON.stringify(does)}`
      const about = Object.keys(match).length > 0 ? ` for ${JSON.stringify(match)}` : ''
      return `${words}${about}, ${left > FOREVER / 2 ? 'until you stop it' : left === 1 ? 'one more call' : `${left} more calls`}`
    })
}

function eventsNow(kit: OpenKit, name: Breakable): string[] {
  const orders = kit.webhooks.orders().filter(({ provider: of }) => (of ?? name) === name)
  return orders.flatMap(({ provider: _of, type, ...order }) => {
    if (order.drop === 0 || order.hold === false) return []
    // Of those that are to be lost some are already.
    const asked = order.drop !== undefined && order.drop > FOREVER / 2 ? { ...order, drop: FOREVER } : order
    const known = Object.values<EventFault>(eventFaults).find((one) => isSame(one.order, asked))
    return `${type ?? 'they'} ${known?.words ?? JSON.stringify(order)}`
  })
}

/** The section of the start page where providers are broken, each with what is broken now. */
export const outageSection = (kit: OpenKit): Html =>
  html`<section class="card" aria-labelledby="trouble">
    <h2 id="trouble">Break something</h2>
    <p>
      The shop is to lose no order and no money whatever happens here. Break a provider or its webhooks, buy something,
      and see what the shop says; then stop it, and see it catch up.
    </p>
    <div class="pair">${providers.map((name) => brokenProvider(kit, name))}</div>
    ${randomOutage(kit)}
  </section>`

function brokenProvider(kit: OpenKit, name: Breakable): Html {
  const events = Object.entries<EventFault>(eventFaults).filter(([, { not }]) => not !== name)
  return html`<div role="group" aria-labelledby="trouble-${name}">
    <h3 id="trouble-${name}">${names[name]}</h3>
    ${state(name, 'answers', answersNow(kit, name), 'It answers as it should.')}
    <form method="post" action="/control/break" class="row">
      <input type="hidden" name="provider" value="${name}" />
      <input type="hidden" name="what" value="answers" />
      <div>
        <label for="answers-${name}">When the shop asks, it</label>
        <select id="answers-${name}" name="kind">
          ${Object.entries<AnswerFault>(answerFaults).map(([kind, { words }]) => html`<option value="${kind}">${words}</option>`)}
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
      <button aria-label="Break the answers of ${names[name]}">Break it</button>
    </form>
    ${state(name, 'events', eventsNow(kit, name), 'Its webhooks arrive as they should.')}
    <form method="post" action="/control/break" class="row">
      <input type="hidden" name="provider" value="${name}" />
      <input type="hidden" name="what" value="events" />
      <div>
        <label for="events-${name}">From now on its webhooks</label>
        <select id="events-${name}" name="kind">
          ${events.map(([kind, { words }]) => html`<option value="${kind}">${words}</option>`)}
        </select>
      </div>
      <button aria-label="Break the webhooks of ${names[name]}">Break them</button>
    </form>
  </div>`
}

const state = (name: Breakable, what: 'answers' | 'events', broken: readonly string[], well: string): Html =>
  broken.length === 0
    ? html`<p class="state"><span class="tag good">well</span> ${well}</p>`
    : html`<div class="state">
        <ul class="plain">
          ${broken.map((words) => html`<li><span class="tag bad">broken</span> ${words}</li>`)}
        </ul>
        <form method="post" action="/control/unbreak">
          <input type="hidden" name="provider" value="${name}" />
          <button
            class="light"
            name="what"
            value="${what}"
            aria-label="Stop: ${what === 'answers' ? 'answers' : 'webhooks'} of ${names[name]}"
          >
            Stop
          </button>
        </form>
      </div>`

function randomOutage(kit: OpenKit): Html {
  const now = kit.chaos.current()
  return html`<div role="group" aria-labelledby="trouble-random">
    <h3 id="trouble-random">All of them, now and then</h3>
    ${
      now
        ? html`<p class="state">
              <span class="tag bad">broken</span> ${Math.round(now.rate * 100)} of 100 calls go wrong in some way.
            </p>
            <form method="post" action="/control/unbreak">
              <button class="light" name="what" value="random" aria-label="Stop: calls that go wrong now and then">
                Stop
              </button>
            </form>`
        : html`<form method="post" action="/control/break" class="row">
            <input type="hidden" name="what" value="random" />
            <div>
              <label for="chaos-rate">How many calls go wrong</label>
              <select id="chaos-rate" name="rate">
                <option value="0.05">one in twenty</option>
                <option value="0.2">one in five</option>
                <option value="0.5">every second</option>
              </select>
            </div>
            <button aria-label="Let calls go wrong now and then">Begin</button>
          </form>`
    }
  </div>`
}
