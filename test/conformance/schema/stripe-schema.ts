import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { ValidateFunction } from 'ajv/dist/2020.js'
import { Stripe } from 'stripe'
import type { StripeCheck } from '#sandbox/stripe/stripe.ts'
import { schemaBookOf } from './json-schema.ts'
import type { SchemaBook } from './json-schema.ts'

/**
 * The types of the `stripe` package, which Stripe generates from its own API description, as schemas for the simulator's
 * responses and the shop's requests. Reading the types takes seconds, so the result is cached under node_modules/.cache.
 */

/** Resources that may be embedded; a reference to any other stays an id. */
const resources = {
  payment_intent: 'Stripe.PaymentIntent',
  charge: 'Stripe.Charge',
  payment_method: 'Stripe.PaymentMethod',
  balance_transaction: 'Stripe.BalanceTransaction',
  balance: 'Stripe.Balance',
  refund: 'Stripe.Refund',
  dispute: 'Stripe.Dispute',
  payout: 'Stripe.Payout',
  file: 'Stripe.File',
  file_link: 'Stripe.FileLink',
  'radar.early_fraud_warning': 'Stripe.Radar.EarlyFraudWarning',
  'tax.calculation': 'Stripe.Tax.Calculation',
  'tax.calculation_line_item': 'Stripe.Tax.CalculationLineItem',
  'tax.transaction': 'Stripe.Tax.Transaction',
  'tax.transaction_line_item': 'Stripe.Tax.TransactionLineItem',
  webhook_endpoint: 'Stripe.WebhookEndpoint',
  account: 'Stripe.Account',
  payment_method_domain: 'Stripe.PaymentMethodDomain',
  'tax.settings': 'Stripe.Tax.Settings',
} as const

const answers = {
  ...Object.fromEntries(Object.values(resources).map((type) => [type.slice('Stripe.'.length), type])),
  DeletedWebhookEndpoint: 'Stripe.DeletedWebhookEndpoint',
}

const LISTED_TYPES = [
  'PaymentIntent',
  'Charge',
  'BalanceTransaction',
  'Refund',
  'Dispute',
  'Payout',
  'File',
  'WebhookEndpoint',
  'PaymentMethodDomain',
  'Tax.CalculationLineItem',
  'Tax.TransactionLineItem',
]

const requests = [
  'PaymentIntentCreateParams',
  'PaymentIntentListParams',
  'PaymentIntentRetrieveParams',
  'PaymentIntentUpdateParams',
  'PaymentIntentConfirmParams',
  'PaymentIntentCancelParams',
  'ChargeListParams',
  'ChargeRetrieveParams',
  'BalanceRetrieveParams',
  'BalanceTransactionListParams',
  'BalanceTransactionRetrieveParams',
  'RefundCreateParams',
  'RefundListParams',
  'RefundRetrieveParams',
  'DisputeListParams',
  'DisputeRetrieveParams',
  'DisputeUpdateParams',
  'DisputeCloseParams',
  'FileListParams',
  'FileRetrieveParams',
  'PayoutListParams',
  'PayoutRetrieveParams',
  'Tax.CalculationCreateParams',
  'Tax.CalculationRetrieveParams',
  'Tax.CalculationListLineItemsParams',
  'Tax.TransactionCreateFromCalculationParams',
  'Tax.TransactionCreateReversalParams',
  'Tax.TransactionRetrieveParams',
  'Tax.TransactionListLineItemsParams',
  'EventListParams',
  'EventRetrieveParams',
  'AccountRetrieveCurrentParams',
  'WebhookEndpointCreateParams',
  'WebhookEndpointListParams',
  'WebhookEndpointRetrieveParams',
  'WebhookEndpointDeleteParams',
  'PaymentMethodDomainCreateParams',
  'PaymentMethodDomainListParams',
  'PaymentMethodDomainUpdateParams',
  'PaymentMethodDomainValidateParams',
  'Tax.SettingsRetrieveParams',
]

/** A valid TypeScript name: `Tax.Calculation` becomes `Tax_Calculation`. */
const identifierOf = (name: string) => name.replaceAll('.', '_')

const source = [
  "import type Stripe from 'stripe'",
  ...Object.entries(answers).map(([name, type]) => `export type ${identifierOf(name)} = ${type}`),
  ...LISTED_TYPES.map((name) => `export type ${identifierOf(name)}List = Stripe.ApiList<Stripe.${name}>`),
  ...requests.map((name) => `export type ${identifierOf(name)} = Stripe.${name}`),
  "export type EventType = Stripe.Event['type']",
  "export type EventEnvelope = Omit<Stripe.EventBase, 'data' | 'type'> & { data: { object: unknown, previous_attributes?: unknown }, type: string }",
].join('\n')

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** From the cache, or from the types the first time with this version of the package. */
function readStripeBook(): SchemaBook {
  const converter = readFileSync(new URL('./json-schema.ts', import.meta.url))
  const digest = createHash('sha256').update(source).update(converter).digest('hex').slice(0, 12)
  const folder = `${root}node_modules/.cache/pawtelier/`
  const kept = `${folder}stripe-${Stripe.PACKAGE_VERSION}-${digest}.json`
  if (existsSync(kept)) return JSON.parse(readFileSync(kept, 'utf8')) as SchemaBook
  const book = schemaBookOf(
    source,
    `${root}stripe-types.ts`,
    (resource) => ['list', 'event'].includes(resource) || resource in resources,
  )
  mkdirSync(folder, { recursive: true })
  // Several test workers may do this at the same time; a rename never exposes a partial file.
  writeFileSync(`${kept}.${process.pid}`, JSON.stringify(book))
  renameSync(`${kept}.${process.pid}`, kept)
  return book
}

