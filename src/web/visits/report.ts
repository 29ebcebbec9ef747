import { VISITS_PATH } from '#contract/visit-path.ts'
import type { VisitReport } from '#contract/visits.ts'

// Loaded after everything else, and starts by itself. Pages mark what is counted with `data-count`, so that they need no script for
// it. Nothing is stored in the browser, and a report is sent without cookies.

type Counted = VisitReport['steps'][number]

const LOOK_EVERY_MS = 1000

/** For pages of what somebody has already: opening them from an email or on the way back from a payment is no visit. */
const ownPages =
  /^\/(?:admin|reports|partnership|auth|account|new-password|my-data|newsletter|checkout|direct-checkout|checkout-with-stripe-address|success|payment-success|order-confirmation|track|pay|gift-card)(?:\/|$)/

/** Whether this load of the app begins a visit: from outside, not a reload or the way back. */
function isVisit(): boolean {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const isInside = document.referrer !== '' && new URL(document.referrer).origin === location.origin
  return entry?.type === 'navigate' && !isInside && !ownPages.test(location.pathname)
}

const of = (step: Counted['step'], about = 0): Counted => ({ step, about })

/** @param mark a step alone, or of a product's page `view 12 sold_out 345`: the product, and the state of the chosen variant */
function read(mark: string): Counted[] {
  const [step, product, state, variant] = mark.split(' ')
  if (step !== 'view') return [of(step as Counted['step'])]
  const soldOut = state === 'sold_out' ? [of('sold_out_view', Number(variant))] : []
  return [of('product'), of('view', Number(product)), ...soldOut]
}

const marked = (): string[] =>
  Array.from(document.querySelectorAll<HTMLElement>('[data-count]'), ({ dataset }) => dataset['count'] ?? '')

/** What this load of the app has counted: each once. */
const sent = new Set<string>()
let waiting: Counted[] = isVisit() ? [of('visit')] : []

function look(): void {
  // A page that is rendered before it is opened, or in a background tab, may never be seen.
  if (document.hidden) return
  const steps = [...waiting, ...marked().flatMap(read)].filter(({ step, about }) => {
    const key = `${step} ${about}`
    return !sent.has(key) && sent.add(key)
  })
  waiting = []
  if (steps.length > 0) send(steps)
}

function send(steps: Counted[]): void {
  const from = document.referrer && new URL(document.referrer).hostname
  // A report that is lost is a visit that is not counted.
  void fetch(VISITS_PATH, {
    method: 'POST',
    credentials: 'omit',
    keepalive: true,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ steps, from } satisfies VisitReport),
  }).catch(() => undefined)
}

/** A sold-out button does nothing, but somebody wanted it. */
document.addEventListener('click', ({ target }) => {
  if (!(target instanceof Element) || !target.closest('main button[aria-disabled=true]')) return
  const soldOut = marked()
    .flatMap(read)
    .find(({ step }) => step === 'sold_out_view')
  if (soldOut) waiting.push(of('sold_out_press', soldOut.about))
})
setInterval(look, LOOK_EVERY_MS)
