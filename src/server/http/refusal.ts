import { refusals, type RefusalBody, type RefusalCode } from '#contract/refusals.ts'
import type { PaymentKey } from '#shared/ids.ts'
import { inLanguage, type Language } from '#shared/language.ts'
import { sayMade } from '#words/say-made.ts'

type Facts = Readonly<Record<string, unknown>>

/** A request that is refused. Thrown to roll back the transaction; `errors.ts` turns it into an answer. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly code: RefusalCode
  readonly facts: Facts
  readonly fields: Readonly<Record<string, string>> | undefined

  /** @param facts fill the sentence's `{names}`; a `summary` or a `payment` among them is sent along, and `retryAfterS` as the header */
  constructor(code: RefusalCode, facts: Facts = {}, fields?: Readonly<Record<string, string>>) {
    super(code)
    this.code = code
    this.facts = facts
    this.fields = fields
  }
}

export const statusOfRefusal = (code: RefusalCode): number => refusals[code][0]

const mapValues = (fields: Readonly<Record<string, string>>, change: (text: string) => string) =>
  Object.fromEntries(Object.entries(fields).map(([name, text]) => [name, change(text)]))

const factText = (fact: unknown): string => (typeof fact === 'string' || typeof fact === 'number' ? String(fact) : '')

/** The body of a refusal; the sentences are the contract's, with the facts filled in. Refusals of the owner and partners are English. */
export function bodyOfRefusal(
  { code, facts, fields }: Pick<Refusal, 'code' | 'facts' | 'fields'>,
  language: Language = 'en',
): RefusalBody {
  const said = (sentence: string) => inLanguage(language, () => sayMade(sentence))
  return {
    code,
    message: said(refusals[code][1])
      .replace(/\{(\w+)\}/g, (_, name: string) => said(factText(facts[name])))
      .trim(),
    ...(fields && { fields: mapValues(fields, said) }),
    ...('summary' in facts && { summary: facts['summary'] }),
    ...(facts['payment'] !== undefined && { payment: facts['payment'] as PaymentKey }),
  }
}

/** What an owner command prints. The owner gives an order number alone; the contract's sentence speaks of an email as well. */
export const ownerSentenceOf = (refusal: Refusal): string =>
  refusal.code === 'unknown_order' ? 'There is no order with this number.' : bodyOfRefusal(refusal).message
