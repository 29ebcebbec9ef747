import { request as requestPlain } from 'node:http'
import { request as requestByTls } from 'node:https'

import type { Delivery, ProviderName, VirtualClock } from './types.ts'

import { seededRandom, shuffleArray } from './random.ts'

const ANSWER_TIMEOUT_MS = 10_000 // providers give a shop about this long to answer a webhook
const SHUFFLE_WINDOW_MS = 250 // events within this time of each other are shuffled

/** How events are delivered from now on: the body of `POST /control/webhooks`. Without provider or type it applies to all. */
export type WebhookOrder = {
  provider?: ProviderName
  type?: string
  /** The next this many events are lost for good; they can still be redelivered by hand. */
  drop?: number
  /** Every event is delivered this many extra times. */
  duplicate?: number
  /** Every event is delivered this much later, in sandbox time. */
  delayMs?: number
  /** Events wait until `release`. */
  hold?: boolean
  shuffle?: boolean
  sign?: 'good' | 'bad' | 'old' | 'other-secret' | 'none'
  /** The body changes after it is signed. */
  body?: 'mutate'
}

export type DeliveryRecord = {
  provider: ProviderName
  event: string
  type: string
  state: 'waiting' | 'held' | 'delivered' | 'dropped' | 'given_up' | 'no_endpoint'
  /** `answer` is the shop's status, or why it is missing. */
  attempts: { at: string; answer: number | string }[]
}

type SentEvent = { delivery: Delivery; record: DeliveryRecord; cancel?: () => void }

type Needs = {
  clock: VirtualClock
  endpoints: Map<ProviderName, { url: string; secret: string }>
  witness: (provider: ProviderName, kind: string, data: unknown) => void
}

export type Webhooks = ReturnType<typeof openWebhooks>