/**
 * @param resource `PaymentIntent`, `Tax.Calculation`, `ChargeList` …
 * @returns the mistakes, one sentence each; empty when the response has the published shape
 */
export function validateStripeAnswer(resource: string, body: unknown): string[] {
  if (resource === 'Event') return mistakesInEvent(body)
  if (resource === 'EventList') return mistakesInEventList(body)
  return mistakesOf(validators().answer(resource), body, resource)
}

/**
 * @param parameters name of the parameters' type, `PaymentIntentCreateParams` …
 * @param form the decoded form, where everything is text
 */
export function validateStripeRequest(parameters: string, form: unknown): string[] {
  // A copy: the validator replaces text with the numbers that it parsed.
  return mistakesOf(validators().request(parameters), structuredClone(form), parameters)
}

/** For `startStripe`: collects mistakes, and makes the simulator answer 500 with them. */
export function openStripeCheck(): {
  check: StripeCheck
  mistakes: readonly string[]
} {
  const mistakes: string[] = []
  return {
    mistakes,
    check(kind, name, value) {
      const found =
        kind === 'request'
          ? validateStripeRequest(name, value)
          : kind === 'event'
            ? mistakesInEvent(value)
            : validateStripeAnswer(name, value)
      if (found.length === 0) return
      mistakes.push(...found)
      throw new Error(found.join(' '))
    },
  }
}

type Validators = { answer: (name: string) => ValidateFunction; request: (name: string) => ValidateFunction }
let openedValidators: Validators | undefined

function validators(): Validators {
  openedValidators ??= openValidators(readStripeBook())
  return openedValidators
}

function openValidators({ $defs, roots }: SchemaBook): Validators {
  const open = (coerceTypes: boolean) => {
    const ajv = new Ajv2020({ strict: false, allErrors: true, coerceTypes })
    ajv.addSchema({ $id: 'stripe', $defs })
    const compiled = new Map<string, ValidateFunction>()
    return (name: string) => {
      const known = compiled.get(name)
      if (known) return known
      const schema = roots[identifierOf(name)]
      if (!schema) throw new Error(`No published type is known for '${name}'.`)
      const { $ref } = schema
      const validate = ajv.compile(typeof $ref === 'string' ? { $ref: `stripe${$ref}` } : schema)
      compiled.set(name, validate)
      return validate
    }
  }
  return { answer: open(false), request: open(true) }
}

const MISTAKES_MAX = 6

function mistakesOf(validate: ValidateFunction, value: unknown, what: string): string[] {
  if (validate(value)) return []
  // A reference that may be an id or an object reports errors for both; the one about the id is noise.
  const errors = (validate.errors ?? []).filter(({ keyword }) => keyword !== 'anyOf')
  const told = errors.map(({ instancePath, message, params }) => {
    const extra: unknown = params['additionalProperty'] ?? params['allowedValues']
    return `${what}${instancePath} ${message ?? ''}${extra === undefined ? '' : ` (${JSON.stringify(extra).slice(0, 80)})`}.`
  })
  return [...new Set(told)].slice(0, MISTAKES_MAX)
}

type EventLike = { type: string; data: { object: { object: string } } }

function mistakesInEvent(event: unknown): string[] {
  const envelope = [...mistakesOf(validators().answer('EventEnvelope'), event, 'Event')]
  if (envelope.length > 0) return envelope
  const { type, data } = event as EventLike
  const resource: string | undefined = Object.entries(resources).find(([name]) => name === data.object.object)?.[1]
  return [
    ...mistakesOf(validators().answer('EventType'), type, 'Event/type'),
    ...(resource === undefined
      ? [`Event/data/object '${data.object.object}' has no published type here.`]
      : mistakesOf(validators().answer(resource.slice('Stripe.'.length)), data.object, `${type} ${resource}`)),
  ]
}

function mistakesInEventList(list: unknown): string[] {
  const { object, data, has_more: hasMore, url } = list as Record<string, unknown>
  const isList = object === 'list' && Array.isArray(data) && typeof hasMore === 'boolean' && typeof url === 'string'
  return isList ? data.flatMap(mistakesInEvent) : ['EventList is no list.']
}

/** @returns the mistakes of an object of Stripe's, wherever it was found; none for what has no published type here */
export function validateStripeObject(fields: Readonly<Record<string, unknown>>): string[] {
  const type = Object.entries(resources).find(([name]) => name === fields['object'])?.[1]
  return type === undefined || 'deleted' in fields ? [] : validateStripeAnswer(type.slice('Stripe.'.length), fields)
}
