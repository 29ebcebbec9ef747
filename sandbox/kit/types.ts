/** The parts that every simulated provider shares: time, log, faults, webhooks and the witness file. */

export type ProviderName = 'stripe' | 'paypal' | 'printful' | 'drand' | 'smtp'

/** One HTTP request as a simulator sees it. `path` has no query; header names are lower case. */
export type Call = {
  method: string
  path: string
  query: URLSearchParams
  headers: Readonly<Record<string, string>>
  raw: Buffer
}

/** A simulator's response. A plain object or array becomes JSON; a string or buffer is sent as it is with its content type. */
export type Answer = { status: number; body?: unknown; headers?: Record<string, string> }

/** Sandbox time: the real clock plus what the control page added. */
export type VirtualClock = {
  now(): Date
  /** Moves time forward and runs the timers that became due, in order of time. */
  advance(ms: number): Promise<void>
  /** Runs `work` once `ms` of sandbox time have passed. The timer does not keep the process alive. @returns a cancel function */
  later(ms: number, label: string, work: () => void | Promise<void>): () => void
  /**
   * The same in production time: real time counts `speed` times, `advance` counts once.
   * With speed 0 only `advance` triggers it.
   */
  laterInLife(ms: number, label: string, work: () => void | Promise<void>): () => void
}

/** A fault set by `POST /control/rules` (the body's shape): the first rule whose `match` fits a call is used `times` times. */
export type Rule = {
  provider: ProviderName
  match: { method?: string; path?: string; external_id?: string; nth?: number; body?: string }
  when: 'before' | 'after'
  do:
    | { status?: number; body?: unknown; headers?: Record<string, string>; delayMs?: number }
    | 'reset'
    | 'hang'
    | 'truncate'
  times?: number
}

export type LoggedCall = {
  seq: number
  at: string
  provider: ProviderName
  method: string
  path: string
  /** Idempotency key, PayPal-Request-Id or external_id, if the call has one. */
  key?: string
  request: unknown
  status: number
  answer: unknown
  rule?: Rule
  /** The provider has this endpoint, but the sandbox does not. */
  notSimulated?: true
}

/** A webhook on its way to the shop. Signing happens per attempt, as the providers do. */
export type Delivery = {
  provider: ProviderName
  eventId: string
  type: string
  body: string
  /** Headers for one attempt, with a fresh signature and timestamp; `sign` is what the control page set. */
  headers(attempt: number, sign: 'good' | 'bad' | 'old' | 'other-secret' | 'none'): Record<string, string>
  /** Milliseconds of sandbox time before attempt 2, 3, …; after the last one the event is given up. */
  retryAfterMs: readonly number[]
}

/** A provider's own records (`GET /control/ledger`). */
export type ProviderLedger = {
  payments: {
    provider: string
    id: string
    status: string
    amount_cents: number
    fee_cents?: number
    currency: string
  }[]
  refunds: { provider: string; id: string; payment_id: string; amount_cents: number; status: string }[]
  partner_orders: {
    id: string
    external_id: string
    status: string
    /** `files` of a variant that was created through the API: where each is printed, in the print area's pixels. */
    items: {
      sync_variant_id: number
      quantity: number
      files?: { placement: string; url: string; position: object }[]
    }[]
  }[]
  shipments: { id: string; order_id: string; status: string; tracking_number: string }[]
}

/** One simulated provider, listening. */
export type Provider = {
  name: ProviderName
  url: string
  ledger(): Partial<ProviderLedger>
  /** A change by `POST /control/world`, e.g. `{provider:"printful", change:"ship", external_id}`. Throws a sentence when it is impossible. */
  change(wanted: Record<string, unknown>): Promise<unknown>
  /** Back to its seed data. */
  reset(): void
  /** Its books, as data that `v8.serialize` takes: continued by `load`, in another process. What belongs to a process alone is left out. */
  save(): unknown
  /** @param shop its address then and now */
  load(saved: unknown, shop: { before: string; now: string }): void
  close(): Promise<void>
}

/** What every simulator receives. */
export type Kit = {
  clock: VirtualClock
  /** How many times faster than real time production and parcels move; 0 = only by the control calls (SANDBOX_SPEED). */
  speed: number
  /** Appends one line to the witness file (none when tests run in memory) and to the log in memory. */
  witness(provider: ProviderName, kind: string, data: unknown): void
  /** Where the shop takes a provider's webhooks and with which secret; undefined until the shop is known. */
  endpoints: Map<ProviderName, { url: string; secret: string }>
  deliver(delivery: Delivery): void
  /**
   * Starts an HTTP server on loopback for a provider: reads the body (at most 5 MB), applies fault rules before and after `handle`,
   * logs every call, and records calls that `handle` answers with `notSimulatedCalls`.
   * @param port 0 picks a free one
   */
  serve(
    name: ProviderName,
    port: number,
    handle: (call: Call) => Answer | Promise<Answer>,
  ): Promise<{ url: string; close(): Promise<void> }>
  /** Wrap a response with this when the endpoint exists at the provider but not here: the test run fails on it. */
  notSimulated(answer: Answer): Answer
}