/** Delivers events to the shop as providers do: retried until a 2xx, with the faults that the control page set. */
export function openWebhooks({ clock, endpoints, witness }: Needs) {
  const sent = new Map<string, SentEvent>()
  let orders: WebhookOrder[] = []
  let underWay = 0
  let idleWaiters: (() => void)[] = []
  let shuffling: SentEvent[] = []
  let random = seededRandom(1)

  const keyOf = ({ provider, eventId }: Delivery) => `${provider} ${eventId}`
  const isFor = (order: WebhookOrder, { provider, type }: Delivery) =>
    (order.provider ?? provider) === provider && (order.type ?? type) === type

  /** The latest order that sets a field wins. */
  const orderFor = (delivery: Delivery): WebhookOrder =>
    Object.assign({}, ...orders.filter((order) => isFor(order, delivery))) as WebhookOrder

  async function tracked<T>(work: Promise<T>): Promise<T> {
    underWay += 1
    try {
      return await work
    } finally {
      underWay -= 1
      if (underWay === 0) {
        const waiting = idleWaiters
        idleWaiters = []
        for (const resolve of waiting) resolve()
      }
    }
  }

  async function attempt(event: SentEvent): Promise<void> {
    const { delivery, record } = event
    event.cancel?.()
    delete event.cancel
    const endpoint = endpoints.get(delivery.provider)
    if (!endpoint) {
      record.state = 'no_endpoint'
      return witness(delivery.provider, 'webhook_without_endpoint', { event: delivery.eventId, type: delivery.type })
    }
    const order = orderFor(delivery)
    const number = record.attempts.length + 1
    const body = order.body === 'mutate' ? mutateBody(delivery.body) : delivery.body
    const at = clock.now().toISOString()
    const answer = await post(endpoint.url, body, delivery.headers(number, order.sign ?? 'good'))
    record.attempts.push({ at, answer })
    witness(delivery.provider, 'webhook', { event: delivery.eventId, type: delivery.type, attempt: number, answer })
    if (typeof answer === 'number' && answer >= 200 && answer < 300) {
      record.state = 'delivered'
      return
    }
    if (record.state === 'delivered') return
    const wait = delivery.retryAfterMs[number - 1]
    record.state = wait === undefined ? 'given_up' : 'waiting'
    if (wait !== undefined) {
      event.cancel = clock.later(wait, `webhook ${delivery.type}, attempt ${number + 1}`, () => tracked(attempt(event)))
    }
  }

  /** Sequential: events arrive in the order in which they were released. */
  async function attemptAll(events: readonly SentEvent[]): Promise<void> {
    for (const event of events) await attempt(event)
  }

  function shuffleIn(event: SentEvent): void {
    shuffling.push(event)
    event.record.state = 'held'
    if (shuffling.length > 1) return
    clock.later(SHUFFLE_WINDOW_MS, 'shuffled webhooks', () => {
      const batch = shuffleArray(shuffling, random)
      shuffling = []
      return tracked(attemptAll(batch))
    })
  }

  const copiesOf = (event: SentEvent): SentEvent[] =>
    Array.from({ length: 1 + (orderFor(event.delivery).duplicate ?? 0) }, () => event)

  function send(event: SentEvent): void {
    const { delayMs = 0, shuffle } = orderFor(event.delivery)
    const copies = copiesOf(event)
    if (shuffle) return copies.forEach(shuffleIn)
    if (delayMs > 0) {
      event.cancel = clock.later(delayMs, `late webhook ${event.delivery.type}`, () => tracked(attemptAll(copies)))
      return
    }
    for (const copy of copies) void tracked(attempt(copy))
  }

  function useUpDrop(delivery: Delivery): boolean {
    const order = orders.findLast((candidate) => isFor(candidate, delivery) && (candidate.drop ?? 0) > 0)
    if (order) order.drop = (order.drop ?? 0) - 1
    return order !== undefined
  }

  const inState = (...states: DeliveryRecord['state'][]) =>
    [...sent.values()].filter(({ record }) => states.includes(record.state))

  /** @returns when the events that are no longer held have been tried */
  function release(order: WebhookOrder): Promise<void> {
    const free = inState('held').filter(({ delivery }) => !orderFor(delivery).hold && isFor(order, delivery))
    const copies = free.flatMap(copiesOf)
    const queue = copies.some(({ delivery }) => orderFor(delivery).shuffle) ? shuffleArray(copies, random) : copies
    shuffling = shuffling.filter((event) => !free.includes(event))
    return tracked(attemptAll(queue))
  }

  return {
    deliver(delivery: Delivery): void {
      const { provider, eventId, type } = delivery
      const event: SentEvent = { delivery, record: { provider, event: eventId, type, state: 'waiting', attempts: [] } }
      sent.set(keyOf(delivery), event)
      if (useUpDrop(delivery)) {
        event.record.state = 'dropped'
        return witness(provider, 'webhook_dropped', { event: eventId, type })
      }
      if (orderFor(delivery).hold) {
        event.record.state = 'held'
        return
      }
      send(event)
    },
    /** @returns when the events that `release` frees have been tried */
    async set({ release: isReleased, ...order }: WebhookOrder & { release?: boolean }): Promise<void> {
      if (isReleased) order.hold = false
      orders.push(order)
      if (order.hold === false) await release(order)
    },
    /** Ends the orders for this provider alone. @returns when what was held has been tried */
    async stop(provider: ProviderName): Promise<void> {
      orders = orders.filter((order) => order.provider !== provider)
      await release({ provider })
    },
    orders: (): readonly WebhookOrder[] => orders,
    /** Sends everything that is waiting or held, now. @returns how many */
    async flush(): Promise<number> {
      const waiting = inState('held', 'waiting')
      shuffling = []
      await tracked(attemptAll(waiting))
      return waiting.length
    },
    /** Sends one event again, also a dropped or delivered one. Throws a sentence when there is no such event. */
    async redeliver(eventId: string): Promise<DeliveryRecord> {
      const event = [...sent.values()].find(({ delivery }) => delivery.eventId === eventId)
      if (!event) throw new Error(`No event ${eventId} was ever sent.`)
      await tracked(attempt(event))
      return event.record
    },
    list: (): DeliveryRecord[] => [...sent.values()].map(({ record }) => record),
    /** Resolves when no delivery is running. Held events and future retries do not count. */
    idle(): Promise<void> {
      return underWay === 0 ? Promise.resolve() : new Promise((resolve) => idleWaiters.push(resolve))
    },
    reset(): void {
      for (const { cancel } of sent.values()) cancel?.()
      sent.clear()
      orders = []
      shuffling = []
      random = seededRandom(1)
    },
  }
}

/** Any changed byte must break a signature; changing a digit keeps the JSON valid. */
function mutateBody(body: string): string {
  return body.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10))
}

/** @returns the status, or the reason why it is missing */
function post(url: string, body: string, headers: Record<string, string>): Promise<number | string> {
  const request = url.startsWith('https:') ? requestByTls : requestPlain
  return new Promise((resolve) => {
    const out = request(
      url,
      {
        method: 'POST',
        agent: false,
        signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
        headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers },
      },
      (answer) => {
        answer.resume()
        answer.once('end', () => resolve(answer.statusCode ?? 'no status'))
        answer.once('error', () => resolve('broken answer'))
      },
    )
    out.once('error', (error: NodeJS.ErrnoException) =>
      resolve(error.name === 'TimeoutError' || error.name === 'AbortError' ? 'timeout' : (error.code ?? error.message)),
    )
    out.end(body)
  })
}
