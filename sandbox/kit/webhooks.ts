import { request } from 'node:http'

import type { Delivery, ProviderName, VirtualClock } from './types.ts'

import { seededRandom, shuffleArray } from './random.ts'

const ANSWER_TIMEOUT_MS = 10_000 // providers give a shop about this long to answer a webhook
const SHUFFLE_WINDOW_MS = 250 // events that come within this time of each other change places

/** How events travel from now on: what `POST /control/webhooks` asks for. Without provider or type it is meant for all. */
export type WebhookOrder = {
  provider?: ProviderName
  type?: string
  /** The next so many events are lost for good; they can still be redelivered by hand. */
  drop?: number
  /** Every event comes so many times more. */
  duplicate?: number
  /** Every event comes this much later, in sandbox time. */
  delayMs?: number
  /** Events wait until `release`. */
  hold?: boolean
  shuffle?: boolean
  sign?: 'good' | 'bad' | 'old' | 'other-secret' | 'none'
  /** The body changes after it was signed. */
  body?: 'mutate'
}

export type DeliveryRecord = {
  provider: ProviderName
  event: string
  type: string
  state: 'waiting' | 'held' | 'delivered' | 'dropped' | 'given_up' | 'no_endpoint'
  /** `answer` is the shop's status, or why there was none. */
  attempts: { at: string; answer: number | string }[]
}

type SentEvent = { delivery: Delivery; record: DeliveryRecord; cancel?: () => void }

type Needs = {
  clock: VirtualClock
  endpoints: Map<ProviderName, { url: string; secret: string }>
  witness: (provider: ProviderName, kind: string, data: unknown) => void
}

export type Webhooks = ReturnType<typeof openWebhooks>

/** Carries events to the shop as providers do: again and again until a 2xx, and as badly as the control page wants. */
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

  /** The latest word on each point counts. */
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
        for (const tell of waiting) tell()
      }
    }
  }

  async function attempt(one: SentEvent): Promise<void> {
    const { delivery, record } = one
    one.cancel?.()
    delete one.cancel
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
      one.cancel = clock.later(wait, `webhook ${delivery.type}, attempt ${number + 1}`, () => tracked(attempt(one)))
    }
  }

  /** One after the other, so that the order in which events were released is the order in which they arrive. */
  async function attemptAll(ones: readonly SentEvent[]): Promise<void> {
    for (const one of ones) await attempt(one)
  }

  function shuffleIn(one: SentEvent): void {
    shuffling.push(one)
    one.record.state = 'held'
    if (shuffling.length > 1) return
    clock.later(SHUFFLE_WINDOW_MS, 'shuffled webhooks', () => {
      const gathered = shuffleArray(shuffling, random)
      shuffling = []
      return tracked(attemptAll(gathered))
    })
  }

  const copiesOf = (one: SentEvent): SentEvent[] =>
    Array.from({ length: 1 + (orderFor(one.delivery).duplicate ?? 0) }, () => one)

  function send(one: SentEvent): void {
    const { delayMs = 0, shuffle } = orderFor(one.delivery)
    const copies = copiesOf(one)
    if (shuffle) return copies.forEach(shuffleIn)
    if (delayMs > 0) {
      one.cancel = clock.later(delayMs, `late webhook ${one.delivery.type}`, () => tracked(attemptAll(copies)))
      return
    }
    for (const copy of copies) void tracked(attempt(copy))
  }

  function useUpDrop(delivery: Delivery): boolean {
    const order = orders.findLast((one) => isFor(one, delivery) && (one.drop ?? 0) > 0)
    if (order) order.drop = (order.drop ?? 0) - 1
    return order !== undefined
  }

  const inState = (...states: DeliveryRecord['state'][]) =>
    [...sent.values()].filter(({ record }) => states.includes(record.state))

  /** @returns when what was held for it and is no longer has been tried */
  function release(order: WebhookOrder): Promise<void> {
    const free = inState('held').filter(({ delivery }) => !orderFor(delivery).hold && isFor(order, delivery))
    const copies = free.flatMap(copiesOf)
    const queue = copies.some(({ delivery }) => orderFor(delivery).shuffle) ? shuffleArray(copies, random) : copies
    shuffling = shuffling.filter((one) => !free.includes(one))
    return tracked(attemptAll(queue))
  }

  return {
    deliver(delivery: Delivery): void {
      const { provider, eventId, type } = delivery
      const one: SentEvent = { delivery, record: { provider, event: eventId, type, state: 'waiting', attempts: [] } }
      sent.set(keyOf(delivery), one)
      if (useUpDrop(delivery)) {
        one.record.state = 'dropped'
        return witness(provider, 'webhook_dropped', { event: eventId, type })
      }
      if (orderFor(delivery).hold) {
        one.record.state = 'held'
        return
      }
      send(one)
    },
    /** @returns when what `release` lets go has been tried */
    async set({ release: isReleased, ...order }: WebhookOrder & { release?: boolean }): Promise<void> {
      if (isReleased) order.hold = false
      orders.push(order)
      if (order.hold === false) await release(order)
    },
    /** Ends what was asked for of this provider alone. @returns when what was held has been tried */
    async stop(provider: ProviderName): Promise<void> {
      orders = orders.filter((order) => order.provider !== provider)
      await release({ provider })
    },
    orders: (): readonly WebhookOrder[] => orders,
    /** Sends everything that waits for its time or is held, now. @returns how many */
    async flush(): Promise<number> {
      const waiting = inState('held', 'waiting')
      shuffling = []
      await tracked(attemptAll(waiting))
      return waiting.length
    },
    /** Sends one event again, also a dropped or delivered one. Throws a sentence when there is no such event. */
    async redeliver(eventId: string): Promise<DeliveryRecord> {
      const one = [...sent.values()].find(({ delivery }) => delivery.eventId === eventId)
      if (!one) throw new Error(`No event ${eventId} was ever made.`)
      await tracked(attempt(one))
      return one.record
    },
    list: (): DeliveryRecord[] => [...sent.values()].map(({ record }) => record),
    /** Resolves when no delivery is on its way. Held events and retries to come do not count. */
    idle(): Promise<void> {
      return underWay === 0 ? Promise.resolve() : new Promise((tell) => idleWaiters.push(tell))
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

/** Any change of a byte must break a signature; a digit keeps the JSON readable. */
function mutateBody(body: string): string {
  return body.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10))
}

/** @returns the status, or a word for why there was none */
function post(url: string, body: string, headers: Record<string, string>): Promise<number | string> {
  return new Promise((tell) => {
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
        answer.once('end', () => tell(answer.statusCode ?? 'no status'))
        answer.once('error', () => tell('broken answer'))
      },
    )
    out.once('error', (error: NodeJS.ErrnoException) =>
      tell(error.name === 'TimeoutError' || error.name === 'AbortError' ? 'timeout' : (error.code ?? error.message)),
    )
    out.end(body)
  })
}
